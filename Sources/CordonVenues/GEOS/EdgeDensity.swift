import CordonGeometry

/// How much of a drawing's edges lies above one another: what overlaying its areas costs, known before it is paid.
///
/// The plane is quartered until few edges are left in each part. A drawing of a place gets there soon, however large or fine it
/// is. A scribble, and thousands of areas on top of one another, never do; overlaying them would take all the memory there is.
enum EdgeDensity {
  /// At a corner where four rooms of six floors meet, 48 edges do, however small the parts are made.
  private static let fewEdges = 48
  /// Parts are not made smaller than this, in metres.
  private static let leastSize = 1e-3

  private struct Part {
    var x: Double
    var y: Double
    var size: Double
    var edges: [Int32]
  }

  /// Whether the edges of closed rings can be overlaid in some seconds and some hundred megabytes. O(edges log edges).
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
      // What is no place is somebody else's to refuse.
      guard abs(point.x) < 1e9, abs(point.y) < 1e9 else { return true }
      low = PlanePoint(x: min(low.x, point.x), y: min(low.y, point.y))
      high = PlanePoint(x: max(high.x, point.x), y: max(high.y, point.y))
    }
    // Each edge may be sorted into forty parts, and for each edge fifty pairs may share a smallest part.
    var steps = 2_000_000 + 40 * edges.count
    var pairs = 1_000_000 + 50 * edges.count
    var parts = [
      Part(
        x: low.x, y: low.y, size: max(high.x - low.x, high.y - low.y, leastSize),
        edges: edges.indices.map { Int32(truncatingIfNeeded: $0) })
    ]
    while let part = parts.popLast() {
      if part.edges.count <= fewEdges || part.size <= leastSize {
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

  /// Whether an edge has a point in a square, its border included.
  private static func passes(_ edge: PlaneSegment, _ x: Double, _ y: Double, _ size: Double) -> Bool {
    if max(edge.a.x, edge.b.x) < x || min(edge.a.x, edge.b.x) > x + size { return false }
    if max(edge.a.y, edge.b.y) < y || min(edge.a.y, edge.b.y) > y + size { return false }
    // The line separates them when all corners are on one side of it.
    let (dx, dy) = (edge.b.x - edge.a.x, edge.b.y - edge.a.y)
    let corner = dx * (y - edge.a.y) - dy * (x - edge.a.x)
    let east = corner - dy * size
    let north = corner + dx * size
    let far = north - dy * size
    return min(corner, east, north, far) <= 0 && max(corner, east, north, far) >= 0
  }
}
