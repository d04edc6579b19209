import CordonCore

/// Many runs with forms and studies, one seed after the other.
package struct CollectionSuite: Sendable {
  /// The sum of runs.
  package struct Tally: Sendable {
    /// The number of runs.
    package var seeds = 0
    /// The seeds with broken promises, with the first violation of each.
    package var failures: [(seed: UInt64, violation: String)] = []
    /// Revisions that servers acknowledged.
    package var revisions = 0
    /// Orders that providers paid.
    package var payments = 0
    /// The number of times each fault had an effect.
    package var faults: [String: Int] = [:]
    /// The minimum number of effective faults in a run, and of their kinds.
    package var fewest = (faults: Int.max, kinds: Int.max)
    /// A hash of all events of every run: the same for the same seeds and the same program.
    package var digest: String {
      let (high, low) = hash.finalize()
      return String(high, radix: 16) + "-" + String(low, radix: 16)
    }

    var hash = SipHash128(key: (9, 10))
  }

  /// The minimum number of effective faults and kinds in a run of the default length: fewer would prove nothing.
  package static let minimumFaults = (count: 20, kinds: 8)
  /// Virtual hours with faults.
  package var hours: Double

  /// Runs of a length.
  package init(hours: Double = CollectionPlan.hours) { self.hours = hours }

  /// The plan of a seed.
  package func plan(_ seed: UInt64) -> CollectionPlan { CollectionPlan(seed: seed, hours: hours) }

  /// Runs seeds in order until all are done, or `isOver` returns `true`.
  package func run(
    _ seeds: some Sequence<UInt64>, trace: ((String) -> Void)? = nil, isOver: (Tally) -> Bool = { _ in false },
    onFailure: (UInt64, CollectionRun.Outcome) -> Void = { _, _ in }
  ) throws -> Tally {
    var tally = Tally()
    for seed in seeds {
      var outcome = try CollectionRun(plan(seed), trace: trace).run()
      tally.seeds += 1
      tally.revisions += outcome.revisions
      tally.payments += outcome.payments
      let struck = outcome.faults.values.reduce(0, +)
      tally.fewest = (min(tally.fewest.faults, struck), min(tally.fewest.kinds, outcome.faults.count))
      let least = CollectionSuite.minimumFaults
      if hours >= CollectionPlan.hours, struck < least.count || outcome.faults.count < least.kinds {
        outcome.violations.append("only \(struck) faults of \(outcome.faults.count) kinds struck")
      }
      for byte in outcome.digest.utf8 { tally.hash.combine(word: UInt64(byte)) }
      for (fault, count) in outcome.faults { tally.faults[fault, default: 0] += count }
      if let first = outcome.violations.first {
        tally.failures.append((seed, first))
        onFailure(seed, outcome)
      }
      if isOver(tally) { break }
    }
    return tally
  }
}
