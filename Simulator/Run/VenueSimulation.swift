import CordonContacts
public import CordonCore
import CordonGeometry
public import CordonRun
public import CordonVenues

/// A whole run: people and phones in a venue, contacts as they were and as they were seen.
///
/// ```swift
/// var settings = SimulationSettings(people: 300, duration: .hours(2), seed: 7)
/// let result = try VenueSimulation(venue: venue, settings: settings).run(store: .memory(MemoryStore()))
/// print(result.contents.summary)
/// ```
public struct VenueSimulation {
  private let venue: Venue
  private let settings: SimulationSettings

  /// How far a run is: a phase, and units done of all.
  public typealias Progress = @Sendable (_ phase: String, _ done: Int, _ total: Int, _ unit: String) -> Void

  /// What a run ends with.
  public struct Result {
    /// Everything that belongs into a run folder, but for the command that made it.
    public var contents: RunContents
    /// Seconds of processor time by phase, in order.
    public var phases: [(name: String, cpuSeconds: Double)]
  }

  /// A run of `settings` in `venue`.
  /// - Throws: ``SimulationSettingsError`` for settings that cannot be carried out.
  public init(venue: Venue, settings: SimulationSettings) throws(SimulationSettingsError) {
    try settings.check()
    self.venue = venue
    self.settings = settings
  }

  /// Runs.
  /// - Parameters:
  ///   - store: where phones keep their rows.
  ///   - cpuClock: processor time used so far, seconds; for ``Result/phases``.
  ///   - isInterrupted: asked now and then; `true` ends the run early, and the result is marked partial.
  /// - Throws: `VenueError` for a venue that cannot be simulated, `GeofenceError`, `SimulationError`, `StoreError`.
  public func run(
    store: PhoneStore, cpuClock: () -> Double = { 0 }, progress: @escaping Progress = { _, _, _, _ in },
    isInterrupted: () -> Bool = { false }
  ) throws -> Result {
    var phases = PhaseTimes(clock: cpuClock)
    let boundary = try venue.boundary(settings.boundary)
    let geofence = try GeofencePolicy().geofence(around: boundary.area)
    let packed = PackedVenue(packing: venue, boundary: boundary.area, geofence: geofence)
    let gate = PackedVenueGate(packed)
    let world = try World(venue: venue)
    phases.end("plan")

    let scenario = CrowdScenario(
      people: settings.people, start: settings.start, duration: settings.duration, seed: settings.seed,
      replica: settings.replica)
    let truth = try Simulation.truth(world: world, scenario: scenario, threads: settings.threads) { share in
      progress("people", Int(share * 100), 100, "%")
    }
    phases.end("people")

    var fleet = try PhoneFleet(truth: truth, gate: gate, venue: venue, settings: settings, store: store)
    let end = try fleet.run(progress: progress, isInterrupted: isInterrupted)
    phases.end("phones")

    let analysis = RunAnalysis(
      truth: truth, end: end, world: world, venue: venue, fleet: fleet, settings: settings, progress: progress)
    let contents = analysis.contents(isPartial: end < truth.end)
    phases.end("contacts")
    return Result(contents: contents, phases: phases.list)
  }
}

/// Measures phases one after the other.
private struct PhaseTimes {
  private let clock: () -> Double
  private var last: Double
  private(set) var list: [(name: String, cpuSeconds: Double)] = []

  init(clock: @escaping () -> Double) {
    self.clock = clock
    last = clock()
  }

  mutating func end(_ name: String) {
    let now = clock()
    list.append((name, now - last))
    last = now
  }
}
