public import CordonCore

/// A distribution of durations, with bounds.
public struct DurationRule: Hashable, Sendable {
  /// The shape of the distribution.
  public var shape: Shape
  /// The minimum duration.
  public var minimum: TimeSpan
  /// The maximum duration.
  public var maximum: TimeSpan

  /// The shape of a distribution of positive durations.
  public enum Shape: Hashable, Sendable {
    /// A uniform distribution between the bounds.
    case uniform
    /// A log-normal distribution: the median in seconds, and the standard deviation of the logarithm.
    case logNormal(median: Double, spread: Double)
    /// An exponential distribution: the mean in seconds.
    case exponential(mean: Double)
    /// A gamma distribution: the mean in seconds, and the shape parameter. A shape of 1 is the exponential
    /// distribution, and larger values are narrower.
    case gamma(mean: Double, shape: Double)
    /// A Pareto distribution from ``DurationRule/minimum`` on: the density falls with this exponent, which is above 1.
    case pareto(exponent: Double)
  }

  /// Creates a rule from its parts.
  public init(_ shape: Shape, minimum: TimeSpan, maximum: TimeSpan) {
    self.shape = shape
    self.minimum = minimum
    self.maximum = maximum
  }

  /// Returns a rule for a constant duration.
  public static func fixed(_ span: TimeSpan) -> DurationRule { DurationRule(.uniform, minimum: span, maximum: span) }

  /// A typical duration in seconds, within the bounds: the mean, the median (log-normal) or the minimum (Pareto).
  package var middle: Double {
    let middle: Double =
      switch shape {
      case .uniform: (minimum.seconds + maximum.seconds) / 2
      case .logNormal(let median, _): median
      case .exponential(let mean), .gamma(let mean, _): mean
      case .pareto: minimum.seconds
      }
    return min(max(middle, minimum.seconds), maximum.seconds)
  }

  /// Draws a duration, in milliseconds. Values beyond a bound are redrawn up to seven times, and then clamped.
  func draw(_ random: inout RandomStream) -> Int64 {
    let (low, high) = (Double(minimum.milliseconds) / 1_000, Double(maximum.milliseconds) / 1_000)
    guard high > low else { return minimum.milliseconds }
    var seconds = low
    for _ in 0..<8 {
      seconds = draw(low, high, &random)
      if seconds >= low && seconds <= high { break }
    }
    return Int64((min(max(seconds, low), high) * 1_000).rounded())
  }

  private func draw(_ low: Double, _ high: Double, _ random: inout RandomStream) -> Double {
    switch shape {
    case .uniform: return low + (high - low) * random.nextUnit()
    case .logNormal(let median, let spread): return median * PortableMath.exp(spread * random.nextNormal())
    case .exponential(let mean): return random.nextExponential(mean: mean)
    case .gamma(let mean, let shape): return mean / shape * DurationRule.gamma(shape, &random)
    case .pareto(let exponent):
      // Inverts the distribution function, truncated at the upper bound.
      let power = 1 - exponent
      let a = PortableMath.exp(power * PortableMath.log(max(low, 1e-3)))
      let b = PortableMath.exp(power * PortableMath.log(high))
      return PortableMath.exp(PortableMath.log(a + (b - a) * random.nextUnit()) / power)
    }
  }

  /// Returns a gamma variate with the mean 1.
  static func gamma(shape: Double, _ random: inout RandomStream) -> Double { gamma(shape, &random) / shape }

  /// Returns a gamma variate of scale 1 (Marsaglia and Tsang 2000).
  private static func gamma(_ shape: Double, _ random: inout RandomStream) -> Double {
    if shape < 1 {
      let boost = PortableMath.exp(PortableMath.log(max(1 - random.nextUnit(), 1e-300)) / shape)
      return gamma(shape + 1, &random) * boost
    }
    let d = shape - 1.0 / 3
    let c = 1 / (9 * d).squareRoot()
    for _ in 0..<64 {
      let x = random.nextNormal()
      let v = (1 + c * x) * (1 + c * x) * (1 + c * x)
      guard v > 0 else { continue }
      let u = 1 - random.nextUnit()
      if PortableMath.log(u) < 0.5 * x * x + d - d * v + d * PortableMath.log(v) { return d * v }
    }
    return d
  }
}
