import CordonCore
import CordonCrowd
import CordonGeometry
import CordonVenues

extension EvacuationOccupants {
  /// Returns the people of a day where they are at a time.
  /// - Parameters:
  ///   - time: the time, after the start of the scenario.
  ///   - scenario: the scenario, whose people move until that time.
  ///   - world: the venue as it is on that day.
  ///   - replica: the number of the repetition.
  /// - Throws: ``ScenarioError``.
  init(
    at time: Instant, of scenario: Scenario, in world: World, replica: UInt32,
    isInterrupted: @escaping @Sendable () -> Bool
  ) throws {
    let plan = try scenario.plan(in: world, replica: replica)
    var replication = scenario.replication(replica)
    replication.duration = time - scenario.start
    var model = scenario.movement.movementModel
    model.isInterrupted = isInterrupted
    let truth = try Simulation.truth(of: plan, world: world, replication: replication, model: model)
    populations = plan.populations.map { $0.isEmpty ? "people" : $0 }
    let companies = Self.companies(plan, at: time)
    var groups: [Int: Int] = [:]
    for (person, figures) in truth.people.enumerated() {
      guard let visit = figures.visits.last, !visit.hasLeft, let here = truth.position(of: person, at: time),
        let floor = world.floor(of: here.floor, near: here.point)
      else { continue }
      var occupant = EvacuationOccupant(
        population: plan.people[person].population, freeSpeed: figures.freeSpeed, floor: floor, point: here.point)
      occupant.cameBy = world.entrances[visit.entrance].id
      if let company = companies[person] {
        let next = groups.count
        occupant.group = groups[company, default: next]
        groups[company] = occupant.group
      }
      people.append(occupant)
    }
    dropSingleGroups()
  }

  /// Returns the party of each person who has company, by the lowest number of its members.
  private static func companies(_ plan: CrowdPlan, at time: Instant) -> [Int: Int] {
    var companies: [Int: Int] = [:]
    for (index, itinerary) in plan.itineraries.enumerated()
    where itinerary.arrival <= time && itinerary.companion != nil {
      var members = [itinerary.person]
      var next = itinerary.companion
      while let other = next, other != index, plan.itineraries.indices.contains(other),
        members.count < plan.itineraries.count
      {
        members.append(plan.itineraries[other].person)
        next = plan.itineraries[other].companion
      }
      companies[itinerary.person] = members.min()
    }
    return companies
  }

  /// Makes people alone whose companions are not inside, and numbers the groups from 0.
  mutating func dropSingleGroups() {
    var sizes: [Int: Int] = [:]
    for person in people { if let group = person.group { sizes[group, default: 0] += 1 } }
    var numbers: [Int: Int] = [:]
    for index in people.indices {
      guard let group = people[index].group, sizes[group] ?? 0 > 1 else {
        people[index].group = nil
        continue
      }
      let next = numbers.count
      people[index].group = numbers[group, default: next]
      numbers[group] = people[index].group
    }
  }
}
