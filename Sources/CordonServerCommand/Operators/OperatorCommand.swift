import ArgumentParser

/// The command `cordon-server operator`.
struct OperatorCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "operator", abstract: "Manage operator accounts.",
    discussion: """
      A running server applies changes after SIGHUP. With 'store' in the settings (--config or CORDON_STORE) the accounts are \
      in the database, and all its servers apply changes within seconds.
      """,
    subcommands: [
      OperatorAddCommand.self, OperatorListCommand.self, OperatorPasswordCommand.self,
      OperatorRemoveCommand.self,
    ])
}
