import CordonCore
import CordonVenues

/// Many days of people in one venue without bodies: ways are found once for all of them.
///
/// Each day is what `Simulation.truth(of:world:scenario:model:threads:)` makes of it with ``Mesoscopic``.
public struct MesoscopicDays: Sendable {
  private let world: World
  private var fields: RouteFields
  private var ways = TripTable()

  /// No day yet.
  public init(world: World) {
    self.world = world
    fields = RouteFields(for: [], in: world, threads: 1)
  }

  /// One day after its plan.
  /// - Throws: ``SimulationError`` when the scenario is out of its limits.
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
