package import CordonCore
package import CordonGeometry

/// The buildings of an area, as outlines.
package struct BuildingMap: Sendable {
  private let gate: Gate
  private let bounds: (west: Double, south: Double, east: Double, north: Double)
  private let frame: LocalFrame
  /// The number of buildings.
  package let count: Int

  /// Points of equal mass of a normal distribution with a standard deviation of 1 in each axis.
  private static let pattern: [PlanePoint] = {
    var points: [PlanePoint] = []
    let (rings, spokes) = (4, 6)
    for ring in 0..<rings {
      // The radius within which half of the ring's mass lies (Rayleigh).
      let share = (Double(ring) + 0.5) / Double(rings)
      let radius = (-2 * PortableMath.log(1 - share)).squareRoot()
      for spoke in 0..<spokes {
        let angle = (Double(spoke) + (ring.isMultiple(of: 2) ? 0 : 0.5)) * 2 * Double.pi / Double(spokes)
        let (sine, cosine) = PortableMath.sincos(angle)
        points.append(PlanePoint(x: radius * cosine, y: radius * sine))
      }
    }
    return points
  }()

  /// Creates a map; `nil` without a usable outline.
  ///
  /// The map is known within the rectangle around all buildings. The caller states by that that all buildings there are among
  /// them.
  package init?(_ buildings: [GeoMultiPolygon]) {
    let area = GeoMultiPolygon(buildings.flatMap(\.polygons).filter { $0.outer.count > 2 })
    let vertices = area.vertices.filter(\.isValid)
    guard let first = vertices.first else { return nil }
    var bounds = (west: first.longitude, south: first.latitude, east: first.longitude, north: first.latitude)
    for vertex in vertices {
      bounds.west = min(bounds.west, vertex.longitude)
      bounds.east = max(bounds.east, vertex.longitude)
      bounds.south = min(bounds.south, vertex.latitude)
      bounds.north = max(bounds.north, vertex.latitude)
    }
    self.bounds = bounds
    frame = LocalFrame(
      origin: Coordinate(
        longitude: (bounds.west + bounds.east) / 2, latitude: (bounds.south + bounds.north) / 2))
    gate = Gate(area)
    count = buildings.count
  }

  /// Whether the map says something about a position.
  package func knows(_ position: Coordinate) -> Bool {
    position.longitude >= bounds.west && position.longitude <= bounds.east && position.latitude >= bounds.south
      && position.latitude <= bounds.north
  }

  /// Whether a position is in a building.
  package func contains(_ position: Coordinate) -> Bool { gate.contains(position) }

  /// Returns the share of the normal distribution around a position that lies in no building, from 24 points of equal mass.
  /// - Parameter accuracy: the 68 % radius in metres.
  package func outdoorProbability(at position: Coordinate, accuracy: Double) -> Double {
    let sigma = accuracy * PresenceFix.sigmaPerRadius
    let east = sigma / frame.metresPerDegreeEast
    let north = sigma / frame.metresPerDegreeNorth
    var outside = 0
    for point in BuildingMap.pattern {
      let place = Coordinate(
        longitude: position.longitude + point.x * east, latitude: position.latitude + point.y * north)
      if !gate.contains(place) { outside += 1 }
    }
    return Double(outside) / Double(BuildingMap.pattern.count)
  }
}
