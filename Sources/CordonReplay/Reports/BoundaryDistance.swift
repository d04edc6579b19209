package import CordonCore
package import CordonGeometry

/// The distance of points from the edge of an area, inside or outside.
package struct BoundaryDistance: Sendable {
  private let rings: [[Coordinate]]

  /// Creates a measure from the edges of an area, including those of holes.
  package init(_ area: GeoMultiPolygon) {
    rings = area.polygons.flatMap(\.rings).filter { $0.count > 1 }
  }

  /// Returns the distance in metres to the nearest edge, rounded to the millimetre; `nil` without edges or for an
  /// invalid coordinate.
  ///
  /// The plane approximation is accurate within some kilometres.
  ///
  /// Complexity: O(*n*), where *n* is the number of edges.
  package func metres(from place: Coordinate) -> Double? {
    guard place.isValid else { return nil }
    let frame = LocalFrame(origin: place)
    var best = Double.infinity
    for ring in rings {
      var last = frame.project(ring[ring.count - 1])
      for vertex in ring {
        let next = frame.project(vertex)
        let dx = next.x - last.x
        let dy = next.y - last.y
        let length = dx * dx + dy * dy
        let share = length > 0 ? min(max(-(last.x * dx + last.y * dy) / length, 0), 1) : 0
        let x = last.x + share * dx
        let y = last.y + share * dy
        best = min(best, x * x + y * y)
        last = next
      }
    }
    return best.isFinite ? (best.squareRoot() * 1e3).rounded() / 1e3 : nil
  }
}
