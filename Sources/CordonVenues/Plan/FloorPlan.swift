public import CordonCore
public import CordonGeometry

/// One floor in metres: what one can walk on, and what is in the way.
public struct FloorPlan: Sendable {
  /// The floor's identifier in the venue.
  public let id: FloorID
  /// The floor's number.
  public let ordinal: FloorOrdinal
  /// What to call it: its name, else its ordinal.
  public let name: String
  /// Walls with the openings cut out: what nobody walks or sees through. The edge of the floor is among them.
  public let walls: [PlaneSegment]
  /// Outlines of furniture and other solid things, which are walked round and seen over.
  public let obstacles: [PlaneSegment]
  /// Areas, solid things, passages and barriers, as routing takes them.
  public let walkable: WalkableArea
  /// The edge of the floor: where what can be walked on ends.
  public let shell: [PlaneSegment]
}

/// A space that people can be in, in metres.
public struct PlanSpace: Sendable {
  /// The space's identifier in the venue.
  public let id: SpaceID
  /// Index of its floor in ``VenuePlan/floors``.
  public let floor: Int
  /// What it is for.
  public let kind: SpaceKind
  /// What to call it; empty when the map has no name.
  public let name: String
  /// Its outline.
  public let polygons: [PlanePolygon]
  /// Square metres.
  public let area: Double

  /// Whether the point is in it. Linear in its vertices.
  public func contains(_ point: PlanePoint) -> Bool {
    polygons.contains { $0.bounds?.contains(point) == true && $0.contains(point) }
  }
}

/// A way through walls, in metres.
public struct PlanDoor: Sendable {
  /// The opening's identifier in the venue; for one that was assumed, `assumed:` and the space.
  public let id: String
  /// Index of its floor in ``VenuePlan/floors``.
  public let floor: Int
  /// The threshold.
  public let line: PlaneSegment
  /// Indices in ``VenuePlan/spaces`` of the spaces on its sides: none, one or two.
  public let spaces: [Int]
  /// Whether the map says that it leads outside.
  public let isEntrance: Bool
  /// Whether one side of it is outside everything that can be walked on.
  public let isOnShell: Bool
  /// Whether it can be walked through both ways.
  public let isTwoWay: Bool
}

/// A way between floors, in metres.
public struct PlanConnection: Sendable {
  /// The connection's identifier in the venue; for a derived one, `derived:` and its lowest space.
  public let id: String
  /// What it is.
  public let kind: Connection.Kind
  /// Where it is entered and left, by floor.
  public let landings: [Landing]

  /// A place where it is entered or left.
  public struct Landing: Sendable {
    /// Index of its floor in ``VenuePlan/floors``.
    public let floor: Int
    /// Metres in the plan's frame.
    public let position: PlanePoint
    /// Whether one can get on here.
    public let isEntry: Bool
    /// Whether one can get off here.
    public let isExit: Bool
  }
}
