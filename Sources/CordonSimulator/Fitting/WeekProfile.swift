/// The mean profile of each day of the week, estimated from few days.
///
/// With one or two days of each weekday, their mean is noisy, and the mean of all days of the same kind (working days;
/// weekends) has no structure. The estimate lies between them: the mean of the weekday's days counts with their number, the mean of
/// the kind with a number of days ``strength``. Then each bin is the mean of the bins up to ``smoothing`` away: counts of single
/// days leave accidents of the hour in a mean of few days.
struct WeekProfile: Hashable, Sendable {
  /// The mean number of people by day of the week and bin; `nil` for a day of the week of a kind without measurements.
  let people: [[Double]?]
  /// The weight of the mean of the kind of day, in days; infinity for the mean of the kind alone.
  let strength: Double

  /// The number of bins on each side over which the profile is smoothed.
  let smoothing: Int

  /// The spans on each side, in minutes, among which leaving out each day in turn decides.
  static let smoothingMinutes = [0, 30, 60]

  /// The strengths among which leaving out each day in turn decides.
  static let strengths = [0.25, 0.5, 1, 2, 4, 8, .infinity]

  /// The number of days of the week with several days below which they count as alike.
  ///
  /// Only a day of the week with two days shows whether its days resemble each other; one such pair may do so by chance.
  static let minimumPairs = 3

  /// Estimates the profiles with the strength and the smoothing that predict left-out days of these days best.
  init(_ days: DayProfiles) {
    let strength = Self.bestStrength(days)
    self.init(days, strength: strength, smoothing: Self.bestSmoothing(days, strength: strength))
  }

  /// Returns the greatest strength that predicts left-out days as well as the best one, within one standard error of the difference
  /// between their mean absolute errors.
  private static func bestStrength(_ days: DayProfiles) -> Double {
    let counts = Dictionary(grouping: days.profiles.compactMap(\.day.weekday)) { $0 }.values.map(\.count)
    guard counts.count(where: { $0 > 1 }) >= minimumPairs else { return .infinity }
    let errors = strengths.map { leaveOneOutErrors(days, strength: $0) }
    let means = errors.map { Sample($0).mean }
    let best = means.indices.reversed().min { means[$0] < means[$1] } ?? 0
    let chosen = means.indices.last { index in
      let excess = Sample(zip(errors[index], errors[best]).map { $0 - $1 })
      return excess.mean <= excess.deviation / Double(max(excess.count, 1)).squareRoot()
    }
    return strengths[chosen ?? best]
  }

  /// Returns the smoothing, in bins, with the least mean absolute error on left-out days; the smaller one of equal ones.
  private static func bestSmoothing(_ days: DayProfiles, strength: Double) -> Int {
    let candidates = smoothingMinutes.filter { $0 % days.binMinutes == 0 }.map { $0 / days.binMinutes }
    let errors = candidates.map { Sample(leaveOneOutErrors(days, strength: strength, smoothing: $0)).mean }
    return errors.indices.min { errors[$0] < errors[$1] }.map { candidates[$0] } ?? 0
  }

  /// Estimates the profiles with a given strength and smoothing.
  init(_ days: DayProfiles, strength: Double, smoothing: Int = 0) {
    self.strength = strength
    self.smoothing = smoothing
    people = (0..<7).map {
      Self.profile(of: $0, from: days.profiles, bins: days.bins, strength: strength, smoothing: smoothing)
    }
  }

  /// The kind of a day of the week: 0 for working days, 1 for weekends. Days without a weekday are of one kind.
  static func kind(_ weekday: Int?) -> Int { (weekday ?? 0) >= 5 ? 1 : 0 }

  private static func profile(
    of weekday: Int, from profiles: [DayProfiles.Profile], bins: Int, strength: Double, smoothing: Int
  ) -> [Double]? {
    let hasWeekdays = profiles.contains { $0.day.weekday != nil }
    let own = profiles.filter { $0.day.weekday == weekday }
    let kind = hasWeekdays ? profiles.filter { Self.kind($0.day.weekday) == Self.kind(weekday) } : profiles
    guard !kind.isEmpty else { return nil }
    let raw = (0..<bins).map { bin -> Double in
      let values = (own: own.compactMap { $0.people[bin] }, kind: kind.compactMap { $0.people[bin] })
      guard !values.kind.isEmpty else { return 0 }
      let common = values.kind.reduce(0, +) / Double(values.kind.count)
      guard strength.isFinite, !values.own.isEmpty else { return common }
      return (values.own.reduce(0, +) + strength * common) / (Double(values.own.count) + strength)
    }
    guard smoothing > 0 else { return raw }
    return raw.indices.map { bin in
      let near = raw[max(bin - smoothing, 0)...min(bin + smoothing, bins - 1)]
      return near.reduce(0, +) / Double(near.count)
    }
  }

  /// Returns the mean absolute error of each day that the other days predict; days without others of their kind are left out.
  static func leaveOneOutErrors(_ days: DayProfiles, strength: Double, smoothing: Int = 0) -> [Double] {
    days.profiles.indices.compactMap { index in
      let pairs = leftOut(days, index, strength: strength, smoothing: smoothing)
      guard !pairs.isEmpty else { return nil }
      return pairs.reduce(0) { $0 + abs($1.predicted - $1.measured) } / Double(pairs.count)
    }
  }

  /// Returns the numbers that the other days predict for a day, beside the measured ones, by bin; empty without other days of
  /// the same kind.
  static func leftOut(
    _ days: DayProfiles, _ index: Int, strength: Double, smoothing: Int = 0
  ) -> [(bin: Int, predicted: Double, measured: Double)] {
    var others = days.profiles
    let day = others.remove(at: index)
    let own = profile(
      of: day.day.weekday ?? 0, from: others, bins: days.bins, strength: strength, smoothing: smoothing)
    guard let own else { return [] }
    return own.indices.compactMap { bin in day.people[bin].map { (bin: bin, predicted: own[bin], measured: $0) } }
  }
}
