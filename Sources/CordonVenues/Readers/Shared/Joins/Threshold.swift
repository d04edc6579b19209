import CordonCore
import CordonGeometry

/// The line of a door that is drawn as a polygon.
enum Threshold {
  /// Returns the centre line of a thin polygon along its longest edge.
  static func line(of area: GeoMultiPolygon) -> [Coordinate] {
    guard let ring = area.polygons.first?.outer, let first = ring.first else { return [] }
    let frame = LocalFrame(origin: first)
    let points = ring.map(frame.project)
    var longest = (length: 0.0, x: 1.0, y: 0.0)
    for (index, point) in points.enumerated() {
      let next = points[index + 1 < points.count ? index + 1 : 0]
      let (dx, dy) = (next.x - point.x, next.y - point.y)
      let length = (dx * dx + dy * dy).squareRoot()
      if length > longest.length { longest = (length, dx / length, dy / length) }
    }
    let along = points.map { $0.x * longest.x + $0.y * longest.y }
    let across = points.map { $0.y * longest.x - $0.x * longest.y }
    guard let low = along.min(), let high = along.max(), let left = across.min(), let right = across.max() else {
      return []
    }
    let middle = (left + right) / 2
    return [low, high].map {
      frame.unproject(PlanePoint(x: $0 * longest.x - middle * longest.y, y: $0 * longest.y + middle * longest.x))
    }
  }
}
