import ArgumentParser

/// The command `cordon-server operator`.
struct OperatorCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "operator", abstract: "Manage operator accounts.",
    discussion: "A running server applies changes after SIGHUP.",
    subcommands: [
      OperatorAddCommand.self, OperatorListCommand.self, OperatorPasswordCommand.self,
      OperatorRemoveCommand.self,
    ])
}
