import ArgumentParser

/// The command `cordon bench`.
struct BenchCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "bench", abstract: "Measure the speed of parts of Cordon.", subcommands: [CrowdBenchCommand.self])
}
