/// The walls of one floor, prepared for sight lines.
///
/// Openings are cut out by whoever makes the walls. When a wall counts as in the way is said at
/// ``WallSegment/blocks(from:to:)``. A wall with a coordinate that is not finite is never in the way, and a sight line with
/// one is never blocked.
public struct WallIndex: Sendable {
  /// The walls, in the order given.
  public let walls: [WallSegment]

  /// Prepares walls, in metres of the floor's frame.
  public init(_ walls: [WallSegment]) {
    self.walls = walls
  }

  /// Whether any wall is in the way.
  public func isBlocked(from: PlanePoint, to: PlanePoint) -> Bool {
    walls.contains { $0.blocks(from: from, to: to) }
  }

  /// How many walls are in the way. A corner made of two walls counts twice.
  public func crossingCount(from: PlanePoint, to: PlanePoint) -> Int {
    walls.count { $0.blocks(from: from, to: to) }
  }
}
