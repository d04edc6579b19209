internal import Foundation

/// The store of a folder when it moves to a database, or comes from one.
extension DataFolder {
  /// Takes away a store that was copied into a database.
  /// - Parameter isKept: whether it is kept, as `cordon.sqlite.before-migration`.
  package func retireStore(keeping isKept: Bool) throws {
    for suffix in ["-wal", "-shm", ""] where FileManager.default.fileExists(atPath: storePath + suffix) {
      let path = storePath + suffix
      if isKept {
        try FileManager.default.moveItem(atPath: path, toPath: storePath + ".before-migration" + suffix)
      } else {
        try FileManager.default.removeItem(atPath: path)
      }
    }
  }

  /// Puts the store at ``newStorePath`` in its place, with a log of decisions made anew from it.
  package func installMigrated() throws {
    guard rename(newStorePath, storePath) == 0 else { throw Fault(description: "\(storePath): cannot be written") }
    for suffix in ["-wal", "-shm"] where FileManager.default.fileExists(atPath: newStorePath + suffix) {
      try FileManager.default.moveItem(atPath: newStorePath + suffix, toPath: storePath + suffix)
    }
    try rebuildLog()
  }
}
