import CordonCore

/// Karney's series for distance and longitude along one geodesic, sixth order in epsilon.
///
/// Equation numbers refer to "Algorithms for geodesics" (2013).
struct GeodesicSeries {
  /// The mean value of I1', equation (17).
  let a1: Double
  private let c1: (Double, Double, Double, Double, Double, Double)
  private let epsilon: Double
  private let a3: Double
  private let c3: (Double, Double, Double, Double, Double)

  /// Creates the series of a geodesic that crosses the equator at the azimuth alpha0, from cos^2 alpha0.
  init(cosineSquared0: Double) {
    let k2 = WGS84.secondEccentricitySquared * cosineSquared0
    let root = (1 + k2).squareRoot()
    let e = k2 / ((1 + root) * (1 + root))
    let e2 = e * e
    epsilon = e
    a1 = (1 + e2 * (1.0 / 4 + e2 * (1.0 / 64 + e2 / 256))) / (1 - e)
    // (18)
    c1 = (
      e * (-1.0 / 2 + e2 * (3.0 / 16 - e2 / 32)),
      e2 * (-1.0 / 16 + e2 * (1.0 / 32 - 9 * e2 / 2048)),
      e2 * e * (-1.0 / 48 + 3 * e2 / 256),
      e2 * e2 * (-5.0 / 512 + 3 * e2 / 512),
      -7 * e2 * e2 * e / 1280,
      -7 * e2 * e2 * e2 / 2048
    )
    // (24), (25)
    let n = WGS84.thirdFlattening
    let n2 = n * n
    a3 =
      1 - e
      * ((1 - n) / 2 + e
        * (1.0 / 4 + n / 8 - 3 * n2 / 8 + e
          * (1.0 / 16 + 3 * n / 16 + n2 / 16 + e * (3.0 / 64 + n / 32 + e * 3 / 128))))
    c3 = (
      e
        * ((1 - n) / 4 + e
          * ((1 - n2) / 8 + e * ((3 + 3 * n - n2) / 64 + e * ((5 + 2 * n) / 128 + e * 3 / 128)))),
      e2
        * ((2 - 3 * n + n2) / 32 + e * ((3 - 2 * n - 3 * n2) / 64 + e * ((3 + n) / 128 + e * 5 / 256))),
      e2 * e * ((5 - 9 * n + 5 * n2) / 192 + e * ((9 - 10 * n) / 384 + e * 7 / 512)),
      e2 * e2 * ((7 - 14 * n) / 512 + e * 7 / 512),
      e2 * e2 * e * 21 / 2560
    )
  }

  /// Returns the periodic part of I1 at sigma in units of A1, equation (15).
  func distanceTerm(_ sigma: Double) -> Double {
    let (s, c) = PortableMath.sincos(sigma)
    return distanceTerm(sine: s, cosine: c)
  }

  /// Returns the periodic part of I1 for a known sine and cosine of sigma.
  func distanceTerm(sine: Double, cosine: Double) -> Double {
    clenshaw(sine: sine, cosine: cosine, c1.0, c1.1, c1.2, c1.3, c1.4, c1.5)
  }

  /// Returns sigma - tau, equations (20) and (21).
  func inverseDistanceTerm(_ tau: Double) -> Double {
    let e = epsilon
    let e2 = e * e
    let (s, c) = PortableMath.sincos(tau)
    return clenshaw(
      sine: s, cosine: c,
      e * (1.0 / 2 + e2 * (-9.0 / 32 + 205 * e2 / 1536)),
      e2 * (5.0 / 16 + e2 * (-37.0 / 96 + 1335 * e2 / 4096)),
      e2 * e * (29.0 / 96 - 75 * e2 / 128),
      e2 * e2 * (539.0 / 1536 - 2391 * e2 / 2560),
      3467 * e2 * e2 * e / 7680,
      38081 * e2 * e2 * e2 / 61440)
  }

  /// Returns f (I3(sigma2) - I3(sigma1)), equations (8) and (23).
  ///
  /// Multiplied by sin alpha0, it is the amount by which the longitude is less than the spherical one.
  func longitudeExcess(_ sigma12: Double, from sigma1: Double, to sigma2: Double) -> Double {
    let (s1, c1) = PortableMath.sincos(sigma1)
    let (s2, c2) = PortableMath.sincos(sigma2)
    return longitudeExcess(sigma12, sine1: s1, cosine1: c1, sine2: s2, cosine2: c2)
  }

  /// Returns the same difference for known sines and cosines.
  func longitudeExcess(_ sigma12: Double, sine1: Double, cosine1: Double, sine2: Double, cosine2: Double) -> Double {
    let periodic =
      clenshaw(sine: sine2, cosine: cosine2, c3.0, c3.1, c3.2, c3.3, c3.4, 0)
      - clenshaw(sine: sine1, cosine: cosine1, c3.0, c3.1, c3.2, c3.3, c3.4, 0)
    return WGS84.flattening * a3 * (sigma12 + periodic)
  }

  /// Returns the sum of ck sin(2 k sigma), k = 1 ... 6.
  private func clenshaw(
    sine: Double, cosine: Double, _ c1: Double, _ c2: Double, _ c3: Double, _ c4: Double, _ c5: Double, _ c6: Double
  ) -> Double {
    let twice = 2 * (cosine - sine) * (cosine + sine)
    let b6 = c6
    let b5 = twice * b6 + c5
    let b4 = twice * b5 - b6 + c4
    let b3 = twice * b4 - b5 + c3
    let b2 = twice * b3 - b4 + c2
    let b1 = twice * b2 - b3 + c1
    return 2 * sine * cosine * b1
  }
}
