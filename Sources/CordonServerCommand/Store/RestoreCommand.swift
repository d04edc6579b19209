import ArgumentParser
import CordonCommandLine
import CordonConsole
import CordonCore
import CordonIngest
import CordonPostgres
import CordonServer
import Foundation

/// The command `cordon-server restore`.
struct RestoreCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "restore", abstract: "Replace the store of a stopped server by a backup.",
    discussion: """
      Erasures, withdrawals, revocations and accesses since the backup stay in force. The restore reads them from the log \
      of decisions in the folder, from the former store where the log is missing, from the copies of --decisions, and from \
      the backup. It refuses when the backup is the only source. The former store is deleted unless --keep keeps it, as \
      cordon.sqlite.before-restore; nothing deletes that copy later, so keep it no longer than positions. An interrupted \
      restore leaves the former store, or is completed at the next start. Cases, alerts, forms and studies come from the \
      backup where the server has none; studies need vault.key. People who were erased since are in none of them. A restored \
      ledger does not know payments since the backup: compare it with the provider before the server pays again.

      With 'store' in the settings (--config or CORDON_STORE) the backup replaces what is in the database, in one \
      transaction. No server may run on it. Give the logs of the other servers with --decisions.
      """)

  @OptionGroup var folder: DataOption

  @Option(help: ArgumentHelp("The file of settings of the server.", valueName: "file"))
  var config: String?

  @Flag(help: "Keep the former store beside the new one.")
  var keep = false

  @Option(help: ArgumentHelp("A copy of the log of decisions; repeat it for more.", valueName: "file"))
  var decisions: [String] = []

  @Flag(
    help: """
      Restore without a log of the decisions since the backup. Persons erased since then come back and must be erased \
      again; accesses since then are lost; all tokens, consents and unused codes end.
      """)
  var withoutLog = false

  @Argument(help: "The backup.") var input: String

  func run() throws {
    guard FileManager.default.fileExists(atPath: input) else {
      throw CommandError("no such file", code: "not-found", file: input)
    }
    try SQLitePositionStore.check(path: input)
    let settings = try SettingsFile.read(file: config, environment: ProcessInfo.processInfo.environment)
    let folder = try folder.createdFolder()
    let lock = try folder.lock()
    defer { lock.release() }
    let pseudonyms = Pseudonyms(signer: HMACSigner(), keys: try folder.keysForRestore(mayMake: withoutLog))
    let files = FileManager.default
    var sources = Restoration.Sources()
    if !withoutLog {
      if files.fileExists(atPath: folder.logPath) { sources.log = folder.logPath }
      if files.fileExists(atPath: folder.storePath) { sources.store = folder.storePath }
    }
    sources.copies = decisions
    guard settings.store == nil || !keep else { throw ValidationError("--keep is for a store in a file") }
    guard withoutLog || !sources.isEmpty else {
      throw CommandError(
        "the decisions since the backup are unknown: there is neither decisions.sqlite nor a store. Give a copy of the log "
          + "with --decisions FILE; \(Self.loss)", code: "no-log", file: self.folder.data)
    }
    try folder.removeUnfinishedRestore()
    var summary = ""
    do {
      let report = try Restoration.make(
        store: folder.newStorePath, log: folder.newLogPath, from: input, sources: sources, pseudonyms: pseudonyms)
      summary = """
        decisions \(report.decisions): erased again \(report.erased), other consent or secret \(report.changed), \
        codes used or revoked \(report.codes), accesses \(report.accesses)

        """
    } catch {
      try? folder.removeUnfinishedRestore()
      throw CommandError(
        "the decisions since the backup cannot be restored (\(error)). Put an intact copy of the log in its place, "
          + "or run 'cordon-server rebuild-log' while the former store exists; \(Self.loss)", code: "unreadable-log")
    }
    do {
      let now = Instant(milliseconds: Int64(Date().timeIntervalSince1970 * 1_000))
      let carried = try folder.restoreCarried(from: input, settings.server.studies, now: now)
      if !carried.isEmpty { summary += "from the backup: \(carried.joined(separator: ", "))\n" }
    } catch {
      try? folder.removeUnfinishedRestore()
      throw error
    }
    if let address = settings.store {
      try install(folder, in: address, settings)
    } else {
      try folder.restoreConsole(from: input)
      try folder.installRestored(keepingFormer: keep)
    }
    try StandardOutput.write(lines: summary)
  }

  /// Replaces what is in a database by the restored store.
  private func install(_ folder: DataFolder, in address: PostgresAddress, _ settings: CommandSettings) throws {
    defer { try? folder.removeUnfinishedRestore() }
    var options = PostgresPositionStore.Options()
    options.patience = .seconds(600)
    options.sealing = try settings.sealing(folder, mayMake: true)
    options.keys = try folder.keysDigest()
    let database = PostgresPositionStore(address, options: options)
    try database.connect()
    guard try !database.isServed() else {
      throw CommandError("a server runs on the database; stop all of them first", code: "in-use")
    }
    _ = try StoreCopy.run(from: try SQLitePositionStore(path: folder.newStorePath), to: database, emptying: true)
    let files = ConsoleBackup.Files(cases: folder.newStorePath + "-cases", alerts: folder.newStorePath + "-alerts")
    let parts = [files.cases, files.alerts].flatMap { path in ["", "-wal", "-shm"].map { path + $0 } }
    for part in parts { try? FileManager.default.removeItem(atPath: part) }
    defer { for part in parts { try? FileManager.default.removeItem(atPath: part) } }
    _ = try folder.restoreConsole(from: input, to: files)
    _ = try ConsoleBackup.copy(files, isThere: DataFolder.isThere(_:), into: database)
    try folder.installRestoredLog()
    let decisions = try folder.openDatabaseLog()
    try database.adopt(decisions.log, name: decisions.name)
  }

  private static let loss =
    "--without-log restores without it: erased persons come back and must be erased again, and all tokens, consents and "
    + "unused codes end"
}
