import CordonCore
package import CordonMonitoring

/// Compares policies of tracking outside of venues on the same days of a person: what they cost, and how well their rows show what
/// the days were.
package struct EverydayComparison: Sendable {
  /// The mean of a figure over days, with its 95 % interval by Student's t distribution.
  package struct Estimate: Hashable, Sendable {
    /// The mean; NaN without values.
    package let mean: Double
    /// Half the width of the interval; NaN for fewer than two values.
    package let margin: Double

    init(_ values: [Double]) {
      let sample = Sample(values)
      mean = sample.mean
      let degrees = sample.count - 1
      margin =
        degrees > 0
        ? StudentDistribution.quantile(tail: 0.05, degrees: degrees) * sample.deviation
          / Double(sample.count).squareRoot()
        : .nan
    }
  }

  /// A policy and its figures of a day. Errors of stays and ways are means of the daily means.
  package struct Row: Sendable {
    /// The name of the policy.
    package var name: String
    /// Energy in joules.
    package var joules: Estimate
    /// The share of a full battery in percent.
    package var batteryPercent: Estimate
    /// The hours with positioning on.
    package var positioningHours: Estimate
    /// Rows that the receiver got, and requests.
    package var rows: Estimate
    package var requests: Estimate
    /// The error of the distance of the day in percent.
    package var distance: Estimate
    /// True stays, those that were found, and those that were not there.
    package var stays = 0
    package var foundStays = 0
    package var extraStays = 0
    /// Errors of found stays in seconds.
    package var arrival: Estimate
    package var departure: Estimate
    package var dwell: Estimate
    /// True ways, those that were found, and those that were not there.
    package var ways = 0
    package var foundWays = 0
    package var extraWays = 0
    /// Errors of found ways: seconds, and percent of the length.
    package var start: Estimate
    package var end: Estimate
    package var length: Estimate
  }

  /// The policies that are compared: the presets, the balanced one with visits, and visits alone.
  package static var policies: [(name: String, policy: TrackingPolicy)] {
    var both = TrackingPolicy(preset: .balanced)
    both.recordsVisits = true
    var visits = TrackingPolicy()
    visits.mode = .visits
    return [
      ("high-resolution", TrackingPolicy(preset: .highResolution)), ("balanced", TrackingPolicy(preset: .balanced)),
      ("balanced with visits", both), ("saver", TrackingPolicy(preset: .saver)), ("visits", visits),
    ]
  }

  /// The policies in the order of ``policies``.
  package let rows: [Row]
  /// The number of days that all policies completed.
  package let days: Int

  /// Runs the days.
  /// - Parameters:
  ///   - days: the number of days.
  ///   - seed: the seed of days, errors and waits.
  ///   - isInterrupted: asked before each day; the result then has the days so far.
  ///   - progress: called with the number of days that are done.
  /// - Throws: an error for an invalid policy.
  package init(
    days: Int, seed: UInt64, isInterrupted: () -> Bool = { false }, progress: (Int) -> Void = { _ in }
  ) throws {
    let policies = EverydayComparison.policies
    var results = [[(figures: EverydayPhone.Figures, errors: EverydayErrors)]](repeating: [], count: policies.count)
    var truth = (stays: 0, ways: 0)
    var done = 0
    while done < days, !isInterrupted() {
      let day = EverydayDay(number: done, seed: seed)
      truth = (truth.stays + day.stays.count, truth.ways + day.ways.count)
      for (index, item) in policies.enumerated() {
        let (figures, rows) = try EverydayPhone.record(
          of: item.policy, on: day, model: EnergyModel(), seed: seed &+ UInt64(done) &* 0x9e37_79b9)
        results[index].append((figures, EverydayErrors(rows, of: day)))
      }
      done += 1
      progress(done)
    }
    self.days = done
    rows = policies.indices.map { EverydayComparison.row(policies[$0].name, results[$0], truth) }
  }

  private static func row(
    _ name: String, _ days: [(figures: EverydayPhone.Figures, errors: EverydayErrors)], _ truth: (stays: Int, ways: Int)
  ) -> Row {
    func mean(_ values: [Double]) -> Double { Sample(values).mean }
    func figure(_ value: (EverydayPhone.Figures) -> Double) -> Estimate { Estimate(days.map { value($0.figures) }) }
    func error(_ value: (EverydayErrors) -> Double) -> Estimate { Estimate(days.map { value($0.errors) }) }
    func sum(_ value: (EverydayErrors) -> Int) -> Int { days.reduce(0) { $0 + value($1.errors) } }
    return Row(
      name: name, joules: figure(\.joules), batteryPercent: figure(\.batteryPercent),
      positioningHours: figure { $0.positioning.seconds / 3_600 }, rows: figure { Double($0.rows) },
      requests: figure { Double($0.requests) }, distance: error(\.distance), stays: truth.stays,
      foundStays: sum(\.foundStays), extraStays: sum(\.extraStays), arrival: error { mean($0.arrivals) },
      departure: error { mean($0.departures) }, dwell: error { mean($0.dwells) }, ways: truth.ways,
      foundWays: sum(\.foundWays), extraWays: sum(\.extraWays), start: error { mean($0.starts) },
      end: error { mean($0.ends) }, length: error { mean($0.lengths) })
  }
}
