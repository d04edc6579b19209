import CordonCore

/// A polygon as the rasters take it: rings in a plane, and whose it is.
struct PlaneArea {
  /// Closed implicitly; combined by the even-odd rule.
  var rings: [[PlanePoint]]
  /// What is answered for a point of it.
  var owner: Int

  /// The parts of an area in degrees, longitudes unwrapped.
  static func parts(of area: GeoMultiPolygon, owner: Int, in bounds: GeoBounds) -> [PlaneArea] {
    area.polygons.map { polygon in
      let rings = polygon.validRings.rings.map { ring in
        ring.map { PlanePoint(x: bounds.unwrapped($0.longitude), y: $0.latitude) }
      }
      return PlaneArea(rings: rings, owner: owner)
    }
  }
}
