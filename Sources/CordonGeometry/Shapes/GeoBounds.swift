public import CordonCore

/// A box in degrees, its sides along meridians and parallels.
///
/// `west` ... `east` runs eastwards and may pass the antimeridian: `east` is then above 180.
public struct GeoBounds: Hashable, Sendable {
  /// Degrees, in -180 ... 180.
  public var west: Double
  /// Degrees, the smaller latitude.
  public var south: Double
  /// Degrees, not less than `west`; above 180 when the box passes the antimeridian.
  public var east: Double
  /// Degrees, the larger latitude.
  public var north: Double

  /// The narrowest box that holds the points; `nil` when none of them has two finite numbers.
  ///
  /// Longitudes are taken the short way round: when the points leave a gap of more than half the
  /// globe that is not the one across the antimeridian, the box passes the antimeridian. Points that do not fit
  /// into half a globe get the box that does not pass it. O(n log n) only when the points are that spread, else O(n).
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

  /// The middle of the box, longitude in -180 ... 180.
  public var center: Coordinate {
    let longitude = (west + east) / 2
    return Coordinate(longitude: longitude > 180 ? longitude - 360 : longitude, latitude: (south + north) / 2)
  }

  /// The longitude of a point moved by whole turns to where it is nearest to the middle of the box.
  ///
  /// Exact (no rounding) for longitudes within ±180 whenever it stays below 256.
  @inlinable
  public func unwrapped(_ longitude: Double) -> Double {
    let middle = (west + east) / 2
    if longitude < middle - 180 { return longitude + 360 }
    if longitude > middle + 180 { return longitude - 360 }
    return longitude
  }

  /// Whether the point lies in the box or on its sides.
  public func contains(_ point: Coordinate) -> Bool {
    let longitude = unwrapped(point.longitude)
    return longitude >= west && longitude <= east && point.latitude >= south && point.latitude <= north
  }
}

extension GeoMultiPolygon {
  /// The narrowest box that holds every ring; `nil` when there is no vertex.
  public var bounds: GeoBounds? { GeoBounds(vertices) }
}
