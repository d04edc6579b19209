/// Lengths that decide how a plan is made of a map, in metres.
public struct PlanSettings: Hashable, Sendable {
  /// The width of an opening that the map gives as a point.
  public var doorWidth = 1.0
  /// The least width of an opening; narrower ones are widened, since a map's short line is still a door.
  public var leastDoorWidth = 0.8
  /// How far a wall may lie from an opening that leads through it.
  public var doorReach = 0.6
  /// How far apart the two faces of one wall may be.
  public var wallThickness = 0.4
  /// The widest gap between two areas that an opening bridges.
  public var passageReach = 0.8
  /// Square metres below which a space is furniture rather than a room, when all that the map tells of its door is a point.
  public var leastRoomArea = 4.0
  /// The share of a floor's outline that spaces must cover for the rest to be taken as solid, when the map has no walls.
  public var coveringShare = 0.5
  /// Comparisons of edges with areas on one floor beyond which no plan is made: a few seconds. Real floors need some
  /// millions.
  public var mostComparisons = 2_000_000_000.0

  /// Landings of ways between floors beyond which no plan is made: ways are looked for between all of them.
  public var mostLandings = 1_000
  /// Square metres that can be walked on, summed over the landings' floors, beyond which no plan is made: each landing keeps how far
  /// it is from everywhere on its floor. With ``mostLandings`` that is half a gigabyte at most.
  public var mostLandingArea = 40_000_000.0

  /// The defaults.
  public init() {}
}
