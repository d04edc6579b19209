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

/// The mean profile of each day of the week, estimated from few days.
///
/// With one or two days of each weekday, their mean is noisy, and the mean of all days of the same kind (working days;
/// weekends) has no structure. The estimate lies between them: the mean of the weekday's days counts with their number, the mean of
/// the kind with a number of days ``strength``.
struct WeekProfile: Hashable, Sendable {
  /// The mean number of people by day of the week and bin; `nil` for a day of the week of a kind without measurements.
  let people: [[Double]?]
  /// The weight of the mean of the kind of day, in days; infinity for the mean of the kind alone.
  let strength: Double

  /// The strengths among which leaving out each day in turn decides.
  static let strengths = [0.25, 0.5, 1, 2, 4, 8, .infinity]

  /// The number of days of the week with several days below which they count as alike.
  ///
  /// Only a day of the week with two days shows whether its days resemble each other; one such pair may do so by chance.
  static let minimumPairs = 3

  /// Estimates the profiles with the greatest strength that predicts left-out days as well as the best one, within one standard
  /// error of the difference between their mean absolute errors.
  init(_ days: DayProfiles) {
    let counts = Dictionary(grouping: days.profiles.compactMap(\.day.weekday)) { $0 }.values.map(\.count)
    guard counts.count(where: { $0 > 1 }) >= Self.minimumPairs else {
      self.init(days, strength: .infinity)
      return
    }
    let errors = Self.strengths.map { Self.leaveOneOutErrors(days, strength: $0) }
    let means = errors.map { Sample($0).mean }
    let best = means.indices.reversed().min { means[$0] < means[$1] } ?? 0
    let chosen = means.indices.last { index in
      let excess = Sample(zip(errors[index], errors[best]).map { $0 - $1 })
      return excess.mean <= excess.deviation / Double(max(excess.count, 1)).squareRoot()
    }
    self.init(days, strength: Self.strengths[chosen ?? best])
  }

  /// Estimates the profiles with a given strength.
  init(_ days: DayProfiles, strength: Double) {
    self.strength = strength
    people = (0..<7).map { Self.profile(of: $0, from: days.profiles, bins: days.bins, strength: strength) }
  }

  /// The kind of a day of the week: 0 for working days, 1 for weekends. Days without a weekday are of one kind.
  static func kind(_ weekday: Int?) -> Int { (weekday ?? 0) >= 5 ? 1 : 0 }

  private static func profile(
    of weekday: Int, from profiles: [DayProfiles.Profile], bins: Int, strength: Double
  ) -> [Double]? {
    let hasWeekdays = profiles.contains { $0.day.weekday != nil }
    let own = profiles.filter { $0.day.weekday == weekday }
    let kind = hasWeekdays ? profiles.filter { Self.kind($0.day.weekday) == Self.kind(weekday) } : profiles
    guard !kind.isEmpty else { return nil }
    return (0..<bins).map { bin in
      let values = (own: own.compactMap { $0.people[bin] }, kind: kind.compactMap { $0.people[bin] })
      guard !values.kind.isEmpty else { return 0 }
      let common = values.kind.reduce(0, +) / Double(values.kind.count)
      guard strength.isFinite, !values.own.isEmpty else { return common }
      return (values.own.reduce(0, +) + strength * common) / (Double(values.own.count) + strength)
    }
  }

  /// Returns the mean absolute error of each day that the other days predict; days without others of their kind are left out.
  static func leaveOneOutErrors(_ days: DayProfiles, strength: Double) -> [Double] {
    days.profiles.indices.compactMap { index in
      let pairs = leftOut(days, index, strength: strength)
      guard !pairs.isEmpty else { return nil }
      return pairs.reduce(0) { $0 + abs($1.predicted - $1.measured) } / Double(pairs.count)
    }
  }

  /// Returns the numbers that the other days predict for a day, beside the measured ones, by bin; empty without other days of
  /// the same kind.
  static func leftOut(
    _ days: DayProfiles, _ index: Int, strength: Double
  ) -> [(bin: Int, predicted: Double, measured: Double)] {
    var others = days.profiles
    let day = others.remove(at: index)
    let own = profile(of: day.day.weekday ?? 0, from: others, bins: days.bins, strength: strength)
    guard let own else { return [] }
    return own.indices.compactMap { bin in day.people[bin].map { (bin: bin, predicted: own[bin], measured: $0) } }
  }
}
