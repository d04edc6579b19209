import CordonCore
import CordonCrowd
import CordonGeometry
import CordonNavigation
import CordonVenues

/// Plans the day of every person: arrival, destinations and durations.
///
/// People are planned one after the other, because each spot is assigned to one person at a time. Walking times are
/// estimates; the walk itself may take longer or shorter.
struct ItineraryPlanner {
  private let world: World
  private let visitors: Int
  private let replication: Replication
  private let profile: VenueProfile
  private let byGroup: [Int: WeightedChoice]
  /// The destinations of each group, by their free room.
  private let roomsByGroup: [Int: PlaceChoice]
  private let byFloor: [Int: WeightedChoice]
  private let groups: WeightedChoice
  private let entrancesOfGroup: [Int: [Int]]
  private var reservations: [[BookedTimes]]
  private var presence: PresenceBook

  /// Number of draws by popularity before the choice is by free room alone.
  private static let draws = 12

  init(world: World, visitors: Int, replication: Replication) {
    self.world = world
    self.visitors = visitors
    self.replication = replication
    profile = world.profile
    var entrances: [Int: [Int]] = [:]
    let useful = world.usefulEntrances
    for (index, entrance) in world.entrances.enumerated() where useful.contains(index) {
      entrances[world.routes.group(of: entrance.place), default: []].append(index)
    }
    entrancesOfGroup = entrances
    let open = world.destinations.indices.filter { entrances[world.destinations[$0].group] != nil }
    let destinations = world.destinations
    func choice(_ indices: [Int]) -> WeightedChoice {
      WeightedChoice(indices.map { (item: $0, weight: destinations[$0].popularity) })
    }
    let presence = PresenceBook(limits: world.spaceLimits, rooms: destinations.map(\.room))
    self.presence = presence
    byGroup = Dictionary(grouping: open) { destinations[$0].group }.mapValues(choice)
    roomsByGroup = Dictionary(grouping: open) { destinations[$0].group }.mapValues {
      PlaceChoice($0, presence: presence)
    }
    byFloor = Dictionary(grouping: open) { destinations[$0].floor }.mapValues(choice)
    let byGroup = byGroup
    groups = WeightedChoice(byGroup.keys.sorted().map { (item: $0, weight: byGroup[$0]?.total ?? 0) })
    reservations = destinations.map { Array(repeating: BookedTimes(), count: $0.spots.count) }
  }

  /// Returns the itineraries of all people. Complexity: about linear in the number of stays.
  mutating func plan() -> [Itinerary] {
    (0..<visitors).map { plan(person: $0) }
  }

  private mutating func plan(person: Int) -> Itinerary {
    var random = replication.random(Stream.person, entity: person)
    let speed = ItineraryPlanner.freeSpeed(&random)
    // The first people are sent to each floor in turn, so that no floor stays empty by chance.
    let floors = byFloor.keys.sorted()
    let isScout = person < 2 * floors.count
    let arrival = isScout ? arrivalTime(&random, latest: 0.3) : arrivalTime(&random, latest: 1)
    let first =
      isScout
      ? byFloor[floors[person % floors.count]]?.pick(&random)
      : groups.pick(&random).flatMap { place(in: $0, at: arrival.milliseconds, &random) }
    guard let first else {
      return Itinerary(person: person, freeSpeed: speed, arrival: arrival, entrance: 0, stops: [], exit: 0)
    }
    let group = world.destinations[first].group
    let doors = entrancesOfGroup[group] ?? [0]
    let entrance = doors[random.nextIndex(below: doors.count)]
    let visit = profile.meanVisit * 60_000 * PortableMath.exp(0.4 * random.nextNormal() - 0.08)
    let end = arrival.milliseconds + Int64(min(max(visit, 300_000), 1e12))
    var stops: [Itinerary.Stop] = []
    var time = arrival.milliseconds
    var here = world.entrances[entrance].place
    var next: Int? = first
    while let destination = next, time < end, time < replication.end.milliseconds {
      let stop = stay(at: destination, from: here, leaving: time, by: end, speed: speed, &random)
      stops.append(stop)
      time = stop.leave.milliseconds
      here = stop.spot
      next =
        random.nextUnit() < profile.homeShare && destination != first
        ? first : other(than: destination, in: group, at: time, &random)
    }
    let exit = random.nextUnit() < 0.7 ? entrance : doors[random.nextIndex(below: doors.count)]
    return Itinerary(
      person: person, freeSpeed: speed, arrival: arrival, entrance: entrance, stops: stops, exit: exit)
  }

