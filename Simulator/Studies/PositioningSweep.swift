import CordonContacts
public import CordonCore
import CordonGeometry
import CordonMonitoring
import CordonRun
public import CordonVenues

/// One scenario seen by many kinds of phones: which positioning is good enough?
public struct PositioningSweep: Sendable {
  /// One kind of phones, and what it sees.
  public struct Row: Sendable {
    /// The error model.
    public var preset: PhonePreset
    /// Time between two fixes while positioning is on.
    public var interval: TimeSpan
    /// When positioning is on.
    public var sampling: PhoneSetup.Sampling
    /// Share of people who carry a phone.
    public var deviceShare: Double
    /// Of the true contact seconds among phones, the share that was observed; `nil` without any.
    public var recallSeconds: Double?
    /// Of the observed seconds, the share that was true.
    public var precisionSeconds: Double?
    /// Of the pairs that should be warned, among phones, the share that would be.
    public var recallPairs: Double?
    /// Of those that would be warned, the share that should be.
    public var precisionPairs: Double?
    /// Of all pairs that should be warned, with phones or without, the share that would be.
    public var reach: Double?
    /// Percent of a battery, mean over phones.
    public var batteryPercent: Double?
    /// Bytes sent, a phone.
    public var bytesPerPhone: Double?
  }

  /// In order of preset, interval, sampling, share.
  public var rows: [Row]
  /// Whether it was interrupted: kinds are missing, or everybody was looked at for a part of the time only.
  public var isPartial: Bool

  /// Until when people were looked at, when their walk was interrupted.
  public var reached: Instant?

  /// What was taken for granted where the map does not say, and what cannot be come to: ``World/remarks``.
  public var remarks: [String]

  /// Runs the scenario once and looks at it with every kind of phone.
  /// - Parameters:
  ///   - threads: how many kinds at a time; the result does not depend on it.
  ///   - presets: the names of the phones.
  ///   - venue: the venue.
  ///   - isWalkInterrupted: whether to end people's walk early, asked on one thread; what they did until then is still
  ///     looked at.
  ///   - isInterrupted: whether to stop looking, asked on any thread; a kind that is not done is left out.
  ///   - scenario: the scenario.
  ///   - intervals: the times between two fixes.
  ///   - samplings: when positioning is on; empty for the scenario's own.
  ///   - shares: the shares of people with a phone.
  ///   - progress: is told how far it is: the phase, and done of all.
  public init(
    venue: Venue, scenario: Scenario, presets: [PhonePreset], intervals: [TimeSpan],
    samplings: [PhoneSetup.Sampling] = [], shares: [Double], threads: Int,
    progress: @escaping @Sendable (_ phase: String, _ done: Double, _ total: Int) -> Void = { _, _, _ in },
    isWalkInterrupted: @escaping @Sendable () -> Bool = { false },
    isInterrupted: @escaping @Sendable () -> Bool = { false }
  ) throws {
    var kinds: [Kind] = []
    for preset in presets {
      for interval in intervals {
        for sampling in samplings.isEmpty ? [scenario.phones.sampling] : samplings {
          for share in shares {
            kinds.append(Kind(preset: preset, interval: interval, sampling: sampling, share: share))
          }
        }
      }
    }
    let prepared = try VenueSimulation(venue: venue, scenario: scenario, settings: SimulationSettings(scenario))
      .prepared(
        threads: threads,
        progress: { phase, done, total, _ in progress(phase, Double(done) / Double(max(total, 1)), 1) },
        isInterrupted: isWalkInterrupted)
    var rows: [Row] = []
    let all = kinds
    let done = SummedProgress { progress("phones", $0, all.count) }
    while rows.count < all.count, !isInterrupted() {
      let start = rows.count
      let made = parallelMap(count: min(max(threads, 1), all.count - start), threads: threads) { job in
        Result {
          try PositioningSweep.look(
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

  /// What is asked of phones.
  private struct Kind {
    var preset: PhonePreset
    var interval: TimeSpan
    var sampling: PhoneSetup.Sampling
    var share: Double
  }

  /// What one kind of phones sees; `nil` when it was cut short.
  private static func look(
    _ prepared: PreparedRun, _ scenario: Scenario, _ kind: Kind, watch: RunControl
  ) throws -> Row? {
    var settings = SimulationSettings(scenario)
    settings.phones = kind.preset
    settings.fixInterval = kind.interval
    settings.phoneSetup.sampling = kind.sampling
    // Fixes that are rare must not be taken for gaps.
    settings.maximumGap = max(settings.maximumGap, TimeSpan(milliseconds: kind.interval.milliseconds * 3))
    let contents = try prepared.observed(
      settings: settings, store: .memory(MemoryStore()), shares: Array(repeating: kind.share, count: prepared.people),
      progress: { phase, done, total, _ in
        if phase == "phones" { watch.progress?(0.95 * Double(done) / Double(max(total, 1))) }
      }, isInterrupted: watch.isInterrupted)
    guard !watch.isInterrupted() else { return nil }
    watch.progress?(1)
    let agreement = contents.summary.agreement
    let limit = settings.warningThreshold.milliseconds * 1_000
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

  /// The least demanding kind that reaches both shares among phones; the one with the most error, then the longest
  /// interval, then the least of a battery, then the smallest share. `nil` when none does.
  public func leastDemanding(recall: Double, precision: Double) -> Row? {
    func ease(_ row: Row) -> (Double, Int64, Double, Double) {
      (row.preset.model.accuracy, row.interval.milliseconds, -(row.batteryPercent ?? .infinity), -row.deviceShare)
    }
    return rows.filter { ($0.recallPairs ?? 0) >= recall && ($0.precisionPairs ?? 0) >= precision }.max {
      ease($0) < ease($1)
    }
  }
}
