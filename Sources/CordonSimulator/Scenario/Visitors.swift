import CordonCrowd

/// People without a schedule: they visit the venue once, move between places by their popularity, and leave.
public struct Visitors: Hashable, Sendable {
  /// Number of people, each with one visit, 1 to 1 000 000.
  public var count: Int
  /// Share of people who carry a phone, 0 ... 1.
  public var deviceShare: Double

  /// Creates visitors without checking the values.
  public init(count: Int, deviceShare: Double = 1) {
    self.count = count
    self.deviceShare = deviceShare
  }
}

extension Scenario {
  /// Plans the visits of one repetition.
  /// - Parameters:
  ///   - world: the venue.
  ///   - replica: number of the repetition, from 0.
  /// - Throws: ``ScenarioError`` for a name that the venue does not have, or people who find no way.
  package func plan(in world: World, replica: UInt32 = 0) throws -> CrowdPlan {
    guard let visitors else {
      var planner = try ScenarioPlanner(self, world: world, replica: replica)
      return try planner.plan()
    }
    var planner = ItineraryPlanner(world: world, visitors: visitors.count, replication: replication(replica))
    let person = PlannedPerson(population: 0, deviceShare: visitors.deviceShare)
    var plan = CrowdPlan(
      itineraries: planner.plan(), people: Array(repeating: person, count: visitors.count), populations: [""])
    for (index, limit) in world.spaceLimits.enumerated() { plan.capacities[index] = limit }
    return plan
  }
}
