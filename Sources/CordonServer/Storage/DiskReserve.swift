internal import CordonIngest
internal import Foundation

/// A file that reserves disk space for erasures and withdrawals. It is deleted when they need the space,
/// and made again when enough space is free.
final class DiskReserve: SpaceReserve {
  private let path: String
  private let folder: String
  /// The reserved size in bytes.
  let bytes: Int
  private(set) var isWhole = false

  /// - Parameters:
  ///   - folder: the folder of the store.
  ///   - bytes: how much is held; at most an eighth of the disk is.
  init(folder: String, bytes: Int) {
    self.folder = folder
    path = folder + "/reserve"
    self.bytes = min(bytes, (Self.space(folder)?.capacity ?? .max) / 8)
    let size = (try? FileManager.default.attributesOfItem(atPath: path))?[.size] as? Int
    isWhole = size == self.bytes
    if !isWhole { restore() }
  }

  /// The free space and the size of the disk of a folder, in bytes; `nil` where the system does not report them.
  static func space(_ folder: String) -> (free: Int, capacity: Int)? {
    var answer = statvfs()
    guard statvfs(folder, &answer) == 0 else { return nil }
    let block = Int(clamping: answer.f_frsize)
    return (Int(clamping: answer.f_bavail) * block, Int(clamping: answer.f_blocks) * block)
  }

  private var free: Int { Self.space(folder)?.free ?? .max }

  /// Whether less space is free than is reserved, so that inserts will soon fail.
  var isNearlyFull: Bool { !isWhole || free < bytes }

  func release() -> Bool {
    guard isWhole else { return false }
    isWhole = false
    return unlink(path) == 0
  }

  func restore() {
    // Some space must stay free besides the reserve.
    guard !isWhole, free >= bytes + bytes / 8 else { return }
    let temporary = path + ".new"
    defer { unlink(temporary) }
    guard FileManager.default.createFile(atPath: temporary, contents: nil, attributes: [.posixPermissions: 0o600]),
      let file = FileHandle(forWritingAtPath: temporary)
    else { return }
    defer { try? file.close() }
    // Fills the file with bytes that file systems cannot compress.
    var state: UInt64 = 0x9e37_79b9_7f4a_7c15
    var left = bytes
    while left > 0 {
      let words = (0..<8_192).map { _ -> UInt64 in
        state ^= state << 13
        state ^= state >> 7
        state ^= state << 17
        return state
      }
      let chunk = words.withUnsafeBytes { Data($0.prefix(left)) }
      guard (try? file.write(contentsOf: chunk)) != nil else { return }
      left -= chunk.count
    }
    guard (try? file.synchronize()) != nil, rename(temporary, path) == 0 else { return }
    isWhole = true
  }
}
