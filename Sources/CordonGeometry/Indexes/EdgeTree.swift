/// A tree of boxes over straight edges in a plane, for queries of the nearest or near edges.
///
/// The plane may be scaled in a query: `scaleX` and `scaleY` convert the units of the edges to those of the distance.
/// Edges in degrees are thus measured in metres round the position of the query.
struct EdgeTree: Sendable {
  /// An edge; `id` is its index in the list from which the tree was built.
  struct Edge: Sendable {
    var ax: Double
    var ay: Double
    var bx: Double
    var by: Double
    var id: Int
  }

  private struct Node: Sendable {
    var minX: Double
    var minY: Double
    var maxX: Double
    var maxY: Double
    /// The edges `first ..< end`; the children of an inner node are the next node and `right`.
    var first: Int32
    var end: Int32
    /// The right child; 0 for a leaf.
    var right: Int32
  }

  /// The edges, with neighbours adjacent.
  private(set) var edges: [Edge]
  private var nodes: [Node] = []
  private static let leafSize = 6

  /// Builds the tree in O(*n* log² *n*). Edges with a coordinate that is not finite are left out.
  init(_ edges: [Edge]) {
    self.edges = edges.filter { $0.ax.isFinite && $0.ay.isFinite && $0.bx.isFinite && $0.by.isFinite }
    if !self.edges.isEmpty { build(0, self.edges.count) }
  }

  var isEmpty: Bool { edges.isEmpty }

  private mutating func build(_ first: Int, _ end: Int) {
    var node = Node(
      minX: .infinity, minY: .infinity, maxX: -.infinity, maxY: -.infinity, first: Int32(first), end: Int32(end),
      right: 0)
    for edge in edges[first..<end] {
      node.minX = min(node.minX, edge.ax, edge.bx)
      node.minY = min(node.minY, edge.ay, edge.by)
      node.maxX = max(node.maxX, edge.ax, edge.bx)
      node.maxY = max(node.maxY, edge.ay, edge.by)
    }
    let position = nodes.count
    nodes.append(node)
    guard end - first > EdgeTree.leafSize else { return }
    // Equal keys are ordered by id, so that the tree does not depend on the sorting algorithm.
    if node.maxX - node.minX >= node.maxY - node.minY {
      edges[first..<end].sort { ($0.ax + $0.bx, $0.id) < ($1.ax + $1.bx, $1.id) }
    } else {
      edges[first..<end].sort { ($0.ay + $0.by, $0.id) < ($1.ay + $1.by, $1.id) }
    }
    let middle = (first + end) / 2
    build(first, middle)
    nodes[position].right = Int32(nodes.count)
    build(middle, end)
  }

  /// Returns the square of the distance to the nearest edge, and its id (the lowest one of several); `nil` without
  /// edges.
  func nearest(x: Double, y: Double, scaleX: Double = 1, scaleY: Double = 1) -> (distanceSquared: Double, id: Int)? {
    guard !edges.isEmpty, x.isFinite, y.isFinite else { return nil }
    var best = Double.infinity
    var bestID = Int.max
    withUnsafeTemporaryAllocation(of: (node: Int32, distance: Double).self, capacity: 128) { stack in
      var depth = 0
      stack[0] = (0, 0)
      depth = 1
      while depth > 0 {
        depth -= 1
        let top = stack[depth]
        if top.distance > best { continue }
        let node = nodes[Int(top.node)]
        if node.right == 0 {
          for edge in edges[Int(node.first)..<Int(node.end)] {
            let distance = EdgeTree.distanceSquared(edge, x, y, scaleX, scaleY)
            if distance < best || distance == best && edge.id < bestID {
              best = distance
              bestID = edge.id
            }
          }
        } else {
          let left = boxDistanceSquared(Int(top.node) + 1, x, y, scaleX, scaleY)
          let right = boxDistanceSquared(Int(node.right), x, y, scaleX, scaleY)
          // The nearer box is pushed last, so that it is popped first. The depth is at most 2 log2(2^31).
          if left <= right {
            stack[depth] = (node.right, right)
            stack[depth + 1] = (top.node + 1, left)
          } else {
            stack[depth] = (top.node + 1, left)
            stack[depth + 1] = (node.right, right)
          }
          depth += 2
        }
      }
    }
    return (best, bestID)
  }

  /// Calls `body` with every edge that may be within `radius`, in units of the distance, and with some others.
  func visit(
    x: Double, y: Double, radius: Double, scaleX: Double = 1, scaleY: Double = 1, _ body: (Edge) -> Void
  ) {
    guard !edges.isEmpty, x.isFinite, y.isFinite else { return }
    withUnsafeTemporaryAllocation(of: Int32.self, capacity: 128) { stack in
      var depth = 1
      stack[0] = 0
      while depth > 0 {
        depth -= 1
        let index = Int(stack[depth])
        if boxDistanceSquared(index, x, y, scaleX, scaleY) > radius * radius { continue }
        let node = nodes[index]
        if node.right == 0 {
          for edge in edges[Int(node.first)..<Int(node.end)] { body(edge) }
        } else {
          stack[depth] = node.right
          stack[depth + 1] = Int32(index + 1)
          depth += 2
        }
      }
    }
  }

  @inline(__always)
  private func boxDistanceSquared(_ index: Int, _ x: Double, _ y: Double, _ scaleX: Double, _ scaleY: Double) -> Double
  {
    let node = nodes[index]
    let dx = max(node.minX - x, x - node.maxX, 0) * scaleX
    let dy = max(node.minY - y, y - node.maxY, 0) * scaleY
    return dx * dx + dy * dy
  }

  @inline(__always)
  static func distanceSquared(
    _ edge: Edge, _ x: Double, _ y: Double, _ scaleX: Double, _ scaleY: Double
  ) -> Double {
    let (ax, ay) = ((edge.ax - x) * scaleX, (edge.ay - y) * scaleY)
    let (bx, by) = ((edge.bx - x) * scaleX, (edge.by - y) * scaleY)
    let (dx, dy) = (bx - ax, by - ay)
    let length = dx * dx + dy * dy
    let along = -(ax * dx + ay * dy)
    if along <= 0 || length == 0 { return ax * ax + ay * ay }
    if along >= length { return bx * bx + by * by }
    let cross = ax * dy - ay * dx
    return cross * cross / length
  }
}
