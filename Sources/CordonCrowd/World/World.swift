import CordonCore
import CordonGeometry
package import CordonNavigation
package import CordonVenues

/// A venue prepared for simulations: its plan, routes and destinations.
///
/// The preparation takes most of the set-up time of a run. A world can be used for any number of runs.
package struct World: Sendable {
  /// The plan of the venue, in metres.
  package let plan: VenuePlan
  /// The raster of each floor, connections and entrances.
  package let routes: PlanNavigation
  /// The destinations, by floor.
  package let destinations: [Destination]
  /// The purpose of the venue.
  package let profile: VenueProfile
  /// The quality of the map's own navigation graph; `nil` if it has none.
  package let graph: GraphFindings?
  /// The entrances that lead to a few small spaces without a way to the rest: indices in ``entrances``.
  package let entrancesToNowhere: Set<Int>
  /// The parts that walking connects without closures, and the spaces that no entrance reaches.
  package let connectivity: ConnectivityReport
  /// Spaces without a way to them because of closures of other parts: indices in `VenuePlan.spaces`.
  package let cutOff: [Int]
  /// The entrances without closures, by number.
  package let entrancesWhenOpen: [PlanEntrance]

  /// Prepares a venue. Closed parts are left out, and nothing replaces them.
  /// - Parameters:
  ///   - venue: the venue, with its closures.
  ///   - settings: the settings of the plan.
  ///   - raster: the settings of the raster.
  /// - Throws: `VenueError` with the code `no-entrance` if every entrance is closed, or `no-walkable-area` if people
  ///   cannot stand anywhere on the map.
  package init(venue: Venue, settings: PlanSettings = PlanSettings(), raster: RasterSettings = .forBodies)
    throws(VenueError)
  {
    try self.init(venue: venue, settings: settings, raster: raster) { _ in }
  }

  /// Prepares a venue, and reports the finished share of the work, from 0 to 1.
  package init(
    venue: Venue, settings: PlanSettings = PlanSettings(), raster: RasterSettings = .forBodies,
    progress: (Double) -> Void
  ) throws(VenueError) {
    let found = try VenueRoutes(venue, settings: settings, raster: raster) { progress($0 * 0.9) }
    let routes = found.routes
    let plan = routes.plan
    entrancesWhenOpen = (found.open ?? routes).entrances
    cutOff =
      found.open.map { open in
        open.reachedSpaces.subtracting(routes.reachedSpaces).filter {
          !venue.closures.spaces.contains(plan.spaces[$0].id)
        }.sorted()
      } ?? []
    guard !routes.entrances.isEmpty || entrancesWhenOpen.isEmpty else {
      throw VenueError(
        code: "no-entrance", file: venue.id.rawValue, message: "every entrance is closed, so people cannot enter")
    }
    let destinations = DestinationFinder(routes).destinations
    guard !routes.entrances.isEmpty, !destinations.isEmpty else {
      throw VenueError(
        code: "no-walkable-area", file: venue.id.rawValue, message: "the map has no walkable area")
    }
    self.plan = plan
    self.routes = routes
    self.destinations = destinations
    profile = VenueProfile.guess(from: plan.spaces)
    graph = GraphFindings(venue, on: plan)
    progress(0.95)
    connectivity = ConnectivityReport(found.open ?? routes)
    let nowhere = Set(connectivity.connectivity.entrancesToNowhere.map(\.entrance.id))
    entrancesToNowhere = Set(routes.entrances.indices.filter { nowhere.contains(routes.entrances[$0].id) })
  }

  /// The entrances that do not lead nowhere: indices in ``entrances``, or all of them if there is no other.
  package var usefulEntrances: [Int] {
    let useful = entrances.indices.filter { !entrancesToNowhere.contains($0) }
    return useful.isEmpty ? Array(entrances.indices) : useful
  }

  /// Checks how much of the area that people may use the entrances reach.
  /// - Throws: `VenueError` with the code `unreachable-area` if more than `maximumShare`, from 0 to 1, is out of reach.
  package func checkReachability(maximumUnreachableShare maximumShare: Double) throws(VenueError) {
    guard connectivity.connectivity.unreachableShare > maximumShare else { return }
    throw VenueError(
      code: "unreachable-area", file: plan.venue.rawValue,
      message: connectivity.warning ?? "no entrance reaches \(connectivity.percent) of the area that people may use")
  }

  /// The maximum number of people at each destination by the map or its overlay; `nil` for no limit.
  package var spaceLimits: [Int?] { destinations.map { $0.space.flatMap { plan.spaces[$0].capacity } } }

  /// The entrances.
  package var entrances: [PlanEntrance] { routes.entrances }

  /// The choices that were made where the map was not definite.
  package var notes: PlanNotes { routes.notes }
}

extension PlanNavigation {
  /// The spaces with a place that can be reached from an entrance: indices in `VenuePlan.spaces`.
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
