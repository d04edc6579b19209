import CordonCore
public import CordonGeometry
public import CordonVenues

/// A venue that people can be put into: its plan, ways through it, and places to go.
///
/// Making one takes the larger part of the set-up of a run; it can be used for any number of runs.
public struct World: Sendable {
  /// The venue in metres.
  public let plan: VenuePlan
  /// Cells, ways between floors, entrances.
  public let routes: PlanNavigation
  /// Places to go, by floor.
  public let destinations: [Destination]
  /// What the venue is for.
  public let profile: VenueProfile

  /// Prepares a venue.
  /// - Throws: `VenueError` when the map has nothing that can be walked on.
  public init(venue: Venue, settings: PlanSettings = PlanSettings(), raster: RasterSettings = World.rasterForBodies)
    throws(VenueError)
  {
    let plan = try VenuePlan(venue, settings: settings)
    let routes = PlanNavigation(plan, settings: raster)
    let destinations = DestinationFinder(routes).destinations
    guard !routes.entrances.isEmpty, !destinations.isEmpty else {
      throw VenueError(
        code: "no-walkable-area", file: venue.id.rawValue, message: "nobody can stand anywhere on the map")
    }
    self.plan = plan
    self.routes = routes
    self.destinations = destinations
    profile = VenueProfile.guess(from: plan.spaces)
  }

  /// Cells that a body fits on: their centres keep 0.2 m from everything solid, and ways rather 0.45 m.
  public static var rasterForBodies: RasterSettings {
    var settings = RasterSettings()
    settings.leastClearance = 0.2
    settings.comfortableClearance = 0.45
    return settings
  }

  /// The ways in.
  public var entrances: [PlanEntrance] { routes.entrances }

  /// What was used where the map left a choice.
  public var notes: PlanNotes { routes.notes }
}
