import ArgumentParser
import CordonCommandLine
import CordonConsole
import CordonIngest
import CordonPostgres
import CordonServer
import Foundation

/// The command `cordon-server migrate-store`.
struct MigrateStoreCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "migrate-store", abstract: "Copy the store from files into the database, or back.",
    discussion: """
      The database is that of the setting 'store' (--config or CORDON_STORE). The target must be empty. All rows are copied \
      in one transaction and read again; the copy is kept only when the number of rows and the SHA-256 of every table are \
      those of the source, which are printed. Cases, notices, rules, alerts and accounts of operators are copied as well; \
      sessions end. Messages to receivers of webhooks stay where they wait. No server may run on either meanwhile. After a \
      copy into the database the files are deleted unless --keep keeps them, as cordon.sqlite.before-migration and so on; \
      nothing deletes those copies later, so keep them no longer than positions. A copy into files leaves the database as it is.
      """)

  /// Where to.
  enum Direction: String, ExpressibleByArgument, CaseIterable {
    case toDatabase = "to-database"
    case toFile = "to-file"
  }

  @OptionGroup var folder: DataOption

  @Option(help: ArgumentHelp("The file of settings of the server.", valueName: "file"))
  var config: String?

  @Flag(help: "Keep the former files beside the log of decisions.")
  var keep = false

  @Argument(help: "The direction of the copy.") var direction: Direction

  func run() throws {
    let settings = try SettingsFile.read(file: config, environment: ProcessInfo.processInfo.environment)
    guard let address = settings.store else { throw CommandError("the settings name no database ('store')") }
    var options = PostgresPositionStore.Options()
    // A page of the largest table is not a matter of seconds only when the disk is busy with something else.
    options.patience = .seconds(600)
    let folder = try direction == .toFile ? folder.createdFolder() : folder.folder()
    options.sealing = try settings.sealing(folder, mayMake: direction == .toDatabase)
    let database = PostgresPositionStore(address, options: options)
    try database.connect()
    let lock = try folder.lock()
    defer { lock.release() }
    let accounts = settings.databaseAccounts(address, folder)
    let entries =
      switch direction {
      case .toDatabase: try copyToDatabase(database, folder, accounts)
      case .toFile: try copyToFile(database, folder, accounts)
      }
    let lines = entries.map { "\($0.table) \($0.rows) \($0.digest)\n" }.joined()
    try StandardOutput.write(lines: lines)
    guard direction == .toFile else { return }
    let (waiting, dead) = try PostgresWebhookQueue(address, server: "command").counts()
    if waiting + dead > 0 {
      StandardOutput.note(
        "\(Counted.of(waiting + dead, "message")) to receivers of webhooks stay in the database (webhook list)\n")
    }
  }

  private func copyToDatabase(
    _ database: PostgresPositionStore, _ folder: DataFolder, _ accounts: PostgresAccounts
  ) throws -> [StoreCopy.Entry] {
    guard FileManager.default.fileExists(atPath: folder.storePath) else {
      throw CommandError("no store", code: "not-found", file: folder.storePath)
    }
    // Brings the file to the current version.
    let file = try SQLitePositionStore(path: folder.storePath)
    let entries = try StoreCopy.run(from: file, to: database) {
      try ConsoleCopy.run(from: folder.consoleFiles, isThere: DataFolder.isThere(_:), to: database)
    }
    // The database has what the log knows.
    let decisions = try folder.openDatabaseLog()
    try database.adopt(decisions.log, name: decisions.name)
    let operators = try folder.accounts()
    if !operators.isEmpty { try accounts.changeAccounts { $0 = operators } }
    _ = try file.scrub()
    try folder.retireStore(keeping: keep)
    return entries
  }

  private func copyToFile(
    _ database: PostgresPositionStore, _ folder: DataFolder, _ accounts: PostgresAccounts
  ) throws -> [StoreCopy.Entry] {
    guard !FileManager.default.fileExists(atPath: folder.storePath) else {
      throw CommandError("there is a store already", code: "two-stores", file: folder.storePath)
    }
    // Devices and receipts belong to the keys.
    _ = try folder.keysForRestore(mayMake: false)
    // Read first: they need the key of the folder.
    let operators = try accounts.accounts()
    try folder.removeUnfinishedRestore()
    let console = try folder.newConsoleFiles()
    let entries = try StoreCopy.run(from: database, to: try SQLitePositionStore(path: folder.newStorePath)) {
      try ConsoleCopy.run(from: database, to: console)
    }
    try folder.changeAccounts { $0 = operators }
    try folder.installMigrated(console)
    return entries
  }
}
