import CordonCore
import CordonCrowd
import CordonGeometry
import CordonNavigation
import CordonVenues

/// Stays at one spot or from spot to spot, and waits.
extension ScenarioPlanner {
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
  static func pauses(
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
  mutating func wander(
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