  /// Returns a random free speed, in metres per second: N(1.34, 0.26), truncated to 0.5 ... 2.2 (Weidmann 1993; the
  /// bounds are those of reference implementations).
  private static func freeSpeed(_ random: inout RandomStream) -> Double {
    for _ in 0..<16 {
      let speed = 1.34 + 0.26 * random.nextNormal()
      if speed >= 0.5 && speed <= 2.2 { return speed }
    }
    return 1.34
  }

  private func arrivalTime(_ random: inout RandomStream, latest: Double) -> Instant {
    let rates = profile.arrivalRates
    let choice = WeightedChoice(rates.indices.map { (item: $0, weight: rates[$0]) })
    let tenth = Double(choice.pick(&random) ?? 0)
    let share = (tenth + random.nextUnit()) / Double(rates.count) * latest
    let span = Double(replication.duration.milliseconds)
    return replication.start + .milliseconds(Int64(min(share * span, span - 1)))
  }

  private func other(
    than destination: Int, in group: Int, at time: Int64, _ random: inout RandomStream
  ) -> Int? {
    for _ in 0..<8 {
      guard let picked = place(in: group, at: time, &random) else { return nil }
      if picked != destination { return picked }
    }
    return nil
  }

  /// Returns a place of a group, by popularity and by the free share of its room at a time.
  private func place(in group: Int, at time: Int64, _ random: inout RandomStream) -> Int? {
    for _ in 0..<Self.draws {
      guard let picked = byGroup[group]?.pick(&random) else { return nil }
      let free = presence.freeRoom(at: picked, time)
      if random.nextUnit() * Double(presence.room(of: picked)) < Double(free) { return picked }
    }
    return roomsByGroup[group]?.pick(in: presence, arrival: { _ in time }, fits: { _ in true }, &random)
  }

  private mutating func stay(
    at index: Int, from here: Place, leaving time: Int64, by end: Int64, speed: Double, _ random: inout RandomStream
  ) -> Itinerary.Stop {
    let destination = world.destinations[index]
    let from = world.routes.navigation.center(of: here)
    let to = world.routes.navigation.center(of: destination.anchor)
    let levels = abs(
      world.plan.floors[here.floor].ordinal.value - world.plan.floors[destination.floor].ordinal.value)
    let walk = PlaneSegment(from, to).length * 1.3 / speed + levels * 25
    let arrival = time + Int64(walk * 1_000)
    let dwell = destination.kind.dwell
    let minutes = dwell.median * PortableMath.exp(dwell.spread * random.nextNormal())
    var leave = arrival + Int64(min(max(minutes, 0.5), 600) * 60_000)
    if leave > end { leave = max(arrival + 60_000, end) }
    presence.add(1, at: index, arrival..<max(leave, arrival + 1))
    let spot = reserve(destination: index, (arrival - 20_000)...max(arrival - 20_000, leave), &random)
    return Itinerary.Stop(
      destination: index, spot: destination.spots[spot], leave: Instant(milliseconds: leave))
  }

  /// Returns a spot that is free during the span, or any spot if the place is full.
  private mutating func reserve(destination: Int, _ span: ClosedRange<Int64>, _ random: inout RandomStream) -> Int {
    let count = reservations[destination].count
    var spot = random.nextIndex(below: count)
    for attempt in 0..<min(count, 24) {
      // Tries a few spots at random, then one after the other.
      spot = attempt < 8 ? random.nextIndex(below: count) : (spot + 1) % count
      if reservations[destination][spot].isFree(span) { break }
    }
    reservations[destination][spot].book(span)
    return spot
  }
}
