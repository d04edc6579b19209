import CordonCore
import CordonCrowd
import CordonGeometry
import CordonNavigation
import CordonVenues

/// Plans an evacuation: the delays, abilities, exits and meeting places of all people inside.
struct EvacuationPlanner {
  let evacuation: Evacuation
  let world: World
  let replication: Replication

  /// The plan of one person, beside the itinerary.
  struct Person: Hashable, Sendable {
    /// Index in the mobilities of the evacuation, from 1; 0 for a person without limits.
    var mobility: Int
    var isFamiliar: Bool
  }

  /// The plans of all people.
  struct Plan: Sendable {
    /// The time of the alarm, in milliseconds after the start.
    var alarm: Int64
    var itineraries: [Itinerary]
    var people: [Person]
    var remarks: [String]
  }

  /// Maximum distance from a person to the walkable cell on which the person's way begins, in metres.
  private static let reach = 2.5

  func plan(_ occupants: EvacuationOccupants) -> Plan {
    var alarm = replication.random(Stream.evacuationAlarm, entity: 0)
    var plan = Plan(
      alarm: evacuation.alarmDelay.draw(&alarm), itineraries: [], people: [], remarks: occupants.remarks)
    let groups = world.entrances.map { world.routes.group(of: $0.place) }
    var lost = 0
    for (number, occupant) in occupants.people.enumerated() {
      var random = replication.random(Stream.evacuationDelays, entity: number)
      let name = occupants.populations[occupant.population]
      let mobility = mobility(of: name, random.nextUnit())
      let delay = delay(of: name).draw(&random)
      let place = world.routes.navigation.place(
        near: occupant.point, floor: occupant.floor, within: Self.reach, seeing: true)
      let group = place.map { world.routes.group(of: $0) }
      var exits = world.entrances.indices.filter { groups[$0] == group }
      var isFamiliar = random.nextUnit() < evacuation.familiarShare
      if isFamiliar {
        if let own = exits.first(where: { world.entrances[$0].id == occupant.cameBy }) {
          exits = [own]
        } else {
          isFamiliar = false
          lost += 1
        }
      }
      var evacuee = Evacuee(
        floor: occupant.floor, position: occupant.point,
        departure: replication.start + .milliseconds(plan.alarm + delay), exits: exits)
      // A stream of its own, so that the share does not change the other draws.
      var follow = replication.random(Stream.evacuationFollowers, entity: number)
      evacuee.followsOthers = follow.nextUnit() < evacuation.followingShare
      evacuee.stairPace = mobility > 0 ? evacuation.mobility[mobility - 1].stairs : 1
      let pace = mobility > 0 ? evacuation.mobility[mobility - 1].speed : 1
      var itinerary = Itinerary(
        person: number, freeSpeed: occupant.freeSpeed * pace, arrival: replication.start,
        entrance: exits.first ?? 0, stops: [], exit: exits.first ?? 0)
      itinerary.evacuee = evacuee
      plan.itineraries.append(itinerary)
      plan.people.append(Person(mobility: mobility, isFamiliar: isFamiliar))
    }
    if lost > 0 {
      plan.remarks.append("\(lost) people know only an entrance that they cannot reach, and take any exit")
    }
    if evacuation.reunites { reunite(occupants, &plan) }
    return plan
  }

  /// Returns the mobility that a random number from 0 to 1 selects.
  private func mobility(of population: String, _ number: Double) -> Int {
    var sum = 0.0
    for (index, mobility) in evacuation.mobility.enumerated()
    where mobility.populations.isEmpty || mobility.populations.contains(population) {
      sum += mobility.share
      if number < sum { return index + 1 }
    }
    return 0
  }

  private func delay(of population: String) -> DurationRule {
    evacuation.preMovement.first { $0.population == population }?.delay
      ?? evacuation.preMovement.first { $0.population == nil }?.delay ?? world.profile.preMovement.delay
  }

  // MARK: Groups

  /// Gives each group a meeting place: spots of the space in which its first member stands.
  private func reunite(_ occupants: EvacuationOccupants, _ plan: inout Plan) {
    var members: [[Int]] = []
    for (number, occupant) in occupants.people.enumerated() {
      guard let group = occupant.group else { continue }
      while members.count <= group { members.append([]) }
      members[group].append(number)
    }
    var apart = 0
    var number = 0
    for group in members where group.count > 1 {
      guard let places = meetingPlaces(of: group.map { occupants.people[$0] }) else {
        apart += 1
        continue
      }
      for (index, person) in group.enumerated() {
        plan.itineraries[person].stops = [
          Itinerary.Stop(destination: places.destination, spot: places.spots[index], leave: replication.end)
        ]
        plan.itineraries[person].evacuee?.group = number
        plan.itineraries[person].companion = group[(index + 1) % group.count]
      }
      number += 1
    }
    if apart > 0 {
      plan.remarks.append("\(apart) groups have no place to meet in reach of all members, who leave one by one")
    }
  }

  private func meetingPlaces(of members: [EvacuationOccupant]) -> (destination: Int, spots: [Place])? {
    func group(_ person: EvacuationOccupant) -> Int? {
      world.routes.navigation.place(near: person.point, floor: person.floor, within: Self.reach, seeing: true)
        .map { world.routes.group(of: $0) }
    }
    guard let first = members.first, let part = group(first), members.allSatisfy({ group($0) == part }) else {
      return nil
    }
    func distance(_ spot: Place) -> Double {
      PlaneSegment(world.routes.navigation.center(of: spot), first.point).length
    }
    let near = world.destinations.indices.filter {
      world.destinations[$0].floor == first.floor && world.destinations[$0].group == part
    }
    let space = world.plan.space(at: first.point, floor: first.floor)
    let own = near.first { space != nil && world.destinations[$0].space == space }
    func gap(_ index: Int) -> Double { world.destinations[index].spots.map(distance).min() ?? .infinity }
    guard let destination = own ?? near.min(by: { (gap($0), $0) < (gap($1), $1) }) else { return nil }
    let spots = world.destinations[destination].spots.sorted { (distance($0), $0.cell) < (distance($1), $1.cell) }
    guard let last = spots.prefix(members.count).last else { return nil }
    return (destination, members.indices.map { $0 < spots.count ? spots[$0] : last })
  }
}

extension VenueProfile {
  /// The pre-movement times of a kind of venue.
  package var preMovement: PreMovementPreset {
    switch self {
    case .office, .school: .awakeFamiliar
    case .mall, .museum, .generic: .awakeUnfamiliar
    case .hospital: .medical
    case .station: .transport
    }
  }
}
