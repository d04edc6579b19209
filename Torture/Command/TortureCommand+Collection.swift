import CordonConsole
import CordonSupport
import CordonTorture

#if canImport(Glibc)
  import Glibc
#endif

/// Runs with forms and studies: `cordon-torture --collection`.
extension TortureCommand {
  private var collection: CollectionSuite { CollectionSuite(hours: hours ?? CollectionPlan.hours) }

  /// Runs the seeds, or the first one with some of its faults, and prints one line of JSON.
  func runCollection() throws {
    let trace: ((String) -> Void)? = isTraced ? { say($0) } : nil
    if let places {
      let plan = collection.plan(seed).only(places)
      for fault in plan.faults { say("  \(fault.description)") }
      let outcome = try CollectionRun(plan, trace: trace).run()
      for violation in outcome.violations { say("  \(violation)") }
      let line: JSONValue = [
        "schema": "cordon.torture/1", "kind": "collection", "seeds": 1,
        "violations": .integer(outcome.violations.isEmpty ? 0 : 1), "digest": .string(outcome.digest),
      ]
      say(line.text())
      exit(outcome.violations.isEmpty ? 0 : 1)
    }
    Interruption.watch()
    let begin = TortureCommand.cpuSeconds
    var outcomes = 0
    let tally = try collection.run(
      seed..<(seed &+ runs), trace: trace,
      isOver: {
        stopsAtFirst && !$0.failures.isEmpty || TortureCommand.cpuSeconds - begin > seconds || Interruption.isRequested
      }
    ) { seed, outcome in
      outcomes += 1
      say("seed \(seed) breaks a promise:")
      for violation in outcome.violations { say("  \(violation)") }
      if shrinks, outcomes <= 3, !Interruption.isRequested { reportCollection(seed) }
    }
    if isVerbose { say("at least \(tally.fewest.faults) faults of \(tally.fewest.kinds) kinds struck in each run") }
    let cpu = TortureCommand.cpuSeconds - begin
    let faults = tally.faults.sorted { $0.key < $1.key }.map { JSONValue.Member($0.key, .integer(Int64($0.value))) }
    let line: JSONValue = [
      "schema": "cordon.torture/1", "kind": "collection", "seeds": .integer(Int64(tally.seeds)),
      "violations": .integer(Int64(tally.failures.count)), "cpu_s": .number((cpu * 100).rounded() / 100),
      "digest": .string(tally.digest), "revisions": .integer(Int64(tally.counts.revisions)),
      "payments": .integer(Int64(tally.counts.payments)), "faults": .object(faults),
      "partial": .bool(Interruption.isRequested),
    ]
    say(line.text())
    if Interruption.isRequested { exit(Interruption.exitStatus) }
    exit(tally.failures.isEmpty ? 0 : 1)
  }

  /// Shrinks a failing seed to its fewest faults, and prints the command that repeats it.
  private func reportCollection(_ seed: UInt64) {
    let plan = collection.plan(seed)
    // An interrupted search ends with what it has found: no smaller plan fails.
    func violations(_ plan: CollectionPlan) -> [String] {
      Interruption.isRequested ? [] : (try? CollectionRun(plan).run().violations) ?? []
    }
    guard let promise = violations(plan).first.map(TortureShrinking.promise) else { return }
    let faults = TortureShrinking.shrink(plan.faults) { faults in
      violations(plan.with(faults)).contains { TortureShrinking.promise(of: $0) == promise }
    }
    say("  the fewest faults that show it:")
    for fault in faults { say("    \(fault.description)") }
    let places = plan.places(of: plan.with(faults)).map(String.init).joined(separator: ",")
    say("  repeat: cordon-torture --collection --seed \(seed) --faults \(places.isEmpty ? "none" : places)")
  }
}
