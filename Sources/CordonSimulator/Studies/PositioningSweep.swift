import CordonContacts
package import CordonCore
import CordonCrowd
import CordonGeometry
import CordonMonitoring
import CordonRun
package import CordonVenues

/// A comparison of positioning technologies: one scenario, observed by many kinds of phones.
package struct PositioningSweep: Sendable {
  /// The result of one kind of phone.
  package struct Row: Sendable {
    /// The preset of the error model.
    package var preset: PhonePreset
    /// Time between two fixes while positioning is on.
    package var interval: TimeSpan
    /// The times at which positioning is on.
    package var sampling: PhoneSetup.Sampling
    /// Share of people who carry a phone, 0 ... 1.
    package var deviceShare: Double
    /// Share of the true contact seconds among phones that was observed; `nil` without true contacts.
    package var recallSeconds: Double?
    /// Share of the observed contact seconds that was true; `nil` without observed contacts.
    package var precisionSeconds: Double?
    /// Share of the pairs among phones to be warned that were detected; `nil` without such pairs.
    package var recallPairs: Double?
    /// Share of the detected pairs that were to be warned; `nil` without detected pairs.
    package var precisionPairs: Double?
    /// Share of all pairs to be warned, with or without phones, that were detected; `nil` without such pairs.
    package var reach: Double?
    /// Battery use in percent, as a mean over phones.
    package var batteryPercent: Double?
    /// Bytes sent per phone.
    package var bytesPerPhone: Double?
  }

  /// The kinds of phones to compare: every combination of the values.
  package struct Kinds: Sendable {
    /// The presets of the error model.
    package var presets: [PhonePreset]
    /// The times between two fixes.
    package var intervals: [TimeSpan]
    /// The times at which positioning is on; empty for the scenario's own sampling.
    package var samplings: [PhoneSetup.Sampling]
    /// The shares of people with a phone, 0 ... 1.
    package var shares: [Double]

    /// Creates the combinations of the values.
    package init(
      presets: [PhonePreset], intervals: [TimeSpan], samplings: [PhoneSetup.Sampling] = [], shares: [Double] = [1]
    ) {
      self.presets = presets
      self.intervals = intervals
      self.samplings = samplings
      self.shares = shares
    }

    /// Returns the combinations, ordered by preset, interval, sampling and share.
    fileprivate func combinations(default sampling: PhoneSetup.Sampling) -> [Kind] {
      let samplings = samplings.isEmpty ? [sampling] : samplings
      return presets.flatMap { preset in
        intervals.flatMap { interval in
          samplings.flatMap { sampling in
            shares.map { Kind(preset: preset, interval: interval, sampling: sampling, share: $0) }
          }
        }
      }
    }
  }

  /// The results, ordered by preset, interval, sampling and share.
  package var rows: [Row]
  /// Whether the comparison was interrupted: kinds are missing, or the walk ended early.
  package var isPartial: Bool

  /// The time up to which people were observed, if their walk was interrupted.
  package var reached: Instant?

  /// Assumptions about what the map does not specify, and unreachable places: ``World/remarks``.
  package var remarks: [String]

  /// Runs the scenario once, and observes it with every kind of phone.
  /// - Parameters:
  ///   - venue: the venue.
  ///   - scenario: the scenario.
  ///   - kinds: the kinds of phones.
  ///   - maximumUnreachableShare: the share of the usable area, from 0 to 1, that may be out of reach of the entrances.
  ///   - threads: the number of kinds that are processed concurrently; the result does not depend on it.
  ///   - progress: receives the phase, and the finished part of the total work.
  ///   - isWalkInterrupted: whether to end the walk early, called on one thread. The walk up to then is still observed.
  ///   - isInterrupted: whether to stop the observation, called on any thread; unfinished kinds are left out.
  /// - Throws: ``ScenarioError``, ``SimulationError`` or `VenueError`.
  package init(
    venue: Venue, scenario: Scenario, kinds: Kinds, maximumUnreachableShare: Double = 1, threads: Int,
    progress: @escaping @Sendable (_ phase: RunPhase, _ done: Double, _ total: Int) -> Void = { _, _, _ in },
    isWalkInterrupted: @escaping @Sendable () -> Bool = { false },
    isInterrupted: @escaping @Sendable () -> Bool = { false }
  ) throws {
    let prepared = try VenueSimulation(venue: venue, scenario: scenario)
      .prepared(
        threads: threads, maximumUnreachableShare: maximumUnreachableShare,
        progress: { phase, done, total, _ in progress(phase, Double(done) / Double(max(total, 1)), 1) },
        isInterrupted: isWalkInterrupted)
    var rows: [Row] = []
    let all = kinds.combinations(default: scenario.phones.sampling)
    let done = SummedProgress { progress(.phones, $0, all.count) }
    while rows.count < all.count, !isInterrupted() {
      let start = rows.count
      let made = parallelMap(count: min(max(threads, 1), all.count - start), threads: threads) { job in
        Result {
          try PositioningSweep.observe(
            prepared, scenario, all[start + job],
            watch: RunControl(isInterrupted: isInterrupted) { done.note($0, of: start + job) })
        }
      }
      let finished = try made.compactMap { try $0.get() }
      rows += finished
      if finished.count < made.count { break }
    }
    self.rows = rows
    remarks = prepared.world.remarks
    reached = prepared.truth.figures.interruptedAt.map(Instant.init(milliseconds:))
    isPartial = rows.count < all.count || reached != nil
  }

  /// One kind of phone: preset, fix interval, sampling and share of people.
  fileprivate struct Kind {
    var preset: PhonePreset
    var interval: TimeSpan
    var sampling: PhoneSetup.Sampling
    var share: Double
  }

  /// Returns the result of one kind of phone; `nil` if it was interrupted.
  private static func observe(
    _ prepared: PreparedRun, _ scenario: Scenario, _ kind: Kind, watch: RunControl
  ) throws -> Row? {
    var scenario = scenario
    scenario.phones.preset = kind.preset
    scenario.phones.interval = kind.interval
    scenario.phones.sampling = kind.sampling
    // Rare fixes must not be treated as gaps.
    scenario.maximumGap = max(scenario.maximumGap, TimeSpan(milliseconds: kind.interval.milliseconds * 3))
    let contents = try prepared.observed(
      scenario: scenario, store: .memory(MemoryStore()), shares: Array(repeating: kind.share, count: prepared.people),
      progress: { phase, done, total, _ in
        if phase == .phones { watch.progress?(0.95 * Double(done) / Double(max(total, 1))) }
      }, isInterrupted: watch.isInterrupted)
    guard !watch.isInterrupted() else { return nil }
    watch.progress?(1)
    let agreement = contents.summary.agreement
    let limit = scenario.warningThreshold.milliseconds * 1_000
    var totals: [UInt64: Int64] = [:]
    for row in contents.contacts where row.source == .truth {
      let key = UInt64(UInt32(bitPattern: row.contact.first)) << 32 | UInt64(UInt32(bitPattern: row.contact.second))
      totals[key, default: 0] += row.contact.end - row.contact.start
    }
    let should = totals.values.count { $0 >= limit }
    let devices = contents.summary.devices
    return Row(
      preset: kind.preset, interval: kind.interval, sampling: kind.sampling, deviceShare: kind.share,
      recallSeconds: agreement?.recallSeconds, precisionSeconds: agreement?.precisionSeconds,
      recallPairs: agreement?.recallPairs, precisionPairs: agreement?.precisionPairs,
      reach: should > 0 ? Double(agreement?.commonPairs ?? 0) / Double(should) : nil,
      batteryPercent: contents.outcome.figures.first { $0.name == "battery_percent_mean" }?.value,
      bytesPerPhone: devices > 0 ? contents.summary.delivery.bytesSent.map { Double($0) / Double(devices) } : nil)
  }

  /// Returns the least demanding kind of phone that reaches both shares among phones; `nil` if none does.
  ///
  /// It is the kind with the largest error, then with the longest interval, the lowest battery use and the smallest
  /// share of people.
  /// - Parameters:
  ///   - recall: the minimum of ``PositioningSweep/Row/recallPairs``.
  ///   - precision: the minimum of ``PositioningSweep/Row/precisionPairs``.
  package func leastDemanding(recall: Double, precision: Double) -> Row? {
    func ease(_ row: Row) -> (Double, Int64, Double, Double) {
      (row.preset.model.accuracy, row.interval.milliseconds, -(row.batteryPercent ?? .infinity), -row.deviceShare)
    }
    return rows.filter { ($0.recallPairs ?? 0) >= recall && ($0.precisionPairs ?? 0) >= precision }.max {
      ease($0) < ease($1)
    }
  }
}
