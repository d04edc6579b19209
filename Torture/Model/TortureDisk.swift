import CTortureVFS
import Foundation

/// One machine's disk, in memory.
struct TortureDisk {
  let machine: Int

  /// Forgets every file of every machine.
  static func reset(seed: UInt64) {
    torture_install()
    torture_reset(seed)
  }

  /// The store looks after permissions of the file that it is given, so there is an empty one of the same name.
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

  /// The machine dies at the `count`-th write, sync or deletion from now; at once for 0.
  func kill(after count: Int64) { torture_kill_after(Int32(machine), count) }

  func disarm() { torture_disarm(Int32(machine)) }

  var isDead: Bool { torture_is_dead(Int32(machine)) }

  func reboot(losingPower: Bool, seed: UInt64) { torture_reboot(Int32(machine), losingPower, seed) }

  func setFull(_ isFull: Bool) { torture_set_full(Int32(machine), isFull) }

  /// Deletes a store, with the files that SQLite keeps beside it.
  func remove(_ name: String) {
    for suffix in ["", "-wal", "-shm", "-journal"] { torture_remove(path(name + suffix)) }
  }

  /// Every byte of every file.
  func forEachFile(_ body: (UnsafeBufferPointer<UInt8>) -> Void) {
    for index in 0..<torture_file_count(Int32(machine)) {
      var length: Int64 = 0
      guard let bytes = torture_file_bytes(Int32(machine), index, &length) else { continue }
      body(UnsafeBufferPointer(start: bytes, count: Int(length)))
    }
  }
}
