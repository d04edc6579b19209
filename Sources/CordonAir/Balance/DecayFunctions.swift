import CordonCore

/// The functions that solve a first-order balance over an interval, accurate to a few units in the last place for every
/// argument, 0 included.
///
/// For the balance `dc/dt = s - k c` over the time t, and x = k t:
/// the concentration at the end is `c exp(-x) + s t f1(x)`, and its integral is `c t f1(x) + s t² f2(x)`.
package enum DecayFunctions {
  /// `(1 - exp(-x)) / x`, which is 1 at 0. For x of 0 or more.
  package static func f1(_ x: Double) -> Double {
    x < 0.5 ? series(x, from: 1) : (1 - PortableMath.exp(-x)) / x
  }

  /// `(1 - f1(x)) / x`, which is 1/2 at 0. For x of 0 or more.
  package static func f2(_ x: Double) -> Double {
    x < 0.5 ? series(x, from: 2) : (1 - f1(x)) / x
  }

  /// The probability of at least one event when `mean` are expected: `1 - exp(-mean)`, without cancellation.
  package static func atLeastOne(_ mean: Double) -> Double { mean * f1(mean) }

  /// The sum of `(-x)^k / (k + order)!`; 18 terms are exact for x below 0.5.
  private static func series(_ x: Double, from order: Int) -> Double {
    var factor = 1.0
    for k in 1...order { factor /= Double(k) }
    var (sum, term) = (factor, factor)
    for k in 1..<18 {
      term *= -x / Double(k + order)
      sum += term
    }
    return sum
  }
}
