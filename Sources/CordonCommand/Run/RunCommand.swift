import ArgumentParser

/// `cordon run`
struct RunCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "run",
    abstract: "Work with the folder of a run.",
    subcommands: [RunExportCommand.self])
}
