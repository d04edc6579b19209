internal import CordonIngest
internal import Foundation

/// A file that holds room on the disk for erasures and withdrawals; it is deleted when they need it, and made again when there
/// is room.
final class DiskReserve: SpaceReserve {
  private let path: String
  private let folder: String
  /// How much is held.
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

  private static func space(_ folder: String) -> (free: Int, capacity: Int)? {
    var answer = statvfs()
    guard statvfs(folder, &answer) == 0 else { return nil }
    let block = Int(clamping: answer.f_frsize)
    return (Int(clamping: answer.f_bavail) * block, Int(clamping: answer.f_blocks) * block)
  }

  private var free: Int { Self.space(folder)?.free ?? .max }

  /// There is less room left than is held, so rows will soon find none.
  var isNearlyFull: Bool { !isWhole || free < bytes }

  func release() -> Bool {
    guard isWhole else { return false }
    isWhole = false
    return unlink(path) == 0
  }

  func restore() {
    // Something must be left besides.
    guard !isWhole, free >= bytes + bytes / 8 else { return }
    let temporary = path + ".new"
    defer { unlink(temporary) }
    guard FileManager.default.createFile(atPath: temporary, contents: nil, attributes: [.posixPermissions: 0o600]),
      let file = FileHandle(forWritingAtPath: temporary)
    else { return }
    defer { try? file.close() }
    // Bytes that no file system packs.
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
