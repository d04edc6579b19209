import CordonGeometry
import CordonNavigation

/// The union of overlapping polygons, with tests for points and its boundary.
struct AreaUnion {
  let polygons: [PlanePolygon]
  private let bounds: [PlaneBounds]

  init(_ polygons: [PlanePolygon]) {
    let kept = polygons.compactMap { polygon in polygon.bounds.map { (polygon, $0) } }
    self.polygons = kept.map(\.0)
    bounds = kept.map(\.1)
  }

  /// The approximate number of comparisons for ``boundary(offset:)``.
  ///
  /// Each edge is compared with the boxes of all polygons, and with the vertices of those in whose box it is likely to
  /// lie.
  var comparisons: Double {
    let edges = Double(polygons.reduce(0) { $0 + $1.outer.count + $1.holes.reduce(0) { $0 + $1.count } })
    guard let low = bounds.first?.low, let high = bounds.first?.high else { return 0 }
    let all = bounds.reduce(into: (low.x, low.y, high.x, high.y)) {
      $0 = (min($0.0, $1.low.x), min($0.1, $1.low.y), max($0.2, $1.high.x), max($0.3, $1.high.y))
    }
    let whole = max((all.2 - all.0) * (all.3 - all.1), 1e-9)
    var perEdge = Double(polygons.count)
    for (polygon, box) in zip(polygons, bounds) {
      let share = (box.high.x - box.low.x) * (box.high.y - box.low.y) / whole
      perEdge += min(share, 1) * Double(polygon.outer.count + polygon.holes.reduce(0) { $0 + $1.count })
    }
    return edges * perEdge
  }

  func contains(_ point: PlanePoint) -> Bool {
    for index in polygons.indices where bounds[index].contains(point) && polygons[index].contains(point) {
      return true
    }
    return false
  }

  /// Returns the parts of the polygons' edges that have the area on one side only.
  ///
  /// Each edge is split where other edges meet it. A part is dropped if both sides of its middle, `offset` metres away,
  /// are in the area. Gaps thinner than that are therefore not part of the boundary.
  func boundary(offset: Double = 0.01) -> [PlaneSegment] {
    AreaUnion.parts(of: polygons.flatMap(\.edges), offset: offset) { left, right in !(contains(left) && contains(right))
    }
  }

  /// Splits edges where they meet, and returns the parts that `isKept` accepts.
  /// - Parameter isKept: receives a point on the left and one on the right of the middle of a part, `offset` metres
  ///   away.
  static func parts(
    of edges: [PlaneSegment], offset: Double = 0.01, where isKept: (_ left: PlanePoint, _ right: PlanePoint) -> Bool
  ) -> [PlaneSegment] {
    let grid = SegmentGrid(edges, bucketSize: 2)
    var kept: [PlaneSegment] = []
    for edge in edges {
      var cuts = [0.0, 1.0]
      for other in grid.crossings(from: edge.a, to: edge.b) {
        cuts += AreaUnion.cuts(of: edge, by: edges[other])
      }
      cuts.sort()
      let length = edge.length
      for (from, to) in zip(cuts, cuts.dropFirst()) where (to - from) * length > 1e-4 {
        let middle = edge.point(at: (from + to) / 2)
        let nx = -(edge.b.y - edge.a.y) / length * offset
        let ny = (edge.b.x - edge.a.x) / length * offset
        let left = PlanePoint(x: middle.x + nx, y: middle.y + ny)
        guard isKept(left, PlanePoint(x: middle.x - nx, y: middle.y - ny)) else { continue }
        kept.append(PlaneSegment(edge.point(at: from), edge.point(at: to)))
      }
    }
    return kept
  }

  /// Returns the fractions of `edge` at which another edge crosses it or has its ends on it.
  private static func cuts(of edge: PlaneSegment, by other: PlaneSegment) -> [Double] {
    let dx = edge.b.x - edge.a.x
    let dy = edge.b.y - edge.a.y
    let ox = other.b.x - other.a.x
    let oy = other.b.y - other.a.y
    let cross = dx * oy - dy * ox
    var cuts: [Double] = []
    let scale = (dx * dx + dy * dy).squareRoot() * (ox * ox + oy * oy).squareRoot()
    if abs(cross) > 1e-6 * scale {
      let t = ((other.a.x - edge.a.x) * oy - (other.a.y - edge.a.y) * ox) / cross
      if t > 0 && t < 1 { cuts.append(t) }
    }
    for end in [other.a, other.b] where edge.distance(to: end) < 1e-3 {
      cuts.append(edge.fractionNearest(to: end))
    }
    return cuts
  }
}
