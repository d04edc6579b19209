import ArgumentParser
import Foundation

/// `--threads` of the commands whose result does not depend on it.
struct WorkerThreads: ParsableArguments {
  @Option(
    name: .customLong("threads"), parsing: .unconditional,
    help: ArgumentHelp(
      "The maximum number of threads; the result does not depend on it. (default: one for each processor)",
      valueName: "count"))
  var asked: Int?

  /// The maximum number of threads.
  var threads: Int { asked ?? ProcessInfo.processInfo.activeProcessorCount }

  func validate() throws {
    guard (1...1_024).contains(threads) else { throw ValidationError("--threads must be 1 to 1024, not \(threads)") }
  }
}
