import CordonCore
import CordonGeometry

/// Measures of a ring in degrees, computed in metres around its first vertex.
enum RingMeasure {
  /// Returns the ring in a frame at its first vertex.
  static func project(_ ring: [Coordinate]) -> [PlanePoint] {
    guard let first = ring.first else { return [] }
    let frame = LocalFrame(origin: first)
    return ring.map(frame.project)
  }

  /// Returns the area in square metres, positive for counter-clockwise rings (Gauss's area formula).
  static func signedArea(_ points: [PlanePoint]) -> Double {
    guard points.count >= 3 else { return 0 }
    var twice = 0.0
    var previous = points[points.count - 1]
    for point in points {
      twice += previous.x * point.y - point.x * previous.y
      previous = point
    }
    return twice / 2
  }

  /// Returns the distance from a point to the edges of a closed ring, in metres.
  static func distance(_ ring: [PlanePoint], _ point: PlanePoint) -> Double {
    guard var previous = ring.last else { return .infinity }
    var least = Double.infinity
    for vertex in ring {
      least = min(least, distanceSquared(from: point, to: previous, vertex))
      previous = vertex
    }
    return least.squareRoot()
  }

  /// Returns the square of the distance from a point to a line segment.
  static func distanceSquared(from point: PlanePoint, to a: PlanePoint, _ b: PlanePoint) -> Double {
    let (dx, dy) = (b.x - a.x, b.y - a.y)
    let length = dx * dx + dy * dy
    let t = length > 0 ? min(max(((point.x - a.x) * dx + (point.y - a.y) * dy) / length, 0), 1) : 0
    let (ex, ey) = (a.x + t * dx - point.x, a.y + t * dy - point.y)
    return ex * ex + ey * ey
  }
}
