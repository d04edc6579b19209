import CordonContacts
import CordonCore
import CordonRun

/// Distributions of contacts, and the effect of thresholds on the observed contacts.
struct ContactFigures {
  private static let durationBounds: [Double] = [0, 5, 10, 20, 40, 60, 120, 300, 600, 900, 1_800, 3_600, 7_200]
  private static let degreeBounds: [Double] = [0, 1, 2, 5, 10, 20, 50, 100, 200, 500, 1_000]
  private static let stayBounds: [Double] = [0, 15, 30, 60, 120, 300, 600, 1_200, 1_800, 3_600, 7_200, 14_400]
  /// Thresholds of the total contact time of a pair, in seconds.
  static let durations: [Double] = [60, 300, 900, 1_800]

  /// Returns the durations of contacts, the totals of pairs and the degrees of one source.
  /// - Parameter people: all planned people, by number. People who never came in have no degree.
  static func distributions(_ contacts: [Contact], _ source: RunSource, people: [RunPerson]) -> [RunOutcome.Bin] {
    var pairs: [UInt64: Int64] = [:]
    var degrees = [Int](repeating: 0, count: people.count)
    for contact in contacts {
      let key = UInt64(UInt32(bitPattern: contact.first)) << 32 | UInt64(UInt32(bitPattern: contact.second))
      if pairs[key] == nil {
        for person in [contact.first, contact.second] where degrees.indices.contains(Int(person)) {
          degrees[Int(person)] += 1
        }
      }
      pairs[key, default: 0] += contact.end - contact.start
    }
    return bins("contact_duration_s", source, contacts.lazy.map { Double($0.end - $0.start) / 1e6 }, durationBounds)
      + bins("pair_total_s", source, pairs.values.lazy.map { Double($0) / 1e6 }, durationBounds)
      + bins("degree", source, zip(degrees, people).lazy.filter(\.1.cameIn).map { Double($0.0) }, degreeBounds)
  }

  static func stays(_ stays: [StayLength]) -> [RunOutcome.Bin] {
    bins("stay_s", .truth, stays.lazy.map(\.seconds), stayBounds)
  }

  static func battery(_ percent: [Double]) -> [RunOutcome.Bin] {
    bins("battery_percent", .observed, percent, [0, 0.5, 1, 2, 3, 5, 8, 12, 20, 35, 60])
  }

  private static func bins(
    _ what: String, _ source: RunSource, _ values: some Sequence<Double>, _ bounds: [Double]
  ) -> [RunOutcome.Bin] {
    var counts = [Int](repeating: 0, count: bounds.count)
    for value in values { counts[bounds.lastIndex { $0 <= value } ?? 0] += 1 }
    return bounds.indices.map { index in
      RunOutcome.Bin(
        what: what, source: source, lower: bounds[index],
        upper: index + 1 < bounds.count ? bounds[index + 1] : .infinity,
        count: counts[index])
    }
  }

  /// Returns observed and true pairs for each duration threshold, at one distance.
  static func thresholds(
    distance: Double, observed: PairIntervals, truth: PairIntervals
  ) -> [RunOutcome.Threshold] {
    var totals: [(observed: Int64, truth: Int64)] = []
    _ = ContactAgreement(observed: observed, truth: truth) { seen, real, _ in totals.append((seen, real)) }
    return durations.map { duration in
      let limit = Int64(duration * 1e6)
      let real = totals.filter { $0.truth >= limit }
      let errors = real.map { Double($0.observed - $0.truth) / 1e6 }
      let count = Double(max(real.count, 1))
      func mean(_ sum: Double) -> Double? { real.isEmpty ? nil : (sum / count * 1e3).rounded() / 1e3 }
      return RunOutcome.Threshold(
        distance: distance, duration: duration, truePairs: real.count,
        observedPairs: totals.count { $0.observed >= limit },
        commonPairs: real.count { $0.observed >= limit }, meanError: mean(errors.reduce(0, +)),
        meanAbsoluteError: mean(errors.reduce(0) { $0 + abs($1) }))
    }
  }
}
