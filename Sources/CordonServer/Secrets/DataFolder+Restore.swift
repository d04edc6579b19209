package import CordonIngest
internal import Foundation

/// Opens the files of the store and the decision log, and installs restored ones.
extension DataFolder {
  private func isThere(_ path: String) -> Bool { Self.isThere(path) }

  /// Whether there is a file.
  package static func isThere(_ path: String) -> Bool { FileManager.default.fileExists(atPath: path) }

  /// The files of the console.
  package var consoleFiles: ConsoleBackup.Files { ConsoleBackup.Files(cases: casesPath, alerts: alertsPath) }

  /// Makes the files of cases and alerts that are missing, from a backup. Belongs between making restored files and installing them.
  package func restoreConsole(from backup: String) throws {
    let new = ConsoleBackup.Files(cases: casesPath + ".new", alerts: alertsPath + ".new")
    for path in [new.cases, new.alerts] { remove(path) }
    let made = try restoreConsole(from: backup, to: new)
    for (path, place) in [(new.cases, casesPath), (new.alerts, alertsPath)] where made.contains(path) {
      // Those that are there are younger.
      guard !isThere(place), rename(path, place) == 0 else {
        remove(path)
        continue
      }
      for suffix in ["-wal", "-shm"] where isThere(path + suffix) {
        try FileManager.default.moveItem(atPath: path + suffix, toPath: place + suffix)
      }
    }
  }

  /// Makes files of the cases and alerts in a backup, without people who were erased since.
  package func restoreConsole(from backup: String, to files: ConsoleBackup.Files) throws -> [String] {
    try ConsoleBackup.restore(
      files, isThere: Self.isThere(_:), from: backup, log: newLogPath, pseudonyms: pseudonyms())
  }

  /// Puts the restored log in its place, beside a database.
  package func installRestoredLog() throws {
    for suffix in ["-wal", "-shm"] { try? FileManager.default.removeItem(atPath: logPath + suffix) }
    guard rename(newLogPath, logPath) == 0 else { throw Fault(description: "\(logPath): cannot be replaced") }
    try sync(path)
  }

  private func pseudonyms() throws -> Pseudonyms { Pseudonyms(signer: HMACSigner(), keys: try keys()) }

  /// Opens the store, brings it up to date with its log, and lets it write to that log; both are made in a new folder.
  /// - Throws: ``Fault`` when one of the two is missing beside the other, `StoreFault` when one is damaged.
  package func openStore() throws -> SQLitePositionStore {
    let pseudonyms = try pseudonyms()
    let hadStore = isThere(storePath)
    let hadLog = isThere(logPath)
    // Neither file is made beside the other: the data of the missing one would be lost.
    if hadLog, !hadStore, try !openLog().isUntouched {
      throw Fault(
        description: "\(storePath): missing beside its log of decisions; restore a backup with `cordon-server restore`")
    }
    let store = try SQLitePositionStore(path: storePath)
    if hadStore, !hadLog, try !store.isUntouched() {
      throw Fault(
        description: "\(logPath): the log of decisions is missing beside a store; put its copy back or, if this is the "
          + "store that ran last, make it anew with `cordon-server rebuild-log`")
    }
    let log: DecisionLog
    do {
      log = try DecisionLog(path: logPath, pseudonyms: pseudonyms, isNew: !hadLog)
      try Restoration.catchUp(store, with: log, pseudonyms: pseudonyms)
    } catch {
      throw Fault(
        description: "\(error.message); see docs/reference/server.md, \"Backups\", for what to put back")
    }
    store.record(in: log, pseudonyms: pseudonyms)
    return store
  }

  /// The log of decisions, checked.
  package func openLog() throws -> DecisionLog {
    guard isThere(logPath) else {
      throw Fault(
        description: "\(logPath): no log of decisions; create it from the store with `cordon-server rebuild-log`")
    }
    return try DecisionLog(path: logPath, pseudonyms: pseudonyms(), isNew: false)
  }

  /// The log of decisions of a folder whose store is a database.
  package struct DatabaseLog {
    /// The log, checked.
    package var log: DecisionLog
    /// The keys of its pseudonyms.
    package var pseudonyms: Pseudonyms
    /// The name by which the database knows it.
    package var name: String
    /// Whether it has just got its name.
    package var isNew: Bool
  }

  private var logNamePath: String { path + "/decisions.name" }

  /// The name by which a database knows the folder and its log of decisions; `nil` before a server has used a database with it.
  package func databaseLogName() throws -> String? {
    try read("decisions.name").map { String(decoding: $0, as: UTF8.self) }
  }

