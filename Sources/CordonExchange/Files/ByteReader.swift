internal import CZlib
internal import Foundation

/// Reads a file in large pieces, through gzip when it is that, and hands out whole lines as UTF-8 with line feeds.
final class ByteReader {
  private let file: gzFile
  private let path: String
  private var buffer: UnsafeMutablePointer<UInt8>
  private var capacity = 1 << 20
  private var begin = 0
  private var end = 0
  private var isAtEnd = false
  /// Known from the first bytes on.
  private var decoding: TextDecoding?
  /// Whether the last bytes were used as they are.
  private var isPlain = true

  /// Sentences on text that was decoded in another way than the file declares; complete when all pieces were read.
  var remarks: [String] { decoding?.remarks ?? [] }

  /// Opens a file; `-` is standard input.
  init(path: String) throws(PointFileError) {
    self.path = path
    var isFolder: ObjCBool = false
    if path != "-", FileManager.default.fileExists(atPath: path, isDirectory: &isFolder),
      isFolder.boolValue
    {
      throw PointFileError(.unreadable, "is a folder")
    }
    guard let opened = path == "-" ? gzdopen(dup(0), "rb") : gzopen(path, "rb") else {
      throw PointFileError(.unreadable, String(cString: strerror(errno)))
    }
    file = opened
    gzbuffer(file, 1 << 18)
    buffer = .allocate(capacity: capacity)
  }

  deinit {
    gzclose(file)
    buffer.deallocate()
  }

  /// Calls `body` with pieces that end at the end of a line (or of the file), until there is no more or it returns false.
  func forEachPiece(_ body: (UnsafeBufferPointer<UInt8>) throws -> Bool) throws {
    while true {
      try fill()
      let bytes = UnsafeBufferPointer(start: buffer + begin, count: end - begin)
      if bytes.isEmpty { return }
      var length = bytes.count
      if !isAtEnd {
        while length > 0, bytes[length - 1] != 0x0A { length -= 1 }
        if length == 0 {
          guard capacity <= 1 << 28 else {
            throw PointFileError(.unreadable, "has a line of more than 256 MiB")
          }
          grow()
          continue
        }
      }
      begin += length
      guard try body(UnsafeBufferPointer(rebasing: bytes[..<length])) else { return }
    }
  }

  private func fill() throws(PointFileError) {
    if begin > 0 {
      buffer.update(from: buffer + begin, count: end - begin)
      end -= begin
      begin = 0
    }
    while end < capacity, !isAtEnd {
      // Text in another encoding may grow, to three times its size at most.
      let room = isPlain ? capacity - end : (capacity - end) / 3
      if room < 16, !isPlain { return }
      let count = gzread(file, buffer + end, UInt32(min(room, 1 << 24)))
      if count < 0 {
        var code: Int32 = 0
        let text = gzerror(file, &code).map { String(cString: $0) } ?? "damaged"
        throw PointFileError(.unreadable, code == Z_ERRNO ? String(cString: strerror(errno)) : text)
      }
      if count == 0 {
        isAtEnd = true
        var code: Int32 = 0
        _ = gzerror(file, &code)
        if code == Z_BUF_ERROR { throw PointFileError(.truncated, "the compressed data end early") }
      }
      let fresh = UnsafeBufferPointer(start: buffer + end, count: Int(count))
      if decoding == nil { decoding = TextDecoding(head: fresh) }
      isPlain = decoding?.isPlain(fresh) ?? true
      if isPlain {
        end += Int(count)
      } else if let bytes = decoding?.decoded(fresh, isLast: isAtEnd) {
        // The piece in which this was found out may need more room.
        while end + bytes.count > capacity { grow() }
        bytes.withUnsafeBufferPointer { bytes in
          guard let base = bytes.baseAddress else { return }
          (buffer + end).update(from: base, count: bytes.count)
        }
        end += bytes.count
      }
    }
  }

  private func grow() {
    let larger = UnsafeMutablePointer<UInt8>.allocate(capacity: capacity * 2)
    larger.update(from: buffer, count: end)
    buffer.deallocate()
    buffer = larger
    capacity *= 2
  }
}
