import ArgumentParser
import CordonConsole
import CordonCore
import CordonIngest
import CordonServer

/// The command `cordon-server operator add`.
struct OperatorAddCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "add", abstract: "Add an operator, and print the key, once.",
    discussion: "The name is stored encrypted; elsewhere only the pseudonym appears.")

  @OptionGroup var folder: DataOption
  @Option(help: "The operator's name.") var name: String
  @Option(help: "The role: metrics, viewer, operator or admin.") var role: String
  @Option(help: ArgumentHelp("A venue of the operator; repeat it for more. (default: all venues)", valueName: "id"))
  var venue: [String] = []

  func run() throws {
    guard let role = Operator.Role(rawValue: role) else {
      throw ValidationError("--role: '\(role)' is not metrics, viewer, operator or admin")
    }
    var venues: [VenueID] = []
    for text in venue {
      guard let id = VenueID(text) else { throw ValidationError("--venue: '\(text)' is not an identifier of a venue") }
      venues.append(id)
    }
    let folder = try folder.createdFolder()
    let (id, key) = try folder.addOperator(name: name, role: role, venues: venues.isEmpty ? nil : venues)
    do throws(OutputError) {
      try StandardOutput.write(lines: "operator \(id)\nkey      \(key)\n")
    } catch {
      // The key is shown once: without it the operator would be of no use.
      _ = try folder.removeOperator(id: id)
      throw error
    }
  }
}
