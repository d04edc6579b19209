import ArgumentParser

/// The command `cordon run`.
struct RunCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "run",
    abstract: "Export from the folder of a run.",
    subcommands: [RunExportCommand.self])
}
