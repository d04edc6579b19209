import ArgumentParser
import Foundation

/// `--threads` of the commands whose result does not depend on it.
struct WorkerThreads: ParsableArguments {
  @Option(parsing: .unconditional, help: "How many threads may work; the result does not depend on it.")
  var threads = ProcessInfo.processInfo.activeProcessorCount

  func validate() throws {
    guard (1...1_024).contains(threads) else { throw ValidationError("--threads must be 1 to 1024, not \(threads)") }
  }
}
