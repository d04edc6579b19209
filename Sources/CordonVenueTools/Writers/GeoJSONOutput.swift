import CordonCore
import CordonGeometry
import CordonVenues

/// Geometries and features of RFC 7946.
enum GeoJSONOutput {
  /// Returns a position: longitude, then latitude.
  static func position(_ coordinate: Coordinate) -> JSONOutput {
    .array([.number(coordinate.longitude), .number(coordinate.latitude)])
  }

  static func point(_ coordinate: Coordinate) -> JSONOutput {
    geometry("Point", position(coordinate))
  }

  /// Returns a LineString, or a Point for a single position.
  static func line(_ line: [Coordinate]) -> JSONOutput {
    line.count == 1 ? point(line[0]) : geometry("LineString", .array(line.map(position)))
  }

  /// Returns a LineString, or a MultiLineString for several lines.
  static func lines(_ lines: [[Coordinate]]) -> JSONOutput {
    lines.count == 1 ? line(lines[0]) : geometry("MultiLineString", .array(lines.map { .array($0.map(position)) }))
  }

  /// Returns a Polygon, a MultiPolygon for several parts, or `null` for none.
  static func area(_ area: GeoMultiPolygon?) -> JSONOutput {
    guard let area, !area.isEmpty else { return .null }
    if area.polygons.count == 1 { return geometry("Polygon", rings(area.polygons[0])) }
    return geometry("MultiPolygon", .array(area.polygons.map(rings)))
  }

  static func shape(_ shape: Barrier.Shape) -> JSONOutput {
    switch shape {
    case .lines(let lines): self.lines(lines)
    case .area(let area): self.area(area)
    }
  }

  static func feature(geometry: JSONOutput, properties: [(String, JSONOutput)]) -> JSONOutput {
    .object([("type", .string("Feature")), ("geometry", geometry), ("properties", .object(properties))])
  }

  static func collection(_ features: [JSONOutput], members: [(String, JSONOutput)] = []) -> JSONOutput {
    .object([("type", .string("FeatureCollection"))] + members + [("features", .rows(features))])
  }

  private static func geometry(_ type: String, _ coordinates: JSONOutput) -> JSONOutput {
    .object([("type", .string(type)), ("coordinates", coordinates)])
  }

  private static func rings(_ polygon: GeoPolygon) -> JSONOutput {
    .array(
      polygon.rings.enumerated().map { index, ring in
        let turned = isCounterClockwise(ring) == (index == 0) ? ring : ring.reversed()
        return .array((turned + turned.prefix(1)).map(position))
      })
  }

  /// Checks the winding of a ring by its signed area in degrees around the first vertex, the short way round the globe.
  static func isCounterClockwise(_ ring: [Coordinate]) -> Bool {
    guard let origin = ring.first else { return true }
    func x(_ coordinate: Coordinate) -> Double {
      let east = coordinate.longitude - origin.longitude
      return east > 180 ? east - 360 : east < -180 ? east + 360 : east
    }
    var sum = 0.0
    for (a, b) in zip(ring, ring.dropFirst() + ring.prefix(1)) {
      sum += x(a) * (b.latitude - origin.latitude) - x(b) * (a.latitude - origin.latitude)
    }
    return sum >= 0
  }
}
