import CordonCore
import CordonVenues

/// Simulations of people who walk through a venue.
public enum Simulation {
  /// Returns the true tracks of all people.
  ///
  /// The result is the same to the last bit for any number of threads and on any machine.
  ///
  /// ```swift
  /// let world = try World(venue: venue)
  /// let scenario = CrowdScenario(people: 300, start: monday, duration: .hours(2), seed: 7)
  /// let truth = try Simulation.truth(world: world, scenario: scenario, threads: 2)
  /// ```
  /// - Parameters:
  ///   - world: the venue.
  ///   - scenario: the number of people, the times and the seed.
  ///   - model: the movement model.
  ///   - threads: the maximum number of threads; less than 1 counts as 1.
  ///   - onReady: called after the planning, before people move.
  ///   - progress: receives the share of finished work, 0 ... 1, on any thread.
  /// - Throws: ``SimulationError`` if the scenario exceeds a limit.
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

  /// Returns the true tracks of all people for an existing plan.
  ///
  /// The parameters are those of `truth(world:scenario:model:threads:onReady:progress:)`; the number of people is that
  /// of the plan.
  /// - Throws: ``SimulationError`` if the duration exceeds a limit.
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
