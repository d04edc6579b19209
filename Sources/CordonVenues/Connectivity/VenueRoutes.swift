package import CordonNavigation

/// The routes of a venue: those of people, and those before anything was closed.
///
/// All commands derive routes and entrances from it, so that they agree.
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
  /// - Throws: the errors of ``VenuePlan/init(_:settings:)``.
  package init(_ venue: Venue, settings: PlanSettings = PlanSettings(), raster: RasterSettings = .forBodies)
    throws(VenueError)
  {
    var withoutClosures = venue
    withoutClosures.closures = VenueClosures()
    let open = PlanNavigation(try VenuePlan(withoutClosures, settings: settings), settings: raster)
    if venue.closures.isEmpty {
      routes = open
      self.open = nil
    } else {
      routes = PlanNavigation(
        try VenuePlan(venue, settings: settings), settings: raster, keepingEntrancesOf: open)
      self.open = open
    }
  }
}
