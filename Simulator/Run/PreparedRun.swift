import CordonCore
import CordonGeometry
import CordonRun
import CordonVenues

/// A run in which all people have moved, ready for observation by any kind of phone.
struct PreparedRun: Sendable {
  let venue: Venue
  let world: World
  let gate: PackedVenueGate
  let plan: CrowdPlan
  let truth: Truth

  /// The number of people.
  var people: Int { plan.people.count }

  /// Runs phones over the walk, and returns the contents of the run folder.
  /// - Parameter shares: the share of similar people who carry a phone, by person; `nil` uses the shares of the plan.
  func observed(
    settings: SimulationSettings, store: PhoneStore, shares: [Double]? = nil, server: PhoneServer? = nil,
    onPhase: (String) -> Void = { _ in },
    progress: @escaping VenueSimulation.Progress = { _, _, _, _ in }, isInterrupted: () -> Bool = { false }
  ) throws -> RunContents {
    var fleet = try PhoneFleet(
      truth: truth, gate: gate, venue: venue, settings: settings, store: store,
      shares: shares ?? plan.people.map(\.deviceShare), server: server)
    let reached = truth.figures.interruptedAt.map(Instant.init(milliseconds:)) ?? truth.end
    let end = try fleet.run(until: min(reached, truth.end), progress: progress, isInterrupted: isInterrupted)
    onPhase("phones")
    let analysis = RunAnalysis(
      truth: truth, plan: plan, end: end, world: world, venue: venue, fleet: fleet, settings: settings,
      progress: progress)
    let contents = analysis.contents(isPartial: end < truth.end)
    onPhase("contacts")
    return contents
  }
}
