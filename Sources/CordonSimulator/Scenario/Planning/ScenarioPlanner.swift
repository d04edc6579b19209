import CordonCore
package import CordonCrowd
import CordonGeometry
import CordonNavigation
import CordonVenues

/// Plans the days of a scenario: arrivals, activities, places and company.
///
/// Visits are planned in order of arrival, because each spot and seat is assigned to one person at a time. Walking
/// times are estimates; the walk itself may take longer or shorter.
package struct ScenarioPlanner {
  let world: World
  let scenario: Scenario
  private let replica: UInt32
  let places: ScenarioPlaces
  let choices: [[Int: PlaceChoice]]
  /// The random choice of a door, for populations whose doors lead to separate parts of the venue.
  private let doorChoices: [WeightedChoice?]
  private var events: CollectiveEvents
  var book: SpotBook
  var presence: PresenceBook
  var stations: ScenarioStations
  /// The spot of a person for an activity with an own place.
  var ownSpots: [OwnPlace: DeskPlan.Desk] = [:]
  private var desks: DeskPlan
  /// By activity: the people for whom no desk or other place of their own was left.
  private var withoutPlace: [Int: Set<Int>] = [:]
  var turnedAway = 0
  /// The indices of the activities by name.
  let indices: [String: Int]
  /// By activity: the number of people who left out a step.
  var leftOut: [Int: Int] = [:]
  /// By activity: the number of people whose visit ended before the minimum number of times.
  private var unmet: [Int: Int] = [:]

  // Durations, in milliseconds.

  /// Interval at which the members of a party pass the door.
  private static let doorInterval: Int64 = 800
  /// Minimum time before an event in which a person starts another activity.
  private static let minimumFreeTime = TimeSpan.minutes(4).milliseconds
  /// Time between the end of an activity and the start of the next event.
  private static let marginBeforeEvent = TimeSpan.seconds(90).milliseconds
  /// Minimum duration of a stay, and of a last stay that extends a visit.
  static let minimumStay = TimeSpan.seconds(5).milliseconds
  private static let minimumLastStay = TimeSpan.minutes(1).milliseconds
  /// Time after which people without room or without an activity try again, and its minimum before a deadline.
  static let waitingTime = TimeSpan.minutes(5).milliseconds
  private static let minimumWait = TimeSpan.seconds(1).milliseconds
  /// Time for which a spot is booked before an estimated arrival, and before a move to another spot.
  private static let arrivalMargin = TimeSpan.seconds(20).milliseconds
  private static let moveMargin = TimeSpan.seconds(5).milliseconds
  /// Estimated time to walk to the next spot of a stay.
  private static let moveTime = TimeSpan.seconds(3).milliseconds
  /// Time reserved for the ways around a required activity; an activity that lasts longer starts only if the time left
  /// before an event is at least as long.
  static let activityMargin = TimeSpan.minutes(10).milliseconds
  /// Maximum number of spots in one stay.
  private static let maximumMoves = 500
  /// Maximum number of waits in one visit.
  private static let maximumWaits = 400

  struct OwnPlace: Hashable {
    var person: Int
    var activity: Int
  }

  /// Resolves the scenario's names in the venue.
  /// - Throws: ``ScenarioError`` for names that the venue does not have, for places without a way to them and for
  ///   impossible schedules.
  package init(_ scenario: Scenario, world: World, replica: UInt32 = 0) throws(ScenarioError) {
    var scenario = scenario
    if scenario.activities.isEmpty { scenario.activities = Scenario.defaultActivities(in: world) }
    try scenario.checkSchedules()
    self.world = world
    self.scenario = scenario
    self.replica = replica
    indices = Dictionary(
      scenario.activities.enumerated().map { ($1.name, $0) }, uniquingKeysWith: { first, _ in first })
    let places = try ScenarioPlaces(scenario, world: world)
    self.places = places
    stations = ScenarioStations(scenario, places: places)
    doorChoices = scenario.populations.indices.map { ScenarioPlanner.doorChoice(of: $0, scenario, places, world) }
    var presence = PresenceBook(limits: places.limits, rooms: world.destinations.map(\.room))
    var book = SpotBook(world: world)
    desks = try DeskPlan(scenario, places: places, world: world, book: &book, presence: &presence)
    choices = zip(places.places, places.popularity).map { groups, popularity in
      groups.mapValues { PlaceChoice($0, presence: presence, popularity: popularity) }
    }
    events = CollectiveEvents(scenario, places: places, world: world, replica: replica, presence: &presence)
    self.presence = presence
    self.book = book
  }

  /// Returns a choice of doors by the popularity of the destinations behind them.
  ///
  /// The choice is `nil` unless the doors lead to separate parts of the venue, such as the buildings of a campus.
  private static func doorChoice(
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

  /// Plans all visits.
  ///
  /// Complexity: about linear in the number of stays, times the number of spots of a destination and the logarithm of
  /// their bookings.
  /// - Throws: ``ScenarioError`` if a population has no visits, or if there are too many people.
  package mutating func plan() throws(ScenarioError) -> CrowdPlan {
    var arrivals = ArrivalPlanner(scenario, replica: replica, defaultVisit: world.profile.meanVisit)
    try arrivals.draw()
    let visits = arrivals.visits
    var members: [Int: [Int]] = [:]
    for (index, visit) in visits.enumerated() {
      if let leader = visit.leader { members[leader, default: []].append(index) }
    }
    let order = visits.indices.filter { visits[$0].leader == nil }.sorted {
      (visits[$0].arrival, visits[$0].person) < (visits[$1].arrival, visits[$1].person)
    }
    var itineraries: [Itinerary] = []
    itineraries.reserveCapacity(visits.count)
    var parties: [Range<Int>] = []
    for index in order {
      let company = (members[index] ?? []).map { visits[$0] }
      let party = plan(visits[index], company: company)
      parties.append(itineraries.count..<itineraries.count + party.count)
      itineraries += party
    }
    itineraries = ScenarioPlanner.sorted(itineraries, parties: parties)
    var plan = CrowdPlan(
      itineraries: itineraries, people: arrivals.people, populations: scenario.populations.map(\.name))
    plan.turnedAway = turnedAway
    plan.withoutPlace = withoutPlace.values.reduce(0) { $0 + $1.count }
    plan.stations = stations.list
    plan.remarks = remarks(on: plan, arrivals: arrivals)
    for (index, limit) in places.limits.enumerated() { plan.capacities[index] = limit }
    return plan
  }

  private func remarks(on plan: CrowdPlan, arrivals: ArrivalPlanner) -> [String] {
    let tooLate = arrivals.tooLate
    let meant = Set(arrivals.visits.map(\.person))
    var remarks: [String] = []
    for (index, count) in arrivals.noShows.sorted(by: { $0.key < $1.key }) {
      remarks.append(
        "nobody came to \(count == 1 ? "1 appointment" : "\(count) appointments") of '\(scenario.populations[index].name)' (no_shows)"
      )
    }
    if tooLate > 0 {
      remarks.append(
        "\(tooLate == 1 ? "1 visit was" : "\(tooLate) visits were") left out: after the delay (policies.stagger, policies.masks), "
          + "they would begin after their end")
    }
    for (index, count) in unmet.sorted(by: { $0.key < $1.key }) {
      let rule = scenario.activities[index]
      let reason =
        rule.collective == nil ? "too little time, or no room" : "no free seat, or no event during the visit"
      remarks.append(
        "\(count == 1 ? "1 person" : "\(count) people") left without '\(rule.name)', or with fewer of it than 'repeat' asks for: \(reason)"
      )
    }
    remarks += scenario.activitiesThatNobodyChooses
    for (index, count) in leftOut.sorted(by: { $0.key < $1.key }) {
      remarks.append(
        "\(count == 1 ? "1 person" : "\(count) people") left out the step '\(scenario.activities[index].name)': closed, or no room"
      )
    }
    let cutOff = places.cutOffByDoors.count
    if cutOff > 0 {
      remarks.append(
        "people cannot stay in \(cutOff == 1 ? "1 place" : "\(cutOff) places") that policies.one_way leaves without a way in or out"
      )
    }
    for (index, people) in withoutPlace.sorted(by: { $0.key < $1.key }) {
      let who = people.count == 1 ? "1 person has" : "\(people.count) people have"
      remarks.append(
        desks.counts[index].map { "\(who) no desk for '\(scenario.activities[index].name)': it has \($0)" }
          ?? "\(who) no place for '\(scenario.activities[index].name)': its spaces are full")
    }
    let idle = meant.subtracting(plan.itineraries.map(\.person)).count
    if idle > 0 {
      remarks.append(
        "\(idle) of \(plan.people.count) people never entered: every place was full while they waited outside, or they had "
          + "no activity at that time")
    }
    return remarks
  }

  /// Returns the itineraries, ordered by person and arrival. The companion of each member of a party is the next
  /// member, and that of the last one is the first.
  private static func sorted(_ itineraries: [Itinerary], parties: [Range<Int>]) -> [Itinerary] {
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
  private mutating func plan(_ visit: PlannedVisit, company: [PlannedVisit]) -> [Itinerary] {
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
  private mutating func hasOwnPlace(
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

  /// Plans the next stay; returns `false` if there is nothing left to do.
  private mutating func step(
    _ day: inout DayInPlanning, person: Int, company: [PlannedVisit], allowed: Set<Int>, _ random: inout RandomStream
  ) -> Bool {
    let next = day.events.first.map { events.events[$0] }
    let horizon = min(day.leave, next?.start ?? .max)
    // The time until an event is used only if it is long enough to go somewhere.
    if let next, horizon - day.time < Self.minimumFreeTime {
      attend(next, in: &day, allowed: allowed, &random)
      return true
    }
    guard let activity = choose(day, until: horizon, allowed: allowed, &random) else {
      return wait(&day, until: horizon, allowed: allowed, &random)
    }
    guard begin(activity, in: &day, until: horizon, isBeforeEvent: next != nil, person: person, &random) else {
      turnedAway += day.party
      let until = min(horizon, day.time + Self.waitingTime)
      return wait(&day, until: until, roomFor: activity, allowed: allowed, &random)
    }
    return true
  }

  /// Plans a stay at the next event, or a wait in front of it; drops an event that the party cannot reach in time.
  private mutating func attend(
    _ event: CollectiveEvents.Event, in day: inout DayInPlanning, allowed: Set<Int>, _ random: inout RandomStream
  ) {
    if presence.isLimited(event.destination) {
      // Earlier visitors may still be inside.
      let setOut = event.start - walk(day, to: event.destination)
      if day.time < setOut, wait(&day, until: setOut, allowed: allowed, &random) { return }
      guard day.time >= setOut, day.time + walk(day, to: event.destination) + Self.minimumStay <= event.end else {
        day.events.removeFirst()
        turnedAway += day.party
        return
      }
    }
    day.events.removeFirst()
    guard event.end > day.time else { return }
    day.counts[event.activity, default: 0] += 1
    guard let moves = scenario.activities[event.activity].moves else {
      return stay(&day, at: event.destination, until: event.end, spot: nil, near: nil, reserved: day.party, &random)
    }
    // All participants move on at the same times.
    var shared = RandomStream(
      seed: scenario.seed, replica: replica, stream: Stream.events,
      entity: 1 << 41 | UInt64(event.activity) << 20 | UInt64(event.destination), index: UInt64(max(event.start, 0)))
    let pauses = Self.pauses(moves, from: max(event.start, day.time), until: event.end, &shared)
    wander(
      &day, at: event.destination, until: event.end, activity: event.activity, pauses: pauses, reserved: day.party,
      &random)
  }

  /// Plans a stay for an activity; returns `false` if there is no room for it.
  mutating func begin(
    _ activity: Int, in day: inout DayInPlanning, until horizon: Int64, isBeforeEvent: Bool, person: Int,
    _ random: inout RandomStream
  ) -> Bool {
    let rule = scenario.activities[activity]
    guard let place = place(for: activity, person: person, day: day, &random) else { return false }
    if rule.isServed {
      serve(activity, in: &day, at: place.destination, &random)
      day.isAtOwnPlace = false
      return true
    }
    let arrival = day.time + walk(day, to: place.destination)
    var leave = arrival + rule.duration.draw(&random)
    if isBeforeEvent { leave = min(leave, horizon - Self.marginBeforeEvent) }
    leave = max(min(leave, max(day.leave, arrival + Self.minimumLastStay)), arrival + Self.minimumStay)
    // An own place is kept free for its owner.
    let reserved = rule.isOwnPlace ? 1 : 0
    guard presence.room(at: place.destination, arrival..<leave) >= day.party - reserved else { return false }
    day.counts[activity, default: 0] += 1
    if rule.moves != nil {
      wander(
        &day, at: place.destination, until: leave, activity: activity, pauses: nil, reserved: reserved, &random)
    } else {
      var near: Int?
      if place.spot == nil, random.nextUnit() < rule.companyShare {
        near = book.occupied(place.destination, arrival...leave, &random)
      }
      stay(
        &day, at: place.destination, until: leave, spot: place.spot, seat: place.seat, near: near,
        reserved: reserved, &random)
    }
    day.isAtOwnPlace = rule.isOwnPlace
    return true
  }

  /// Returns the estimated walking time, in milliseconds.
  func walk(_ day: DayInPlanning, to destination: Int) -> Int64 {
    ScenarioPlanner.walkingTime(from: day.here, to: destination, speed: day.speed, in: world)
  }

  /// Returns the estimated walking time from a place to a destination, in milliseconds.
  static func walkingTime(from here: Place, to destination: Int, speed: Double, in world: World) -> Int64 {
    let goal = world.destinations[destination]
    let navigation = world.routes.navigation
    let length = PlanePoint.distance(navigation.center(of: here), navigation.center(of: goal.anchor))
    let levels = abs(
      world.plan.floors[here.floor].ordinal.value - world.plan.floors[goal.floor].ordinal.value)
    return Int64((length * 1.3 / speed + levels * 25) * 1_000)
  }

  /// Books places for the whole party, and adds the stop.
  /// - Parameters:
  ///   - seat: the place of the leader, if it is not the centre of the spot.
  ///   - reserved: the number of members for whom the place is already counted.
  mutating func stay(
    _ day: inout DayInPlanning, at destination: Int, until leave: Int64, spot: Int?, seat: Place? = nil, near: Int?,
    reserved: Int = 0, _ random: inout RandomStream
  ) {
    let arrival = day.time + walk(day, to: destination)
    let leave = max(leave, arrival + Self.minimumStay)
    presence.add(day.party - reserved, at: destination, arrival..<leave)
    day.isAtOwnPlace = false
    let span = (arrival - Self.arrivalMargin)...leave
    var first: Int?
    let isBeside = day.party == 1 || random.nextUnit() < day.besideShare
    for member in 0..<day.party {
      let booked: Int
      if first == nil, let spot {
        book.book(destination, spot: spot, span)
        booked = spot
      } else {
        booked = book.book(destination, span, near: isBeside ? first ?? near : nil, &random)
      }
      first = first ?? booked
      day.stops[member].append(
        Itinerary.Stop(
          destination: destination,
          spot: (member == 0 ? seat : nil) ?? world.destinations[destination].spots[booked],
          leave: Instant(milliseconds: leave)))
    }
    day.here = day.stops[0].last?.spot ?? day.here
    day.time = leave
  }

  /// Returns the times at one spot after the other, in milliseconds; the last one extends to the end of the stay.
  private static func pauses(
    _ rule: DurationRule, from start: Int64, until end: Int64, _ random: inout RandomStream
  ) -> [Int64] {
    var pauses: [Int64] = []
    var time = start
    while time < end, pauses.count < maximumMoves {
      let pause = rule.draw(&random)
      pauses.append(pause)
      time += pause + moveTime
    }
    return pauses
  }

  /// Adds a stay in which the members of a party move from spot to spot, side by side or independently.
  private mutating func wander(
    _ day: inout DayInPlanning, at destination: Int, until leave: Int64, activity: Int, pauses: [Int64]?,
    reserved: Int, _ random: inout RandomStream
  ) {
    let rule = scenario.activities[activity]
    guard let moves = rule.moves else { return }
    let arrival = day.time + walk(day, to: destination)
    let leave = max(leave, arrival + Self.minimumStay)
    presence.add(day.party - reserved, at: destination, arrival..<leave)
    day.isAtOwnPlace = false
    let isBeside = day.party == 1 || random.nextUnit() < day.besideShare
    let together = pauses ?? (isBeside ? Self.pauses(moves, from: arrival, until: leave, &random) : nil)
    var lead: [Int] = []
    for member in 0..<day.party {
      let lengths = together ?? Self.pauses(moves, from: arrival, until: leave, &random)
      var time = arrival
      var spots: [Int] = []
      for (index, length) in lengths.enumerated() {
        let isLast = index == lengths.count - 1
        let span = (time - Self.moveMargin)...max(time, isLast ? leave : time + length)
        var near = isBeside && member > 0 && index < lead.count ? lead[index] : nil
        if near == nil, random.nextUnit() < rule.companyShare { near = book.occupied(destination, span, &random) }
        let spot: Int
        if let near {
          spot = book.book(destination, span, near: near, &random)
        } else if let last = spots.last {
          spot = book.bookNext(destination, span, from: last, &random)
        } else {
          spot = book.book(destination, span, &random)
        }
        spots.append(spot)
        day.stops[member].append(
          Itinerary.Stop(
            destination: destination, spot: world.destinations[destination].spots[spot],
            leave: Instant(milliseconds: leave), length: isLast ? nil : TimeSpan(milliseconds: length)))
        time += length + Self.moveTime
      }
      if member == 0 { lead = spots }
    }
    day.here = day.stops[0].last?.spot ?? day.here
    day.time = leave
  }

  /// Extends the last stay for a while, or moves to a waiting place if there is no room any more. People without a stay
  /// wait outside.
  mutating func wait(
    _ day: inout DayInPlanning, until horizon: Int64, roomFor activity: Int? = nil, allowed: Set<Int>,
    _ random: inout RandomStream
  ) -> Bool {
    day.idle += 1
    guard day.idle < Self.maximumWaits else { return false }
    let until = min(day.time + Self.waitingTime, max(horizon, day.time + Self.minimumWait))
    guard !day.stops[0].isEmpty else {
      if let activity {
        // Outside places with a limit, people wait outside the venue; otherwise they enter and wait.
        let isLimited = (places.places[activity][day.group] ?? []).contains { presence.isLimited($0) }
        if !isLimited, let place = waitingPlace(near: day) {
          stay(&day, at: place, until: until, spot: nil, near: nil, &random)
          return true
        }
        day.hasWaitedForRoom = true
      } else {
        // With nothing to do at this hour and no future event, the visit ends.
        guard !day.events.isEmpty || opensLater(day, allowed) else { return false }
      }
      day.time = until
      day.outsideUntil = until
      return true
    }
    if let last = day.stops[0].last {
      // An own place stays reserved.
      let people = day.isAtOwnPlace ? day.party - 1 : day.party
      guard presence.room(at: last.destination, day.time..<until) >= people else {
        guard let place = waitingPlace(near: day) else { return false }
        stay(&day, at: place, until: until, spot: nil, near: nil, &random)
        return true
      }
      presence.add(people, at: last.destination, day.time..<until)
    }
    day.time = until
    for member in day.stops.indices {
      guard let last = day.stops[member].indices.last else { continue }
      day.stops[member][last].leave = Instant(milliseconds: until)
    }
    return true
  }

  /// Returns a place without a limit to wait in: one with free room if possible, then a hall, and the nearest one.
  func waitingPlace(near day: DayInPlanning) -> Int? {
    world.destinations.indices.filter { index in
      world.destinations[index].group == day.group && !presence.isLimited(index) && !places.closed.contains(index)
    }.map { index in
      (
        isFull: presence.freeRoom(at: index, day.time) < day.party ? 1 : 0,
        isHall: [.lobby, .waitingArea, .corridor, .area].contains(world.destinations[index].kind) ? 0 : 1,
        way: walk(day, to: index), index: index
      )
    }.min { $0 < $1 }?.index
  }
}
