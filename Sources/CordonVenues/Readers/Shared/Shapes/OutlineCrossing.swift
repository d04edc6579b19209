import CordonCore
import CordonGeometry

/// The points at which paths leave an outline.
enum OutlineCrossing {
  /// Checks with the even-odd rule over all rings whether an outline contains a position.
  static func contains(_ outline: GeoMultiPolygon, _ place: Coordinate) -> Bool {
    let frame = LocalFrame(origin: place)
    let origin = PlanePoint(x: 0, y: 0)
    var isInside = false
    for polygon in outline.polygons {
      for ring in polygon.rings where PlaneRing.isCrossedOddly(ring.map(frame.project), from: origin) {
        isInside.toggle()
      }
    }
    return isInside
  }

  /// Returns the crossing nearest to the inner end if exactly one end is inside, and `nil` otherwise.
  static func place(from: Coordinate, to: Coordinate, outline: GeoMultiPolygon) -> Coordinate? {
    let isFromInside = contains(outline, from)
    guard isFromInside != contains(outline, to) else { return nil }
    let (inner, outer) = isFromInside ? (from, to) : (to, from)
    let frame = LocalFrame(origin: inner)
    let end = frame.project(outer)
    var least: Double?
    for polygon in outline.polygons {
      for ring in polygon.rings {
        let points = ring.map(frame.project)
        guard var previous = points.last else { continue }
        for point in points {
          let (dx, dy) = (point.x - previous.x, point.y - previous.y)
          let denominator = end.x * dy - end.y * dx
          if denominator != 0 {
            let t = (previous.x * dy - previous.y * dx) / denominator
            let u = (previous.x * end.y - previous.y * end.x) / denominator
            if t >= 0, t <= 1, u >= 0, u <= 1, t < (least ?? .infinity) { least = t }
          }
          previous = point
        }
      }
    }
    return least.map { frame.unproject(PlanePoint(x: $0 * end.x, y: $0 * end.y)) }
  }
}
