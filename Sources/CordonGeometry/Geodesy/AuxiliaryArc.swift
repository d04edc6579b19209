import CordonCore

/// The solution of the inverse problem on the auxiliary sphere, eastwards over at most half a turn.
struct AuxiliaryArc {
  /// The distance, in metres.
  private(set) var distance = 0.0
  /// Sine and cosine of the azimuth at the first end, not normalised.
  private(set) var sine1 = 0.0
  private(set) var cosine1 = 1.0
  /// Sine and cosine of the azimuth at the second end, not normalised.
  private(set) var sine2 = 0.0
  private(set) var cosine2 = 1.0

  /// Solves the problem for a difference in longitude in radians, 0 ... pi.
  init(from first: ReducedLatitude, to second: ReducedLatitude, longitude: Double) {
    var omega = longitude
    var previousStep = Double.infinity
    for _ in 0..<20 {
      let step = solve(first, second, longitude: longitude, omega: omega)
      omega += step
      // The error of the distance is quadratic in the step across the true line, and linear in the step along it.
      if abs(step) < 1e-15 + 4e-16 * omega {
        return
      }
      guard omega < Double.pi, abs(step) < previousStep else { break }
      previousStep = abs(step)
    }
    bisect(first, second, longitude: longitude)
  }

  /// Solves the spherical triangle with the angle `omega` at the pole, and returns the correction of `omega`.
  private mutating func solve(
    _ first: ReducedLatitude, _ second: ReducedLatitude, longitude: Double, omega: Double
  ) -> Double {
    let (sinOmega, cosOmega) = PortableMath.sincos(omega)
    // cos(omega) = 1 - versine, so that short arcs keep their digits.
    let versine = cosOmega > 0.5 ? sinOmega * sinOmega / (1 + cosOmega) : 1 - cosOmega
    let difference = second.sine * first.cosine - second.cosine * first.sine
    sine1 = second.cosine * sinOmega
    cosine1 = difference + first.sine * second.cosine * versine
    sine2 = first.cosine * sinOmega
    cosine2 = difference - first.cosine * second.sine * versine
    let sinSigma = (sine1 * sine1 + cosine1 * cosine1).squareRoot()
    let cosSigma = first.sine * second.sine + first.cosine * second.cosine * cosOmega
    let sigma = PortableMath.atan2(sinSigma, cosSigma)
    guard sinSigma > 0 else {
      distance = 0
      // Equal places end here; antipodal places continue with the bisection.
      return cosSigma > 0 ? 0 : .infinity
    }
    let sinAzimuth = sine1 / sinSigma
    let cosAzimuth = cosine1 / sinSigma
    let sin0 = sinAzimuth * first.cosine
    let cosineSquared0 = cosAzimuth * cosAzimuth + sinAzimuth * sinAzimuth * first.sine * first.sine
    return measure(
      first, second, sigma: sigma, sin0: sin0, cosineSquared0: cosineSquared0, cosAzimuth1: cosAzimuth,
      cosAzimuth2: cosine2 / sinSigma, longitude: longitude, omega: omega)
  }

  /// Sets the distance of the arc, and returns longitude + excess - omega.
  private mutating func measure(
    _ first: ReducedLatitude, _ second: ReducedLatitude, sigma: Double, sin0: Double, cosineSquared0: Double,
    cosAzimuth1: Double, cosAzimuth2: Double, longitude: Double, omega: Double
  ) -> Double {
    let series = GeodesicSeries(cosineSquared0: cosineSquared0)
    let (s1, c1) = AuxiliaryArc.normalised(first.sine, cosAzimuth1 * first.cosine)
    let (s2, c2) = AuxiliaryArc.normalised(second.sine, cosAzimuth2 * second.cosine)
    let periodic = series.distanceTerm(sine: s2, cosine: c2) - series.distanceTerm(sine: s1, cosine: c1)
    distance = WGS84.semiMinorAxis * series.a1 * (sigma + periodic)
    let excess = sin0 * series.longitudeExcess(sigma, sine1: s1, cosine1: c1, sine2: s2, cosine2: c2)
    return longitude + excess - omega
  }

  /// Finds the azimuth at the end farther from the equator by bisection; the longitude grows with it from 0 to half a
  /// turn.
  private mutating func bisect(_ start: ReducedLatitude, _ end: ReducedLatitude, longitude: Double) {
    // Karney's canonical order: the first end is the southern one, and farther from the equator.
    var (first, second) = (start, end)
    let isSwapped = abs(first.sine) < abs(second.sine)
    if isSwapped { swap(&first, &second) }
    let isMirrored = first.sine > 0
    if isMirrored {
      first.sine = -first.sine
      second.sine = -second.sine
    }
    // A start on the equator counts as just south of it, so that a line to the south passes half round the globe.
    if first.sine == 0 { first.sine = -1e-200 }
    var low = 0.0
    var high = Double.pi
    for _ in 0..<60 {
      let middle = (low + high) / 2
      let reached = longitudeReached(first, second, azimuth: middle)
      if reached < longitude { low = middle } else { high = middle }
      if high - low < 1e-16 { break }
    }
    _ = longitudeReached(first, second, azimuth: (low + high) / 2)
    // Reverts the order: mirroring exchanges north and south, swapping exchanges the direction along the line.
    if isSwapped {
      swap(&sine1, &sine2)
      swap(&cosine1, &cosine2)
    }
    if isMirrored != isSwapped {
      cosine1 = -cosine1
      cosine2 = -cosine2
    }
  }

  /// Leaves `first` at the azimuth (radians), and continues to the last point at the latitude of `second`. Returns the
  /// difference in longitude.
  private mutating func longitudeReached(
    _ first: ReducedLatitude, _ second: ReducedLatitude, azimuth: Double
  ) -> Double {
    (sine1, cosine1) = PortableMath.sincos(azimuth)
    let sin0 = sine1 * first.cosine
    let cosineSquared0 = cosine1 * cosine1 + sine1 * sine1 * first.sine * first.sine
    sine2 = min(sin0 / second.cosine, 1)
    let gap =
      second.cosine == first.cosine
      ? 0 : (first.sine - second.sine) * (first.sine + second.sine)
    cosine2 = max(cosine1 * cosine1 * first.cosine * first.cosine + gap, 0).squareRoot() / second.cosine
    let sigma1 = PortableMath.atan2(first.sine, cosine1 * first.cosine)
    let sigma2 = PortableMath.atan2(second.sine, cosine2 * second.cosine)
    let omega1 = PortableMath.atan2(sin0 * first.sine, cosine1 * first.cosine)
    let omega2 = PortableMath.atan2(sin0 * second.sine, cosine2 * second.cosine)
    let sigma = max(sigma2 - sigma1, 0)
    var omega = omega2 - omega1
    if omega < 0 { omega += 2 * Double.pi }
    let excess = measure(
      first, second, sigma: sigma, sin0: sin0, cosineSquared0: cosineSquared0, cosAzimuth1: cosine1,
      cosAzimuth2: cosine2, longitude: 0, omega: 0)
    return omega - excess
  }

  private static func normalised(_ y: Double, _ x: Double) -> (Double, Double) {
    let norm = (x * x + y * y).squareRoot()
    return norm > 0 ? (y / norm, x / norm) : (0, 1)
  }
}
