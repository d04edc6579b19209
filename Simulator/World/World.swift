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
  /// How far the map's own graph can be trusted; `nil` when it has none.
  public let graph: GraphFindings?
  /// Spaces that no way leads to because others, doors or connections are shut: indices in `VenuePlan.spaces`.
  public let cutOff: [Int]
  /// How many ways in there are when nothing is shut.
  let entrancesWhenOpen: Int

  /// Prepares a venue, with what is shut in it left out: nothing is assumed in the place of that.
  /// - Throws: `VenueError` with the code `no-entrance` when every way in is shut, `no-walkable-area` when the map has nothing
  ///   that can be walked on.
  public init(venue: Venue, settings: PlanSettings = PlanSettings(), raster: RasterSettings = World.rasterForBodies)
    throws(VenueError)
  {
    var open = venue
    open.closures = VenueClosures()
    var plan = try VenuePlan(open, settings: settings)
    var routes = PlanNavigation(plan, settings: raster)
    entrancesWhenOpen = routes.entrances.count
    if venue.closures.isEmpty {
      cutOff = []
    } else {
      let before = routes.reachedSpaces
      plan = try VenuePlan(venue, settings: settings)
      routes = PlanNavigation(plan, settings: raster, keepingEntrancesOf: routes)
      cutOff = before.subtracting(routes.reachedSpaces).filter { !venue.closures.spaces.contains(plan.spaces[$0].id) }
        .sorted()
    }
    guard !routes.entrances.isEmpty || entrancesWhenOpen == 0 else {
      throw VenueError(
        code: "no-entrance", file: venue.id.rawValue, message: "every way in is closed, so nobody can come in")
    }
    let destinations = DestinationFinder(routes).destinations
    guard !routes.entrances.isEmpty, !destinations.isEmpty else {
      throw VenueError(
        code: "no-walkable-area", file: venue.id.rawValue, message: "nobody can stand anywhere on the map")
    }
    self.plan = plan
    self.routes = routes
    self.destinations = destinations
    profile = VenueProfile.guess(from: plan.spaces)
    graph = GraphFindings(venue, on: plan)
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

extension PlanNavigation {
  /// Spaces with a place that can be come to from an entrance: indices in `VenuePlan.spaces`.
  fileprivate var reachedSpaces: Set<Int> {
    var reached: Set<Int> = []
    for floor in plan.floors.indices {
      let raster = navigation.floors[floor]
      let lookup = SpaceLookup(plan: plan, floor: floor, raster: raster)
      let isOpen = raster.componentSizes.indices.map { self.isOpen(floor: floor, component: $0) }
      for cell in raster.component.indices where raster.component[cell] >= 0 && isOpen[Int(raster.component[cell])] {
        if let space = lookup.space(of: cell) { reached.insert(space) }
      }
    }
    return reached
  }
}
