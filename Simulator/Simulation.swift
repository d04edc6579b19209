import CordonCore
import CordonVenues

/// Runs of people through a venue.
public enum Simulation {
  /// Everybody's true track. The same bytes for any number of threads, and on any machine.
  ///
  /// ```swift
  /// let world = try World(venue: venue)
  /// let scenario = CrowdScenario(people: 300, start: monday, duration: .hours(2), seed: 7)
  /// let truth = try Simulation.truth(world: world, scenario: scenario, threads: 2)
  /// ```
  /// - Parameters:
  ///   - world: the venue.
  ///   - scenario: who comes and when.
  ///   - model: how people move.
  ///   - threads: how many threads may be used; less than 1 counts as 1.
  ///   - onReady: called when everything is planned, before anybody moves.
  ///   - progress: told the share of the work that is done, 0 ... 1, on any thread.
  /// - Throws: ``SimulationError`` when the scenario is out of its limits.
  public static func truth(
    world: World, scenario: CrowdScenario, model: any MovementModel = CrowdMovement(), threads: Int = 1,
    onReady: () -> Void = {}, progress: (@Sendable (Double) -> Void)? = nil
  ) throws(SimulationError) -> Truth {
    guard (1...CrowdScenario.largestCrowd).contains(scenario.people) else { throw .people(scenario.people) }
    guard scenario.duration > .zero, scenario.duration <= CrowdScenario.longestRun else {
      throw .duration(scenario.duration)
    }
    var planner = ItineraryPlanner(world: world, scenario: scenario)
    let itineraries = planner.plan()
    let fields = RouteFields(for: itineraries, in: world, threads: threads)
    onReady()
    let movement = model.tracks(
      of: itineraries, fields: fields, world: world, scenario: scenario, threads: threads, progress: progress)
    return Truth(
      frame: world.plan.frame, scenario: scenario, itineraries: itineraries, tracks: movement.tracks,
      figures: movement.figures)
  }

  /// Everybody's true track after a plan that is made already. Otherwise as
  /// `truth(world:scenario:model:threads:progress:)`.
  public static func truth(
    of plan: CrowdPlan, world: World, scenario: CrowdScenario, model: any MovementModel = CrowdMovement(),
    threads: Int = 1, onReady: () -> Void = {}, progress: (@Sendable (Double) -> Void)? = nil
  ) throws(SimulationError) -> Truth {
    guard scenario.duration > .zero, scenario.duration <= CrowdScenario.longestRun else {
      throw .duration(scenario.duration)
    }
    let fields = RouteFields(for: plan.itineraries, in: world, threads: threads)
    onReady()
    let movement = model.tracks(
      of: plan.itineraries, fields: fields, world: world, scenario: scenario, threads: threads, progress: progress)
    return Truth(
      frame: world.plan.frame, scenario: scenario, itineraries: plan.itineraries, tracks: movement.tracks,
      figures: movement.figures, people: plan.people.count)
  }
}
