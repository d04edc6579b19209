import CordonCore
import CordonCrowd
import CordonVenues

/// The next activity of a party: a stay, an event or a wait.
extension ScenarioPlanner {
  /// Plans the next stay; returns `false` if there is nothing left to do.
  mutating func step(
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
  mutating func attend(
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
}
