/// Many runs, one seed after the other.
package struct TortureSuite: Sendable {
  /// The sum of runs.
  package typealias Tally = TortureTally<Counts>

  /// The counts of runs with phones.
  package struct Counts: Sendable {
    /// Fixes that phones received.
    package var fixes = 0
    /// Rows on the servers at the end.
    package var rows = 0
    /// Exposure notices that phones reported.
    package var notices = 0

    /// Hours of phones: an hour is 720 fixes.
    package var phoneHours: Double { Double(fixes) / 720 }
  }

  /// Where rows are kept.
  package var storage: TorturePlan.Storage
  /// The minimum number of effective faults and kinds in a run of two hours or more: fewer would prove nothing.
  package static let minimumFaults = (count: 20, kinds: 6)
  /// Virtual hours with faults.
  package var hours: Double
  /// Whether phones may record outside of the venue; `nil` for one seed of four.
  package var isEverywhere: Bool?

  /// Runs with a kind of storage.
  package init(storage: TorturePlan.Storage = .sqlite, hours: Double = 2, isEverywhere: Bool? = nil) {
    self.storage = storage
    self.isEverywhere = isEverywhere
    self.hours = hours
  }

  /// The plan of a seed.
  package func plan(_ seed: UInt64) -> TorturePlan {
    TorturePlan(seed: seed, storage: storage, hours: hours, isEverywhere: isEverywhere)
  }

  /// Runs seeds in order until all are done, or `isOver` returns `true`.
  ///
  /// `trace` receives a line for all that a phone receives, sends and reports.
  package func run(
    _ seeds: some Sequence<UInt64>, trace: ((String) -> Void)? = nil, isOver: (Tally) -> Bool = { _ in false },
    onFailure: (UInt64, TortureRun.Outcome) -> Void = { _, _ in }
  ) throws -> Tally {
    var tally = Tally(Counts(), key: (5, 6))
    var last: UInt64 = 0
    for seed in seeds {
      last = seed
      var outcome = try TortureRun(plan(seed), trace: trace).run()
      tally.counts.fixes += outcome.fixes
      tally.counts.rows += outcome.rows
      tally.counts.notices += outcome.notices
      outcome.violations = tally.add(
        seed: seed, violations: outcome.violations, faults: outcome.faults, digest: outcome.digest,
        minimum: hours >= 2 ? TortureSuite.minimumFaults : nil)
      if !outcome.violations.isEmpty { onFailure(seed, outcome) }
      if isOver(tally) { break }
    }
    // Without notices, nothing was tested about them.
    if hours >= 2, tally.seeds >= 20, tally.counts.notices == 0 {
      tally.failures.append((last, "no exposure notice arrived in \(tally.seeds) runs"))
    }
    return tally
  }
}
