/// How far days lie from the prediction by the other days: the errors of the training days, each predicted without itself.
///
/// Simulations of a fitted scenario know the randomness of arrivals, and not the errors of their own mean. These errors contain
/// both. They are the errors of whole measured days, by kind of day (working days; weekends), and make no assumption about their
/// distribution.
struct ForecastSpread: Sendable {
  /// The errors by kind of day and bin, in ascending order, and the number of days behind them.
  private let kinds: [(errors: [[Double]], days: Int)]

  /// The number of bins on each side whose errors count for a bin.
  private static let reach = 1
  /// The minimum number of errors of a kind of day; with fewer, the errors of all days are used.
  private static let minimumErrors = 8
  /// The 95 % quantile of the normal distribution.
  private static let normal = 1.644_85

  /// Computes the errors.
  /// - Parameters:
  ///   - days: the days of the fit.
  ///   - strength: the strength of the prediction, see ``WeekProfile``.
  ///   - smoothing: its smoothing.
  init(_ days: DayProfiles, strength: Double, smoothing: Int = 0) {
    var raw = Array(repeating: Array(repeating: [Double](), count: days.bins), count: 2)
    var counts = [0, 0]
    for index in days.profiles.indices {
      let pairs = WeekProfile.leftOut(days, index, strength: strength, smoothing: smoothing)
      guard !pairs.isEmpty else { continue }
      let kind = WeekProfile.kind(days.profiles[index].day.weekday)
      counts[kind] += 1
      for pair in pairs { raw[kind][pair.bin].append(pair.measured - pair.predicted) }
    }
    kinds = (0...1).map { kind in
      let isEnough = counts[kind] * (2 * Self.reach + 1) >= Self.minimumErrors
      let errors = (0..<days.bins).map { bin in
        (max(bin - Self.reach, 0)...min(bin + Self.reach, days.bins - 1)).flatMap { near in
          isEnough ? raw[kind][near] : raw[0][near] + raw[1][near]
        }.sorted()
      }
      return (errors, isEnough ? counts[kind] : counts[0] + counts[1])
    }
  }

  /// Returns the 5 % and the 95 % quantile of the errors in a bin, in people; 0 to 0 without errors.
  ///
  /// The quantiles of few errors are too near to 0, so the ends are those of a sample with one more value, and they are
  /// stretched as Student's distribution is wider than the normal one for the number of days.
  func interval(weekday: Int?, bin: Int) -> ClosedRange<Double> {
    let (bins, days) = kinds[WeekProfile.kind(weekday)]
    let errors = bins[bin]
    guard let least = errors.first, let most = errors.last, days > 1 else { return 0...0 }
    let rank = Int((0.05 * Double(errors.count + 1)).rounded(.down)) - 1
    let (low, high) = rank < 0 ? (least, most) : (errors[rank], errors[errors.count - 1 - rank])
    let stretch = StudentDistribution.quantile(tail: 0.1, degrees: days - 1) / Self.normal
    return min(low * stretch, 0)...max(high * stretch, 0)
  }
}
