import ArgumentParser

/// `cordon bench`
struct BenchCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "bench", abstract: "Time parts of Cordon on prepared work.", subcommands: [CrowdBenchCommand.self])
}
