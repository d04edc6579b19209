import CordonCore
import CordonVenues

/// Many days without bodies in one venue: the ways are computed once for all days.
///
/// Each day equals the result of `Simulation.truth(of:world:scenario:model:threads:onReady:progress:)` with ``Mesoscopic``.
public struct MesoscopicDays: Sendable {
  private let world: World
  private var fields: RouteFields
  private var ways = TripTable()

  /// Creates an empty table of ways.
  public init(world: World) {
    self.world = world
    fields = RouteFields(for: [], in: world, threads: 1)
  }

  /// Simulates one day by its plan.
  /// - Parameters:
  ///   - plan: the people and their itineraries.
  ///   - scenario: the start, duration and seed of the day.
  ///   - threads: the maximum number of threads.
  /// - Throws: ``SimulationError`` if the duration is not positive or exceeds the limit.
  public mutating func truth(
    of plan: CrowdPlan, scenario: CrowdScenario, threads: Int = 1
  ) throws(SimulationError) -> Truth {
    guard scenario.duration > .zero, scenario.duration <= CrowdScenario.longestRun else {
      throw .duration(scenario.duration)
    }
    fields.add(for: plan.itineraries, in: world, threads: threads)
    ways.add(plan.itineraries, fields: fields, world: world, threads: threads)
    let movement = Mesoscopic().tracks(
      of: plan.itineraries, ways: ways, world: world, scenario: scenario, threads: threads)
    return Truth(
      frame: world.plan.frame, scenario: scenario, itineraries: plan.itineraries, tracks: movement.tracks,
      figures: movement.figures, people: plan.people.count)
  }
}
