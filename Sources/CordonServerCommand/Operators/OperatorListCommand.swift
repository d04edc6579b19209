import ArgumentParser
import CordonConsole
import CordonCore
import CordonServer
import CordonSupport

/// The command `cordon-server operator list`.
struct OperatorListCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "list", abstract: "List the operators with their names.")

  @OptionGroup var folder: DataOption

  func run() throws {
    for entry in try folder.folder().namedOperators() {
      let venues = entry.venues?.joined(separator: ",") ?? "all venues"
      // A name is one line, whatever it contains.
      let line = "\(entry.id)  \(entry.role)  \(venues)  \(entry.name)".escapedForTerminal()
      try StandardOutput.write(lines: line + "\n")
    }
  }
}
