/// What a plan was made from, where the map left a choice.
public struct PlanNotes: Hashable, Sendable {
  /// Floors whose walls are the map's own.
  public var floorsWithMappedWalls = 0
  /// Floors whose walls are the outlines of their enclosed spaces, for want of better.
  public var floorsWithImpliedWalls = 0
  /// Openings that lie on or near a wall and cut a gap into it.
  public var doorsCut = 0
  /// Openings near no wall, which change nothing.
  public var doorsWithoutWall = 0
  /// Identifiers of openings that are shut and lie in no wall, so that shutting them changes nothing.
  public var doorsClosedToNoEffect: [String] = []
  /// Spaces without any opening that were given one where they border most on a passage.
  public var doorsAssumed = 0
  /// Where the ways between floors come from.
  public var connectionSource = ConnectionSource.none
  /// Landings that no walkable place was found for.
  public var landingsDropped = 0
  /// Where the ways in from outside come from.
  public var entranceSource = EntranceSource.none
  /// Floors that nothing joins to the others, each given a way in of its own.
  public var floorsWithOwnEntrance = 0

  /// Where the ways between floors come from.
  public enum ConnectionSource: String, Hashable, Sendable, CaseIterable {
    /// The map's connections.
    case mapped
    /// Spaces for stairs, elevators and the like that lie above each other.
    case stackedSpaces = "stacked-spaces"
    /// There are none, or the venue has one floor.
    case none
  }

  /// Where the ways in from outside come from.
  public enum EntranceSource: String, Hashable, Sendable, CaseIterable {
    /// Openings that the map calls entrances.
    case mapped
    /// Doors on the edge of the ground floor.
    case shellDoors = "shell-doors"
    /// Edges of the map's navigation graph that leave the ground floor.
    case graph
    /// The walkable place nearest to the edge of the ground floor.
    case nearestToShell = "nearest-to-shell"
    /// Nothing can be walked on.
    case none
  }

  /// Nothing noted yet.
  public init() {}
}
