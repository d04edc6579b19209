import CordonCore
import CordonMonitoring
import CordonWire
import Foundation

/// A sink in a file of JSON Lines: one location on each line, as in the body of `/v1`.
///
/// Lines are on the disk before they are acknowledged. A line that a crash cut short is removed before the next
/// write: it was not acknowledged, and is sent again. Only the owner can read the file.
struct LocationFile {
  let url: URL

  /// Writes the locations of a request, all or none.
  func take(_ request: SinkRequest) -> SinkResponse {
    guard case .positions(let locations, _) = request.body else {
      return SinkResponse(number: request.number, status: 0)
    }
    // 507 is the HTTP status of a full disk; the rows stay, and are sent again.
    guard append(PositionBatch.encodeLines(locations)) else { return SinkResponse(number: request.number, status: 507) }
    let rows = locations.map { RowAnswer(id: $0.id, status: .stored) }
    return SinkResponse(number: request.number, status: 200, body: .rows(rows))
  }

  private func append(_ lines: [UInt8]) -> Bool {
    let handle = open(url.path, O_RDWR | O_CREAT | O_CLOEXEC, 0o600)
    guard handle >= 0 else { return false }
    defer { close(handle) }
    guard let end = endOfLines(handle) else { return false }
    var done = 0
    while done < lines.count {
      let count = lines[done...].withUnsafeBytes { pwrite(handle, $0.baseAddress, $0.count, end + off_t(done)) }
      if count < 0, errno == EINTR { continue }
      if count <= 0 {
        ftruncate(handle, end)
        return false
      }
      done += count
    }
    if fsync(handle) == 0 { return true }
    ftruncate(handle, end)
    return false
  }

  /// Returns the end of the last complete line; the rest is cut off.
  private func endOfLines(_ handle: Int32) -> off_t? {
    let size = lseek(handle, 0, SEEK_END)
    guard size >= 0 else { return nil }
    var end = size
    var block = [UInt8](repeating: 0, count: 4_096)
    while end > 0 {
      let start = max(0, end - off_t(block.count))
      let count = pread(handle, &block, Int(end - start), start)
      guard count == Int(end - start) else { return nil }
      if let last = block[0..<count].lastIndex(of: 0x0A) {
        end = start + off_t(last) + 1
        break
      }
      end = start
    }
    if end < size, ftruncate(handle, end) != 0 { return nil }
    return end
  }
}
