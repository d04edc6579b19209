import CordonCore

/// Student's t distribution, for confidence intervals of means.
enum StudentDistribution {
  /// Degrees of freedom above which the quantile of this number is used: it is at most 0.5 % too large.
  private static let maximumDegrees = 500

  /// Returns the two-sided quantile: the value that the absolute value of a variate exceeds with a given probability.
  ///
  /// Complexity: O(`degrees`).
  /// - Parameters:
  ///   - tail: the probability of both tails together, above 0 and below 1, such as 0.05.
  ///   - degrees: the degrees of freedom; infinity is returned below 1.
  static func quantile(tail: Double, degrees: Int) -> Double {
    guard degrees > 0, tail > 0 else { return .infinity }
    let degrees = min(degrees, maximumDegrees)
    var (low, high) = (0.0, 1.0)
    while self.tail(beyond: high, degrees: degrees) > tail, high < 1e15 { high *= 2 }
    for _ in 0..<100 {
      let middle = (low + high) / 2
      if self.tail(beyond: middle, degrees: degrees) > tail { low = middle } else { high = middle }
    }
    return (low + high) / 2
  }

  /// Returns the probability that the absolute value of a variate exceeds `value`.
  ///
  /// The finite series in the angle `atan(value / sqrt(degrees))`: Abramowitz and Stegun, 26.7.3 and 26.7.4.
  static func tail(beyond value: Double, degrees: Int) -> Double {
    let root = Double(degrees).squareRoot()
    let angle = PortableMath.atan2(value, root)
    let (sine, cosine) = PortableMath.sincos(angle)
    let square = cosine * cosine
    // With an odd number the terms begin with cosine, with an even number with 1.
    var term = degrees.isMultiple(of: 2) ? 1.0 : cosine
    var sum = degrees == 1 ? 0 : term
    var power = degrees.isMultiple(of: 2) ? 2 : 3
    while power <= degrees - 2 {
      term *= square * Double(power - 1) / Double(power)
      sum += term
      power += 2
    }
    guard !degrees.isMultiple(of: 2) else { return max(1 - sine * sum, 0) }
    // The angle between the value and the vertical is precise for large values.
    let rest = PortableMath.atan2(root, value)
    return max(2 / Double.pi * (rest - sine * sum), 0)
  }
}
