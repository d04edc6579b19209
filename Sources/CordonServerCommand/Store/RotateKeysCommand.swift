import ArgumentParser
import CordonCommandLine
import CordonConsole
import CordonPostgres
import CordonServer
import Foundation

/// The command `cordon-server rotate-keys`.
struct RotateKeysCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "rotate-keys", abstract: "Sign device tokens with a new key from the next reload on.",
    discussion: """
      The former key stays valid, so that no token becomes invalid. Run the command again an hour later to drop it.

      With --sealing the keys of devices in a database with sealed columns are encrypted under a new key instead, and the \
      former key is destroyed. Remains of erased people in the write-ahead log and in backups become unreadable, and so do \
      all earlier dumps of the database. No server may run; copy sealing.json to the others afterwards.
      """)

  @OptionGroup var folder: DataOption

  @Option(help: ArgumentHelp("The file of settings of the server.", valueName: "file"))
  var config: String?

  @Flag(help: "Encrypt the keys of devices under a new key, and destroy the former one.")
  var sealing = false

  func run() throws {
    guard sealing else { return try StandardOutput.write(lines: "key \(try folder.folder().rotateKeys())\n") }
    let settings = try SettingsFile.read(file: config, environment: ProcessInfo.processInfo.environment)
    guard let address = settings.store, settings.isSealed else {
      throw CommandError("the settings name no database with sealed columns ('store', 'sealed-columns')")
    }
    let folder = try folder.folder()
    let lock = try folder.lock()
    defer { lock.release() }
    // The file has both keys until the database has the new one alone: the command can be repeated at any point.
    try folder.addSealingKey()
    var options = PostgresPositionStore.Options()
    options.patience = .seconds(600)
    options.sealing = try settings.sealing(folder)
    options.isResealing = true
    let count = try PostgresPositionStore(address, options: options).resealKeys()
    try folder.dropFormerSealingKeys()
    try StandardOutput.write(lines: "keys of \(Counted.of(count, "device")) sealed\n")
  }
}
