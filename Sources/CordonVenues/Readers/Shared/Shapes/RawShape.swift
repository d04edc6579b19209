import CordonCore
import CordonGeometry

/// A geometry of a source after validation and repair.
enum RawShape {
  /// The geometry is `null`, missing or empty, or has no usable part.
  case none
  case points([Coordinate])
  case lines([[Coordinate]])
  case area(GeoMultiPolygon)

  /// The polygons of an area.
  var area: GeoMultiPolygon? {
    if case .area(let area) = self { area } else { nil }
  }

  /// The first line; the outer ring of an area counts as a line.
  var line: [Coordinate]? {
    switch self {
    case .lines(let lines): lines.first
    case .area(let area): area.polygons.first?.outer
    case .points, .none: nil
    }
  }

  /// A position of the shape: the point, the middle of the line, or a point inside the area.
  var anchor: Coordinate? {
    switch self {
    case .none: nil
    case .points(let points): points.first
    case .lines(let lines): lines.first.flatMap(ShapeMeasure.middle)
    case .area(let area): ShapeMeasure.interiorPoint(of: area)
    }
  }

  /// The shape as strokes; a point is a stroke of one position.
  var strokes: [[Coordinate]] {
    switch self {
    case .none: []
    case .points(let points): points.map { [$0] }
    case .lines(let lines): lines
    case .area(let area): area.polygons.flatMap(\.rings).map { $0 + $0.prefix(1) }
    }
  }

  /// The shape as a solid object; `nil` for points.
  var barrier: Barrier.Shape? {
    switch self {
    case .lines(let lines): .lines(lines)
    case .area(let area): .area(area)
    case .points, .none: nil
    }
  }
}

/// Points on shapes.
package enum ShapeMeasure {
  /// Returns the point halfway along a line.
  package static func middle(of line: [Coordinate]) -> Coordinate? {
    guard let first = line.first else { return nil }
    let frame = LocalFrame(origin: first)
    let points = line.map(frame.project)
    var lengths: [Double] = []
    for (a, b) in zip(points, points.dropFirst()) {
      lengths.append(((b.x - a.x) * (b.x - a.x) + (b.y - a.y) * (b.y - a.y)).squareRoot())
    }
    var rest = lengths.reduce(0, +) / 2
    for (index, length) in lengths.enumerated() {
      if rest <= length, length > 0 {
        let (a, b) = (points[index], points[index + 1])
        let t = rest / length
        return frame.unproject(PlanePoint(x: a.x + t * (b.x - a.x), y: a.y + t * (b.y - a.y)))
      }
      rest -= length
    }
    return first
  }

  /// Returns a point inside the largest polygon.
  ///
  /// It is the centroid if that is inside. Otherwise it is the middle of the widest part of a horizontal line through
  /// the centroid.
  package static func interiorPoint(of area: GeoMultiPolygon) -> Coordinate? {
    let measured = area.polygons.map { (polygon: $0, size: abs(RingMeasure.signedArea(RingMeasure.project($0.outer)))) }
    guard let polygon = measured.max(by: { $0.size < $1.size })?.polygon, let first = polygon.outer.first else {
      return nil
    }
    let frame = LocalFrame(origin: first)
    let rings = polygon.rings.map { $0.map(frame.project) }
    let outer = rings[0]
    let size = RingMeasure.signedArea(outer)
    guard size != 0 else { return first }
    var (x, y) = (0.0, 0.0)
    var previous = outer[outer.count - 1]
    for point in outer {
      let cross = previous.x * point.y - point.x * previous.y
      x += (previous.x + point.x) * cross
      y += (previous.y + point.y) * cross
      previous = point
    }
    let centroid = PlanePoint(x: x / (6 * size), y: y / (6 * size))
    let isInside = rings.reduce(false) { $0 != PlaneRing.isCrossedOddly($1, from: centroid) }
    if isInside { return frame.unproject(centroid) }
    var crossings: [Double] = []
    for ring in rings {
      guard var from = ring.last else { continue }
      for to in ring {
        if (from.y > centroid.y) != (to.y > centroid.y) {
          crossings.append(from.x + (centroid.y - from.y) / (to.y - from.y) * (to.x - from.x))
        }
        from = to
      }
    }
    crossings.sort()
    var widest = (width: -1.0, x: 0.0)
    for index in stride(from: 0, to: crossings.count - 1, by: 2) {
      let width = crossings[index + 1] - crossings[index]
      if width > widest.width { widest = (width, (crossings[index] + crossings[index + 1]) / 2) }
    }
    return widest.width > 0 ? frame.unproject(PlanePoint(x: widest.x, y: centroid.y)) : first
  }
}
