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

  /// How far a run is: a phase, and units done of all.
  public typealias Progress = @Sendable (_ phase: String, _ done: Int, _ total: Int, _ unit: String) -> Void

  /// A run of `settings` in `venue`.
  /// - Throws: ``SimulationSettingsError`` for settings that cannot be carried out.
  public init(venue: Venue, settings: SimulationSettings) throws(SimulationSettingsError) {
    try settings.check()
    self.venue = venue
    self.settings = settings
  }

  /// Runs.
  ///
  /// The command and the version in the result's parameters are left empty; whoever knows them fills them in.
  /// - Parameters:
  ///   - store: where phones keep their rows.
  ///   - onPhase: told the name of each phase when it ends.
  ///   - isInterrupted: asked now and then; `true` ends the run early, and the result is marked partial.
  /// - Throws: `VenueError` for a venue that cannot be simulated, `GeofenceError`, `SimulationError`, `StoreError`.
  public func run(
    store: PhoneStore, onPhase: (String) -> Void = { _ in }, progress: @escaping Progress = { _, _, _, _ in },
    isInterrupted: () -> Bool = { false }
  ) throws -> RunContents {
    let gate = PackedVenueGate(try venue.packed(boundary: settings.boundary))
    let world = try World(venue: venue)
    onPhase("plan")

    let scenario = CrowdScenario(
      people: settings.people, start: settings.start, duration: settings.duration, seed: settings.seed,
      replica: settings.replica)
    let truth = try Simulation.truth(
      world: world, scenario: scenario, model: settings.movementModel, threads: settings.threads,
      onReady: { onPhase("itineraries") }
    ) { share in
      progress("people", Int(share * 100), 100, "%")
    }
    onPhase("people")

    var fleet = try PhoneFleet(truth: truth, gate: gate, venue: venue, settings: settings, store: store)
    let end = try fleet.run(progress: progress, isInterrupted: isInterrupted)
    onPhase("phones")

    let analysis = RunAnalysis(
      truth: truth, end: end, world: world, venue: venue, fleet: fleet, settings: settings, progress: progress)
    let contents = analysis.contents(isPartial: end < truth.end)
    onPhase("contacts")
    return contents
  }
}
