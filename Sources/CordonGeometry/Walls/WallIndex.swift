/// An index of the walls of one floor, for sight lines.
///
/// The walls must not include openings. `PlaneSegment.blocks(from:to:)` defines when a wall blocks a sight line, and
/// the index gives exactly those answers. A coordinate that is not finite makes a sight line free and a wall
/// transparent.
///
/// A sight line of up to 2 m examines the few walls near its first end. The cost of a longer one is proportional to the
/// square metres that it passes through.
public struct WallIndex: Sendable {
  /// The walls, in the order given.
  package let walls: [WallSegment]
  private let grid: WallGrid?
  private let tree: EdgeTree
  /// The walls too far from the origin for the grid.
  private let remote: [Int]

  /// Builds the index from walls in metres of the floor's frame.
  ///
  /// Complexity: O(*n* log *n*) for walls of moderate length.
  package init(_ walls: [WallSegment]) {
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

  /// Checks whether any wall blocks the sight line.
  public func isBlocked(from: PlanePoint, to: PlanePoint) -> Bool {
    guard remote.isEmpty, WallGrid.isWithinReach(from), WallGrid.isWithinReach(to) else {
      return walls.contains { $0.blocks(from: from, to: to) }
    }
    return grid?.isBlocked(from, to) ?? false
  }

  /// Returns the number of walls that block the sight line. A corner of two walls counts twice.
  public func crossingCount(from: PlanePoint, to: PlanePoint) -> Int {
    if remote.isEmpty, WallGrid.isWithinReach(from), WallGrid.isWithinReach(to) {
      guard let grid else { return 0 }
      if let count = grid.crossingCount(from, to) { return count }
    }
    return walls.count { $0.blocks(from: from, to: to) }
  }

  /// The first point where a wall blocks a sight line.
  public struct Crossing: Hashable, Sendable {
    /// The index of the wall; the lowest if the sight line meets several at once.
    public var wall: Int
    /// The position along the sight line, 0 ... 1.
    public var fraction: Double
    /// The point in metres, accurate to rounding.
    public var point: PlanePoint
  }

  /// Returns the first crossing with a wall along the sight line; `nil` if no wall blocks it.
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

  /// Returns the distance in metres from a point to the nearest wall; `nil` without walls or for a point that is not
  /// finite.
  public func distanceToNearestWall(from point: PlanePoint) -> Double? {
    tree.nearest(x: point.x, y: point.y)?.distanceSquared.squareRoot()
  }
}
