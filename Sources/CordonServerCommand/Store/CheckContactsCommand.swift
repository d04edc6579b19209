import ArgumentParser
import CordonCommandLine
import CordonConsole
import CordonIngest
import CordonServer
import Foundation
import Logging

/// The command `cordon-server check-contacts`.
struct CheckContactsCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "check-contacts",
    abstract: "Find the contacts of the stored positions again, and compare them with the store.",
    discussion: """
      Contacts that began before the earliest stored position are left out. With --venues the walls are compared as well. \
      A difference only in the time behind walls means that the map has changed since, and is not a failure. Exit status 1 \
      when contacts differ.
      """)

  @OptionGroup var folder: DataOption

  @Option(help: ArgumentHelp("The folder of venue bundles, to compare walls as well.", valueName: "folder"))
  var venues: String?

  @Option(help: ArgumentHelp("The file of settings of the server.", valueName: "file"))
  var config: String?

  func run() throws {
    let settings = try SettingsFile.read(file: config, environment: ProcessInfo.processInfo.environment)
    let folder = try folder.folder()
    try folder.checkNoRestoreIsPending()
    let store = try settings.storeAccess(folder, makeLogger(.error)).reader(.operators)
    let catalog = venues.map { VenueCatalog.load(folder: $0).catalog }
    if let conflict = catalog?.conflicts.first { throw conflict }
    let report = try ContactCheck.run(store, settings: settings.server.ingest, catalog: catalog ?? VenueCatalog())
    let walls = catalog == nil ? "" : ", through other walls \(report.otherWalls)"
    try StandardOutput.write(
      lines: "stored \(report.stored), from scratch \(report.found), different \(report.different)\(walls)\n")
    if report.different > 0 { throw ExitCode(CommandError.Status.findings.rawValue) }
  }
}
