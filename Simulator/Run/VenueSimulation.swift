import CordonContacts
import CordonCore
import CordonGeometry
public import CordonRun
public import CordonVenues

/// A whole run: people and phones in a venue, contacts as they were and as they were seen.
///
/// ```swift
/// var settings = SimulationSettings(people: 300, duration: .hours(2), seed: 7)
/// let contents = try VenueSimulation(venue: venue, settings: settings).run(store: .memory(MemoryStore()))
/// print(contents.summary)
/// ```
public struct VenueSimulation {
  private let venue: Venue
  private let settings: SimulationSettings
  private let scenario: Scenario?

  /// How far a run is: a phase, and units done of all.
  public typealias Progress = @Sendable (_ phase: String, _ done: Int, _ total: Int, _ unit: String) -> Void

  /// A run of `settings` in `venue`.
  /// - Throws: ``SimulationSettingsError`` for settings that cannot be carried out.
  public init(venue: Venue, settings: SimulationSettings) throws(SimulationSettingsError) {
    try settings.check()
    self.venue = venue
    self.settings = settings
    scenario = nil
  }

  /// A run of a scenario in a venue.
  /// - Parameters:
  ///   - venue: as it is; the scenario's policies are applied to it.
  ///   - settings: usually `SimulationSettings(scenario)`; they win over the scenario where the two differ.
  ///   - scenario: the scenario.
  /// - Throws: ``SimulationSettingsError``, ``ScenarioError``.
  public init(venue: Venue, scenario: Scenario, settings: SimulationSettings) throws {
    try settings.check()
    self.venue = try scenario.venue(underPolicies: venue)
    self.settings = settings
    self.scenario = scenario
  }

  /// Runs.
  ///
  /// The command and the version in the result's parameters are left empty; whoever knows them fills them in.
  /// - Parameters:
  ///   - store: where phones keep their rows.
  ///   - server: a real server to post to, in place of the sink in the process.
  ///   - onPhase: told the name of each phase when it ends.
  ///   - isInterrupted: asked now and then; `true` ends what is being done, and the result is marked partial. People
  ///     who are stopped on their way are still looked at by their phones, unless it is `true` again.
  ///   - progress: is told how far the run is.
  /// - Throws: `VenueError` for a venue that cannot be simulated, `GeofenceError`, `SimulationError`, `StoreError`.
  public func run(
    store: PhoneStore, server: PhoneServer? = nil, onPhase: (String) -> Void = { _ in },
    progress: @escaping Progress = { _, _, _, _ in },
    isInterrupted: @escaping @Sendable () -> Bool = { false }
  ) throws -> RunContents {
    let prepared = try prepared(
      threads: settings.threads, onPhase: onPhase, progress: progress, isInterrupted: isInterrupted)
    var contents = try prepared.observed(
      settings: settings, store: store, server: server, onPhase: onPhase, progress: progress,
      isInterrupted: isInterrupted)
    // The times of a scenario are those of its own zone.
    if let scenario { contents.venue.timeZone = scenario.clock.zone }
    if let scenario, scenario.replicas > 1, !contents.isPartial {
      try repeatRun(scenario, into: &contents, progress: progress, isInterrupted: isInterrupted)
      onPhase("replicas")
    }
    return contents
  }

  /// Moves everybody.
  func prepared(
    threads: Int, onPhase: (String) -> Void = { _ in }, progress: @escaping Progress = { _, _, _, _ in },
    isInterrupted: (@Sendable () -> Bool)? = nil
  ) throws -> PreparedRun {
    try RunForecast(expecting: scenario, settings: settings).check()
    let gate = PackedVenueGate(try venue.packed(boundary: settings.boundary))
    let world = try scenario?.world(venue) ?? World(venue: venue)
    let plan = try plan(in: world)
    try RunForecast(plan, settings: settings, end: settings.start + settings.duration).check()
    onPhase("plan")
    var model = settings.movementModel
    model.isInterrupted = isInterrupted
    let truth = try Simulation.truth(
      of: plan, world: world, scenario: crowd, model: model, threads: threads,
      onReady: { onPhase("itineraries") }
    ) { share in
      progress("people", Int(share * 100), 100, "%")
    }
    onPhase("people")
    return PreparedRun(venue: venue, world: world, gate: gate, plan: plan, truth: truth)
  }

  /// The other repetitions, without phones: what occupancy varies by.
  private func repeatRun(
    _ scenario: Scenario, into contents: inout RunContents, progress: @escaping Progress,
    isInterrupted: @escaping @Sendable () -> Bool
  ) throws {
    // What the settings change is changed in every repetition.
    var scenario = scenario
    scenario.movement.model = settings.movement
    scenario.movement.step = settings.movementStep
    scenario.contactDistance = settings.contactDistance
    scenario.occupancyBin = settings.occupancyBin
    scenario.warningThreshold = settings.warningThreshold
    let study = try TruthStudy(changed: venue, scenario: scenario)
    // Asked on several threads here, and whoever asks may answer a question only once.
    let interruption = StickyAnswer(isInterrupted)
    let more = try Replicas.run(
      studies: [study], count: scenario.replicas - 1, first: 1, threads: settings.threads,
      progress: { progress("replicas", Int(($0 + 1) * 100), ($1 + 1) * 100, "%") },
      isInterrupted: { interruption.ask() })
    contents.outcome.ensemble = RunOutcome.ensemble(
      [contents.occupancy.filter { $0.source == .truth }] + (more.first ?? []).map(\.occupancy))
    contents.isPartial = (more.first?.count ?? 0) < scenario.replicas - 1
  }

  private var crowd: CrowdScenario {
    CrowdScenario(
      people: settings.people, start: settings.start, duration: settings.duration, seed: settings.seed,
      replica: settings.replica)
  }

  /// What everybody sets out to do.
  private func plan(in world: World) throws -> CrowdPlan {
    if let scenario {
      var planner = try ScenarioPlanner(scenario, world: world, replica: settings.replica)
      return try planner.plan()
    }
    var planner = ItineraryPlanner(world: world, scenario: crowd)
    let everybody = PlannedPerson(population: 0, deviceShare: settings.deviceShare)
    return CrowdPlan(
      itineraries: planner.plan(), people: Array(repeating: everybody, count: settings.people), populations: [""])
  }
}
