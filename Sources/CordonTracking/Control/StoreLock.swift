import Foundation

/// Keeps a store to one process at a time; ends with the process, however that ends.
package final class StoreLock {
  private let handle: Int32

  /// Takes the lock of a store, or answers `nil` when another process has it.
  package init?(store path: String) throws(TrackerError) {
    let lock = path + ".lock"
    handle = open(lock, O_RDWR | O_CREAT | O_CLOEXEC, 0o600)
    guard handle >= 0 else {
      throw TrackerError(
        "cannot-write", "\(String(cString: strerror(errno))); is there the folder, and may it be written?", file: lock)
    }
    if flock(handle, LOCK_EX | LOCK_NB) != 0 { return nil }
  }

  deinit { if handle >= 0 { close(handle) } }
}
