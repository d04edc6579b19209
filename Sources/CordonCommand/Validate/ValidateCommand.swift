import ArgumentParser

/// `cordon validate`
struct ValidateCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "validate",
    abstract: "Hold the simulator's models against what was measured of people and phones.",
    subcommands: [ValidateMovementCommand.self, ValidateContactsCommand.self, ValidatePhonesCommand.self])
}
