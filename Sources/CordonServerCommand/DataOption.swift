import ArgumentParser
import CordonCommandLine
import CordonServer
import Foundation

/// The option `--data` of every command that needs the server's folder.
struct DataOption: ParsableArguments {
  @Option(help: ArgumentHelp("The folder of positions, keys and operators.", valueName: "folder"))
  var data: String

  /// Opens the folder, which must exist.
  func folder() throws -> DataFolder {
    var isFolder: ObjCBool = false
    guard FileManager.default.fileExists(atPath: data, isDirectory: &isFolder), isFolder.boolValue else {
      throw CommandError(
        "no such folder; cordon-server serve, operator add and restore create one", code: "not-found", file: data)
    }
    return try DataFolder(data)
  }

  /// Opens the folder, and creates a missing one.
  func createdFolder() throws -> DataFolder { try DataFolder(data) }
}

/// The option `--config` of commands that work on the store or the accounts of a server.
struct ConfigOption: ParsableArguments {
  @Option(help: ArgumentHelp("The file of settings of the server.", valueName: "file"))
  var config: String?

  /// Returns the settings of the file and the environment.
  func settings() throws -> CommandSettings {
    try SettingsFile.read(file: config, environment: ProcessInfo.processInfo.environment)
  }
}
