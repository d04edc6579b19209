import CordonCore
package import CordonCrowd
import CordonVenues

/// Many days without bodies in one venue: the ways are computed once for all days.
///
/// Each day equals the result of `Simulation.truth(of:world:replication:model:threads:onReady:progress:)` with ``Mesoscopic``.
package struct MesoscopicDays: Sendable {
  private let world: World
  private var fields: RouteFields
  private var ways = TripTable()
  /// The spaces with a limit of the last day.
  private var limited: (limits: [Int: Int], spaces: LimitedSpaces)?

  /// Creates an empty table of ways.
  package init(world: World) {
    self.world = world
    fields = RouteFields(for: [], in: world, threads: 1)
  }

  /// Simulates one day by its plan.
  /// - Parameters:
  ///   - plan: the people and their itineraries.
  ///   - replication: the start, duration and seed of the day.
  ///   - threads: the maximum number of threads.
  /// - Throws: ``ScenarioError`` for a duration out of its range.
  package mutating func truth(
    of plan: CrowdPlan, replication: Replication, threads: Int = 1
  ) throws(ScenarioError) -> Truth {
    try replication.check()
    fields.add(for: plan.itineraries, in: world, stations: plan.stations, threads: threads)
    ways.add(plan.itineraries, limited: plan.capacities, fields: fields, world: world, threads: threads)
    if limited?.limits != plan.capacities { limited = (plan.capacities, LimitedSpaces(plan.capacities, in: world)) }
    let movement = Mesoscopic().tracks(
      of: plan.itineraries, ways: ways, fields: fields, world: world, replication: replication,
      threads: threads, limitedSpaces: limited?.spaces)
    return Truth(
      frame: world.plan.frame, replication: replication, itineraries: plan.itineraries, tracks: movement.tracks,
      figures: movement.figures, people: plan.people.count)
  }
}
