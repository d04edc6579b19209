import CTortureVFS
import Foundation

/// The disk of one machine, in memory.
struct TortureDisk {
  let machine: Int

  /// Deletes all files of all machines.
  static func reset(seed: UInt64) {
    torture_install()
    torture_reset(seed)
  }

  /// The store checks the permissions of its file, so an empty one of the same name exists in the file system.
  private static let root: String = {
    let root = FileManager.default.temporaryDirectory.path + "/cordon-torture-\(getpid())/torture-disk"
    for machine in 0..<32 {
      try? FileManager.default.createDirectory(atPath: "\(root)/\(machine)", withIntermediateDirectories: true)
    }
    atexit { try? FileManager.default.removeItem(atPath: TortureDisk.base) }
    return root
  }()

  private static var base: String { FileManager.default.temporaryDirectory.path + "/cordon-torture-\(getpid())" }

  func path(_ name: String) -> String { "\(Self.root)/\(machine)/\(name)" }

  /// Lets the machine die at the `count`-th write, sync or deletion from now; at once for 0.
  func kill(after count: Int64) { torture_kill_after(Int32(machine), count) }

  func disarm() { torture_disarm(Int32(machine)) }

  var isDead: Bool { torture_is_dead(Int32(machine)) }

  func reboot(losingPower: Bool, seed: UInt64) { torture_reboot(Int32(machine), losingPower, seed) }

  func setFull(_ isFull: Bool) { torture_set_full(Int32(machine), isFull) }

  /// Deletes a store with SQLite's additional files.
  func remove(_ name: String) {
    for suffix in ["", "-wal", "-shm", "-journal"] { torture_remove(path(name + suffix)) }
  }

  /// Calls `body` with the bytes of every file.
  func forEachFile(_ body: (UnsafeBufferPointer<UInt8>) -> Void) {
    for index in 0..<torture_file_count(Int32(machine)) {
      var length: Int64 = 0
      guard let bytes = torture_file_bytes(Int32(machine), index, &length) else { continue }
      body(UnsafeBufferPointer(start: bytes, count: Int(length)))
    }
  }
}
