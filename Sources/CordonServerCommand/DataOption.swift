import ArgumentParser
import CordonServer

/// The option `--data` of every command that needs the server's folder.
struct DataOption: ParsableArguments {
  @Option(help: ArgumentHelp("The folder of positions, keys and operators.", valueName: "folder"))
  var data: String

  /// Opens the folder.
  func folder() throws -> DataFolder { try DataFolder(data) }
}
