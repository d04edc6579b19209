/// The difference of two scenarios in one figure, over replicas with the same random numbers in both.
package struct PairedDifference: Hashable, Sendable {
  /// A stable name that includes the unit.
  package var name: String
  /// A title for readers.
  package var title: String
  /// Mean of the first scenario.
  package var first: Double
  /// Mean of the second scenario.
  package var second: Double
  /// Mean of second minus first.
  package var difference: Double
  /// Half the width of the 95 % confidence interval of ``difference``; infinity for a single replica.
  package var margin: Double
  /// The number of replicas.
  package var count: Int

  /// Compares the values of the same replicas.
  /// - Parameters:
  ///   - name: a stable name that includes the unit.
  ///   - title: a title for readers.
  ///   - first: the values of the first scenario, by replica.
  ///   - second: the values of the second scenario, by replica.
  package init(name: String, title: String, first: [Double], second: [Double]) {
    let pairs = zip(first, second)
    let differences = Sample(pairs.map { $1 - $0 })
    self.name = name
    self.title = title
    count = differences.count
    self.first = Sample(first).mean
    self.second = Sample(second).mean
    difference = differences.mean
    margin =
      count > 1
      ? PairedDifference.student(degrees: count - 1) * differences.deviation / Double(count).squareRoot() : .infinity
  }

  /// Whether zero lies outside the confidence interval.
  package var isSignificant: Bool { margin.isFinite && abs(difference) > margin && difference != 0 }

  /// Returns the two-sided 95 % quantile of Student's t distribution.
  ///
  /// The values up to 30 degrees of freedom are from a table; beyond, the function uses the first terms of the
  /// expansion.
  static func student(degrees: Int) -> Double {
    let table = [
      12.706, 4.303, 3.182, 2.776, 2.571, 2.447, 2.365, 2.306, 2.262, 2.228, 2.201, 2.179, 2.160, 2.145, 2.131, 2.120,
      2.110, 2.101, 2.093, 2.086, 2.080, 2.074, 2.069, 2.064, 2.060, 2.056, 2.052, 2.048, 2.045, 2.042,
    ]
    guard degrees > 0 else { return .infinity }
    if degrees <= table.count { return table[degrees - 1] }
    let z = 1.959_964
    return z + (z * z * z + z) / (4 * Double(degrees))
  }

  /// A sentence with both means and the difference.
  package var sentence: String {
    guard !isConstant else { return "\(title): the same in both (\(PairedDifference.plain(first)))." }
    return "\(title): \(PairedDifference.plain(first)) in A, \(PairedDifference.plain(second)) in B. \(finding)"
  }

  /// Whether all replicas have the same value in both scenarios.
  private var isConstant: Bool { margin.isFinite && difference == 0 && margin == 0 }

  /// A sentence with the difference.
  package var finding: String {
    guard margin.isFinite else {
      return "One repetition cannot show whether the difference is due to chance."
    }
    guard isSignificant else {
      if isConstant { return "The same in both." }
      return
        "The difference may be due to chance (95 % confidence: \(Self.amount(difference - margin)) to "
        + "\(Self.amount(difference + margin)))."
    }
    let percent = first != 0 ? "\(PairedDifference.plain(abs(difference / first) * 100)) %; " : ""
    // Both ends have the sign of the difference.
    let ends = [abs(difference - margin), abs(difference + margin)].sorted().map(PairedDifference.plain)
    let word = difference > 0 ? "more" : "fewer"
    return
      "B has \(Self.amount(difference)) (\(percent)95 % confidence: \(ends[0]) to \(ends[1]) \(word))."
  }

  /// Returns a difference without its sign: `6.95 fewer`, `3 more`.
  private static func amount(_ difference: Double) -> String {
    "\(plain(abs(difference))) \(difference < 0 ? "fewer" : "more")"
  }

  /// Returns a value rounded for reading, without an exponent.
  ///
  /// It has no decimals from 100 on, one decimal from 10 on, and two decimals below 10.
  package static func plain(_ value: Double) -> String {
    guard value.isFinite else { return value.isNaN ? "-" : value > 0 ? "infinity" : "-infinity" }
    let size = abs(value)
    let places = size >= 100 || size == 0 ? 0 : size >= 10 ? 1 : 2
    var scale = 1.0
    for _ in 0..<places { scale *= 10 }
    let rounded = (value * scale).rounded() / scale
    if rounded == rounded.rounded(), abs(rounded) < 1e15 { return String(Int64(rounded)) }
    return String(rounded)
  }
}
