package import CordonCore

/// The shortest line between two places on the WGS 84 ellipsoid.
///
/// It is solved on the auxiliary sphere with the series of Karney ("Algorithms for geodesics", Journal of Geodesy 87,
/// 2013) to the sixth order. The method is a fixed-point iteration on the spherical longitude as in Vincenty (1975).
/// For nearly antipodal places it falls back to bisection on the azimuth. Errors are some nanometres for venues, and
/// less than a micrometre in general. Results are the same on every machine.
package struct Geodesic: Hashable, Sendable {
  /// The length, in metres.
  package var distance: Double
  /// Azimuth at the first place in degrees clockwise from north, -180 ... 180; 0 for equal places.
  package var azimuth: Double
  /// Azimuth at the second place in the direction of travel, in degrees clockwise from north.
  package var finalAzimuth: Double

  /// Creates the shortest line from `start` to `end`.
  ///
  /// All properties are NaN if a coordinate is not finite or a latitude is beyond ±90. Longitudes may be any finite
  /// number of degrees.
  package init(from start: Coordinate, to end: Coordinate) {
    guard Geodesic.isUsable(start), Geodesic.isUsable(end) else {
      (distance, azimuth, finalAzimuth) = (.nan, .nan, .nan)
      return
    }
    var turn = (end.longitude - start.longitude).remainder(dividingBy: 360)
    let isWestward = turn < 0
    turn = abs(turn)
    let first = ReducedLatitude(degrees: start.latitude)
    let second = ReducedLatitude(degrees: end.latitude)
    let arc = AuxiliaryArc(from: first, to: second, longitude: turn * Double.pi / 180)
    distance = arc.distance
    let sign = isWestward ? -1.0 : 1.0
    azimuth = sign * PortableMath.atan2(arc.sine1, arc.cosine1) * 180 / Double.pi
    finalAzimuth = sign * PortableMath.atan2(arc.sine2, arc.cosine2) * 180 / Double.pi
  }

  /// Returns the distance between two places in metres; NaN as in ``init(from:to:)``.
  package static func distance(from start: Coordinate, to end: Coordinate) -> Double {
    guard isUsable(start), isUsable(end) else { return .nan }
    let turn = abs((end.longitude - start.longitude).remainder(dividingBy: 360))
    return AuxiliaryArc(
      from: ReducedLatitude(degrees: start.latitude), to: ReducedLatitude(degrees: end.latitude),
      longitude: turn * Double.pi / 180
    ).distance
  }

  /// Returns the place at a distance from `start` in a direction.
  ///
  /// The longitude is in -180 ... 180. Both numbers are NaN if an argument is not finite or the latitude is beyond ±90.
  /// - Parameters:
  ///   - start: the start.
  ///   - azimuth: the direction at the start, in degrees clockwise from north.
  ///   - distance: the distance in metres; negative for the opposite direction.
  package static func destination(from start: Coordinate, azimuth: Double, distance: Double) -> Coordinate {
    guard isUsable(start), azimuth.isFinite, distance.isFinite else {
      return Coordinate(longitude: .nan, latitude: .nan)
    }
    let reduced = ReducedLatitude(degrees: start.latitude)
    let (sinAzimuth, cosAzimuth) = PortableMath.sincos(azimuth.remainder(dividingBy: 360) * Double.pi / 180)
    // At the equator node, the great circle has the azimuth alpha0.
    let sin0 = sinAzimuth * reduced.cosine
    let cos0 = (cosAzimuth * cosAzimuth + sinAzimuth * sinAzimuth * reduced.sine * reduced.sine).squareRoot()
    let sigma1 = PortableMath.atan2(reduced.sine, cosAzimuth * reduced.cosine)
    let omega1 = PortableMath.atan2(sin0 * reduced.sine, cosAzimuth * reduced.cosine)
    let series = GeodesicSeries(cosineSquared0: cos0 * cos0)
    let tau1 = sigma1 + series.distanceTerm(sigma1)
    let tau2 = tau1 + distance / (WGS84.semiMinorAxis * series.a1)
    let sigma2 = tau2 + series.inverseDistanceTerm(tau2)
    let (sinSigma2, cosSigma2) = PortableMath.sincos(sigma2)
    let sinBeta2 = cos0 * sinSigma2
    let cosBeta2 = (sin0 * sin0 + cos0 * cos0 * cosSigma2 * cosSigma2).squareRoot()
    let omega2 = PortableMath.atan2(sin0 * sinSigma2, cosSigma2)
    // atan2 loses whole turns of long lines; only the longitude modulo 360 matters here.
    var turn = omega2 - omega1
    let wholeTurns = (((sigma2 - sigma1) - (sin0 < 0 ? -turn : turn)) / (2 * Double.pi)).rounded()
    turn += (sin0 < 0 ? -wholeTurns : wholeTurns) * 2 * Double.pi
    let lambda = turn - series.longitudeExcess(sigma2 - sigma1, from: sigma1, to: sigma2) * sin0
    let latitude = PortableMath.atan2(sinBeta2, WGS84.axisRatio * cosBeta2) * 180 / Double.pi
    var longitude = (start.longitude + lambda * 180 / Double.pi).remainder(dividingBy: 360)
    if longitude == -180 { longitude = 180 }
    return Coordinate(longitude: longitude, latitude: latitude)
  }

  private static func isUsable(_ coordinate: Coordinate) -> Bool {
    coordinate.longitude.isFinite && abs(coordinate.latitude) <= 90
  }
}

/// The parametric latitude of a place: tan(beta) = (1 - f) tan(latitude).
struct ReducedLatitude {
  var sine: Double
  var cosine: Double

  init(degrees: Double) {
    let (s, c) = PortableMath.sincos(degrees * Double.pi / 180)
    let scaled = WGS84.axisRatio * s
    // A pole keeps a tiny cosine, as in Karney's code, so that azimuths stay defined.
    let cosine = abs(degrees) == 90 ? 1e-150 : c
    let norm = (scaled * scaled + cosine * cosine).squareRoot()
    self.sine = scaled / norm
    self.cosine = cosine / norm
  }
}

extension WGS84 {
  /// b / a = 1 - f.
  static let axisRatio = 1 - flattening
  /// The semi-minor axis, in metres.
  static let semiMinorAxis = semiMajorAxis * axisRatio
  /// e'^2 = e^2 / (1 - e^2).
  static let secondEccentricitySquared = eccentricitySquared / (1 - eccentricitySquared)
  /// n = (a - b) / (a + b).
  static let thirdFlattening = flattening / (2 - flattening)
}
