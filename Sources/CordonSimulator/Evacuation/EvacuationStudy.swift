package import CordonCore
import CordonCrowd
import CordonGeometry
package import CordonRun
import CordonSupport
package import CordonVenues

/// A venue and its people, prepared for evacuations.
package struct EvacuationStudy: Sendable {
  let scenario: Scenario
  let evacuation: Evacuation
  /// The venue on the day, and the venue with the ways that are left in the evacuation.
  let dayWorld: World
  let world: World
  let places: RunPlaces
  let names: QueueNames
  /// The start of the evacuation.
  package let start: Instant
  /// Remarks about the map.
  package let remarks: [String]
  /// The smoke by index in the plan's spaces.
  let smoke: [Int: Smoke]

  /// Prepares the venue.
  /// - Parameters:
  ///   - venue: the venue, without closures.
  ///   - scenario: the scenario, whose ``Scenario/evacuation`` is used.
  ///   - maximumUnreachableShare: the share of the usable area, 0 ... 1, that may be out of reach of the entrances.
  /// - Throws: ``ScenarioError`` for a name that the venue does not have or a time outside of the scenario, `VenueError`
  ///   for a venue in which nobody can walk.
  package init(venue: Venue, scenario: Scenario, maximumUnreachableShare: Double = 1) throws {
    try scenario.check()
    self.scenario = scenario
    evacuation = scenario.evacuation ?? Evacuation()
    start = try Self.start(of: evacuation, in: scenario)
    dayWorld = try scenario.world(scenario.venue(underPolicies: venue))
    try dayWorld.checkReachability(maximumUnreachableShare: maximumUnreachableShare)
    let changed = try Self.venue(venue, scenario: scenario, evacuation: evacuation, in: dayWorld)
    world = try changed.closures.isEmpty ? dayWorld : Self.world(changed, evacuation)
    places = RunPlaces(venue: changed, plan: world.plan, entrances: world.entrances)
    names = QueueNames(places: places, venue: changed)
    remarks = world.remarks
    smoke = try Self.smoke(evacuation.smoke, in: world)
  }

  /// Returns the smoke of each space by its index; a later rule replaces an earlier one.
  private static func smoke(_ rules: [Evacuation.SmokeRule], in world: World) throws(ScenarioError) -> [Int: Smoke] {
    let spaces = world.plan.spaces
    var smoke: [Int: Smoke] = [:]
    for rule in rules {
      let found = spaces.indices.filter { spaces[$0].isCalled(rule.target.name) }
      guard !found.isEmpty else {
        throw Scenario.unknown(
          rule.target, "evacuation.smoke", "space",
          spaces.map(\.name) + spaces.map(\.kind.rawValue) + spaces.map(\.id.rawValue))
      }
      for index in found { smoke[index] = rule.smoke }
    }
    return smoke
  }

  private static func world(_ venue: Venue, _ evacuation: Evacuation) throws -> World {
    do {
      return try World(venue: venue)
    } catch {
      guard error.code == "no-entrance" else { throw error }
      throw ScenarioError(
        line: evacuation.closedExits.first?.line ?? 0, path: "evacuation.close.exits",
        message: "every exit is closed, so nobody can leave")
    }
  }

  /// Returns the time of day of the evacuation on the first day of the scenario that contains it.
  private static func start(of evacuation: Evacuation, in scenario: Scenario) throws(ScenarioError) -> Instant {
    guard case .day(let time) = evacuation.occupants else { return scenario.start }
    let times = scenario.clock.days(from: scenario.start, to: scenario.end).map { scenario.clock.instant($0, time) }
    guard let first = times.first(where: { $0 > scenario.start && $0 <= scenario.end }) else {
      throw ScenarioError(
        line: evacuation.line, path: "evacuation.at",
        message: "\(time) is not within the scenario, which lasts from \(scenario.clock.text(of: scenario.start)) to "
          + scenario.clock.text(of: scenario.end))
    }
    return first
  }

  /// Returns the venue with the closures of the policies and of the evacuation.
  private static func venue(
    _ venue: Venue, scenario: Scenario, evacuation: Evacuation, in world: World
  ) throws(ScenarioError) -> Venue {
    var closing = scenario
    closing.policies.closedConnections += evacuation.closedConnections
    closing.policies.closedOpenings += evacuation.closedOpenings
    closing.policies.closedSpaces += evacuation.closedSpaces
    var changed = try closing.venue(underPolicies: venue)
    if !evacuation.usesElevators { changed.closures.connectionKinds.insert(.elevator) }
    for target in evacuation.closedExits {
      changed.closures.openings.insert(world.entrances[try index(of: target, in: world, "evacuation.close.exits")].id)
    }
    return changed
  }

  private static func index(of target: Policies.Target, in world: World, _ path: String) throws(ScenarioError) -> Int {
    guard let index = PlanEntrance.index(of: target.name, in: world.entrances) else {
      throw Scenario.unknown(target, path, "exit", world.entrances.map(\.name) + world.entrances.map(\.id))
    }
    return index
  }

  // MARK: Runs

  /// Runs replicas, and summarises them.
  /// - Parameters:
  ///   - replicas: the number of replicas, at least 1.
  ///   - threads: the maximum number of threads; the result does not depend on it.
  ///   - progress: receives the number of finished replicas, on any thread.
  ///   - isInterrupted: polled on any thread; `true` ends the replicas that have not finished.
  /// - Returns: the report; `nil` if no replica was finished before an interruption.
  /// - Throws: ``ScenarioError``.
  package func run(
    replicas: Int, threads: Int = 1, progress: @escaping @Sendable (Int) -> Void = { _ in },
    isInterrupted: @escaping @Sendable () -> Bool = { false }
  ) throws -> EvacuationReport? {
    let closing = try lossTimes()
    let finished = FinishedCount(progress)
    // The first replica uses all threads for the steps of its people; the others share the threads.
    let first = Result { try run(0, closing: closing, threads: threads, isInterrupted: isInterrupted) }
    finished.add()
    let others = parallelMap(count: max(replicas - 1, 0), threads: threads) { index in
      defer { finished.add() }
      return Result { try run(UInt32(index + 1), closing: closing, threads: 1, isInterrupted: isInterrupted) }
    }
    let runs = try ([first] + others).compactMap { try $0.get() }
    guard let detailed = runs.first else { return nil }
    var report = report(runs.map(\.replica), segments: detailed.segments, remarks: detailed.remarks)
    report.isPartial = runs.count < replicas
    return report
  }

  /// One finished replica.
  struct Run: Sendable {
    var replica: EvacuationReplica
    var segments: [Segment]
    var remarks: [String]
  }

  private func run(
    _ number: UInt32, closing: [Int: Int64], threads: Int, isInterrupted: @escaping @Sendable () -> Bool
  ) throws -> Run? {
    guard !isInterrupted() else { return nil }
    let replication = Replication(start: start, duration: evacuation.limit, seed: scenario.seed, number: number)
    var occupants: EvacuationOccupants
    if case .day = evacuation.occupants {
      occupants = try EvacuationOccupants(
        at: start, of: scenario, in: dayWorld, replica: number, isInterrupted: isInterrupted)
    } else {
      occupants = try EvacuationOccupants(
        evacuation.occupants ?? .occupantLoad(share: 1), of: evacuation, scenario: scenario, in: dayWorld,
        replication: replication)
    }
    occupants.separate(in: world)
    let plan = EvacuationPlanner(evacuation: evacuation, world: world, replication: replication).plan(occupants)
    var model = scenario.movement.crowdMovement
    var rules = EvacuationRules()
    rules.reconsideration = evacuation.reconsideration.milliseconds
    rules.exitFlow = evacuation.exitFlow
    rules.closing = closing
    rules.smoke = smoke
    model.evacuation = rules
    model.isInterrupted = isInterrupted
    let fields = RouteFields(for: plan.itineraries, in: world, threads: threads)
    let moved = model.tracks(
      of: plan.itineraries, fields: fields, world: world, replication: replication, threads: threads, progress: nil)
    guard !isInterrupted() else { return nil }
    return figures(of: moved, occupants: occupants, plan: plan, number: number)
  }

  /// The times at which exits become unusable, in milliseconds since 1970.
  private func lossTimes() throws(ScenarioError) -> [Int: Int64] {
    var times: [Int: Int64] = [:]
    for loss in evacuation.losses {
      let index = try Self.index(of: loss.exit, in: world, "evacuation.lose")
      times[index] = min(times[index] ?? .max, (start + loss.after).milliseconds)
    }
    return times
  }
}

extension Scenario.Movement {
  /// The model with bodies; models without bodies are replaced by the collision-free speed model.
  var crowdMovement: CrowdMovement { movementModel as? CrowdMovement ?? CrowdMovement(step: step) }
}
