/// Many runs with forms and studies, one seed after the other.
package struct CollectionSuite: Sendable {
  /// The sum of runs.
  package typealias Tally = TortureTally<Counts>

  /// The counts of runs with forms and studies.
  package struct Counts: Sendable {
    /// Revisions that servers acknowledged.
    package var revisions = 0
    /// Orders that providers paid.
    package var payments = 0
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
    var tally = Tally(Counts(), key: (9, 10))
    for seed in seeds {
      var outcome = try CollectionRun(plan(seed), trace: trace).run()
      tally.counts.revisions += outcome.revisions
      tally.counts.payments += outcome.payments
      outcome.violations = tally.add(
        seed: seed, violations: outcome.violations, faults: outcome.faults, digest: outcome.digest,
        minimum: hours >= CollectionPlan.hours ? CollectionSuite.minimumFaults : nil)
      if !outcome.violations.isEmpty { onFailure(seed, outcome) }
      if isOver(tally) { break }
    }
    return tally
  }
}
