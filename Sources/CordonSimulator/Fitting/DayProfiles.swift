import CordonCore

/// Measured or simulated numbers of people by day and time of day.
package struct DayProfiles: Hashable, Sendable {
  /// A day, with the mean number of people in each bin; `nil` for a bin without measurements.
  package struct Profile: Hashable, Sendable {
    /// The day.
    package var day: MeasuredTable.Day
    /// The mean number of people by bin.
    package var people: [Double?]
  }

  /// The profiles, in the order of the days.
  package var profiles: [Profile]
  /// The width of a bin in minutes, a divisor of 1 440.
  package let binMinutes: Int

  /// The number of bins of a day.
  var bins: Int { 1_440 / binMinutes }

  /// Creates profiles from their parts.
  init(_ profiles: [Profile], binMinutes: Int) {
    self.profiles = profiles
    self.binMinutes = binMinutes
  }

  /// Counts people in bins.
  /// - Parameters:
  ///   - series: the numbers by time, one for each day.
  ///   - binMinutes: the width of a bin in minutes, a divisor of 1 440.
  init(counting series: [CountSeries], binMinutes: Int) {
    self.binMinutes = binMinutes
    let bins = 1_440 / binMinutes
    profiles = series.map { day in
      var sums = [(sum: Double, count: Int)](repeating: (0, 0), count: bins)
      for sample in day.samples {
        let bin = min(sample.second / 60 / binMinutes, bins - 1)
        sums[bin].sum += sample.people
        sums[bin].count += 1
      }
      return Profile(
        day: day.day, people: sums.map { $0.count > 0 ? $0.sum / Double($0.count) : nil })
    }
  }

  /// Returns the profiles of some days.
  func only(_ days: Set<Int>) -> DayProfiles {
    DayProfiles(profiles.filter { days.contains($0.day.number) }, binMinutes: binMinutes)
  }

  /// Returns the sum of several tables of the same days; a bin that any of them lacks is missing.
  static func sum(_ tables: [DayProfiles]) -> DayProfiles? {
    guard var total = tables.first else { return nil }
    for table in tables.dropFirst() {
      for (index, profile) in table.profiles.enumerated() where total.profiles.indices.contains(index) {
        total.profiles[index].people = zip(total.profiles[index].people, profile.people).map { a, b in
          a.flatMap { a in b.map { a + $0 } }
        }
      }
    }
    return total
  }
}

/// The numbers of people of one day, by time.
struct CountSeries: Hashable, Sendable {
  struct Sample: Hashable, Sendable {
    /// Seconds since local midnight.
    var second: Int
    var people: Double
  }

  var day: MeasuredTable.Day
  /// The samples, in the order of time; empty for a day without measurements.
  var samples: [Sample]

  /// Returns the number of people who came in, counted from the rises of the number of people.
  ///
  /// Only rises by `threshold` or more count, so that single miscounts do not. People who come in while others go out are
  /// not seen, so that the result is a lower bound for exact counts.
  func rises(threshold: Double) -> Double {
    guard let first = samples.first?.people else { return 0 }
    // The turning points of the series, without reversals below the threshold.
    var total = max(first, 0)
    var (low, high) = (first, first)
    var isRising = false
    for sample in samples.dropFirst() {
      let value = sample.people
      if isRising {
        high = max(high, value)
        if high - value >= threshold {
          total += high - low
          (low, isRising) = (value, false)
        }
      } else {
        low = min(low, value)
        if value - low >= threshold { (high, isRising) = (value, true) }
      }
    }
    return isRising ? total + high - low : total
  }
}
