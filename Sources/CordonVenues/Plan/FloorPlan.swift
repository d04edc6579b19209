public import CordonCore
public import CordonGeometry
public import CordonNavigation

/// One floor in metres: the walkable area and the obstacles.
public struct FloorPlan: Sendable {
  /// The identifier of the floor in the venue.
  public let id: FloorID
  /// The ordinal of the floor.
  public let ordinal: FloorOrdinal
  /// The name of the floor, or otherwise its ordinal.
  public let name: String
  /// The walls without their openings, which block movement and sight. They include the edge of the floor.
  public let walls: [PlaneSegment]
  /// The outlines of furniture and other solid objects, which block movement but not sight.
  public let obstacles: [PlaneSegment]
  /// The areas, solid objects, passages and barriers that are used for routing.
  public let walkable: WalkableArea
  /// The edge of the floor, where the walkable area ends.
  public let shell: [PlaneSegment]
}

/// A space that people can be in, in metres.
public struct PlanSpace: Sendable {
  /// The identifier of the space in the venue.
  public let id: SpaceID
  /// Index of the floor in ``VenuePlan/floors``.
  public let floor: Int
  /// The purpose of the space.
  public let kind: SpaceKind
  /// The name; empty if the map has none.
  public let name: String
  /// The outline of the space.
  public let polygons: [PlanePolygon]
  /// The area, in square metres.
  public let area: Double

  /// Checks whether the space contains a point. Complexity: linear in the number of vertices.
  public func contains(_ point: PlanePoint) -> Bool {
    polygons.contains { $0.bounds?.contains(point) == true && $0.contains(point) }
  }
}

/// A passage through walls, in metres.
public struct PlanDoor: Sendable {
  /// The identifier of the opening in the venue; for an assumed door, `assumed:` and the space.
  public let id: String
  /// Index of the floor in ``VenuePlan/floors``.
  public let floor: Int
  /// The threshold.
  public let line: PlaneSegment
  /// The spaces on its sides, as indices in ``VenuePlan/spaces``: none, one or two.
  public let spaces: [Int]
  /// Whether the map states that the door leads outside.
  public let isEntrance: Bool
  /// Whether one side of the door is outside the walkable area.
  public let isOnShell: Bool
  /// Whether people can pass in both directions.
  public let isTwoWay: Bool
}

/// A connection between floors, in metres.
public struct PlanConnection: Sendable {
  /// The identifier of the connection in the venue; for a derived one, `derived:` and its lowest space.
  public let id: String
  /// The kind of connection.
  public let kind: Connection.Kind
  /// The landings, by floor.
  public let landings: [Landing]

  /// A place where people enter or leave a connection.
  public struct Landing: Sendable {
    /// Index of the floor in ``VenuePlan/floors``.
    public let floor: Int
    /// The position in the frame of the plan, in metres.
    public let position: PlanePoint
    /// Whether people can enter the connection here.
    public let isEntry: Bool
    /// Whether people can leave the connection here.
    public let isExit: Bool
  }
}
