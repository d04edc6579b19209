import CordonContacts
import CordonCore
import CordonCrowd
import CordonGeometry
package import CordonRun
public import CordonVenues

/// A whole run: people and phones in a venue, true contacts and observed ones.
///
/// ```swift
/// let scenario = Scenario(visitors: 300, duration: .hours(2), seed: 7)
/// let contents = try VenueSimulation(venue: venue, scenario: scenario).run(store: .memory(MemoryStore()))
/// print(contents.summary)
/// ```
public struct VenueSimulation {
  private let venue: Venue
  private let scenario: Scenario
  private let replica: UInt32

  /// Progress of a run: a phase, and finished units of all.
  public typealias Progress = @Sendable (_ phase: RunPhase, _ done: Int, _ total: Int, _ unit: String) -> Void

  /// A run of a scenario in a venue.
  /// - Parameters:
  ///   - venue: the venue; the scenario's policies are applied to it.
  ///   - scenario: the configuration of the run.
  ///   - replica: number of the repetition, from 0.
  /// - Throws: ``ScenarioError`` for a value out of its range, and for a name that the venue does not have.
  public init(venue: Venue, scenario: Scenario, replica: UInt32 = 0) throws(ScenarioError) {
    try scenario.check()
    self.venue = try scenario.venue(underPolicies: venue)
    // Reports names that the venue does not have before anything is planned.
    _ = try scenario.resolvedGroups(in: venue)
    self.scenario = scenario
    self.replica = replica
  }

  /// Runs the scenario.
  /// - Parameters:
  ///   - store: where phones keep their rows.
  ///   - threads: number of threads that may be used; the result does not depend on it.
  ///   - onPhase: called with each phase when it ends.
  ///   - isInterrupted: polled now and then; `true` ends the current phase, and the result is marked partial.
  /// - Throws: `VenueError` for a venue that cannot be simulated, `GeofenceError`, ``ScenarioError``, ``SimulationError``,
  ///   `StoreError`.
  public func run(
    store: PhoneStore, threads: Int = 1, onPhase: (RunPhase) -> Void = { _ in },
    isInterrupted: @escaping @Sendable () -> Bool = { false }
  ) throws -> RunContents {
    try run(
      store: store, server: nil, threads: threads, onPhase: onPhase, progress: { _, _, _, _ in },
      isInterrupted: isInterrupted)
  }

  /// Runs the scenario with a server and with progress.
  ///
  /// The command and the version in the result's parameters are left empty; the caller fills them in.
  /// - Parameters:
  ///   - store: where phones keep their rows.
  ///   - server: a real server to send to, in place of the sink in the process.
  ///   - threads: number of threads that may be used; the result does not depend on it.
  ///   - maximumUnreachableShare: the share of the usable area, from 0 to 1, that may be out of reach of the entrances.
  ///   - onPhase: called with each phase when it ends.
  ///   - isInterrupted: polled now and then; `true` ends the current phase, and the result is marked partial. The phones
  ///     of people who are stopped on their way still report them, unless it is `true` again.
  ///   - progress: receives the progress of each phase.
  /// - Throws: `VenueError` for a venue that cannot be simulated, with the code `unreachable-area` for too much of it, `GeofenceError`, ``ScenarioError``, ``SimulationError``,
  ///   `StoreError`.
  package func run(
    store: PhoneStore, server: PhoneServer? = nil, threads: Int = 1, maximumUnreachableShare: Double = 1,
    onPhase: (RunPhase) -> Void = { _ in }, progress: @escaping Progress = { _, _, _, _ in },
    isInterrupted: @escaping @Sendable () -> Bool = { false }
  ) throws -> RunContents {
    let prepared = try prepared(
      threads: threads, maximumUnreachableShare: maximumUnreachableShare, onPhase: onPhase, progress: progress,
      isInterrupted: isInterrupted)
    let world = prepared.world
    var contents = try prepared.observed(
      scenario: scenario, replica: replica, threads: threads, store: store, server: server, onPhase: onPhase,
      progress: progress, isInterrupted: isInterrupted)
    // The times of a scenario are those of its own zone; visitors have no schedule, and keep the venue's.
    if scenario.visitors == nil { contents.venue.timeZone = scenario.clock.zone }
    if scenario.replicas > 1, !contents.isPartial {
      try runReplicas(
        into: &contents, in: world, threads: threads, progress: progress, isInterrupted: isInterrupted)
      onPhase(.replicas)
    }
    return contents
  }

  /// Prepares the venue, plans the visits and moves all people.
  func prepared(
    threads: Int, maximumUnreachableShare: Double = 1, onPhase: (RunPhase) -> Void = { _ in },
    progress: @escaping Progress = { _, _, _, _ in },
    isInterrupted: (@Sendable () -> Bool)? = nil
  ) throws -> PreparedRun {
    try RunForecast(expecting: scenario).check()
    let world = try scenario.world(venue) { progress(.plan, Int($0 * 100), 100, "%") }
    try world.checkReachability(maximumUnreachableShare: maximumUnreachableShare)
    let gate = PackedVenueGate(try venue.packing(boundary: scenario.boundary, plan: world.plan).venue)
    if let air = scenario.air {
      // Reports names that the venue does not have before anybody moves.
      let places = RunPlaces(venue: venue, plan: world.plan, entrances: world.entrances)
      _ = try AirSetup(air, scenario: scenario, venue: venue, plan: world.plan, places: places)
    }
    let plan = try scenario.plan(in: world, replica: replica)
    try RunForecast(plan, phones: scenario.phones, end: scenario.end).check()
    onPhase(.plan)
    var model = scenario.movement.movementModel
    model.isInterrupted = isInterrupted
    let truth = try Simulation.truth(
      of: plan, world: world, replication: scenario.replication(replica), model: model, threads: threads,
      onReady: { onPhase(.itineraries) }
    ) { share in
      progress(.people, Int(share * 100), 100, "%")
    }
    onPhase(.people)
    return PreparedRun(venue: venue, world: world, gate: gate, plan: plan, truth: truth)
  }

  /// Runs the other repetitions, without phones, for the spread of occupancy.
  private func runReplicas(
    into contents: inout RunContents, in world: World, threads: Int, progress: @escaping Progress,
    isInterrupted: @escaping @Sendable () -> Bool
  ) throws {
    let study = try TruthStudy(changed: venue, in: world, scenario: scenario)
    // Polled on several threads here, and a caller may answer `true` only once.
    let interruption = LatchedCondition(isInterrupted)
    let more = try Replicas.run(
      studies: [study], count: scenario.replicas - 1, first: 1, threads: threads,
      progress: { progress(.replicas, Int(($0 + 1) * 100), ($1 + 1) * 100, "%") },
      isInterrupted: { interruption.evaluate() })
    contents.outcome.ensemble = RunOutcome.ensemble(
      [contents.occupancy.filter { $0.source == .truth }] + (more.first ?? []).map(\.occupancy))
    contents.outcome.groupEnsemble = RunOutcome.ensemble(
      [contents.outcome.groupBins.filter { $0.source == .truth }.map(RunOccupancy.init)]
        + (more.first ?? []).map { $0.groupBins.map(RunOccupancy.init) })
    contents.outcome.replicaFigures = ReplicaFigures.rows(
      places: [contents.outcome.places] + (more.first ?? []).map(\.places),
      groups: [contents.outcome.groups] + (more.first ?? []).map(\.groups))
    contents.isPartial = (more.first?.count ?? 0) < scenario.replicas - 1
  }
}
