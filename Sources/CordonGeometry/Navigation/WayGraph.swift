/// Shortest ways between points and doors of one floor, by corners: a visibility graph with a
/// next-hop table for each destination.
///
/// Where a floor has few corners (rooms and corridors without furniture) this is far quicker to make than
/// distance fields, and its ways are the shortest ones there are.
public struct WayGraph: Sendable {
  /// Something that ways lead through or to.
  public enum Node: Hashable, Sendable {
    /// A place to go to.
    case destination(PlanePoint)
    /// A corner to go round.
    case corner(PlanePoint)
    /// A doorway to go through, from either side.
    case door(PlaneSegment)
  }

  /// The nodes, as given.
  public let nodes: [Node]
  /// Points to stand at: one for a point, two for a door (on its left and on its right).
  private let points: [PlanePoint]
  private let nodeOf: [Int32]
  /// Unit vector out of the door's line for the points of doors, zero for others.
  private let outward: [PlanePoint]
  private let starts: [Int32]
  private let edges: [(to: Int32, length: Float)]
  private let barriers: SegmentGrid
  /// Points sorted into square buckets of ``bucket`` metres.
  private let buckets: [Int64: [Int32]]
  /// For each destination in order: node number, next point from every point, and the length of the way.
  private let destinations: [Int32: Int]
  private let next: [Int32]
  private let lengths: [Float]

  private static let bucket = 4.0

  /// How far from a door's line the points on its sides are, metres.
  public static let doorStandOff = 0.4

  /// Looks from every point to every other and measures the ways to all destinations.
  ///
  /// Quadratic in the number of nodes; meant for some thousands.
  /// - Parameters:
  ///   - nodes: what ways lead through and to.
  ///   - barriers: what no way may cross.
  public init(nodes: [Node], barriers: SegmentGrid) {
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
        // Behind the door's line nothing is reached but through the door.
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

  /// Dijkstra's algorithm from the destination outwards. Other destinations are no thoroughfare.
  ///
  /// A door's point stands for going in there: its length includes the way through the door, and its next
  /// point is one that is seen from the other side. So a door is always gone through, never used as a corner.
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

  /// The point on the other side of a door.
  private static func partner(of point: Int, nodeOf: [Int32]) -> Int? {
    if point + 1 < nodeOf.count, nodeOf[point + 1] == nodeOf[point] { return point + 1 }
    if point > 0, nodeOf[point - 1] == nodeOf[point] { return point - 1 }
    return nil
  }

  /// A node on a way.
  public struct Step: Hashable, Sendable {
    /// Index in ``WayGraph/nodes``.
    public var node: Int
    /// For a door, whether it is walked through from the right of its line to the left.
    public var isToLeft: Bool
  }

  /// The nodes on the way from a point to a destination, the destination last; `nil` when there is no way.
  ///
  /// Looks at the points around `point` to find out which of them it sees.
  /// - Parameters:
  ///   - destination: the number of a destination in ``nodes``.
  ///   - point: where the way begins, metres in the plane of the venue.
  public func way(from point: PlanePoint, to destination: Int) -> [Step]? {
    guard let start = start(near: point, to: destination) else { return nil }
    return way(fromPoint: start, to: destination)
  }

  /// The best point to start from; points are numbered as `way(fromPoint:to:)` takes them.
  public func start(near point: PlanePoint, to destination: Int) -> Int? {
    guard let row = destinations[Int32(destination)] else { return nil }
    var best: (point: Int, length: Float)?
    func consider(_ index: Int) {
      let rest = lengths[row * points.count + index]
      let length = rest + Float(PlaneSegment(point, points[index]).length)
      // A door's point is for going in from its own side.
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

  /// The nodes on the way from one of the graph's points to a destination.
  public func way(fromPoint start: Int, to destination: Int) -> [Step]? {
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

/// A binary heap of lengths and points; equal lengths come out by number, so that results do not depend on history.
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
