import CordonCore
import CordonCrowd
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
  /// - Parameters:
  ///   - scenario: the scenario of the run; its phones may differ from those of the prepared one.
  ///   - shares: the share of similar people who carry a phone, by person; `nil` uses the shares of the plan.
  func observed(
    scenario: Scenario, replica: UInt32 = 0, threads: Int = 1, store: PhoneStore, shares: [Double]? = nil,
    server: PhoneServer? = nil,
    onPhase: (RunPhase) -> Void = { _ in },
    progress: @escaping VenueSimulation.Progress = { _, _, _, _ in }, isInterrupted: () -> Bool = { false }
  ) throws -> RunContents {
    var fleet = try PhoneFleet(
      truth: truth, gate: gate, venue: venue, scenario: scenario, replica: replica, threads: threads,
      store: store,
      shares: shares ?? plan.people.map(\.deviceShare), server: server)
    let reached = truth.figures.interruptedAt.map(Instant.init(milliseconds:)) ?? truth.end
    let end = try fleet.run(until: min(reached, truth.end), progress: progress, isInterrupted: isInterrupted)
    onPhase(.phones)
    let analysis = RunAnalysis(
      truth: truth, plan: plan, end: end, world: world, venue: venue, fleet: fleet, scenario: scenario,
      threads: threads,
      progress: progress, groups: try scenario.resolvedGroups(in: venue), replica: replica)
    let contents = try analysis.contents(isPartial: end < truth.end)
    onPhase(.contacts)
    return contents
  }
}
