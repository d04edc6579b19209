internal import CordonCore

/// How probable it is that two devices are within a distance, given where they were measured and how well.
///
/// Position errors are taken as normal, the same in every direction and independent between devices, and the true
/// separation as equally likely everywhere beforehand. The true separation divided by s, s² = s1² + s2², then
/// has the Rice distribution round the measured one, and its square the noncentral chi-square distribution with two degrees
/// of freedom.
public enum ContactProbability {
  /// The standard deviation per axis of a fix whose accuracy is a radius at 68 %: r / √(-2 ln 0.32).
  public static func sigma(accuracy: Double) -> Double { accuracy / radiusFactor }

  private static let radiusFactor = (-2 * PortableMath.log(0.32)).squareRoot()

  /// The probability that the true distance is at most `distance`.
  /// - Parameters:
  ///   - distance: the contact distance, metres.
  ///   - measured: the measured distance, metres.
  ///   - sigma1: standard deviation per axis of the first position, metres.
  ///   - sigma2: that of the second position.
  /// - Returns: 0 ... 1, to an absolute error below 1e-10; 0 or 1 when both deviations are 0; NaN when an argument is
  ///   negative or not a number.
  public static func within(_ distance: Double, measured: Double, sigma1: Double, sigma2: Double) -> Double {
    guard distance >= 0, measured >= 0, sigma1 >= 0, sigma2 >= 0 else { return .nan }
    let s = (sigma1 * sigma1 + sigma2 * sigma2).squareRoot()
    guard s > 0 else { return measured <= distance ? 1 : 0 }
    return within(ratio: distance / s, noncentrality: measured / s)
  }

  /// The largest probability that fixes of these accuracies (radius at 68 %) can give, which is that of measuring
  /// both at the same place: 1 - exp(-d² / 2 s²).
  public static func largest(within distance: Double, accuracy1: Double, accuracy2: Double) -> Double {
    within(distance, measured: 0, sigma1: sigma(accuracy: accuracy1), sigma2: sigma(accuracy: accuracy2))
  }

  /// P(R <= w) for R² ~ noncentral chi-square with k = 2 and λ = u².
  ///
  /// The sum over k of Poisson(k; a) P(Gamma(k + 1) <= x) with a = u² / 2 and x = w² / 2: started at the most probable k
  /// and carried in both directions, so that neither factor underflows.
  static func within(ratio w: Double, noncentrality u: Double) -> Double {
    let (a, x) = (u * u / 2, w * w / 2)
    guard x > 0 else { return 0 }
    if a == 0 { return 1 - PortableMath.exp(-x) }
    // Thirteen standard deviations away nothing is left that 1e-10 could see.
    if w > u + 13 { return 1 }
    if u > w + 13 { return 0 }
    // Poisson weights beyond 10 deviations of the mean are below 1e-20.
    let spread = 10 * (a.squareRoot() + 3)
    let first = Int(max(0, (a - spread).rounded(.down)))
    let last = Int((a + spread).rounded(.up))
    // P(Gamma(k + 1) <= x) = 1 - e^-x (1 + x + ... + x^k / k!): the tail sum is carried along.
    var tail = 0.0
    var term = 0.0
    var weight = 0.0
    var sum = 0.0
    var k = 0
    let logX = PortableMath.log(x)
    let logA = PortableMath.log(a)
    if first > 0 {
      tail = 1 - lowerGamma(first, x)
    }
    term = PortableMath.exp(Double(first) * logX - x - logFactorial(first))
    weight = PortableMath.exp(Double(first) * logA - a - logFactorial(first))
    k = first
    while k <= last {
      tail += term
      sum += weight * max(0, 1 - tail)
      k += 1
      term *= x / Double(k)
      weight *= a / Double(k)
    }
    return min(max(sum, 0), 1)
  }

  /// P(Gamma(n) <= x) for whole n, by whichever of the two sums is short.
  private static func lowerGamma(_ n: Int, _ x: Double) -> Double {
    // e^-x sum over k >= n of x^k / k!
    var term = PortableMath.exp(Double(n) * PortableMath.log(x) - x - logFactorial(n))
    if x < Double(n) {
      var (sum, k) = (0.0, n)
      while term > 1e-18 || Double(k) < x {
        sum += term
        k += 1
        term *= x / Double(k)
      }
      return min(sum, 1)
    }
    var (sum, k) = (0.0, n)
    while k > 0, term > 1e-18 || Double(k) > x {
      term *= Double(k) / x
      k -= 1
      sum += term
    }
    return max(0, 1 - sum)
  }

  /// ln n!, exact sums for small n, Stirling's series above.
  private static func logFactorial(_ n: Int) -> Double {
    if n < 32 {
      var product = 1.0
      for k in stride(from: 2, through: n, by: 1) { product *= Double(k) }
      return PortableMath.log(product)
    }
    let z = Double(n + 1)
    let inverse = 1 / z
    let series = inverse * (1.0 / 12 - inverse * inverse * (1.0 / 360 - inverse * inverse / 1260))
    return (z - 0.5) * PortableMath.log(z) - z + 0.9189385332046727 + series
  }
}
