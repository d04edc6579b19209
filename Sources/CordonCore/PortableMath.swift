/// Elementary functions made of + − × ÷ and square root only.
///
/// The C library's versions differ in the last bit between processors, which would make the same
/// seed give different files on different machines. These do not: every operation used is exactly
/// rounded by IEEE 754, and Swift does not contract them into fused ones. Errors are below 2 units
/// in the last place in the ranges stated.
public enum PortableMath {
  // Pi / 2 and ln 2 in two or three parts, the leading ones with trailing zero bits (Cody and Waite, 1980),
  // so that a small whole number times a leading part is exact.
  @usableFromInline static let ln2High = 0x1.62e42feep-1
  @usableFromInline static let ln2Low = 0x1.a39ef35793c76p-33
  @usableFromInline static let halfPiHigh = 0x1.921fb544p+0
  @usableFromInline static let halfPiMiddle = 0x1.0b4611a6p-34
  @usableFromInline static let halfPiLow = 0x1.3198a2e037073p-69

  /// e to the power of `x`; 0 below -745, infinity above 709.78.
  public static func exp(_ x: Double) -> Double {
    if x.isNaN { return x }
    if x > 709.782712893384 { return .infinity }
    if x < -745.2 { return 0 }
    let k = (x * 1.4426950408889634).rounded()
    let r = (x - k * ln2High) - k * ln2Low
    var sum = 1.0
    var n = 14.0
    while n >= 1 {
      sum = 1 + r / n * sum
      n -= 1
    }
    // Two steps, since 2^k alone may be subnormal or overflow where the product does not.
    let half = Int(k) / 2
    return sum * powerOfTwo(half) * powerOfTwo(Int(k) - half)
  }

  /// The natural logarithm of `x`; -infinity at 0, NaN below.
  public static func log(_ x: Double) -> Double {
    if x.isNaN || x < 0 { return .nan }
    if x == 0 { return -.infinity }
    if x == .infinity { return x }
    var exponent = Int(x.exponent)
    var m = x.significand
    if m > 1.4142135623730951 {
      m /= 2
      exponent += 1
    }
    let s = (m - 1) / (m + 1)
    let z = s * s
    var sum = 0.0
    var n = 25.0
    while n >= 3 {
      sum = z * (1 / n + sum)
      n -= 2
    }
    let k = Double(exponent)
    return k * ln2High + (k * ln2Low + 2 * (s + s * sum))
  }

  /// The sine of `x` radians, for |x| up to 1e6.
  public static func sin(_ x: Double) -> Double { sincos(x).sin }

  /// The cosine of `x` radians, for |x| up to 1e6.
  public static func cos(_ x: Double) -> Double { sincos(x).cos }

  /// Sine and cosine of `x` radians, for |x| up to 1e6; NaN for what is not finite.
  public static func sincos(_ x: Double) -> (sin: Double, cos: Double) {
    guard x.isFinite else { return (.nan, .nan) }
    guard abs(x) <= 1e9 else { return sincos(x.remainder(dividingBy: 2 * Double.pi)) }
    let k = (x * 0.6366197723675814).rounded()
    let r = ((x - k * halfPiHigh) - k * halfPiMiddle) - k * halfPiLow
    let z = r * r
    var s = 0.0
    var c = 0.0
    var n = 19.0
    while n >= 3 {
      s = -z / (n * (n - 1)) * (1 + s)
      n -= 2
    }
    n = 18
    while n >= 2 {
      c = -z / (n * (n - 1)) * (1 + c)
      n -= 2
    }
    let sine = r + r * s
    let cosine = 1 + c
    switch Int(k) & 3 {
    case 0: return (sine, cosine)
    case 1: return (cosine, -sine)
    case 2: return (-sine, -cosine)
    default: return (-cosine, sine)
    }
  }

  /// The tangent of `x` radians.
  public static func tan(_ x: Double) -> Double {
    let (s, c) = sincos(x)
    return s / c
  }

  /// The angle in radians, -pi/2 ... pi/2, whose tangent is `x`.
  public static func atan(_ x: Double) -> Double {
    if x.isNaN { return x }
    if x < 0 { return -atan(-x) }
    if x > 1 { return Double.pi / 2 - atan(1 / x) }
    // Two halvings of the angle bring the argument below 0.2, where the series is short.
    let first = x / (1 + (1 + x * x).squareRoot())
    let second = first / (1 + (1 + first * first).squareRoot())
    let z = second * second
    var sum = 0.0
    var n = 25.0
    while n >= 3 {
      sum = -z * (1 / n + sum)
      n -= 2
    }
    return 4 * (second + second * sum)
  }

  /// The angle of the vector (`x`, `y`) from the x axis, in radians, -pi ... pi; 0 at the origin.
  public static func atan2(_ y: Double, _ x: Double) -> Double {
    if x.isNaN || y.isNaN { return .nan }
    if x == 0 && y == 0 { return 0 }
    if abs(x) >= abs(y) {
      let angle = atan(y / x)
      if x > 0 { return angle }
      return y < 0 ? angle - Double.pi : angle + Double.pi
    }
    let angle = atan(x / y)
    return y > 0 ? Double.pi / 2 - angle : -Double.pi / 2 - angle
  }

  /// The angle in radians, -pi/2 ... pi/2, whose sine is `x`; NaN beyond ±1.
  public static func asin(_ x: Double) -> Double {
    guard abs(x) <= 1 else { return .nan }
    return atan2(x, ((1 - x) * (1 + x)).squareRoot())
  }

  private static func powerOfTwo(_ exponent: Int) -> Double {
    Double(sign: .plus, exponent: exponent, significand: 1)
  }
}
