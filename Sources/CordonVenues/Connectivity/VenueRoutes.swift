package import CordonNavigation

/// The routes of a venue: those of people, and those before anything was closed.
///
/// All commands derive routes and entrances from it, so that they agree. It also completes incomplete maps: where no
/// way leads to a part of the venue, it assumes doors, gaps between open spaces, and connections of stairs above one
/// another. Each of them is a finding, see ``ConnectivityReport/findings``.
package struct VenueRoutes: Sendable {
  /// The routes with the closures of the venue. A closed entrance is left out, and nothing replaces it.
  package let routes: PlanNavigation
  /// The routes without closures; `nil` if nothing is closed.
  package let open: PlanNavigation?

  /// Creates the plan and the routes of a venue.
  /// - Parameters:
  ///   - venue: the venue, with its closures.
  ///   - settings: the settings of the plan.
  ///   - raster: the settings of the raster.
  ///   - mends: whether doors and connections that the map lacks are assumed.
  ///   - progress: receives the finished share of the work, from 0 to 1.
  /// - Throws: the errors of ``VenuePlan/init(_:settings:)``.
  package init(
    _ venue: Venue, settings: PlanSettings = PlanSettings(), raster: RasterSettings = .forBodies, mends: Bool = true,
    progress: (Double) -> Void = { _ in }
  ) throws(VenueError) {
    var withoutClosures = venue
    withoutClosures.closures = VenueClosures()
    // Closures need a second plan, and mends a part of one.
    let whole = venue.closures.isEmpty ? 0.9 : 0.5
    let plan = try VenuePlan(withoutClosures, settings: settings, mends: PlanMends()) { progress($0 * whole / 2) }
    var open = PlanNavigation(plan, settings: raster, reusing: nil) { progress((1 + $0) * whole / 2) }
    progress(whole)
    if mends { open = try VenueRoutes.mended(open, of: withoutClosures, settings: settings, raster: raster) }
    if venue.closures.isEmpty {
      routes = open
      self.open = nil
    } else {
      let plan = try VenuePlan(venue, settings: settings, mends: open.plan.mends) { progress(whole + $0 * 0.2) }
      routes = PlanNavigation(plan, settings: raster, keepingEntrancesOf: open, reusing: nil) {
        progress(whole + 0.2 + $0 * 0.2)
      }
      self.open = open
    }
    progress(1)
  }

  /// The number of times that doors are tried.
  private static let rounds = 3

  /// Returns the routes with assumed doors and connections to the parts that have no way to them.
  private static func mended(
    _ routes: PlanNavigation, of venue: Venue, settings: PlanSettings, raster: RasterSettings
  ) throws(VenueError) -> PlanNavigation {
    var routes = routes
    for _ in 0..<rounds {
      var finder = MendFinder(routes, settings: settings)
      guard finder.hasWork else { break }
      let attempted = Set(routes.plan.mends.doors.map(\.space))
      let found = finder.mends(without: attempted)
      guard !found.isEmpty else { break }
      routes = try rebuilt(routes, with: routes.plan.mends + found, of: venue, settings: settings, raster: raster)
    }
    guard !routes.plan.mends.isEmpty else { return routes }
    // Doors that lead nowhere are taken back, such as those behind which furniture stands.
    let rooted = MendFinder(routes, settings: settings).rootedSpaces
    let useful = Set(rooted.map { routes.plan.spaces[$0].id })
    var kept = routes.plan.mends
    kept.doors.removeAll { !useful.contains($0.space) }
    kept.joints.removeAll { !$0.spaces.contains(where: useful.contains) }
    guard kept != routes.plan.mends else { return routes }
    return try rebuilt(routes, with: kept, of: venue, settings: settings, raster: raster)
  }

  private static func rebuilt(
    _ routes: PlanNavigation, with mends: PlanMends, of venue: Venue, settings: PlanSettings, raster: RasterSettings
  ) throws(VenueError) -> PlanNavigation {
    let plan = try VenuePlan(venue, settings: settings, mends: mends, reusing: routes.plan)
    return PlanNavigation(plan, settings: raster, reusing: routes)
  }
}
