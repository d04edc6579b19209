import ArgumentParser

/// The command `cordon replay`.
struct ReplayCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "replay",
    abstract: "Replay traces through the library, and check its decisions.",
    subcommands: [ReplayRunCommand.self, ReplayDiffCommand.self], defaultSubcommand: ReplayRunCommand.self)
}
