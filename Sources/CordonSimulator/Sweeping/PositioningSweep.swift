import CordonContacts
package import CordonCore
import CordonCrowd
import CordonGeometry
import CordonMonitoring
import CordonRun
package import CordonVenues

/// A comparison of positioning technologies: one scenario, observed by many kinds of phones.
package struct PositioningSweep: Sendable {
  /// A figure over repetitions.
  package struct Value: Hashable, Sendable {
    /// The mean over the repetitions that have the figure; `nil` if none has it.
    package var mean: Double?
    /// Half the width of the 95 % confidence interval of the mean; infinity for a single repetition.
    package var margin: Double

    init(_ values: [Double?]) {
      let sample = Sample(values.compactMap(\.self))
      mean = sample.count > 0 ? sample.mean : nil
      margin =
        sample.count > 1
        ? PairedDifference.student(degrees: sample.count - 1) * sample.deviation / Double(sample.count).squareRoot()
        : .infinity
    }
  }

  /// The result of one kind of phone.
  package struct Row: Sendable {
    /// The positioning technology.
    package var kind: PhoneKind
    /// Time between two fixes while positioning is on.
    package var interval: TimeSpan
    /// The times at which positioning is on.
    package var sampling: PhoneSetup.Sampling
    /// Share of people who carry a phone, 0 ... 1.
    package var deviceShare: Double
    /// The observed contact time from which a pair is warned.
    package var warnAfter: TimeSpan
    /// Share of the true contact seconds among phones that was observed.
    package var recallSeconds: Value
    /// Share of the observed contact seconds that was true.
    package var precisionSeconds: Value
    /// Share of the pairs among phones to be warned that are warned.
    package var recallPairs: Value
    /// Share of the warned pairs that were to be warned.
    package var precisionPairs: Value
    /// Share of all pairs to be warned, with or without phones, that are warned.
    package var reach: Value
    /// Battery use in percent, as a mean over phones.
    package var batteryPercent: Value
    /// Bytes sent per phone.
    package var bytesPerPhone: Value
    /// The number of devices.
    package var devices: Value
    /// The number of anchors for the usable floor area; 0 for a technology without anchors.
    package var anchors: Int
    /// The price of devices and anchors; `nil` without prices.
    package var price: Double?

    /// Whether the mean shares reach a target.
    package func reaches(_ target: SweepTarget) -> Bool {
      (recallPairs.mean ?? 0) >= target.recall && (precisionPairs.mean ?? 0) >= target.precision
        && (reach.mean ?? 0) >= target.reach
    }

    /// Whether the lower ends of the intervals reach a target, so that chance does not explain it.
    package func clearlyReaches(_ target: SweepTarget) -> Bool {
      func low(_ value: Value) -> Double { value.margin.isFinite ? (value.mean ?? 0) - value.margin : -.infinity }
      return low(recallPairs) >= target.recall && low(precisionPairs) >= target.precision
        && (target.reach == 0 || low(reach) >= target.reach)
    }
  }

  /// The kinds of phones to compare: every combination of the values.
  package struct Kinds: Sendable {
    /// The positioning technologies.
    package var phones: [PhoneKind]
    /// The times between two fixes.
    package var intervals: [TimeSpan]
    /// The times at which positioning is on; empty for the scenario's own sampling.
    package var samplings: [PhoneSetup.Sampling]
    /// The shares of people with a phone, 0 ... 1.
    package var shares: [Double]
    /// The observed contact times from which a pair is warned; empty for the scenario's own.
    package var warnings: [TimeSpan]

    /// Creates the combinations of the values.
    package init(
      phones: [PhoneKind], intervals: [TimeSpan], samplings: [PhoneSetup.Sampling] = [], shares: [Double] = [1],
      warnings: [TimeSpan] = []
    ) {
      self.phones = phones
      self.intervals = intervals
      self.samplings = samplings
      self.shares = shares
      self.warnings = warnings
    }

    /// Creates the combinations of presets and other values.
    package init(
      presets: [PhonePreset], intervals: [TimeSpan], samplings: [PhoneSetup.Sampling] = [], shares: [Double] = [1]
    ) {
      self.init(phones: presets.map(PhoneKind.init(_:)), intervals: intervals, samplings: samplings, shares: shares)
    }

    /// Returns the combinations but for the times of warnings, ordered by technology, interval, sampling and share.
    fileprivate func combinations(default sampling: PhoneSetup.Sampling) -> [Combination] {
      let samplings = samplings.isEmpty ? [sampling] : samplings
      return phones.flatMap { phone in
        intervals.flatMap { interval in
          samplings.flatMap { sampling in
            shares.map { Combination(phone: phone, interval: interval, sampling: sampling, share: $0) }
          }
        }
      }
    }
  }

  /// The results, ordered by technology, interval, sampling, share and time of warning.
  package var rows: [Row]
  /// The number of finished repetitions.
  package var repetitions: Int
  /// Whether the comparison was interrupted: kinds or repetitions are missing, or the walk ended early.
  package var isPartial: Bool
  /// The time up to which people were observed, if their walk was interrupted.
  package var reached: Instant?
  /// The usable floor area in square metres, for the number of anchors.
  package var usableArea: Double
  /// Assumptions about what the map does not specify, and unreachable places: ``World/remarks``.
  package var remarks: [String]

  /// Runs the scenario once for each repetition, and observes it with every kind of phone.
  /// - Parameters:
  ///   - venue: the venue.
  ///   - scenario: the scenario.
  ///   - kinds: the kinds of phones.
  ///   - repetitions: the number of repetitions, each with random numbers of its own.
  ///   - prices: the prices of devices and anchors; `nil` for no prices.
  ///   - maximumUnreachableShare: the share of the usable area, from 0 to 1, that may be out of reach of the entrances.
  ///   - threads: the number of kinds that are processed concurrently; the result does not depend on it.
  ///   - progress: receives the phase, and the finished part of the total work.
  ///   - isWalkInterrupted: whether to end the walk early, called on one thread. The walk up to then is still observed.
  ///   - isInterrupted: whether to stop the observation, called on any thread; unfinished kinds are left out of the
  ///     first repetition, and unfinished repetitions of the result.
  /// - Throws: ``ScenarioError``, ``SimulationError`` or `VenueError`.
  package init(
    venue: Venue, scenario: Scenario, kinds: Kinds, repetitions: Int = 1, prices: SweepPrice? = nil,
    maximumUnreachableShare: Double = 1, threads: Int,
    progress: @escaping @Sendable (_ phase: RunPhase, _ done: Double, _ total: Int) -> Void = { _, _, _ in },
    isWalkInterrupted: @escaping @Sendable () -> Bool = { false },
    isInterrupted: @escaping @Sendable () -> Bool = { false }
  ) throws {
    let all = kinds.combinations(default: scenario.phones.sampling)
    let warnings = kinds.warnings.isEmpty ? [scenario.warningThreshold] : kinds.warnings
    var finished: [[[Observation]]] = []
    var (remarks, area) = ([String](), 0.0)
    var reached: Instant?
    for repetition in 0..<max(repetitions, 1) {
      guard repetition == 0 || !(isInterrupted() || reached != nil) else { break }
      let prepared = try VenueSimulation(venue: venue, scenario: scenario, replica: UInt32(repetition))
        .prepared(
          threads: threads, maximumUnreachableShare: maximumUnreachableShare,
          progress: { phase, done, total, _ in progress(phase, Double(done) / Double(max(total, 1)), 1) },
          isInterrupted: isWalkInterrupted)
      if repetition == 0 {
        remarks = prepared.world.remarks
        area = prepared.world.connectivity.connectivity.usableSquareMetres
      }
      let end = prepared.truth.figures.interruptedAt.map(Instant.init(milliseconds:))
      // A shorter walk would not be a repetition of the others.
      if repetition > 0, end != nil { break }
      reached = end
      let offset = repetition * all.count
      let done = SummedProgress { progress(.phones, Double(offset) + $0, all.count * max(repetitions, 1)) }
      var observed: [[Observation]] = []
      while observed.count < all.count, !isInterrupted() {
        let start = observed.count
        let made = parallelMap(count: min(max(threads, 1), all.count - start), threads: threads) { job in
          Result {
            try PositioningSweep.observe(
              prepared, scenario, all[start + job], warnings: warnings, replica: UInt32(repetition),
              watch: RunControl(isInterrupted: isInterrupted) { done.note($0, of: start + job) })
          }
        }
        let results = try made.compactMap { try $0.get() }
        observed += results
        if results.count < made.count { break }
      }
      if repetition > 0, observed.count < all.count { break }
      finished.append(observed)
    }
    let count = finished.first?.count ?? 0
    rows = (0..<count).flatMap { index in
      warnings.indices.map { warning in
        PositioningSweep.row(
          all[index], warnAfter: warnings[warning], finished.map { $0[index][warning] }, area: area, prices: prices)
      }
    }
    self.repetitions = finished.count
    self.remarks = remarks
    self.reached = reached
    usableArea = area
    isPartial = count < all.count || reached != nil || finished.count < max(repetitions, 1)
  }

  /// A kind of phone without the time of warning.
  fileprivate struct Combination {
    var phone: PhoneKind
    var interval: TimeSpan
    var sampling: PhoneSetup.Sampling
    var share: Double
  }

  /// The figures of one kind of phone in one repetition.
  private struct Observation {
    var recallSeconds: Double?
    var precisionSeconds: Double?
    var recallPairs: Double?
    var precisionPairs: Double?
    var reach: Double?
    var batteryPercent: Double?
    var bytesPerPhone: Double?
    var devices: Double
  }

  /// Returns the figures of one kind of phone, for each time of warning; `nil` if it was interrupted.
  private static func observe(
    _ prepared: PreparedRun, _ scenario: Scenario, _ kind: Combination, warnings: [TimeSpan], replica: UInt32,
    watch: RunControl
  ) throws -> [Observation]? {
    var scenario = scenario
    scenario.phones.preset = kind.phone.preset
    scenario.phones.errorModel = kind.phone.model
    scenario.phones.interval = kind.interval
    scenario.phones.sampling = kind.sampling
    // Rare fixes must not be treated as gaps.
    scenario.maximumGap = max(scenario.maximumGap, TimeSpan(milliseconds: kind.interval.milliseconds * 3))
    let contents = try prepared.observed(
      scenario: scenario, replica: replica, store: .memory(MemoryStore()),
      shares: Array(repeating: kind.share, count: prepared.people),
      progress: { phase, done, total, _ in
        if phase == .phones { watch.progress?(0.95 * Double(done) / Double(max(total, 1))) }
      }, isInterrupted: watch.isInterrupted)
    guard !watch.isInterrupted() else { return nil }
    watch.progress?(1)
    let agreement = contents.summary.agreement
    let limit = scenario.warningThreshold.milliseconds * 1_000
    let totals = (truth: pairs(of: contents, .truth), observed: pairs(of: contents, .observed))
    let carriers = contents.people.map { $0.device != nil }
    func carry(_ pair: UInt64) -> Bool { carriers[Int(pair >> 32)] && carriers[Int(pair & 0xffff_ffff)] }
    let should = Set(totals.truth.filter { $0.value >= limit }.keys)
    let among = should.filter(carry)
    let devices = contents.summary.devices
    return warnings.map { warning in
      let warned = Set(totals.observed.filter { $0.value >= warning.milliseconds * 1_000 }.keys)
      let right = Double(warned.intersection(among).count)
      return Observation(
        recallSeconds: agreement?.recallSeconds, precisionSeconds: agreement?.precisionSeconds,
        recallPairs: among.isEmpty ? nil : right / Double(among.count),
        precisionPairs: warned.isEmpty ? nil : right / Double(warned.count),
        reach: should.isEmpty ? nil : right / Double(should.count),
        batteryPercent: contents.outcome.figures.first { $0.name == "battery_percent_mean" }?.value,
        bytesPerPhone: devices > 0 ? contents.summary.delivery.bytesSent.map { Double($0) / Double(devices) } : nil,
        devices: Double(devices))
    }
  }

  /// Returns the contact time of each pair in microseconds.
  private static func pairs(of contents: RunContents, _ source: RunSource) -> [UInt64: Int64] {
    var totals: [UInt64: Int64] = [:]
    for row in contents.contacts where row.source == source {
      let key = UInt64(UInt32(bitPattern: row.contact.first)) << 32 | UInt64(UInt32(bitPattern: row.contact.second))
      totals[key, default: 0] += row.contact.end - row.contact.start
    }
    return totals
  }

  private static func row(
    _ kind: Combination, warnAfter: TimeSpan, _ observed: [Observation], area: Double, prices: SweepPrice?
  ) -> Row {
    let devices = Value(observed.map(\.devices))
    let anchors = kind.phone.anchorArea.map { Int((area / $0).rounded(.up)) } ?? 0
    return Row(
      kind: kind.phone, interval: kind.interval, sampling: kind.sampling, deviceShare: kind.share, warnAfter: warnAfter,
      recallSeconds: Value(observed.map(\.recallSeconds)), precisionSeconds: Value(observed.map(\.precisionSeconds)),
      recallPairs: Value(observed.map(\.recallPairs)), precisionPairs: Value(observed.map(\.precisionPairs)),
      reach: Value(observed.map(\.reach)), batteryPercent: Value(observed.map(\.batteryPercent)),
      bytesPerPhone: Value(observed.map(\.bytesPerPhone)), devices: devices, anchors: anchors,
      price: prices?.costs(of: kind.phone, devices: devices.mean ?? 0, anchors: anchors))
  }

  /// Returns the least demanding kind of phone that reaches a target; `nil` if none does.
  ///
  /// It is the kind with the lowest price, if there are prices; then with the largest error, the longest interval, the
  /// lowest battery use and the smallest share of people.
  package func leastDemanding(_ target: SweepTarget) -> Row? {
    func ease(_ row: Row) -> (Double, Double, Int64, Double, Double) {
      (
        -(row.price ?? 0), row.kind.errorModel.accuracy, row.interval.milliseconds,
        -(row.batteryPercent.mean ?? .infinity), -row.deviceShare
      )
    }
    return rows.filter { $0.reaches(target) }.max { ease($0) < ease($1) }
  }
}
