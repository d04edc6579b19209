import CordonConsole
import CordonCore
import CordonSupport
import CordonTorture
import Foundation

#if canImport(Glibc)
  import Glibc
#endif

/// `cordon-torture [--collection] [--seed N] [--runs N] [--store sqlite|memory] [--hours N] [--faults N,N...] [--seconds N]
/// [--no-shrink] [--first] [--verbose] [--trace]`
///
/// Runs seeds one after the other and ends with one line of JSON. Exit status 1 after a broken promise. `--faults`
/// runs the first seed with only some of its faults, by their indices in its plan. `--trace` prints what each phone
/// receives, sends and reports. Ctrl-C and SIGTERM end the test after the current seed: it prints the line of the seeds so
/// far, and its exit status is 130.
@main
struct TortureCommand {
  var seed: UInt64 = 1
  var runs: UInt64 = 10
  var storage = TorturePlan.Storage.sqlite
  /// Virtual hours with faults; `nil` for the default of the kind of runs.
  var hours: Double?
  /// Whether forms and studies run, instead of phones with positions.
  var isCollection = false
  /// The indices of the faults to run; `nil` for all.
  var places: [Int]?
  /// The processor seconds after which no further seed starts.
  var seconds = Double.infinity
  var shrinks = true
  var isVerbose = false
  var isTraced = false
  var stopsAtFirst = false
  /// Whether phones may record outside of the venue; `nil` for one seed of four.
  var isEverywhere: Bool?

  static func main() {
    do {
      var command = TortureCommand()
      try command.parse(Array(CommandLine.arguments.dropFirst()))
      try command.run()
    } catch {
      FileHandle.standardError.write(Data("cordon-torture: \(error)\n".utf8))
      exit(2)
    }
  }

  static let usage = """
    usage: cordon-torture [--collection] [--seed N] [--runs N] [--store sqlite|memory] [--hours N] [--faults N,N...]
                          [--seconds N] [--both-consents] [--no-shrink] [--first] [--verbose] [--trace]

    Runs seeds one after the other and ends with one line of JSON. --seconds: no further seed after this processor time.
    --collection: forms and studies, with rewards and payments, instead of phones with positions; on files only.
    --hours: virtual hours with faults, at most 480; 2 by default, 192 with --collection.
    --faults: only these faults of the plan of the first seed, which is the only one; "none" for none of them.
    --both-consents: every seed, not one of four, has persons who consent to places outside of venues, and sinks for these.
    Exit status 1 when a promise was broken, 130 after Ctrl-C: the line then covers the seeds so far.
    """

  struct Usage: Error, CustomStringConvertible {
    var description: String
  }

  mutating func parse(_ arguments: [String]) throws {
    var rest = arguments[...]
    func value<T>(_ name: String, _ make: (String) -> T?) throws -> T {
      guard let text = rest.popFirst(), let value = make(text) else {
        throw Usage(description: "\(name) needs a value")
      }
      return value
    }
    while let name = rest.popFirst() {
      switch name {
      case "--seed": seed = try value(name) { UInt64($0) }
      case "--runs": runs = try value(name) { UInt64($0) }
      case "--store": storage = try value(name) { TorturePlan.Storage(rawValue: $0) }
      case "--hours":
        let number: Double = try value(name) { Double($0).flatMap { $0 > 0 && $0 <= 480 ? $0 : nil } }
        hours = number
      case "--collection": isCollection = true
      case "--faults": places = try value(name, TortureCommand.places)
      case "--seconds": seconds = try value(name) { Double($0) }
      case "--both-consents": isEverywhere = true
      case "--no-shrink": shrinks = false
      case "--first": stopsAtFirst = true
      case "--verbose": isVerbose = true
      case "--trace": isTraced = true
      case "--help", "-h":
        say(TortureCommand.usage)
        exit(0)
      default: throw Usage(description: "unknown option \(name)\n\(TortureCommand.usage)")
      }
    }
    if isCollection, storage == .memory || isEverywhere == true {
      throw Usage(description: "--collection goes with neither --store memory nor --both-consents")
    }
  }

  /// The runs with phones.
  private var suite: TortureSuite { TortureSuite(storage: storage, hours: hours ?? 2, isEverywhere: isEverywhere) }

