/// The quality of a prediction of measured days.
package struct ForecastQuality: Hashable, Sendable {
  /// The prediction, in words.
  package var name: String
  /// The mean absolute error in people, over all measured bins.
  package var meanAbsoluteError: Double
  /// The mean of predicted minus measured, in people.
  package var bias: Double
  /// The share of the measured bins within the 90 % interval; `nil` for a prediction without intervals.
  package var coverage: Double?
  /// The same share among the bins in which the interval or the measurement has anybody.
  package var coverageInUse: Double?
  /// The number of bins.
  package var count: Int

  /// Compares a prediction with measured days.
  /// - Parameters:
  ///   - name: the prediction, in words.
  ///   - days: the measured days.
  ///   - predicted: returns the prediction of a bin of a day.
  init(
    _ name: String, of days: DayProfiles,
    predicted: (_ day: MeasuredTable.Day, _ bin: Int) -> (mean: Double, interval: ClosedRange<Double>?)
  ) {
    self.name = name
    var (absolute, signed, inside, intervals) = (0.0, 0.0, 0, 0)
    var (inUse, insideInUse) = (0, 0)
    count = 0
    for profile in days.profiles {
      for (bin, measured) in profile.people.enumerated() {
        guard let measured else { continue }
        let prediction = predicted(profile.day, bin)
        count += 1
        absolute += abs(prediction.mean - measured)
        signed += prediction.mean - measured
        guard let interval = prediction.interval else { continue }
        intervals += 1
        let isInside = interval.contains(measured)
        if isInside { inside += 1 }
        if measured > 0 || interval.upperBound > 0 {
          inUse += 1
          if isInside { insideInUse += 1 }
        }
      }
    }
    meanAbsoluteError = count > 0 ? absolute / Double(count) : 0
    bias = count > 0 ? signed / Double(count) : 0
    coverage = intervals > 0 ? Double(inside) / Double(intervals) : nil
    coverageInUse = inUse > 0 ? Double(insideInUse) / Double(inUse) : nil
  }
}

/// The choice of the days that are predicted and not used for the fit.
package enum HoldOut: Hashable, Sendable {
  /// The last days, by a share of all from 0 to 0.9; at least one day unless the share is 0.
  case last(Double)
  /// Every second day, beginning with the second.
  case alternate
  /// Days by their number.
  case days(Set<Int>)

  /// Returns the numbers of the days that are held out.
  func days(of all: [MeasuredTable.Day]) -> Set<Int> {
    switch self {
    case .last(let share):
      guard share > 0, all.count > 1 else { return [] }
      let count = min(max(Int((Double(all.count) * share).rounded()), 1), all.count - 1)
      return Set(all.suffix(count).map(\.number))
    case .alternate: return Set(all.enumerated().filter { $0.offset % 2 == 1 }.map(\.element.number))
    case .days(let days): return days
    }
  }
}
