public import CordonCore
public import CordonGeometry

/// How far places are from the edge of an area, inside or outside.
public struct BoundaryDistance: Sendable {
  private let rings: [[Coordinate]]

  /// The edges of an area, holes too.
  public init(_ area: GeoMultiPolygon) {
    rings = area.polygons.flatMap(\.rings).filter { $0.count > 1 }
  }

  /// Metres to the nearest edge, to a millimetre within some kilometres; `nil` without edges. O(edges).
  public func metres(from place: Coordinate) -> Double? {
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