  private static func places(_ text: String) -> [Int]? {
    if text == "none" { return [] }
    let numbers = text.split(separator: ",", omittingEmptySubsequences: false).map { Int($0) }
    return numbers.contains(nil) ? nil : numbers.compactMap { $0 }
  }

  /// Runs the first seed with some of its faults.
  private func runSome(_ places: [Int]) throws {
    let plan = suite.plan(seed).only(places)
    for fault in plan.faults { say("  \(fault.description)") }
    let outcome = try TortureRun(plan, trace: isTraced ? { say($0) } : nil).run()
    for violation in outcome.violations { say("  \(violation)") }
    let line: JSONValue = [
      "schema": "cordon.torture/1", "seeds": 1, "violations": .integer(outcome.violations.isEmpty ? 0 : 1),
      "digest": .string(outcome.digest),
    ]
    say(line.text())
    exit(outcome.violations.isEmpty ? 0 : 1)
  }

  func run() throws {
    if isCollection { return try runCollection() }
    if let places { return try runSome(places) }
    Interruption.watch()
    let suite = self.suite
    let begin = TortureCommand.cpuSeconds
    var outcomes = 0
    let tally = try suite.run(
      seed..<(seed &+ runs), trace: isTraced ? { say($0) } : nil,
      isOver: {
        stopsAtFirst && !$0.failures.isEmpty || TortureCommand.cpuSeconds - begin > seconds || Interruption.isRequested
      }
    ) { seed, outcome in
      outcomes += 1
      say("seed \(seed) breaks a promise:")
      for violation in outcome.violations { say("  \(violation)") }
      if shrinks, outcomes <= 3, !Interruption.isRequested { report(suite, seed) }
    }
    let cpu = TortureCommand.cpuSeconds - begin
    if isVerbose {
      say("\(tally.counts.phoneHours / max(cpu, 1e-9)) phone-hours per second of processor time")
      say("at least \(tally.fewest.faults) faults of \(tally.fewest.kinds) kinds struck in each run")
    }
    let faults = tally.faults.sorted { $0.key < $1.key }.map { JSONValue.Member($0.key, .integer(Int64($0.value))) }
    let line: JSONValue = [
      "schema": "cordon.torture/1", "seeds": .integer(Int64(tally.seeds)),
      "violations": .integer(Int64(tally.failures.count)),
      "phone_hours": .number((tally.counts.phoneHours * 10).rounded() / 10),
      "cpu_s": .number((cpu * 100).rounded() / 100),
      "digest": .string(tally.digest), "rows": .integer(Int64(tally.counts.rows)),
      "notices": .integer(Int64(tally.counts.notices)),
      "faults": .object(faults), "partial": .bool(Interruption.isRequested),
    ]
    say(line.text())
    if Interruption.isRequested { exit(Interruption.exitStatus) }
    exit(tally.failures.isEmpty ? 0 : 1)
  }

  /// Shrinks a failing seed to its fewest faults, and prints the command that repeats it.
  private func report(_ suite: TortureSuite, _ seed: UInt64) {
    let plan = suite.plan(seed)
    // An interrupted search ends with what it has found: no smaller plan fails.
    func violations(_ plan: TorturePlan) -> [String] {
      Interruption.isRequested ? [] : (try? TortureRun(plan).run().violations) ?? []
    }
    let shrunk = TortureShrinking(runs: violations).shrink(plan)
    let options = "SEED=\(seed) RUNS=1 STORE=\(storage.rawValue) HOURS=\(hours ?? 2)"
    if let first = violations(shrunk).first {
      say("  the fewest faults that show it:")
      for fault in shrunk.faults { say("    \(fault.description)") }
      say("  with these alone: \(first)")
      let places = plan.places(of: shrunk).map(String.init).joined(separator: ",")
      say("  repeat them: make torture \(options) FAULTS=\(places.isEmpty ? "none" : places)")
    }
    say("  repeat: make torture \(options)")
  }

  /// Prints a line at once, so that an aborted run loses none.
  func say(_ line: String) { FileHandle.standardOutput.write(Data((line + "\n").utf8)) }

  static var cpuSeconds: Double {
    var usage = rusage()
    getrusage(__rusage_who_t(RUSAGE_SELF.rawValue), &usage)
    func seconds(_ time: timeval) -> Double { Double(time.tv_sec) + Double(time.tv_usec) / 1e6 }
    return seconds(usage.ru_utime) + seconds(usage.ru_stime)
  }
}
