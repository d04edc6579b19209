import CordonCore
import CordonCrowd
import CordonGeometry
import CordonNavigation
import CordonVenues

/// The people who come together: their doors, their places of their own, and the order of their itineraries.
extension ScenarioPlanner {
  /// Returns a choice of doors by the popularity of the destinations behind them.
  ///
  /// The choice is `nil` unless the doors lead to separate parts of the venue, such as the buildings of a campus.
  static func doorChoice(
    of population: Int, _ scenario: Scenario, _ places: ScenarioPlaces, _ world: World
  ) -> WeightedChoice? {
    let groups = places.entrances[population].map { world.routes.group(of: world.entrances[$0].place) }
    guard Set(groups).count > 1 else { return nil }
    let rule = scenario.populations[population]
    var doors: [Int: Int] = [:]
    for group in groups { doors[group, default: 0] += 1 }
    let weights = groups.map { group in
      let goals = scenario.activities.indices.filter {
        rule.includes(scenario.activities[$0])
      }.reduce(into: Set<Int>()) { $0.formUnion(places.places[$1][group] ?? []) }
      return goals.sorted().reduce(0) { $0 + world.destinations[$1].popularity } / Double(doors[group] ?? 1)
    }
    guard weights.contains(where: { $0 > 0 }) else { return nil }
    return WeightedChoice(zip(places.entrances[population], weights).filter { $0.1 > 0 }.map { ($0.0, $0.1) })
  }

  /// Returns the itineraries, ordered by person and arrival. The companion of each member of a party is the next
  /// member, and that of the last one is the first.
  static func sorted(_ itineraries: [Itinerary], parties: [Range<Int>]) -> [Itinerary] {
    let order = itineraries.indices.sorted {
      (itineraries[$0].person, itineraries[$0].arrival) < (itineraries[$1].person, itineraries[$1].arrival)
    }
    var places = Array(repeating: 0, count: itineraries.count)
    for (place, index) in order.enumerated() { places[index] = place }
    var sorted = order.map { itineraries[$0] }
    for party in parties {
      guard party.count > 1 else { continue }
      for member in party where itineraries[member].leader != nil {
        sorted[places[member]].leader = places[party.lowerBound]
      }
      // Members are ordered by their new indices, so that a party begins with the lowest one.
      let members = party.map { places[$0] }.sorted()
      for (one, next) in zip(members, members.dropFirst() + [members[0]]) { sorted[one].companion = next }
    }
    return sorted
  }

  /// Returns the itineraries of a leader or single person, and of the company.
  mutating func plan(_ visit: PlannedVisit, company: [PlannedVisit]) -> [Itinerary] {
    let population = scenario.populations[visit.population]
    var random = RandomStream(
      seed: scenario.seed, replica: replica, stream: Stream.days, entity: UInt64(visit.person),
      index: UInt64(max(visit.arrival, 0)))
    let doors = places.entrances[visit.population]
    let ways = places.exits[visit.population]
    let entrance = doorChoices[visit.population]?.pick(&random) ?? doors[random.nextIndex(below: doors.count)]
    let group = world.routes.group(of: world.entrances[entrance].place)
    let allowed = Set(
      scenario.activities.indices.filter {
        population.includes(scenario.activities[$0]) && places.places[$0][group] != nil
          && hasOwnPlace(visit.person, for: $0, group: group, &random)
      })
    // People without a desk do the rest of their activities, if these can fill a visit.
    let lacks = scenario.activities.indices.contains { withoutPlace[$0]?.contains(visit.person) == true }
    let canFill = allowed.contains {
      scenario.activities[$0].maximum == nil && scenario.activities[$0].collective == nil
    }
    guard !lacks || canFill else {
      turnedAway += 1 + company.count
      return []
    }
    var day = DayInPlanning(
      time: visit.arrival, leave: min(visit.leave, scenario.end.milliseconds), here: world.entrances[entrance].place,
      speed: visit.speed, group: group, party: 1 + company.count, besideShare: population.besideShare)
    let reachable = Set(allowed.flatMap { places.places[$0][group] ?? [] })
    day.served = 1 + company.count { !$0.isCompanion }
    day.events =
      population.steps.isEmpty
      ? events.join(
        from: visit.arrival, until: visit.leave, activities: allowed, rules: scenario.activities, group: reachable,
        seats: day.party, &random) : []
    if population.steps.isEmpty {
      while day.time < day.leave {
        guard step(&day, person: visit.person, company: company, allowed: allowed, &random) else { break }
      }
      finish(&day, person: visit.person, allowed: allowed, &random)
      for index in allowed where (day.counts[index] ?? 0) < scenario.activities[index].minimum {
        unmet[index, default: 0] += day.party
      }
    } else {
      follow(population.steps, in: &day, visit: visit, allowed: allowed, &random)
    }
    guard !day.stops[0].isEmpty else {
      turnedAway += day.party
      return []
    }
    let sameGroup = ways.filter { world.routes.group(of: world.entrances[$0].place) == group }
    let goesBack = random.nextUnit() < 0.7 && ways.contains(entrance) || sameGroup.isEmpty
    let exit = goesBack ? entrance : sameGroup[random.nextIndex(below: sameGroup.count)]
    var planned: [Itinerary] = []
    // People who had to wait for room at the beginning did so outside.
    let hasWaited = day.hasWaitedForRoom || day.stops[0].first.map { presence.isLimited($0.destination) } == true
    let first = hasWaited ? day.outsideUntil : visit.arrival
    for (number, member) in ([visit] + company).enumerated() {
      // People pass the door one after the other.
      let arrival = Instant(milliseconds: first + Int64(number) * Self.doorInterval)
      guard arrival < scenario.end else { continue }
      var itinerary = Itinerary(
        person: member.person, freeSpeed: visit.speed, arrival: arrival, entrance: entrance,
        stops: day.stops[number], exit: exit)
      if member.isCompanion { itinerary.accompany(0) }
      planned.append(itinerary)
    }
    return planned
  }

  /// Returns whether a person has a place of their own, or may still get one; gives the person a desk if the activity has
  /// desks.
  mutating func hasOwnPlace(
    _ person: Int, for activity: Int, group: Int, _ random: inout RandomStream
  ) -> Bool {
    let key = OwnPlace(person: person, activity: activity)
    guard scenario.activities[activity].isOwnPlace, ownSpots[key] == nil else { return true }
    if scenario.activities[activity].desks != nil {
      if let desk = desks.take(for: activity, group: group, &random) {
        ownSpots[key] = desk
        return true
      }
    } else if (places.places[activity][group] ?? []).contains(where: { hasFreePlace(at: $0) }) {
      return true
    }
    withoutPlace[activity, default: []].insert(person)
    return false
  }

  /// Checks whether a destination has a spot for another person who keeps it for the whole run.
  func hasFreePlace(at destination: Int) -> Bool {
    presence.roomForAlways(at: destination) >= 1
      && presence.owned(at: destination) < world.destinations[destination].spots.count
  }
}
