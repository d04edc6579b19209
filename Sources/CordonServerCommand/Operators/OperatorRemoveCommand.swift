import ArgumentParser
import CordonServer

/// The command `cordon-server operator remove`.
struct OperatorRemoveCommand: ParsableCommand {
  static let configuration = CommandConfiguration(commandName: "remove", abstract: "Remove an operator.")

  @OptionGroup var folder: DataOption
  @Argument(help: "The pseudonym of the operator.") var id: String

  func run() throws {
    guard try folder.folder().removeOperator(id: id) else { throw ValidationError("no operator \(id)") }
  }
}
