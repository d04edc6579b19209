import CordonCore
import CordonCrowd
import CordonGeometry
import CordonNavigation
import CordonSupport
import CordonVenues

extension EvacuationOccupants {
  /// Returns people at random spots of the spaces.
  /// - Parameters:
  ///   - occupants: the load; not a day.
  ///   - evacuation: the shares of groups.
  ///   - scenario: the populations from which people are drawn, in proportion to their sizes.
  ///   - world: the venue.
  ///   - replication: the random numbers.
  /// - Throws: ``ScenarioError`` for a space that the venue does not have.
  init(
    _ occupants: Evacuation.Occupants, of evacuation: Evacuation, scenario: Scenario, in world: World,
    replication: Replication
  ) throws(ScenarioError) {
    populations = scenario.populations.isEmpty ? ["people"] : scenario.populations.map(\.name)
    let counts = try Self.counts(occupants, line: evacuation.line, in: world)
    var wanted = 0
    for (destination, count) in counts.enumerated() where count > 0 {
      wanted += count
      let place = world.destinations[destination]
      var random = replication.random(Stream.evacuationPlaces, entity: destination)
      var spots = place.spots
      spots.shuffle(using: &random)
      for spot in spots.prefix(count) {
        people.append(
          EvacuationOccupant(
            population: 0, freeSpeed: 1.34, floor: spot.floor, point: world.routes.navigation.center(of: spot)))
      }
    }
    if people.count < wanted {
      remarks.append(
        "\(wanted - people.count) of \(wanted) people of the load find no spot: spaces have one spot for each 1.2 m²")
    }
    drawPeople(scenario, evacuation: evacuation, in: world, replication: replication)
  }

  /// Returns the number of people at each destination.
  private static func counts(
    _ occupants: Evacuation.Occupants, line: Int, in world: World
  ) throws(ScenarioError) -> [Int] {
    let open = Set(world.usefulEntrances.map { world.routes.group(of: world.entrances[$0].place) })
    let loads = world.destinations.map { place -> Double in
      guard open.contains(place.group) else { return 0 }
      let capacity = place.space.flatMap { world.plan.spaces[$0].capacity }
      return Double(min(place.occupantLoad, capacity ?? .max))
    }
    switch occupants {
    case .day: return loads.map { _ in 0 }
    case .occupantLoad(let share): return loads.map { Int(($0 * share).rounded()) }
    case .people(let count): return apportioned(count, by: loads)
    case .spaces(let list):
      var counts = loads.map { _ in 0 }
      for item in list {
        let name = item.target.name
        let found = world.destinations.indices.filter { index in
          world.destinations[index].space.map { world.plan.spaces[$0].isCalled(name) } ?? false
        }
        guard !found.isEmpty else {
          let spaces = world.destinations.compactMap { $0.space.map { world.plan.spaces[$0] } }
          throw Scenario.unknown(
            item.target, "evacuation.load", "space where people stay",
            spaces.map(\.name) + spaces.map(\.kind.rawValue) + spaces.map(\.id.rawValue))
        }
        for index in found { counts[index] = item.people }
      }
      return counts
    }
  }

  /// Divides a number of people in proportion to weights: whole shares first, then the largest remainders.
  static func apportioned(_ count: Int, by weights: [Double]) -> [Int] {
    let total = weights.reduce(0, +)
    guard total > 0 else { return weights.map { _ in 0 } }
    let exact = weights.map { $0 / total * Double(count) }
    var parts = exact.map { Int($0) }
    let order = exact.indices.sorted {
      let (a, b) = (exact[$0] - exact[$0].rounded(.down), exact[$1] - exact[$1].rounded(.down))
      return a != b ? a > b : $0 < $1
    }
    for index in order.prefix(max(count - parts.reduce(0, +), 0)) { parts[index] += 1 }
    return parts
  }

  /// Draws the population, speed, entrance and group of each person.
  private mutating func drawPeople(
    _ scenario: Scenario, evacuation: Evacuation, in world: World, replication: Replication
  ) {
    let choice = WeightedChoice(
      scenario.populations.enumerated().map { index, population in
        var alone = scenario
        alone.populations = [population]
        return (item: index, weight: alone.expectedPeople)
      })
    let doors = world.usefulEntrances
    var place: (floor: Int, space: Int)?
    var members = 0
    var group = -1
    for index in people.indices {
      var random = replication.random(Stream.evacuationPeople, entity: index)
      people[index].population = choice.pick(&random) ?? 0
      let speed =
        scenario.populations.isEmpty
        ? Population.SpeedRule() : scenario.populations[people[index].population].speed
      people[index].freeSpeed = speed.draw(&random)
      people[index].cameBy = world.entrances[doors[random.nextIndex(below: doors.count)]].id
      // Members of a group stand in one space.
      let here = (
        floor: people[index].floor, space: world.plan.space(at: people[index].point, floor: people[index].floor) ?? -1
      )
      let startsGroup = random.nextUnit() < evacuation.groupStartShare
      let size = evacuation.groupSize.lowerBound + random.nextIndex(below: evacuation.groupSize.count)
      if members > 0, let place, place == here {
        members -= 1
        people[index].group = group
      } else if startsGroup {
        group += 1
        members = size - 1
        people[index].group = group
      } else {
        members = 0
      }
      place = here
    }
    dropSingleGroups()
  }
}

extension Evacuation {
  /// The probability that a person who belongs to no group yet starts one, so that ``groupShare`` of all belong to one.
  fileprivate var groupStartShare: Double {
    let size = Double(groupSize.lowerBound + groupSize.upperBound) / 2
    return groupShare / max(size * (1 - groupShare) + groupShare, 1e-9)
  }
}

extension PlanSpace {
  /// Checks whether the space has a name, identifier or kind.
  func isCalled(_ name: String) -> Bool { id.rawValue == name || self.name == name || kind.rawValue == name }
}
