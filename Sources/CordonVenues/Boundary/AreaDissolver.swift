package import CordonCore
package import CordonGeometry
import CordonNavigation

/// Merges many polygons into one valid area.
package enum AreaDissolver {
  /// Size of the grid on which the vertices of dissolved areas lie, in metres.
  package static let gridSize = 1e-4

  /// Returns the union of polygons as a valid area with its holes, and its size in square metres.
  ///
  /// The result is `nil` if no polygon encloses an area. A single valid polygon keeps its vertices to the last bit.
  package static func dissolve(
    _ polygons: [GeoPolygon]
  ) throws(GeosError) -> (area: GeoMultiPolygon, squareMetres: Double)? {
    try dissolve(groups: [polygons])
  }

  /// Returns the union of groups of polygons, each of which is merged first, such as the rooms of each floor.
  ///
  /// The cost is then linear in the number of equal floors instead of quadratic.
  package static func dissolve(
    groups: [[GeoPolygon]]
  ) throws(GeosError) -> (area: GeoMultiPolygon, squareMetres: Double)? {
    let usable = groups.map { $0.compactMap(cleaned) }.filter { !$0.isEmpty }
    guard let frame = LocalFrame(around: usable.joined().flatMap { $0.rings.joined() }) else { return nil }
    let geos = try context()
    var planes: [PlanePolygon] = []
    var untouched: GeoPolygon?
    for group in usable {
      let drawn = group.map { PlanePolygon($0, in: frame) }
      try checkBearable(drawn)
      var valid: [PlanePolygon] = []
      for polygon in drawn {
        if try geos.invalidity(of: polygon) == nil {
          valid.append(polygon)
          untouched = group.first
        } else {
          valid.append(contentsOf: try geos.madeValid([polygon]))
          untouched = nil
        }
      }
      planes += usable.count == 1 || valid.isEmpty ? valid : try geos.union(valid, gridSize: gridSize)
    }
    guard !planes.isEmpty else { return nil }
    if usable.count == 1, usable[0].count == 1, let untouched {
      return (GeoMultiPolygon([untouched]), try geos.area(of: planes))
    }
    if usable.count > 1 { try checkBearable(planes) }
    let united = try geos.union(planes, gridSize: gridSize)
    guard !united.isEmpty else { return nil }
    return (GeoMultiPolygon(united.map { $0.geographic(in: frame) }), try geos.area(of: united))
  }

  private static func checkBearable(_ polygons: [PlanePolygon]) throws(GeosError) {
    guard EdgeDensity.isBearable(polygons.flatMap { [$0.outer] + $0.holes }) else {
      throw GeosError(operation: "union", messages: ["too many edges cross or lie above one another"])
    }
  }

  /// Returns the convex hull of positions; empty if they lie on one line.
  package static func hull(of coordinates: [Coordinate]) throws(GeosError) -> [GeoPolygon] {
    let usable = coordinates.filter(\.isValid)
    guard let frame = LocalFrame(around: usable) else { return [] }
    return try context().convexHull(of: usable.map { frame.projectRounded($0) }).map { $0.geographic(in: frame) }
  }

  private static func context() throws(GeosError) -> GeosContext {
    guard let context = GeosContext() else {
      throw GeosError(operation: "start of GEOS", messages: ["out of memory"])
    }
    return context
  }

  /// Removes invalid positions and rings with too few positions.
  private static func cleaned(_ polygon: GeoPolygon) -> GeoPolygon? {
    let outer = polygon.outer.filter(\.isValid)
    guard outer.count >= 3 else { return nil }
    return GeoPolygon(outer: outer, holes: polygon.holes.map { $0.filter(\.isValid) }.filter { $0.count >= 3 })
  }
}

extension LocalFrame {
  /// Creates a frame at the centre of the bounding box of positions, across the antimeridian if that is shorter.
  /// Returns `nil` without positions.
  package init?(around coordinates: [Coordinate]) {
    guard let first = coordinates.first else { return nil }
    var west = 0.0
    var east = 0.0
    var south = first.latitude
    var north = first.latitude
    for coordinate in coordinates {
      var offset = coordinate.longitude - first.longitude
      if offset > 180 { offset -= 360 } else if offset < -180 { offset += 360 }
      west = min(west, offset)
      east = max(east, offset)
      south = min(south, coordinate.latitude)
      north = max(north, coordinate.latitude)
    }
    var longitude = first.longitude + (west + east) / 2
    if longitude > 180 { longitude -= 360 } else if longitude < -180 { longitude += 360 }
    self.init(origin: Coordinate(longitude: longitude, latitude: (south + north) / 2))
  }
}

extension Venue {
  /// All positions of the map, in a fixed order.
  package var everyCoordinate: [Coordinate] {
    var found = outline?.vertices ?? []
    found += buildings.flatMap { $0.outline?.vertices ?? [] }
    found += floors.flatMap { $0.outline?.vertices ?? [] }
    found += spaces.flatMap(\.outline.vertices)
    for barrier in walls + obstructions + furniture {
      switch barrier.shape {
      case .lines(let lines): found += lines.joined()
      case .area(let area): found += area.vertices
      }
    }
    found += openings.flatMap(\.line)
    found += connections.flatMap { $0.landings.map(\.position) }
    found += pointsOfInterest.compactMap(\.position)
    found += graph?.nodes.map(\.position) ?? []
    return found
  }
}
