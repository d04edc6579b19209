import ArgumentParser
import CordonCommandLine
import CordonConsole
import CordonCore
import CordonReplay
import CordonSupport
import Dispatch
import Foundation

extension ReplayRunCommand {
  /// `--suite`: every trace by itself, several at once; one report.
  func runSuite() throws {
    guard let folder = suite.map({ $0.count > 1 && $0.hasSuffix("/") ? String($0.dropLast()) : $0 }) else { return }
    let suite = try ReplaySuite(folder: folder)
    let report = try junit.map { path in
      try Destination(path, force: force, inputs: suite.items.flatMap { [$0.trace, $0.expectations] })
    }
    // Every venue once, and before any thread needs it.
    var places: [String: Result<ReplayPlace, any Error>] = [:]
    var jobs: [SuiteJob] = []
    for item in suite.items {
      var command = self
      command.traces = [item.trace]
      command.expect = item.expectations
      command.output = output.map { $0 + "/" + item.name }
      do {
        let wanted = try command.readExpectations()
        let path = try command.venuePath(wanted?.expectations)
        command.venue = path
        if places[path] == nil { places[path] = Result { try place(at: path) } }
        jobs.append(SuiteJob(item: item, command: command, wanted: wanted, path: path))
      } catch {
        jobs.append(SuiteJob(item: item, command: command, error: error))
      }
    }
    for index in jobs.indices { jobs[index].place = jobs[index].path.flatMap { places[$0] } }
    let queue = SuiteQueue(jobs)
    DispatchQueue.concurrentPerform(iterations: min(workers.threads, jobs.count)) { _ in
      while queue.runNext() {}
    }
    let results = queue.results
    if let report { try report.write(JUnitReport(results.compactMap(\.junit)).xml) }
    try print(results, suite, folder)
    if results.contains(where: { $0.failure != nil }) { throw ExitCode(CommandError.Status.usage.rawValue) }
    if results.contains(where: \.hasFailed) { throw ExitCode(CommandError.Status.findings.rawValue) }
  }

  private func print(_ results: [SuiteResult], _ suite: ReplaySuite, _ folder: String) throws {
    let (passed, failed) = (results.reduce(0) { $0 + $1.passed }, results.reduce(0) { $0 + $1.failed })
    if json {
      return try Output.print(
        [
          "schema": "cordon.replay-suite/1", "folder": .string(folder),
          "expectations": ["passed": .count(passed), "failed": .count(failed)],
          "passed": .count(results.count { $0.status == "passed" }),
          "failed": .count(results.count { $0.status == "failed" }),
          "errors": .count(results.count { $0.status == "error" }),
          "traces": .array(
            results.map { result in
              .object(
                [
                  .init("trace", .string(result.item.name)), .init("status", .string(result.status)),
                  .init("venue", JSONValue(result.venue)),
                ] + (result.summary ?? []) + (result.failure.map { [.init("error", $0.json)] } ?? []))
            }), "without_expectations": .array(suite.others.map { .string($0) }),
          "outputs": .object(junit.map { [.init("junit", .string($0))] } ?? []),
        ])
    }
    var lines: [String] = []
    for result in results {
      if let failure = result.failure {
        lines.append("error   \(result.item.name): \(failure.line)")
      } else if result.hasFailed {
        lines.append("failed  \(result.item.name): \(result.failed) of \(result.passed + result.failed) do not hold")
      } else if !quiet {
        let held = Counted.of(result.passed, "expectation")
        lines.append("passed  \(result.item.name): \(held), \(String(format: "%.1f", result.seconds)) s")
      }
      lines += result.problems + (quiet ? [] : result.changes)
    }
    if !quiet {
      lines.append(
        "\(Counted.of(results.count, "trace")): \(results.count { $0.status == "passed" }) passed, "
          + "\(results.count { $0.status == "failed" }) failed, "
          + "\(Counted.of(results.count { $0.status == "error" }, "error")); "
          + "\(Counted.of(passed, "expectation")) \(passed == 1 ? "holds" : "hold"), \(failed) do not")
      if !suite.others.isEmpty {
        lines.append("\(Counted.of(suite.others.count, "file")) without expectations: \(list(suite.others))")
      }
      if let junit { lines.append("junit: \(junit)") }
    }
    if !lines.isEmpty { try Output.print(lines.joined(separator: "\n") + "\n") }
  }

  private func list(_ names: [String]) -> String {
    names.prefix(5).joined(separator: ", ") + (names.count > 5 ? ", ..." : "")
  }
}

/// What became of one trace of a suite.
private struct SuiteResult {
  let item: ReplaySuite.Item
  var venue: String?
  /// `nil` when it could not be replayed.
  var summary: [JSONValue.Member]?
  var passed = 0
  var failed = 0
  var hasFailed = false
  var seconds = 0.0
  /// What failed, and what was changed.
  var problems: [String] = []
  var changes: [String] = []
  var junit: JUnitReport.Suite?
  var failure: CommandError?

  var status: String { failure != nil ? "error" : hasFailed ? "failed" : "passed" }
}

/// One trace of a suite that is to be replayed.
private struct SuiteJob {
  let item: ReplaySuite.Item
  /// The command with the trace, its expectations and its venue.
  let command: ReplayRunCommand
  var wanted: (text: String, expectations: Expectations)?
  /// The path of the venue.
  var path: String?
  var place: Result<ReplayPlace, any Error>?
  /// Why it cannot be replayed.
  var error: (any Error)?

  func run() -> SuiteResult {
    var result = SuiteResult(item: item)
    do {
      if let error { throw error }
      guard let place = try place?.get() else { throw CommandError("has no venue", code: "usage", file: item.name) }
      result.venue = command.venue
      let outcome = try command.outcome(in: place, to: LocalSink(keepsLines: false), wanted)
      result.summary = command.members(outcome)
      result.passed = outcome.expectationCount - outcome.failed.count
      result.failed = outcome.failed.count
      result.hasFailed = outcome.hasFailed
      result.seconds = outcome.seconds
      result.problems = command.problems(outcome)
      result.changes = command.changes(outcome)
      result.junit = command.junitSuite(outcome, name: item.name)
    } catch {
      let failure = CommandError(error)
      result.failure = failure
      result.junit = JUnitReport.Suite(
        name: item.name, className: (try? place?.get().name) ?? command.venue ?? "no venue", file: item.expectations,
        seconds: 0,
        error: failure.line, command: command.repeating)
    }
    return result
  }
}

/// The traces of a suite for several threads.
///
/// `@unchecked Sendable` holds because each job is a value of its own that one thread takes, and the lock guards the rest.
private final class SuiteQueue: @unchecked Sendable {
  private let lock = NSLock()
  private var next = 0
  private let jobs: [SuiteJob]
  /// In the order of the jobs; complete when no thread finds another one.
  private(set) var results: [SuiteResult]

  init(_ jobs: [SuiteJob]) {
    self.jobs = jobs
    results = jobs.map { SuiteResult(item: $0.item) }
  }

  /// Runs the next job; `false` when there is none.
  func runNext() -> Bool {
    let index = lock.withLock {
      next += 1
      return next - 1
    }
    guard index < jobs.count else { return false }
    let result = jobs[index].run()
    lock.withLock { results[index] = result }
    return true
  }
}
