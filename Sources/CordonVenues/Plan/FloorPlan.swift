package import CordonCore
package import CordonGeometry
package import CordonNavigation

/// One floor in metres: the walkable area and the obstacles.
package struct FloorPlan: Sendable {
  /// The identifier of the floor in the venue.
  package let id: FloorID
  /// The ordinal of the floor.
  package let ordinal: FloorOrdinal
  /// The name of the floor, or otherwise its ordinal.
  package let name: String
  /// The walls without their openings, which block movement and sight. The edge of the floor comes last.
  package let walls: [PlaneSegment]
  /// The outlines of furniture and other solid objects, which block movement but not sight.
  package let obstacles: [PlaneSegment]
  /// The areas, solid objects, passages and barriers that are used for routing.
  package let walkable: WalkableArea
  /// The edge of the floor, where the walkable area ends.
  package let shell: [PlaneSegment]

  /// The walls without the edge of the floor.
  var innerWalls: ArraySlice<PlaneSegment> { walls.dropLast(shell.count) }
}

/// A space that people can be in, in metres.
package struct PlanSpace: Sendable {
  /// The identifier of the space in the venue.
  package let id: SpaceID
  /// Index of the floor in ``VenuePlan/floors``.
  package let floor: Int
  /// The purpose of the space.
  package let kind: SpaceKind
  /// The name; empty if the map has none.
  package let name: String
  /// The outline of the space.
  package let polygons: [PlanePolygon]
  /// The area, in square metres.
  package let area: Double
  /// The number of people that the space may hold; `nil` if nobody states it.
  package let capacity: Int?

  /// Checks whether the space contains a point. Complexity: linear in the number of vertices.
  package func contains(_ point: PlanePoint) -> Bool {
    polygons.contains { $0.bounds?.contains(point) == true && $0.contains(point) }
  }
}

/// A passage through walls, in metres.
package struct PlanDoor: Sendable {
  /// The identifier of the opening in the venue; for an assumed door, `assumed:` and the space.
  package let id: String
  /// The name of the opening; empty if the map has none.
  package let name: String
  /// Index of the floor in ``VenuePlan/floors``.
  package let floor: Int
  /// The threshold.
  package let line: PlaneSegment
  /// The spaces on its sides, as indices in ``VenuePlan/spaces``: none, one or two.
  package let spaces: [Int]
  /// Whether the map states that the door leads outside.
  package let isEntrance: Bool
  /// Whether one side of the door is outside the walkable area.
  package let isOnShell: Bool
  /// Whether people can pass in both directions.
  package let isTwoWay: Bool

  /// The start of the identifiers of assumed doors; the identifier of a space follows.
  package static let assumedPrefix = "assumed:"

  /// The start of the identifiers of narrow gaps between two open spaces that count as open.
  package static let seamPrefix = "seam:"

  /// Whether the plan assumes the door or gap, because the map has none.
  package var isAssumed: Bool { id.hasPrefix(PlanDoor.assumedPrefix) || isSeam }

  /// Whether the door is a gap between two open spaces, which the plan closes.
  package var isSeam: Bool { id.hasPrefix(PlanDoor.seamPrefix) }
}

/// A connection between floors, in metres.
package struct PlanConnection: Sendable {
  /// The identifier of the connection in the venue; for a derived one, `derived:` and its lowest space.
  package let id: String
  /// The kind of connection.
  package let kind: Connection.Kind
  /// The landings, by floor.
  package let landings: [Landing]

  /// The start of the identifiers of connections that are derived from spaces above one another.
  package static let derivedPrefix = "derived:"

  /// Whether the connection is derived from spaces above one another, because the map has none.
  package var isDerived: Bool { id.hasPrefix(PlanConnection.derivedPrefix) }

  /// A place where people enter or leave a connection.
  package struct Landing: Sendable {
    /// Index of the floor in ``VenuePlan/floors``.
    package let floor: Int
    /// The position in the frame of the plan, in metres.
    package let position: PlanePoint
    /// Whether people can enter the connection here.
    package let isEntry: Bool
    /// Whether people can leave the connection here.
    package let isExit: Bool
  }
}