  /// Opens the log of decisions beside a database; log and name are made in a new folder.
  /// - Throws: ``Fault`` when the log is missing although there was one, `StoreFault` when it is damaged.
  package func openDatabaseLog() throws -> DatabaseLog {
    let pseudonyms = Pseudonyms(signer: HMACSigner(), keys: try keys(mayMake: true))
    let known = try databaseLogName()
    let hasLog = isThere(logPath)
    guard known == nil || hasLog else {
      throw Fault(
        description: "\(logPath): the log of decisions is missing; put its copy back, or make it anew from the "
          + "database with `cordon-server rebuild-log`")
    }
    let log = try DecisionLog(path: logPath, pseudonyms: pseudonyms, isNew: !hasLog)
    let name = known ?? Self.name()
    if known == nil { try write(Data(name.utf8), to: "decisions.name") }
    return DatabaseLog(log: log, pseudonyms: pseudonyms, name: name, isNew: known == nil)
  }

  /// Returns the keys for a restore. They must be the keys of the backup.
  /// - Parameter mayMake: whether new ones are made where there are none.
  package func keysForRestore(mayMake: Bool) throws -> ServerKeys {
    guard mayMake || isThere(path + "/keys.json") else {
      throw Fault(
        description: "\(path)/keys.json: missing; put the keys of the server that was backed up there first; without "
          + "them a restore cannot recognise erased devices")
    }
    return try keys(mayMake: mayMake)
  }

  /// Rebuilds the decision log from the store; the former log is kept beside it.
  public func rebuildLog() throws {
    guard isThere(storePath) else { throw Fault(description: "\(storePath): no store") }
    try rebuildLog(from: try SQLitePositionStore(path: storePath))
  }

  /// Rebuilds the decision log from a store; the former log is kept beside it.
  package func rebuildLog(from store: any DecidedStore) throws {
    let new = newLogPath
    remove(new)
    try Restoration.makeLog(new, from: store, pseudonyms: pseudonyms())
    for suffix in ["", "-wal", "-shm"] where isThere(logPath + suffix) {
      try? FileManager.default.removeItem(atPath: logPath + ".before-rebuild" + suffix)
      try FileManager.default.moveItem(atPath: logPath + suffix, toPath: logPath + ".before-rebuild" + suffix)
    }
    try FileManager.default.moveItem(atPath: new, toPath: logPath)
  }

  // MARK: Restored files

  /// The path at which a restore builds the store.
  public var newStorePath: String { storePath + ".new" }
  /// The path at which a restore builds the log.
  public var newLogPath: String { logPath + ".new" }
  /// A marker that exists while restored files are installed; the restore is committed once it exists.
  private var pendingPath: String { path + "/restore.pending" }

  private func remove(_ path: String) {
    for suffix in ["", "-wal", "-shm"] { try? FileManager.default.removeItem(atPath: path + suffix) }
  }

  /// Throws while restored files are being installed.
  public func checkNoRestoreIsPending() throws {
    guard !isThere(pendingPath) else {
      throw Fault(description: "\(path): a restore was cut short; start the server, or restore again")
    }
  }

  /// Deletes the files of an unfinished restore.
  public func removeUnfinishedRestore() throws {
    try checkNoRestoreIsPending()
    remove(newStorePath)
    remove(newLogPath)
  }

  /// Puts the restored store and log in their places. A process that dies meanwhile leaves the former ones, or a restore
  /// that the next ``lock()`` completes; never a store without its log.
  public func installRestored(keepingFormer: Bool) throws {
    for path in [newStorePath, newLogPath] {
      try FileManager.default.setAttributes([.posixPermissions: 0o600], ofItemAtPath: path)
      try sync(path)
    }
    if keepingFormer {
      let kept = storePath + ".before-restore"
      remove(kept)
      for suffix in ["", "-wal", "-shm"] where isThere(storePath + suffix) {
        try FileManager.default.linkItem(atPath: storePath + suffix, toPath: kept + suffix)
      }
    }
    guard FileManager.default.createFile(atPath: pendingPath, contents: Data(), attributes: [.posixPermissions: 0o600])
    else { throw Fault(description: "\(pendingPath): cannot be written") }
    try sync(path)
    try completeRestore()
  }

  /// Completes an interrupted restore that was already committed.
  func completeRestore() throws {
    guard isThere(pendingPath) else { return }
    for (new, place) in [(newStorePath, storePath), (newLogPath, logPath)] where isThere(new) {
      // SQLite must not apply the write-ahead log of the former file to the new one.
      for suffix in ["-wal", "-shm"] { try? FileManager.default.removeItem(atPath: place + suffix) }
      try sync(path)
      guard rename(new, place) == 0 else { throw Fault(description: "\(place): cannot be replaced") }
    }
    try sync(path)
    try FileManager.default.removeItem(atPath: pendingPath)
  }

  private func sync(_ path: String) throws {
    let descriptor = open(path, O_RDONLY | O_CLOEXEC)
    guard descriptor >= 0 else { throw Fault(description: "\(path): cannot be opened") }
    defer { close(descriptor) }
    guard fsync(descriptor) == 0 else { throw Fault(description: "\(path): cannot be written to the disk") }
  }
}
