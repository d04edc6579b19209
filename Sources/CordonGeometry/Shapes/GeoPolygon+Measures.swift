public import CordonCore

extension GeoPolygon {
  /// Square metres in the plane of `frame`, holes taken off; never negative.
  public func area(in frame: LocalFrame) -> Double {
    let areas = rings.map { abs(PlaneRing.signedArea($0.map(frame.project))) }
    return max(areas.dropFirst().reduce(areas.first ?? 0, -), 0)
  }
}

extension GeoMultiPolygon {
  /// Square metres in the plane of `frame`: the sum over the parts.
  public func area(in frame: LocalFrame) -> Double {
    polygons.reduce(0) { $0 + $1.area(in: frame) }
  }

  /// The centre of mass, by area in a frame of its own; the mean of the vertices when the area is zero. `nil` when empty.
  ///
  /// It may lie outside of the area, as the middle of a horseshoe does.
  public var centroid: Coordinate? {
    guard let bounds else { return nil }
    let frame = LocalFrame(origin: bounds.center)
    var (area, x, y) = (0.0, 0.0, 0.0)
    for polygon in polygons {
      for (index, ring) in polygon.rings.enumerated() {
        let moment = PlaneRing.moment(ring.map(frame.project))
        // Winding carries no meaning: the outer ring adds, holes take away.
        let sign: Double = (index == 0) == (moment.area >= 0) ? 1 : -1
        area += sign * moment.area
        x += sign * moment.x
        y += sign * moment.y
      }
    }
    if area > 0 { return frame.unproject(PlanePoint(x: x / area, y: y / area)) }
    let points = vertices.filter { $0.longitude.isFinite && $0.latitude.isFinite }.map(frame.project)
    guard !points.isEmpty else { return nil }
    let sum = points.reduce((0.0, 0.0)) { ($0.0 + $1.x, $0.1 + $1.y) }
    return frame.unproject(PlanePoint(x: sum.0 / Double(points.count), y: sum.1 / Double(points.count)))
  }
}

extension PlaneRing {
  /// The signed area of a ring, and its first moments: the centroid times the area.
  static func moment(_ ring: [PlanePoint]) -> (area: Double, x: Double, y: Double) {
    guard let origin = ring.first, var previous = ring.last else { return (0, 0, 0) }
    var (area, x, y) = (0.0, 0.0, 0.0)
    for vertex in ring {
      let (ax, ay) = (previous.x - origin.x, previous.y - origin.y)
      let (bx, by) = (vertex.x - origin.x, vertex.y - origin.y)
      let cross = ax * by - bx * ay
      area += cross
      x += cross * (ax + bx)
      y += cross * (ay + by)
      previous = vertex
    }
    area /= 2
    return (area, x / 6 + origin.x * area, y / 6 + origin.y * area)
  }
}
