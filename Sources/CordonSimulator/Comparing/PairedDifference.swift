/// The difference of two scenarios or runs in one figure.
///
/// The margin belongs to a simultaneous confidence interval: with the confidence of 95 %, the intervals of all
/// ``comparisons`` that are reported together contain their true differences (Bonferroni).
package struct PairedDifference: Hashable, Sendable {
  /// A stable name that includes the unit.
  package var name: String
  /// A title for readers.
  package var title: String
  /// The letter of the second scenario, for sentences.
  package var side = "B"
  /// The words for a difference.
  package var wording = FigureWording.count
  /// Mean of the first scenario.
  package var first: Double
  /// Mean of the second scenario.
  package var second: Double
  /// Mean of second minus first.
  package var difference: Double
  /// Half the width of the confidence interval of ``difference``; infinity for a single replica.
  package var margin: Double
  /// The number of replicas.
  package var count: Int
  /// The number of differences that are reported together, from 1.
  package var comparisons: Int

  /// Compares the values of the same replicas.
  /// - Parameters:
  ///   - name: a stable name that includes the unit.
  ///   - title: a title for readers.
  ///   - first: the values of the first scenario, by replica.
  ///   - second: the values of the second scenario, by replica.
  ///   - comparisons: the number of differences that are reported together, from 1.
  package init(name: String, title: String, first: [Double], second: [Double], comparisons: Int = 1) {
    let differences = Sample(zip(first, second).map { $1 - $0 })
    self.init(
      name: name, title: title, first: Sample(first).mean, second: Sample(second).mean, difference: differences.mean,
      margin: differences.count > 1
        ? Self.quantile(degrees: differences.count - 1, comparisons: comparisons) * differences.deviation
          / Double(differences.count).squareRoot() : .infinity,
      count: differences.count, comparisons: comparisons)
  }

  /// Compares two independent means (Welch).
  /// - Parameters:
  ///   - name: a stable name that includes the unit.
  ///   - title: a title for readers.
  ///   - first: the first mean.
  ///   - second: the second mean.
  ///   - comparisons: the number of differences that are reported together, from 1.
  package init(name: String, title: String, first: SampleMean, second: SampleMean, comparisons: Int = 1) {
    let (a, b) = (first.standardError * first.standardError, second.standardError * second.standardError)
    var margin = Double.infinity
    if first.count > 1, second.count > 1 {
      // The degrees of freedom of Welch and Satterthwaite, rounded down.
      let share = a * a / Double(first.count - 1) + b * b / Double(second.count - 1)
      let degrees = share > 0 ? Int(min((a + b) * (a + b) / share, 1e6)) : first.count + second.count - 2
      margin = a + b > 0 ? Self.quantile(degrees: degrees, comparisons: comparisons) * (a + b).squareRoot() : 0
    }
    self.init(
      name: name, title: title, first: first.mean, second: second.mean, difference: second.mean - first.mean,
      margin: margin, count: min(first.count, second.count), comparisons: comparisons)
  }

  private init(
    name: String, title: String, first: Double, second: Double, difference: Double, margin: Double, count: Int,
    comparisons: Int
  ) {
    self.name = name
    self.title = title
    self.first = first
    self.second = second
    self.difference = difference
    self.margin = margin
    self.count = count
    self.comparisons = comparisons
  }

  /// Whether zero lies outside the confidence interval.
  package var isSignificant: Bool { margin.isFinite && abs(difference) > margin && difference != 0 }

  /// Whether all replicas have the same value in both scenarios.
  package var isConstant: Bool { margin.isFinite && difference == 0 && margin == 0 }

  /// Returns the two-sided 95 % quantile of Student's t distribution.
  static func student(degrees: Int) -> Double { quantile(degrees: degrees, comparisons: 1) }

  /// Returns the two-sided quantile with which several intervals hold together with a confidence of 95 %.
  private static func quantile(degrees: Int, comparisons: Int) -> Double {
    StudentDistribution.quantile(tail: 0.05 / Double(max(comparisons, 1)), degrees: degrees)
  }

  /// A sentence with both means and the difference.
  package var sentence: String {
    guard !isConstant else { return "\(title): the same in both (\(PairedDifference.plain(first)))." }
    return "\(title): \(PairedDifference.plain(first)) in A, \(PairedDifference.plain(second)) in \(side). \(finding)"
  }

  /// A sentence with the difference. Words state the direction, so that no number in it has a sign.
  package var finding: String {
    guard margin.isFinite else {
      return "\(side) \(difference == 0 ? "has the same value" : "\(wording.verb) \(wording.text(of: difference))") "
        + "(one repetition: this may be due to chance)."
    }
    guard isSignificant else {
      if isConstant { return "\(side) is the same." }
      return
        "The difference of \(side) may be due to chance (95 % confidence: \(wording.text(of: difference - margin)) to "
        + "\(wording.text(of: difference + margin)))."
    }
    let percent = first != 0 ? "\(PairedDifference.plain(abs(difference / first) * 100)) %; " : ""
    // Both ends have the sign of the difference.
    let ends = [abs(difference - margin), abs(difference + margin)].sorted().map(PairedDifference.plain)
    return
      "\(side) \(wording.verb) \(wording.text(of: difference)) (\(percent)95 % confidence: \(ends[0]) to \(ends[1]) "
      + "\(difference > 0 ? wording.more : wording.less))."
  }

  /// Returns a value rounded for reading, without an exponent.
  ///
  /// It has no decimals from 100 on, one decimal from 10 on, two decimals from 0.01 on, and four below.
  package static func plain(_ value: Double) -> String {
    guard value.isFinite else { return value.isNaN ? "-" : value > 0 ? "infinity" : "-infinity" }
    let size = abs(value)
    let places = size >= 100 || size == 0 ? 0 : size >= 10 ? 1 : size >= 0.01 ? 2 : 4
    var scale = 1.0
    for _ in 0..<places { scale *= 10 }
    let rounded = (value * scale).rounded() / scale
    if rounded == rounded.rounded(), abs(rounded) < 1e15 { return String(Int64(rounded)) }
    return String(rounded)
  }
}

/// The mean of a sample that is known only by its statistics.
package struct SampleMean: Hashable, Sendable {
  /// The mean.
  package var mean: Double
  /// The standard error of the mean; 0 for a constant sample.
  package var standardError: Double
  /// The number of values.
  package var count: Int

  /// Creates a mean from its parts.
  package init(mean: Double, standardError: Double, count: Int) {
    self.mean = mean
    self.standardError = standardError
    self.count = count
  }

  /// Creates a mean from its 95 % confidence interval (Student).
  package init(mean: Double, high: Double, count: Int) {
    self.init(
      mean: mean, standardError: count > 1 ? max(high - mean, 0) / PairedDifference.student(degrees: count - 1) : 0,
      count: count)
  }
}
