public import CordonCore

/// A point of a plane, in metres: x to the east, y to the north.
public struct PlanePoint: Hashable, Sendable {
  /// Metres east of the frame's origin.
  public var x: Double
  /// Metres north of the frame's origin.
  public var y: Double

  /// A point at (`x`, `y`) metres.
  @inlinable
  public init(x: Double, y: Double) {
    self.x = x
    self.y = y
  }
}

/// A flat map of the neighbourhood of a place: what venues are measured in.
///
/// East and north are scaled by the radii of curvature of the WGS 84 ellipsoid at the origin, so
/// that the plane touches the ellipsoid there. Away from the origin east-west lengths are wrong by
/// about tan(latitude) times the north-south offset over the earth's radius: 0.4 mm in 2 m at 500 m
/// and 70 degrees north. Longitudes are taken the short way round, so a frame may sit on the antimeridian.
public struct LocalFrame: Hashable, Sendable {
  /// The place that maps to (0, 0).
  public let origin: Coordinate
  /// Metres in a degree of longitude at the origin.
  public let metresPerDegreeEast: Double
  /// Metres in a degree of latitude at the origin.
  public let metresPerDegreeNorth: Double

  /// A frame that touches the ellipsoid at `origin`. Latitudes beyond ±89.9 are moved there.
  public init(origin: Coordinate) {
    let latitude = min(max(origin.latitude, -89.9), 89.9)
    self.origin = Coordinate(longitude: origin.longitude, latitude: latitude)
    let radians = latitude * Double.pi / 180
    let (sine, cosine) = PortableMath.sincos(radians)
    let w = 1 - WGS84.eccentricitySquared * sine * sine
    let primeVertical = WGS84.semiMajorAxis / w.squareRoot()
    let meridional = primeVertical * (1 - WGS84.eccentricitySquared) / w
    metresPerDegreeEast = primeVertical * cosine * Double.pi / 180
    metresPerDegreeNorth = meridional * Double.pi / 180
  }

  /// Degrees to metres, not rounded.
  @inlinable
  public func project(_ coordinate: Coordinate) -> PlanePoint {
    var east = coordinate.longitude - origin.longitude
    if east > 180 { east -= 360 } else if east < -180 { east += 360 }
    return PlanePoint(x: east * metresPerDegreeEast, y: (coordinate.latitude - origin.latitude) * metresPerDegreeNorth)
  }

  /// Degrees to metres, rounded to 0.1 mm: what is stored and compared between machines.
  @inlinable
  public func projectRounded(_ coordinate: Coordinate) -> PlanePoint {
    let point = project(coordinate)
    return PlanePoint(x: (point.x * 1e4).rounded() / 1e4, y: (point.y * 1e4).rounded() / 1e4)
  }

  /// Metres to degrees; longitude in -180 ... 180.
  @inlinable
  public func unproject(_ point: PlanePoint) -> Coordinate {
    var longitude = origin.longitude + point.x / metresPerDegreeEast
    if longitude > 180 { longitude -= 360 } else if longitude < -180 { longitude += 360 }
    return Coordinate(longitude: longitude, latitude: origin.latitude + point.y / metresPerDegreeNorth)
  }
}

/// The ellipsoid of GPS coordinates.
public enum WGS84 {
  /// Metres.
  public static let semiMajorAxis = 6_378_137.0
  /// (a - b) / a.
  public static let flattening = 1 / 298.257223563
  /// f (2 - f).
  public static let eccentricitySquared = flattening * (2 - flattening)
}
