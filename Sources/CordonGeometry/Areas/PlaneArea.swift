import CordonCore

/// A polygon for rasters: its rings in a plane, and its owner.
struct PlaneArea {
  /// The rings, closed implicitly and combined by the even-odd rule.
  var rings: [[PlanePoint]]
  /// The result for a point of the polygon.
  var owner: Int

  /// Returns the parts of an area in degrees, with unwrapped longitudes.
  static func parts(of area: GeoMultiPolygon, owner: Int, in bounds: GeoBounds) -> [PlaneArea] {
    area.polygons.map { polygon in
      let rings = polygon.validRings.rings.map { ring in
        ring.map { PlanePoint(x: bounds.unwrapped($0.longitude), y: $0.latitude) }
      }
      return PlaneArea(rings: rings, owner: owner)
    }
  }
}
