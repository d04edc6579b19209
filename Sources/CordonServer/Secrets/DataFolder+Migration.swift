package import CordonIngest
internal import Foundation

/// The store of a folder when it moves to a database, or comes from one.
extension DataFolder {
  /// Takes away a store that was copied into a database, with its cases and alerts. The store goes last: without it nothing is copied
  /// again.
  /// - Parameter isKept: whether the files are kept, as `cordon.sqlite.before-migration` and so on.
  package func retireStore(keeping isKept: Bool) throws {
    for file in [casesPath, alertsPath, storePath] { try retire(file, keeping: isKept) }
  }

  private func retire(_ file: String, keeping isKept: Bool) throws {
    for suffix in ["-wal", "-shm", ""] where Self.isThere(file + suffix) {
      let kept = file + ".before-migration" + suffix
      if isKept {
        if Self.isThere(kept) { try FileManager.default.removeItem(atPath: kept) }
        try FileManager.default.moveItem(atPath: file + suffix, toPath: kept)
      } else {
        try FileManager.default.removeItem(atPath: file + suffix)
      }
    }
  }

  /// Where cases and alerts are built before they are put in their places; nothing is there.
  package func newConsoleFiles() throws -> ConsoleBackup.Files {
    let files = ConsoleBackup.Files(cases: casesPath + ".new", alerts: alertsPath + ".new")
    for path in [files.cases, files.alerts] {
      for suffix in ["", "-wal", "-shm"] where Self.isThere(path + suffix) {
        try FileManager.default.removeItem(atPath: path + suffix)
      }
    }
    return files
  }

  /// Puts the store at ``newStorePath`` in its place, with a log of decisions made anew from it, and new files of cases and alerts. Such
  /// files of an earlier time are kept, as `cases.sqlite.before-migration` and `alerts.sqlite.before-migration`.
  package func installMigrated(_ console: ConsoleBackup.Files) throws {
    for (new, place) in [(console.cases, casesPath), (console.alerts, alertsPath), (newStorePath, storePath)] {
      if place != storePath { try retire(place, keeping: true) }
      guard rename(new, place) == 0 else { throw Fault(description: "\(place): cannot be written") }
      for suffix in ["-wal", "-shm"] where Self.isThere(new + suffix) {
        try FileManager.default.moveItem(atPath: new + suffix, toPath: place + suffix)
      }
    }
    try rebuildLog()
  }
}
