import CordonContacts
import CordonCore
import CordonGeometry
public import CordonRun
public import CordonVenues

/// A complete run: people and phones in a venue, with the true and the observed contacts.
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

  /// The type of progress callbacks: a phase, the finished and total number of units, and the unit.
  public typealias Progress = @Sendable (_ phase: String, _ done: Int, _ total: Int, _ unit: String) -> Void

  /// Creates a run of `settings` in `venue`.
  /// - Throws: ``SimulationSettingsError`` for settings that are out of range.
  public init(venue: Venue, settings: SimulationSettings) throws(SimulationSettingsError) {
    try settings.check()
    self.venue = venue
    self.settings = settings
    scenario = nil
  }

  /// Creates a run of a scenario in a venue.
  /// - Parameters:
  ///   - venue: the unchanged venue; the scenario's policies are applied to it.
  ///   - scenario: the scenario.
  ///   - settings: the settings, such as `SimulationSettings(scenario)`; they take precedence over the scenario.
  /// - Throws: ``SimulationSettingsError`` or ``ScenarioError``.
  public init(venue: Venue, scenario: Scenario, settings: SimulationSettings) throws {
    try settings.check()
    self.venue = try scenario.venue(underPolicies: venue)
    self.settings = settings
    self.scenario = scenario
  }

  /// Runs the simulation.
  ///
  /// The command and the version in the parameters of the result are empty; the caller sets them.
  /// - Parameters:
  ///   - store: the store for the rows of the phones.
  ///   - server: a real server that receives the requests, instead of the in-process sink.
  ///   - onPhase: called with the name of each phase at its end.
  ///   - progress: receives the progress of the run.
  ///   - isInterrupted: polled from time to time; `true` ends the current phase, and the result is marked as partial.
  ///     After an interrupted walk, phones still observe the people unless it returns `true` again.
  /// - Throws: `VenueError` for a venue that cannot be simulated, `GeofenceError`, ``ScenarioError``,
  ///   ``SimulationError`` or `StoreError`.
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
    // The times of a scenario are those of its own time zone.
    if let scenario { contents.venue.timeZone = scenario.clock.zone }
    if let scenario, scenario.replicas > 1, !contents.isPartial {
      try repeatRun(scenario, into: &contents, progress: progress, isInterrupted: isInterrupted)
      onPhase("replicas")
    }
    return contents
  }

  /// Prepares the venue, plans the visits and moves all people.
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

  /// Runs the other replicas without phones, for the variation of the occupancy.
  private func repeatRun(
    _ scenario: Scenario, into contents: inout RunContents, progress: @escaping Progress,
    isInterrupted: @escaping @Sendable () -> Bool
  ) throws {
    // Differences between settings and scenario apply to every replica.
    var scenario = scenario
    scenario.movement.model = settings.movement
    scenario.movement.step = settings.movementStep
    scenario.contactDistance = settings.contactDistance
    scenario.occupancyBin = settings.occupancyBin
    scenario.warningThreshold = settings.warningThreshold
    let study = try TruthStudy(changed: venue, scenario: scenario)
    // The check is called on several threads, and its caller may return `true` only once.
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

  /// Returns the plan of all people.
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
