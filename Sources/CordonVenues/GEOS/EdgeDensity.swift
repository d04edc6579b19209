import CordonGeometry

/// An estimate of the cost of an overlay, from the number of edges that lie above one another.
///
/// The plane is quartered until few edges are left in each part. For the plan of a real place, this ends soon,
/// regardless of its size and detail. For a scribble or thousands of stacked areas it never does, and their overlay
/// would use up all memory.
enum EdgeDensity {
  /// 48 edges meet at a corner of four rooms on six floors, regardless of the size of the parts.
  private static let fewEdges = 48
  /// Minimum size of a part, in metres.
  private static let minimumSize = 1e-3

  private struct Part {
    var x: Double
    var y: Double
    var size: Double
    var edges: [Int32]
  }

  /// Checks whether an overlay of closed rings takes only a few seconds and a few hundred megabytes.
  ///
  /// Complexity: O(*n* log *n*) for *n* edges.
  static func isBearable(_ rings: [[PlanePoint]]) -> Bool {
    var edges: [PlaneSegment] = []
    for ring in rings {
      guard var from = ring.last else { continue }
      for to in ring {
        edges.append(PlaneSegment(from, to))
        from = to
      }
    }
    guard edges.count > 1_000, let first = edges.first?.a else { return true }
    var (low, high) = (first, first)
    for point in edges.lazy.map(\.b) {
      // Implausible coordinates are rejected elsewhere.
      guard abs(point.x) < 1e9, abs(point.y) < 1e9 else { return true }
      low = PlanePoint(x: min(low.x, point.x), y: min(low.y, point.y))
      high = PlanePoint(x: max(high.x, point.x), y: max(high.y, point.y))
    }
    // Limits: on average, an edge may be sorted into 40 parts and share a smallest part with 50 others.
    var steps = 2_000_000 + 40 * edges.count
    var pairs = 1_000_000 + 50 * edges.count
    var parts = [
      Part(
        x: low.x, y: low.y, size: max(high.x - low.x, high.y - low.y, minimumSize),
        edges: edges.indices.map { Int32(truncatingIfNeeded: $0) })
    ]
    while let part = parts.popLast() {
      if part.edges.count <= fewEdges || part.size <= minimumSize {
        pairs -= part.edges.count * (part.edges.count - 1) / 2
        if pairs < 0 { return false }
        continue
      }
      let half = part.size / 2
      for (column, row) in [(0.0, 0.0), (1, 0), (0, 1), (1, 1)] {
        let (x, y) = (part.x + column * half, part.y + row * half)
        let inside = part.edges.filter { passes(edges[Int($0)], x, y, half) }
        steps -= part.edges.count
        if !inside.isEmpty { parts.append(Part(x: x, y: y, size: half, edges: inside)) }
      }
      if steps < 0 { return false }
    }
    return true
  }

  /// Checks whether an edge has a point in a square, the border included.
  private static func passes(_ edge: PlaneSegment, _ x: Double, _ y: Double, _ size: Double) -> Bool {
    if max(edge.a.x, edge.b.x) < x || min(edge.a.x, edge.b.x) > x + size { return false }
    if max(edge.a.y, edge.b.y) < y || min(edge.a.y, edge.b.y) > y + size { return false }
    // The edge is outside if all corners are on one side of its line.
    let (dx, dy) = (edge.b.x - edge.a.x, edge.b.y - edge.a.y)
    let corner = dx * (y - edge.a.y) - dy * (x - edge.a.x)
    let east = corner - dy * size
    let north = corner + dx * size
    let far = north - dy * size
    return min(corner, east, north, far) <= 0 && max(corner, east, north, far) >= 0
  }
}
