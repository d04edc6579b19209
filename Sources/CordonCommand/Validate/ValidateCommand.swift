import ArgumentParser

/// The command `cordon validate`.
struct ValidateCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "validate",
    abstract: "Compare the models of the simulator with measurements.",
    subcommands: [
      ValidateMovementCommand.self, ValidateEvacuationCommand.self, ValidateContactsCommand.self,
      ValidatePhonesCommand.self,
    ])
}
