package import CordonGeometry

/// The shortest paths between points and doors of one floor: a visibility graph with a next-hop table for each
/// destination.
///
/// On a floor with few corners (rooms and corridors without furniture), the graph is far quicker to build than distance
/// fields. Its paths are the shortest.
package struct WayGraph: Sendable {
  /// A point or door that paths lead through or to.
  package enum Node: Hashable, Sendable {
    /// A possible end of a path.
    case destination(PlanePoint)
    /// A corner that paths can bend around.
    case corner(PlanePoint)
    /// A doorway that paths can cross from either side.
    case door(PlaneSegment)
  }

  /// The nodes, as given.
  package let nodes: [Node]
  /// The points of the nodes: one for a point, two for a door (on its left and on its right).
  private let points: [PlanePoint]
  private let nodeOf: [Int32]
  /// The unit vector away from the door's line for the points of doors, zero for others.
  private let outward: [PlanePoint]
  private let starts: [Int32]
  private let edges: [(to: Int32, length: Float)]
  private let barriers: SegmentGrid
  /// Points sorted into square buckets of ``bucket`` metres.
  private let buckets: [Int64: [Int32]]
  /// For each destination in order: the node number, the next point from every point, and the length of the path.
  private let destinations: [Int32: Int]
  private let next: [Int32]
  private let lengths: [Float]

  private static let bucket = 4.0

  /// The distance in metres from a door's line to the points on its two sides.
  package static let doorStandOff = 0.4

  /// Finds the free lines between all pairs of points and computes the paths to all destinations.
  ///
  /// Complexity: O(*n*²) line tests, where *n* is the number of nodes; meant for some thousands.
  ///
  /// - Parameters:
  ///   - nodes: the points and doors that paths lead through and to.
  ///   - barriers: the lines that no path may cross.
  package init(nodes: [Node], barriers: SegmentGrid) {
    var points: [PlanePoint] = []
    var nodeOf: [Int32] = []
    var outward: [PlanePoint] = []
    for (index, node) in nodes.enumerated() {
      switch node {
      case .destination(let point), .corner(let point):
        points.append(point)
        outward.append(.zero)
      case .door(let line):
        let length = max(line.length, 1e-9)
        let normal = PlanePoint(x: -(line.b.y - line.a.y) / length, y: (line.b.x - line.a.x) / length)
        for side in [1.0, -1.0] {
          let step = side * WayGraph.doorStandOff
          points.append(PlanePoint(x: line.middle.x + normal.x * step, y: line.middle.y + normal.y * step))
          outward.append(PlanePoint(x: normal.x * side, y: normal.y * side))
        }
        nodeOf.append(Int32(index))
      }
      nodeOf.append(Int32(index))
    }
    var lists = [[(to: Int32, length: Float)]](repeating: [], count: points.count)
    for a in points.indices {
      for b in (a + 1)..<max(a + 1, points.count) {
        let line = PlaneSegment(points[a], points[b])
        if nodeOf[a] == nodeOf[b] { continue }
        // The points behind a door's line are reached only through the door.
        let dx = line.b.x - line.a.x
        let dy = line.b.y - line.a.y
        if outward[a].x * dx + outward[a].y * dy < -0.05 || outward[b].x * dx + outward[b].y * dy > 0.05 { continue }
        if barriers.isCrossed(from: line.a, to: line.b) { continue }
        let length = Float(line.length)
        lists[a].append((Int32(b), length))
        lists[b].append((Int32(a), length))
      }
    }
    var starts: [Int32] = [0]
    var edges: [(to: Int32, length: Float)] = []
    for list in lists {
      edges += list
      starts.append(Int32(edges.count))
    }
    var buckets: [Int64: [Int32]] = [:]
    for (index, point) in points.enumerated() {
      buckets[WayGraph.key(point, 0, 0), default: []].append(Int32(index))
    }
    var destinations: [Int32: Int] = [:]
    var next: [Int32] = []
    var lengths: [Float] = []
    for index in points.indices {
      guard case .destination = nodes[Int(nodeOf[index])] else { continue }
      destinations[nodeOf[index]] = destinations.count
      let tree = WayGraph.tree(to: index, nodes: nodes, nodeOf: nodeOf, starts: starts, edges: edges)
      next += tree.next
      lengths += tree.lengths
    }
    (self.nodes, self.points, self.nodeOf, self.outward) = (nodes, points, nodeOf, outward)
    (self.starts, self.edges, self.barriers) = (starts, edges, barriers)
    (self.buckets, self.destinations, self.next, self.lengths) = (buckets, destinations, next, lengths)
  }

  private static func key(_ point: PlanePoint, _ columns: Int, _ rows: Int) -> Int64 {
    let x = Int64(min(max((point.x / bucket).rounded(.down), -1e9), 1e9)) + Int64(columns)
    let y = Int64(min(max((point.y / bucket).rounded(.down), -1e9), 1e9)) + Int64(rows)
    return x << 32 ^ (y & 0xffff_ffff)
  }

  /// Computes the paths to a destination with Dijkstra's algorithm, from the destination outwards. Paths do not lead
  /// through other destinations.
  ///
  /// A door's point stands for entering the door on that side. Its length includes the passage through the door, and
  /// its next point is one that is visible from the other side. A path therefore always crosses a door and never uses
  /// it as a corner.
  private static func tree(
    to target: Int, nodes: [Node], nodeOf: [Int32], starts: [Int32], edges: [(to: Int32, length: Float)]
  ) -> (next: [Int32], lengths: [Float]) {
    var next = [Int32](repeating: -1, count: nodeOf.count)
    var lengths = [Float](repeating: .infinity, count: nodeOf.count)
    var heap = WayHeap()
    lengths[target] = 0
    heap.push(0, Int32(target))
    while let (length, point) = heap.pop() {
      guard length == lengths[Int(point)] else { continue }
      if Int(point) != target, case .destination = nodes[Int(nodeOf[Int(point)])] { continue }
      for edge in Int(starts[Int(point)])..<Int(starts[Int(point) + 1]) {
        let (seen, step) = edges[edge]
        var other = seen
        var longer = length + step
        if case .door = nodes[Int(nodeOf[Int(seen)])] {
          guard let partner = partner(of: Int(seen), nodeOf: nodeOf) else { continue }
          other = Int32(partner)
          longer += Float(2 * doorStandOff)
        }
        if longer < lengths[Int(other)] {
          lengths[Int(other)] = longer
          next[Int(other)] = point
          heap.push(longer, other)
        }
      }
    }
    return (next, lengths)
  }

  /// Returns the point on the other side of a door.
  private static func partner(of point: Int, nodeOf: [Int32]) -> Int? {
    if point + 1 < nodeOf.count, nodeOf[point + 1] == nodeOf[point] { return point + 1 }
    if point > 0, nodeOf[point - 1] == nodeOf[point] { return point - 1 }
    return nil
  }

  /// A node on a path.
  package struct Step: Hashable, Sendable {
    /// The index in ``WayGraph/nodes``.
    package var node: Int
    /// For a door, whether the path crosses its line from the right to the left.
    package var isToLeft: Bool
  }

  /// Returns the nodes on the path from a point to a destination, the destination last; `nil` if there is no path.
  ///
  /// - Parameters:
  ///   - destination: the index of a destination in ``nodes``.
  ///   - point: the start of the path, in metres in the plane of the venue.
  package func way(from point: PlanePoint, to destination: Int) -> [Step]? {
    guard let start = start(near: point, to: destination) else { return nil }
    return way(fromPoint: start, to: destination)
  }

  /// Returns the best point of the graph to start from, for ``way(fromPoint:to:)``; `nil` if no point is visible.
  ///
  /// The method considers the points within about 8 m, and all points only if none of these is visible.
  package func start(near point: PlanePoint, to destination: Int) -> Int? {
    guard let row = destinations[Int32(destination)] else { return nil }
    var best: (point: Int, length: Float)?
    func consider(_ index: Int) {
      let rest = lengths[row * points.count + index]
      let length = rest + Float(PlaneSegment(point, points[index]).length)
      // A door's point is for entering from its own side.
      let behind =
        outward[index].x * (points[index].x - point.x) + outward[index].y * (points[index].y - point.y)
      guard behind <= WayGraph.doorStandOff + 0.05, length < best?.length ?? .infinity,
        !barriers.isCrossed(from: point, to: points[index])
      else { return }
      best = (index, length)
    }
    for rows in -2...2 {
      for columns in -2...2 {
        for index in buckets[WayGraph.key(point, columns, rows)] ?? [] { consider(Int(index)) }
      }
    }
    if best == nil { for index in points.indices { consider(index) } }
    return best?.point
  }

  /// Returns the nodes on the path from one of the graph's points to a destination; `nil` if there is no path.
  package func way(fromPoint start: Int, to destination: Int) -> [Step]? {
    guard let row = destinations[Int32(destination)], points.indices.contains(start),
      lengths[row * points.count + start] < .infinity
    else { return nil }
    var way: [Step] = []
    var point = start
    while true {
      let node = Int(nodeOf[point])
      // The first of a door's two points is the one on its left.
      let isRight = point > 0 && Int(nodeOf[point - 1]) == node
      way.append(Step(node: node, isToLeft: isRight))
      let following = Int(next[row * points.count + point])
      guard following >= 0 else { return way }
      point = following
    }
  }
}

/// A binary heap of lengths and points. Points of equal length come in the order of their numbers, independent of the
/// order of insertion.
struct WayHeap {
  private var items: [(length: Float, point: Int32)] = []

  mutating func push(_ length: Float, _ point: Int32) {
    items.append((length, point))
    var child = items.count - 1
    while child > 0 {
      let parent = (child - 1) / 2
      guard items[child] < items[parent] else { break }
      items.swapAt(child, parent)
      child = parent
    }
  }

  mutating func pop() -> (length: Float, point: Int32)? {
    guard let top = items.first, let last = items.popLast() else { return nil }
    guard !items.isEmpty else { return top }
    items[0] = last
    var parent = 0
    while true {
      var least = parent
      for child in [2 * parent + 1, 2 * parent + 2] where child < items.count && items[child] < items[least] {
        least = child
      }
      guard least != parent else { break }
      items.swapAt(parent, least)
      parent = least
    }
    return top
  }
}
