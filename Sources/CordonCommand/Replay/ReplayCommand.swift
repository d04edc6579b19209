import ArgumentParser

/// `cordon replay`
struct ReplayCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "replay",
    abstract: "Replay recorded positions through the real library, and hold what it decides to expectations.",
    subcommands: [ReplayRunCommand.self, ReplayDiffCommand.self], defaultSubcommand: ReplayRunCommand.self)
}
