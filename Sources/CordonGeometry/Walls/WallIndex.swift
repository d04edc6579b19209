/// The walls of one floor, prepared for sight lines.
///
/// Openings are cut out by whoever makes the walls. When a wall counts as in the way is said at
/// ``PlaneSegment/blocks(from:to:)``, and answers are exactly those. A sight line with a coordinate that is not finite
/// is never blocked, and such a wall is never in the way. A sight line of up to 2 m asks the
/// few walls near its first end; longer ones cost in proportion to the square metres they pass through.
public struct WallIndex: Sendable {
  /// The walls, in the order given.
  public let walls: [WallSegment]
  private let grid: WallGrid?
  private let tree: EdgeTree
  /// Walls too far away for the grid.
  private let remote: [Int]

  /// Prepares walls, in metres of the floor's frame. O(n log n) for walls of moderate length.
  public init(_ walls: [WallSegment]) {
    self.walls = walls
    grid = WallGrid(walls)
    tree = EdgeTree(
      walls.enumerated().map { index, wall in
        EdgeTree.Edge(ax: wall.a.x, ay: wall.a.y, bx: wall.b.x, by: wall.b.y, id: index)
      })
    remote = walls.indices.filter {
      !WallGrid.isWithinReach(walls[$0].a) || !WallGrid.isWithinReach(walls[$0].b)
    }
  }

  /// Whether any wall is in the way.
  public func isBlocked(from: PlanePoint, to: PlanePoint) -> Bool {
    guard remote.isEmpty, WallGrid.isWithinReach(from), WallGrid.isWithinReach(to) else {
      return walls.contains { $0.blocks(from: from, to: to) }
    }
    return grid?.isBlocked(from, to) ?? false
  }

  /// How many walls are in the way. A corner made of two walls counts twice.
  public func crossingCount(from: PlanePoint, to: PlanePoint) -> Int {
    if remote.isEmpty, WallGrid.isWithinReach(from), WallGrid.isWithinReach(to) {
      guard let grid else { return 0 }
      if let count = grid.crossingCount(from, to) { return count }
    }
    return walls.count { $0.blocks(from: from, to: to) }
  }

  /// Where a sight line is first blocked.
  public struct Crossing: Hashable, Sendable {
    /// Index of the wall; the lowest where several are met at once.
    public var wall: Int
    /// How far along the sight line, 0 ... 1.
    public var fraction: Double
    /// The place, metres; accurate to rounding.
    public var point: PlanePoint
  }

  /// The wall that is met first on the way; `nil` when none is.
  public func firstCrossing(from: PlanePoint, to: PlanePoint) -> Crossing? {
    let found: (wall: Int, fraction: Double)?
    if remote.isEmpty, WallGrid.isWithinReach(from), WallGrid.isWithinReach(to) {
      found = grid?.firstCrossing(from, to)
    } else {
      found = walls.indices.lazy.filter { walls[$0].blocks(from: from, to: to) }
        .map { index in (index, walls[index].fraction(from: from, to: to)) }
        .min { ($0.1, $0.0) < ($1.1, $1.0) }
    }
    return found.map { wall, fraction in
      Crossing(
        wall: wall, fraction: fraction,
        point: PlanePoint(x: from.x + fraction * (to.x - from.x), y: from.y + fraction * (to.y - from.y)))
    }
  }

  /// Metres from a point to the nearest wall; `nil` when there is no wall or the point is not finite.
  public func distanceToNearestWall(from point: PlanePoint) -> Double? {
    tree.nearest(x: point.x, y: point.y)?.distanceSquared.squareRoot()
  }
}
