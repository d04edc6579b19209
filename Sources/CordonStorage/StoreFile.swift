import CordonMonitoring
import Foundation

#if canImport(Darwin)
  import Darwin
#elseif canImport(Musl)
  import Musl
#else
  import Glibc
#endif

/// The file of a store, accessible only to its owner and excluded from backups.
enum StoreFile {
  /// Creates the file if it does not exist.
  ///
  /// An existing file is not opened, because closing it would end SQLite's locks on it in this process.
  static func make(_ path: String) throws(StoreError) {
    guard access(path, F_OK) != 0 else { return }
    let descriptor = open(path, O_RDWR | O_CREAT | O_CLOEXEC, 0o600)
    guard descriptor >= 0 else { throw failure(path) }
    close(descriptor)
  }

  /// Limits the file's permissions to 0600 and excludes it from backups.
  ///
  /// SQLite creates the log and its index with the permissions of the file.
  static func protect(_ path: String) throws(StoreError) {
    for file in [path, path + "-wal", path + "-shm"] where access(file, F_OK) == 0 {
      guard chmod(file, 0o600) == 0 else { throw failure(file) }
    }
    excludeFromBackup(path)
  }

  private static func excludeFromBackup(_ path: String) {
    #if canImport(Darwin)
      // A restored copy on another phone would duplicate the device.
      for file in [path, path + "-wal", path + "-shm"] where access(file, F_OK) == 0 {
        var url = URL(fileURLWithPath: file)
        var values = URLResourceValues()
        values.isExcludedFromBackup = true
        try? url.setResourceValues(values)
      }
    #elseif os(Linux)
      // Linux has no common rule for backups. Several programs evaluate this attribute. On a file system without
      // attributes, the operator must exclude the file.
      let attributes = [FileAttributeKey("NSFileExtendedAttributes"): [backupAttribute: Data("false".utf8)]]
      try? FileManager.default.setAttributes(attributes, ofItemAtPath: path)
    #endif
  }

  /// The extended attribute that excludes a file from backups on Linux.
  static let backupAttribute = "user.xdg.robots.backup"

  static func failure(_ path: String) -> StoreError {
    let kind: StoreError.Kind = errno == ENOSPC ? .full : .failed
    return StoreError(kind, "\(path): \(String(cString: strerror(errno)))")
  }
}
