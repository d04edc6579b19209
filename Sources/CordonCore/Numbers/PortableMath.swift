/// Elementary functions that use only + − × ÷ and square root.
///
/// Versions of the C library differ in the last bit between processors, so the same seed would give different files
/// on different machines. These functions give the same bits everywhere: IEEE 754 rounds every operation exactly, and
/// Swift does not contract them into fused ones. Errors are below 2 units in the last place in the stated ranges.
package enum PortableMath {
  // Pi / 2 and ln 2 in two or three parts. The leading parts end in zero bits (Cody and Waite, 1980), so that a small
  // whole number times a leading part is exact.
  @usableFromInline static let ln2High = 0x1.62e42feep-1
  @usableFromInline static let ln2Low = 0x1.a39ef35793c76p-33
  @usableFromInline static let halfPiHigh = 0x1.921fb544p+0
  @usableFromInline static let halfPiMiddle = 0x1.0b4611a6p-34
  @usableFromInline static let halfPiLow = 0x1.3198a2e037073p-69
  // Pi / 2 as a double, and its remainder.
  private static let halfPi = 0x1.921fb54442d18p+0
  private static let halfPiRest = 0x1.1a62633145c07p-54

  /// e to the power of `x`; 0 below -745, infinity above 709.78.
  package static func exp(_ x: Double) -> Double {
    if x.isNaN { return x }
    if x > 709.782712893384 { return .infinity }
    if x < -745.2 { return 0 }
    let k = nearestWhole(x * 1.4426950408889634)
    let r = (x - k * ln2High) - k * ln2Low
    // Taylor to the 13th power, |r| <= 0.347; even and odd powers apart, so that two chains run side by side.
    let z = r * r
    let odd =
      1.0 / 6 + z
      * (1.0 / 120 + z * (1.0 / 5_040 + z * (1.0 / 362_880 + z * (1.0 / 39_916_800 + z * (1.0 / 6_227_020_800)))))
    let even =
      0.5 + z * (1.0 / 24 + z * (1.0 / 720 + z * (1.0 / 40_320 + z * (1.0 / 3_628_800 + z * (1.0 / 479_001_600)))))
    let sum = 1 + (r + z * (even + r * odd))
    // Two steps, since 2^k alone may be subnormal or overflow where the product does not.
    let half = Int(k) / 2
    return sum * powerOfTwo(half) * powerOfTwo(Int(k) - half)
  }

  /// The natural logarithm of `x`; -infinity at 0, NaN below.
  package static func log(_ x: Double) -> Double {
    if x.isNaN || x < 0 { return .nan }
    if x == 0 { return -.infinity }
    if x == .infinity { return x }
    // 52 bits of fraction; subnormal numbers are made normal first.
    let isSubnormal = x < 0x1p-1022
    let bits = (isSubnormal ? x * 0x1p54 : x).bitPattern
    var exponent = Int(truncatingIfNeeded: bits >> 52) &- (isSubnormal ? 1_077 : 1_023)
    var m = Double(bitPattern: bits & 0x000f_ffff_ffff_ffff | 0x3ff0_0000_0000_0000)
    if m > 1.4142135623730951 {
      m /= 2
      exponent += 1
    }
    let s = (m - 1) / (m + 1)
    let z = s * s
    // |s| <= 0.172: the terms after the 23rd power are below a thousandth of an ulp.
    let w = z * z
    let even = 1.0 / 3 + w * (1.0 / 7 + w * (1.0 / 11 + w * (1.0 / 15 + w * (1.0 / 19 + w * (1.0 / 23)))))
    let odd = 1.0 / 5 + w * (1.0 / 9 + w * (1.0 / 13 + w * (1.0 / 17 + w * (1.0 / 21))))
    let sum = z * (even + z * odd)
    let k = Double(exponent)
    return k * ln2High + (k * ln2Low + 2 * (s + s * sum))
  }

  /// The sine of `x` radians, for |x| up to 1e6.
  package static func sin(_ x: Double) -> Double { sincos(x).sin }

  /// The cosine of `x` radians, for |x| up to 1e6.
  package static func cos(_ x: Double) -> Double { sincos(x).cos }

  /// Sine and cosine of `x` radians, for |x| up to 1e6; NaN for infinities and NaN.
  package static func sincos(_ x: Double) -> (sin: Double, cos: Double) {
    guard x.isFinite else { return (.nan, .nan) }
    guard abs(x) <= 1e9 else { return sincos(x.remainder(dividingBy: 2 * Double.pi)) }
    let k = nearestWhole(x * 0.6366197723675814)
    let r = ((x - k * halfPiHigh) - k * halfPiMiddle) - k * halfPiLow
    let z = r * r
    // Taylor to the 17th and 16th power, |r| <= pi / 4.
    let s =
      z
      * (-1.0 / 6 + z
        * (1.0 / 120 + z
          * (-1.0 / 5_040 + z
            * (1.0 / 362_880 + z
              * (-1.0 / 39_916_800 + z
                * (1.0 / 6_227_020_800 + z * (-1.0 / 1_307_674_368_000 + z * (1.0 / 355_687_428_096_000))))))))
    let c =
      z * z
      * (1.0 / 24 + z
        * (-1.0 / 720 + z
          * (1.0 / 40_320 + z
            * (-1.0 / 3_628_800 + z * (1.0 / 479_001_600 + z * (-1.0 / 87_178_291_200 + z * (1.0 / 20_922_789_888_000)))))))
    let sine = r + r * s
    // 1 - z / 2 is rounded; the rounding error is added back.
    let half = 0.5 * z
    let whole = 1 - half
    let cosine = whole + (((1 - whole) - half) + c)
    switch Int(k) & 3 {
    case 0: return (sine, cosine)
    case 1: return (cosine, -sine)
    case 2: return (-sine, -cosine)
    default: return (-cosine, sine)
    }
  }

  /// The tangent of `x` radians.
  package static func tan(_ x: Double) -> Double {
    let (s, c) = sincos(x)
    return s / c
  }

  /// The angle in radians, -pi/2 ... pi/2, whose tangent is `x`.
  package static func atan(_ x: Double) -> Double {
    if x.isNaN { return x }
    return x < 0 ? -atan2(-x, 1) : atan2(x, 1)
  }

  /// The angle of the vector (`x`, `y`) from the x axis, in radians, -pi ... pi; 0 at the origin.
  package static func atan2(_ y: Double, _ x: Double) -> Double {
    if x.isNaN || y.isNaN { return .nan }
    if x == 0 && y == 0 { return 0 }
    var (a, b) = (abs(y), abs(x))
    if a.isInfinite || b.isInfinite {
      (a, b) = (a.isInfinite ? 1 : 0, b.isInfinite ? 1 : 0)
    } else if max(a, b) > 1e300 || max(a, b) < 1e-280 {
      // Scales far from overflow and underflow; the error is below half an ulp of the quotient.
      let scale = max(a, b) > 1 ? 0x1p-20 : 0x1p200
      (a, b) = (a * scale, b * scale)
    }
    let isSteep = a > b
    let (base, rest) = isSteep ? firstOctant(b, a) : firstOctant(a, b)
    let angle: Double
    if x >= 0 {
      angle = isSteep ? (halfPi - base) + (halfPiRest - rest) : base + rest
    } else {
      angle = isSteep ? (halfPi + base) + (halfPiRest + rest) : (2 * halfPi - base) + (2 * halfPiRest - rest)
    }
    return y < 0 ? -angle : angle
  }

  /// The angle whose tangent is y / x, 0 <= y <= x, as a sum of two numbers: the nearest atan(k / 8), and the
  /// remainder.
  private static func firstOctant(_ y: Double, _ x: Double) -> (base: Double, rest: Double) {
    let quotient = y / x
    let k = nearestWhole(quotient * 8)
    let c = k * 0.125
    // tan(a - b) = (tan a - tan b) / (1 + tan a tan b); |t| is below 1/16.
    let t = k == 0 ? quotient : (y - c * x) / (x + c * y)
    let z = t * t
    let series =
      z
      * (-1.0 / 3 + z * (1.0 / 5 + z * (-1.0 / 7 + z * (1.0 / 9 + z * (-1.0 / 11 + z * (1.0 / 13 - z * (1.0 / 15)))))))
    let (high, low) = eighth(Int(k))
    return (high, low + (t + t * series))
  }

  /// atan(k / 8) in two parts.
  @inline(__always)
  private static func eighth(_ k: Int) -> (Double, Double) {
    switch k {
    case 0: (0, 0)
    case 1: (0x1.fd5ba9aac2f6ep-4, -0x1.cd37686760c17p-59)
    case 2: (0x1.f5b75f92c80ddp-3, 0x1.8ab6e3cf7afbdp-57)
    case 3: (0x1.6f61941e4def1p-2, -0x1.c63aae6f6e918p-56)
    case 4: (0x1.dac670561bb4fp-2, 0x1.a2b7f222f65e2p-56)
    case 5: (0x1.1e00babdefeb4p-1, -0x1.928df287a668fp-58)
    case 6: (0x1.4978fa3269ee1p-1, 0x1.2419a87f2a458p-56)
    case 7: (0x1.700a7c5784634p-1, -0x1.8c34d25aadef6p-56)
    default: (0x1.921fb54442d18p-1, 0x1.1a62633145c07p-55)
    }
  }

  /// The angle in radians, -pi/2 ... pi/2, whose sine is `x`; NaN beyond ±1.
  package static func asin(_ x: Double) -> Double {
    guard abs(x) <= 1 else { return .nan }
    return atan2(x, ((1 - x) * (1 + x)).squareRoot())
  }

  /// Rounds numbers below 2^51, halves to even; faster than a call of the C library.
  @inline(__always)
  private static func nearestWhole(_ x: Double) -> Double {
    (x + 0x1.8p52) - 0x1.8p52
  }

  /// For exponents of normal numbers only.
  @inline(__always)
  private static func powerOfTwo(_ exponent: Int) -> Double {
    Double(bitPattern: UInt64(truncatingIfNeeded: 1_023 &+ exponent) << 52)
  }
}
