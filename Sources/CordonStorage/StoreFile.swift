import CordonMonitoring
import Foundation

#if canImport(Darwin)
  import Darwin
#elseif canImport(Musl)
  import Musl
#else
  import Glibc
#endif

/// The file of a store: for its owner's eyes only, and in no backup.
enum StoreFile {
  /// Makes the file if it is not there.
  ///
  /// One that is there is not opened: to close it would end the locks that SQLite has on it in this process.
  static func make(_ path: String) throws(StoreError) {
    guard access(path, F_OK) != 0 else { return }
    let descriptor = open(path, O_RDWR | O_CREAT | O_CLOEXEC, 0o600)
    guard descriptor >= 0 else { throw failure(path) }
    close(descriptor)
  }

  /// Narrows the file's permissions to 0600 and keeps it out of backups. SQLite gives the permissions of the file to the
  /// log and the index of the log that it makes beside it.
  static func protect(_ path: String) throws(StoreError) {
    for file in [path, path + "-wal", path + "-shm"] where access(file, F_OK) == 0 {
      guard chmod(file, 0o600) == 0 else { throw failure(file) }
    }
    excludeFromBackup(path)
  }

  private static func excludeFromBackup(_ path: String) {
    #if canImport(Darwin)
      // A restored copy on another phone would be the same device twice.
      for file in [path, path + "-wal", path + "-shm"] where access(file, F_OK) == 0 {
        var url = URL(fileURLWithPath: file)
        var values = URLResourceValues()
        values.isExcludedFromBackup = true
        try? url.setResourceValues(values)
      }
    #elseif os(Linux)
      // Linux has no rule that all backups follow. This attribute is the one that several of them look at; a file
      // system without attributes has none, and then the operator's own exclusion must do.
      let attributes = [FileAttributeKey("NSFileExtendedAttributes"): [backupAttribute: Data("false".utf8)]]
      try? FileManager.default.setAttributes(attributes, ofItemAtPath: path)
    #endif
  }

  /// The extended attribute that keeps a file out of backups on Linux.
  static let backupAttribute = "user.xdg.robots.backup"

  static func failure(_ path: String) -> StoreError {
    let kind: StoreError.Kind = errno == ENOSPC ? .full : .failed
    return StoreError(kind, "\(path): \(String(cString: strerror(errno)))")
  }
}
