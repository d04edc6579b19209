import CordonCore
import CordonGeometry

/// Where paths leave an outline.
enum OutlineCrossing {
  /// Even-odd over all rings, in metres round the place.
  static func contains(_ outline: GeoMultiPolygon, _ place: Coordinate) -> Bool {
    let frame = LocalFrame(origin: place)
    let origin = PlanePoint(x: 0, y: 0)
    var isInside = false
    for polygon in outline.polygons {
      for ring in polygon.rings where RingMeasure.contains(ring.map(frame.project), origin) { isInside.toggle() }
    }
    return isInside
  }

  /// The crossing nearest to the inner end, when exactly one end is inside.
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
