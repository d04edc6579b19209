import ArgumentParser
import CordonCommandLine
import CordonConsole
import CordonPostgres
import CordonServer
import Foundation

/// The command `cordon-server rebuild-log`.
struct RebuildLogCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "rebuild-log",
    abstract: "Rebuild a lost or damaged log of decisions from the store.",
    discussion: """
      Only for the store that ran last: an earlier copy lacks the decisions made after it. The former log is kept as \
      decisions.sqlite.before-rebuild. With 'store' in the settings (--config or CORDON_STORE) the log is made from the \
      database.
      """)

  @OptionGroup var folder: DataOption

  @Option(help: ArgumentHelp("The file of settings of the server.", valueName: "file"))
  var config: String?

  func run() throws {
    let settings = try SettingsFile.read(file: config, environment: ProcessInfo.processInfo.environment)
    let folder = try folder.folder()
    let lock = try folder.lock()
    defer { lock.release() }
    guard let address = settings.store else { return try folder.rebuildLog() }
    var options = PostgresPositionStore.Options()
    options.patience = .seconds(600)
    options.keys = try folder.keysDigest()
    options.sealing = try settings.sealing(folder)
    let database = PostgresPositionStore(address, options: options)
    try folder.rebuildLog(from: database)
    let decisions = try folder.openDatabaseLog()
    try database.adopt(decisions.log, name: decisions.name)
  }
}
