import CordonCore
package import CordonCrowd
public import CordonVenues

/// Simulations of people who walk through a venue.
public enum Simulation {
  /// Moves the people of a scenario, and returns their true tracks.
  ///
  /// The tracks are the same bytes for any number of threads, and on any machine.
  ///
  /// ```swift
  /// let scenario = Scenario(visitors: 300, duration: .hours(2), seed: 7)
  /// let truth = try Simulation.truth(venue: venue, scenario: scenario, threads: 2)
  /// ```
  /// - Parameters:
  ///   - venue: the venue, without the closures of the scenario's policies.
  ///   - scenario: people and time.
  ///   - threads: number of threads that may be used; less than 1 counts as 1.
  /// - Throws: ``ScenarioError`` when a value of the scenario is out of its range, `VenueError` for a venue in which nobody
  ///   can walk.
  public static func truth(venue: Venue, scenario: Scenario, threads: Int = 1) throws -> Truth {
    let world = try scenario.world(scenario.venue(underPolicies: venue))
    return try truth(world: world, scenario: scenario, threads: threads)
  }

  /// Moves the people of a scenario in a prepared venue.
  /// - Parameters:
  ///   - world: the venue.
  ///   - scenario: people and time.
  ///   - replica: number of the repetition, from 0.
  ///   - model: the movement model; `nil` takes the scenario's.
  ///   - threads: number of threads that may be used; less than 1 counts as 1.
  ///   - onReady: called when everything is planned, before people move.
  ///   - progress: receives the share of finished work, 0 ... 1, on any thread.
  /// - Throws: ``ScenarioError`` when a value of the scenario is out of its range.
  package static func truth(
    world: World, scenario: Scenario, replica: UInt32 = 0, model: (any MovementModel)? = nil, threads: Int = 1,
    onReady: () -> Void = {}, progress: (@Sendable (Double) -> Void)? = nil
  ) throws -> Truth {
    try scenario.check()
    return try truth(
      of: scenario.plan(in: world, replica: replica), world: world, replication: scenario.replication(replica),
      model: model ?? scenario.movement.movementModel, threads: threads, onReady: onReady, progress: progress)
  }

  /// Moves people after a plan that was made before. Otherwise as
  /// ``truth(world:scenario:replica:model:threads:onReady:progress:)``.
  /// - Throws: ``ScenarioError`` for a duration out of its range.
  package static func truth(
    of plan: CrowdPlan, world: World, replication: Replication, model: any MovementModel = CrowdMovement(),
    threads: Int = 1, onReady: () -> Void = {}, progress: (@Sendable (Double) -> Void)? = nil
  ) throws(ScenarioError) -> Truth {
    try replication.check()
    let fields = RouteFields(for: plan.itineraries, in: world, stations: plan.stations, threads: threads)
    var model = model
    model.limits = plan.capacities
    onReady()
    let movement = model.tracks(
      of: plan.itineraries, fields: fields, world: world, replication: replication, threads: threads,
      progress: progress)
    return Truth(
      frame: world.plan.frame, replication: replication, itineraries: plan.itineraries, tracks: movement.tracks,
      figures: movement.figures, people: plan.people.count)
  }
}
