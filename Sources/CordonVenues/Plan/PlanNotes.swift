/// The sources of a plan, where the map left a choice.
package struct PlanNotes: Hashable, Sendable {
  /// The number of floors with walls of the map.
  package var floorsWithMappedWalls = 0
  /// The number of floors whose walls were derived from the outlines of their enclosed spaces.
  package var floorsWithImpliedWalls = 0
  /// The number of openings that cut a gap into a wall.
  package var doorsCut = 0
  /// The number of openings without a wall nearby, which have no effect.
  package var doorsWithoutWall = 0
  /// The names, otherwise the identifiers, of closed openings without a wall, whose closure has no effect.
  package var doorsClosedToNoEffect: [String] = []
  /// The number of spaces without an opening that got an assumed door at their longest border with a passage.
  package var doorsAssumed = 0
  /// The source of the connections between floors.
  package var connectionSource = ConnectionSource.none
  /// The number of landings without a walkable place.
  package var landingsDropped = 0
  /// The source of the entrances.
  package var entranceSource = EntranceSource.none
  /// The number of floors without a connection to others, each with an entrance of its own.
  package var floorsWithOwnEntrance = 0

  /// The sources of the connections between floors.
  package enum ConnectionSource: String, Hashable, Sendable, CaseIterable {
    /// The map's connections.
    case mapped
    /// Spaces for stairs, elevators and similar kinds that lie above each other.
    case stackedSpaces = "stacked-spaces"
    /// None, for example in a venue with one floor.
    case none
  }

  /// The sources of the entrances.
  package enum EntranceSource: String, Hashable, Sendable, CaseIterable {
    /// Openings that the map marks as entrances.
    case mapped
    /// Doors on the edge of the ground floor.
    case shellDoors = "shell-doors"
    /// Edges of the map's navigation graph that leave the ground floor.
    case graph
    /// The walkable place nearest to the edge of the ground floor.
    case nearestToShell = "nearest-to-shell"
    /// None, because there is no walkable area.
    case none
  }

  /// Creates empty notes.
  package init() {}
}
