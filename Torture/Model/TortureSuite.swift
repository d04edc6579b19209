import CordonCore

/// Many runs, one seed after the other.
package struct TortureSuite: Sendable {
  /// The sum of runs.
  package struct Tally: Sendable {
    /// The number of runs.
    package var seeds = 0
    /// The seeds with broken promises, with the first violation of each.
    package var failures: [(seed: UInt64, violation: String)] = []
    /// Fixes that phones received.
    package var fixes = 0
    /// Rows on the servers at the end.
    package var rows = 0
    /// Exposure notices that phones reported.
    package var notices = 0
    /// The number of times each fault had an effect.
    package var faults: [String: Int] = [:]
    /// The minimum number of effective faults in a run, and of their kinds.
    package var fewest = (faults: Int.max, kinds: Int.max)
    /// A hash of all events of every run: the same for the same seeds and the same program.
    package var digest: String {
      let (high, low) = hash.finalize()
      return String(high, radix: 16) + "-" + String(low, radix: 16)
    }

    var hash = SipHash128(key: (5, 6))

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
    var tally = Tally()
    var last: UInt64 = 0
    for seed in seeds {
      last = seed
      var outcome = try TortureRun(plan(seed), trace: trace).run()
      tally.seeds += 1
      tally.fixes += outcome.fixes
      tally.rows += outcome.rows
      tally.notices += outcome.notices
      let struck = outcome.faults.values.reduce(0, +)
      tally.fewest = (min(tally.fewest.faults, struck), min(tally.fewest.kinds, outcome.faults.count))
      let least = TortureSuite.minimumFaults
      if hours >= 2, struck < least.count || outcome.faults.count < least.kinds {
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
    // Without notices, nothing was tested about them.
    if hours >= 2, tally.seeds >= 20, tally.notices == 0 {
      tally.failures.append((last, "no exposure notice arrived in \(tally.seeds) runs"))
    }
    return tally
  }
}
