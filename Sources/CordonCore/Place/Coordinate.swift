/// A position on the WGS 84 ellipsoid, in degrees. Longitude comes first, as in GeoJSON.
public struct Coordinate: Hashable, Sendable {
  /// Degrees east, -180 ... 180.
  public var longitude: Double
  /// Degrees north, -90 ... 90.
  public var latitude: Double

  /// Makes a coordinate without validation; see ``isValid``.
  @inlinable
  public init(longitude: Double, latitude: Double) {
    self.longitude = longitude
    self.latitude = latitude
  }

  /// Whether both numbers are finite and in range.
  @inlinable
  public var isValid: Bool {
    // NaN fails both comparisons.
    abs(longitude) <= 180 && abs(latitude) <= 90
  }
}
