public import CordonCore

extension GeoPolygon {
  /// Returns the area without the holes in square metres in the plane of `frame`; never negative.
  public func area(in frame: LocalFrame) -> Double {
    let areas = rings.map { abs(PlaneRing.signedArea($0.map(frame.project))) }
    return max(areas.dropFirst().reduce(areas.first ?? 0, -), 0)
  }
}

extension GeoMultiPolygon {
  /// Returns the sum of the areas of the parts, in square metres in the plane of `frame`.
  public func area(in frame: LocalFrame) -> Double {
    polygons.reduce(0) { $0 + $1.area(in: frame) }
  }

  /// The centre of mass of the area; the mean of the vertices if the area is zero. `nil` if there are no vertices.
  ///
  /// The centre can lie outside the area, for example with a horseshoe.
  public var centroid: Coordinate? {
    guard let bounds else { return nil }
    let frame = LocalFrame(origin: bounds.center)
    var (area, x, y) = (0.0, 0.0, 0.0)
    for polygon in polygons {
      for (index, ring) in polygon.rings.enumerated() {
        let moment = PlaneRing.moment(ring.map(frame.project))
        // Winding has no meaning: the outer ring adds, holes subtract.
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
  /// Returns the signed area of a ring and its first moments: the centroid times the area.
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
