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
    /// Time between two fixes.
    public var interval: TimeSpan
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

  /// In order of preset, interval, share.
  public var rows: [Row]
  /// Whether it was interrupted.
  public var isPartial: Bool

  /// Runs the scenario once and looks at it with every kind of phone.
  /// - Parameters:
  ///   - threads: how many kinds at a time; the result does not depend on it.
  ///   - presets: the names of the phones.
  ///   - venue: the venue.
  ///   - isInterrupted: whether to stop early.
  ///   - scenario: the scenario.
  ///   - intervals: the times between two fixes.
  ///   - shares: the shares of people with a phone.
  ///   - progress: is told how far it is.
  public init(
    venue: Venue, scenario: Scenario, presets: [PhonePreset], intervals: [TimeSpan], shares: [Double], threads: Int,
    progress: @escaping @Sendable (_ done: Int, _ total: Int) -> Void = { _, _ in },
    isInterrupted: () -> Bool = { false }
  ) throws {
    var cases: [(PhonePreset, TimeSpan, Double)] = []
    for preset in presets {
      for interval in intervals { for share in shares { cases.append((preset, interval, share)) } }
    }
    let prepared = try VenueSimulation(venue: venue, scenario: scenario, settings: SimulationSettings(scenario))
      .prepared(threads: threads)
    var rows: [Row] = []
    let all = cases
    while rows.count < all.count, !isInterrupted() {
      let start = rows.count
      let made = parallelMap(count: min(max(threads, 1), all.count - start), threads: threads) { job in
        Result { try PositioningSweep.look(prepared, scenario, all[start + job]) }
      }
      for row in made { rows.append(try row.get()) }
      progress(rows.count, all.count)
    }
    self.rows = rows
    isPartial = rows.count < all.count
  }

  private static func look(
    _ prepared: PreparedRun, _ scenario: Scenario, _ kind: (preset: PhonePreset, interval: TimeSpan, share: Double)
  ) throws -> Row {
    var settings = SimulationSettings(scenario)
    settings.phones = kind.preset
    settings.fixInterval = kind.interval
    // Fixes that are rare must not be taken for gaps.
    settings.maximumGap = max(settings.maximumGap, TimeSpan(milliseconds: kind.interval.milliseconds * 3))
    let contents = try prepared.observed(
      settings: settings, store: .memory(MemoryStore()), shares: Array(repeating: kind.share, count: prepared.people))
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
      preset: kind.preset, interval: kind.interval, deviceShare: kind.share, recallSeconds: agreement?.recallSeconds,
      precisionSeconds: agreement?.precisionSeconds, recallPairs: agreement?.recallPairs,
      precisionPairs: agreement?.precisionPairs,
      reach: should > 0 ? Double(agreement?.commonPairs ?? 0) / Double(should) : nil,
      batteryPercent: contents.outcome.figures.first { $0.name == "battery_percent_mean" }?.value,
      bytesPerPhone: devices > 0 ? contents.summary.delivery.bytesSent.map { Double($0) / Double(devices) } : nil)
  }

  /// The least demanding kind that reaches both shares among phones; the one with the most error, then the longest
  /// interval. `nil` when none does.
  public func leastDemanding(recall: Double, precision: Double) -> Row? {
    rows.filter { ($0.recallPairs ?? 0) >= recall && ($0.precisionPairs ?? 0) >= precision }.max {
      ($0.preset.model.accuracy, $0.interval.milliseconds, -$0.deviceShare)
        < ($1.preset.model.accuracy, $1.interval.milliseconds, -$1.deviceShare)
    }
  }
}
