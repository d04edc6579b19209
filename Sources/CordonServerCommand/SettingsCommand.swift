import ArgumentParser
import CordonConsole
import Foundation

/// The command `cordon-server settings`.
struct SettingsCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "settings", abstract: "List every setting with its meaning and value.",
    discussion: "The output is a file of settings for --config.")

  @Option(help: ArgumentHelp("A file of settings, `name = value` lines.", valueName: "file"))
  var config: String?

  func run() throws {
    let settings = try SettingsFile.read(file: config, environment: ProcessInfo.processInfo.environment)
    for entry in SettingsFile.reader.keys {
      try StandardOutput.write(lines: "# \(entry.help)\n\(entry.line(settings))\n\n")
    }
  }
}
