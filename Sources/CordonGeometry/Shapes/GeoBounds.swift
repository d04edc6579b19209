public import CordonCore

/// A box in degrees, with sides along meridians and parallels.
///
/// The range `west` ... `east` runs eastwards. If it crosses the antimeridian, `east` is above 180.
public struct GeoBounds: Hashable, Sendable {
  /// The western side in degrees, -180 ... 180.
  public var west: Double
  /// The southern side in degrees.
  public var south: Double
  /// The eastern side in degrees, not less than `west`; above 180 if the box crosses the antimeridian.
  public var east: Double
  /// The northern side in degrees.
  public var north: Double

  /// Creates the narrowest box that contains the points; `nil` if none of them has two finite numbers.
  ///
  /// Longitudes are taken the short way round. If the points leave a gap of more than half the globe between
  /// neighbouring longitudes, the box crosses the antimeridian. Points that do not fit into half a globe get the box
  /// that does not cross it.
  ///
  /// Complexity: O(*n*); O(*n* log *n*) if the longitudes span more than 180 degrees.
  public init?(_ points: some Collection<Coordinate>) {
    var low = Double.infinity
    var high = -Double.infinity
    var bottom = Double.infinity
    var top = -Double.infinity
    for point in points where point.longitude.isFinite && point.latitude.isFinite {
      low = min(low, point.longitude)
      high = max(high, point.longitude)
      bottom = min(bottom, point.latitude)
      top = max(top, point.latitude)
    }
    guard low <= high else { return nil }
    if high - low > 180 {
      let longitudes = points.lazy.filter { $0.longitude.isFinite && $0.latitude.isFinite }.map(\.longitude).sorted()
      for (left, right) in zip(longitudes, longitudes.dropFirst()) where right - left > 180 {
        // Everything lies in the arc from `right` eastwards to `left`.
        (low, high) = (right, left + 360)
        break
      }
    }
    west = low
    south = bottom
    east = high
    north = top
  }

  /// The centre of the box, with its longitude in -180 ... 180.
  public var center: Coordinate {
    let longitude = (west + east) / 2
    return Coordinate(longitude: longitude > 180 ? longitude - 360 : longitude, latitude: (south + north) / 2)
  }

  /// Returns a longitude moved by one turn, if that brings it nearer to the centre of the box.
  ///
  /// Without rounding for longitudes within ±180 if the result stays below 256.
  @inlinable
  public func unwrapped(_ longitude: Double) -> Double {
    let middle = (west + east) / 2
    if longitude < middle - 180 { return longitude + 360 }
    if longitude > middle + 180 { return longitude - 360 }
    return longitude
  }

  /// Checks whether the point lies in the box or on its sides.
  public func contains(_ point: Coordinate) -> Bool {
    let longitude = unwrapped(point.longitude)
    return longitude >= west && longitude <= east && point.latitude >= south && point.latitude <= north
  }
}

extension GeoMultiPolygon {
  /// The narrowest box that contains every ring; `nil` if there are no vertices.
  public var bounds: GeoBounds? { GeoBounds(vertices) }
}
