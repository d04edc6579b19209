import ArgumentParser
import Foundation

/// `--threads` of the commands whose result does not depend on it.
struct WorkerThreads: ParsableArguments {
  @Option(
    name: .customLong("threads"), parsing: .unconditional,
    help: ArgumentHelp(
      "How many threads may work; the result does not depend on it (default: one for each processor).",
      valueName: "threads"))
  var asked: Int?

  /// How many threads may work.
  var threads: Int { asked ?? ProcessInfo.processInfo.activeProcessorCount }

  func validate() throws {
    guard (1...1_024).contains(threads) else { throw ValidationError("--threads must be 1 to 1024, not \(threads)") }
  }
}
