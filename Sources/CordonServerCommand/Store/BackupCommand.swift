import ArgumentParser
import CordonCommandLine
import CordonConsole
import CordonIngest
import CordonPostgres
import CordonServer
import Foundation

/// The command `cordon-server backup`.
struct BackupCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "backup", abstract: "Copy the store to a file, and check the copy.",
    discussion: """
      The server may run meanwhile. The copy includes the log of decisions (erasures, withdrawals, revocations and accesses), \
      the cases, rules and alerts of the console, and forms and studies with their records and sealed identities. With \
      --decisions it holds the log alone; copy it to another machine often, so that a restore knows all decisions. Keys and \
      operators are in neither: store keys.json, vault.key, operators.sealed and operators.key apart. Data erased from the store stay in backups: keep backups no longer than positions.

      With 'store' in the settings (--config or CORDON_STORE) the copy is made of the database, as it is at one moment. It can \
      be restored into a database and into a file. Places are not encrypted in it: a store with 'sealed-columns = yes' \
      needs --unsealed.
      """)

  @OptionGroup var folder: DataOption

  @Option(help: ArgumentHelp("The file of settings of the server.", valueName: "file"))
  var config: String?

  @Option(name: .shortAndLong, help: ArgumentHelp("The file to write; it must not exist.", valueName: "file"))
  var output: String

  @Flag(help: "Copy the log of decisions alone.")
  var decisions = false

  @Flag(help: "Write places of a store with sealed columns unencrypted.")
  var unsealed = false

  func run() throws {
    // A link names the place of the copy; it is not replaced.
    let output = OutputFile.resolved(output)
    guard !FileManager.default.fileExists(atPath: output) else { throw ValidationError("\(output) exists already") }
    let settings = try SettingsFile.read(file: config, environment: ProcessInfo.processInfo.environment)
    let folder = try folder.folder()
    try folder.checkNoRestoreIsPending()
    let temporary = output + ".part"
    try? FileManager.default.removeItem(atPath: temporary)
    if decisions {
      try folder.openLog().backUp(to: temporary)
    } else if let database = settings.store {
      try copy(database, settings, folder, to: temporary)
    } else {
      var options = SQLitePositionStore.Options()
      options.isReadOnly = true
      let store = try SQLitePositionStore(path: folder.storePath, options: options)
      try store.backUp(
        to: temporary, log: folder.openLog(), console: folder.consoleFiles, isThere: DataFolder.isThere(_:))
    }
    if !decisions {
      try folder.carry(into: temporary, settings.server.studies)
      try SQLitePositionStore.check(path: temporary)
    }
    guard rename(temporary, output) == 0 else {
      throw CommandError("cannot be written", code: "cannot-write", file: output)
    }
  }

  /// Copies a database into a file beside the backup, and that into the backup.
  private func copy(
    _ address: PostgresAddress, _ settings: CommandSettings, _ folder: DataFolder, to path: String
  ) throws {
    guard unsealed || !settings.isSealed else {
      throw CommandError(
        "places are encrypted in the database, and would not be in the backup; use pg_dump, or give --unsealed",
        code: "sealed")
    }
    var options = PostgresPositionStore.Options()
    options.isReadOnly = true
    options.patience = .seconds(600)
    options.sealing = try settings.sealing(folder)
    let database = PostgresPositionStore(address, options: options)
    let whole = path + "-store"
    let files = ConsoleBackup.Files(cases: path + "-cases", alerts: path + "-alerts")
    let parts = [whole, files.cases, files.alerts].flatMap { path in ["", "-wal", "-shm"].map { path + $0 } }
    for part in parts { try? FileManager.default.removeItem(atPath: part) }
    defer { for part in parts { try? FileManager.default.removeItem(atPath: part) } }
    try database.beginSnapshot()
    let store = try SQLitePositionStore(path: whole)
    _ = try StoreCopy.run(from: database, to: store)
    try ConsoleBackup.fill(files, from: database)
    database.rollback()
    // A server that has never run with its log has none.
    let log = DataFolder.isThere(folder.logPath) ? try folder.openLog() : nil
    try store.backUp(to: path, log: log, console: files)
  }
}
