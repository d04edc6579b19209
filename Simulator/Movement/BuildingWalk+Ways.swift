import CordonContacts
import CordonCore
import CordonGeometry
import CordonVenues

extension BuildingWalk {
  /// Distances from an exit or landing, and from a place in a queue or a spot, at which a person has arrived, in
  /// metres.
  private static let doorRadius = 0.35
  private static let spotRadius = 0.1
  /// Minimum duration of a stay in milliseconds, also for people who arrive late.
  private static let minimumStay: Int64 = 5_000

  /// Sends a person to the next stop, or to the exit.
  func goOn(_ number: Int) {
    let itinerary = itineraries[number]
    walkers[number].tries = 0
    walkers[number].avoided = []
    while walkers[number].stop < itinerary.stops.count {
      let stop = itinerary.stops[walkers[number].stop]
      walkers[number].goal = .stop
      if let field = fields.destination(stop.destination), setOut(number, to: goalPlace(of: number), along: field) {
        return
      }
      tracks[number].unreachable += 1
      walkers[number].stop += 1
    }
    walkers[number].goal = .exit
    let exit = world.entrances[itinerary.exit].place
    if let field = fields.exit(itinerary.exit), setOut(number, to: exit, along: field) { return }
    // Without a way out, the person stays until the end.
    tracks[number].unreachable += 1
    rest(number)
    walkers[number].phase = .lockedIn
  }

  /// Returns the place of a person's current goal.
  func goalPlace(of number: Int) -> Place {
    let itinerary = itineraries[number]
    guard walkers[number].goal == .stop, walkers[number].stop < itinerary.stops.count else {
      return world.entrances[itinerary.exit].place
    }
    let stop = itinerary.stops[walkers[number].stop]
    return stop.service == nil ? stop.spot : line(at: stop.destination).place(of: number)
  }

  /// Finds a new way from a person's current position.
  func lookForTheWay(_ number: Int) {
    walkers[number].tries += 1
    switch walkers[number].phase {
    case .called: return stepInto(number)
    case .climbing: return goUpstairs(number)
    case .alighting: return hasClimbed(number)
    default: break
    }
    if let field = goalField(of: number), setOut(number, to: goalPlace(of: number), along: field) { return }
    goOn(number)
  }

  /// Returns the distance field of a person's current goal.
  func goalField(of number: Int) -> DistanceField? {
    let (walker, itinerary) = (walkers[number], itineraries[number])
    guard walker.goal == .stop, walker.stop < itinerary.stops.count else { return fields.exit(itinerary.exit) }
    return fields.destination(itinerary.stops[walker.stop].destination)
  }

  private func setOut(_ number: Int, to goal: Place, along field: DistanceField) -> Bool {
    let floor = walkers[number].floor
    let here = plane.local(crowd.position(of: number), floor: floor)
    guard let start = plane.place(at: here, floor: floor) else { return false }
    var legs = navigation(avoiding: walkers[number].avoided).route(from: start, to: goal, along: field)
    if legs == nil, !walkers[number].avoided.isEmpty {
      walkers[number].avoided = []
      legs = world.routes.navigation.route(from: start, to: goal, along: field)
    }
    guard let legs else { return false }
    walkers[number].legs = legs
    walkers[number].leg = 0
    walkers[number].phase = .walking
    beginLeg(number, goal: goal)
    return true
  }

  /// Begins the current leg of the way; without a leg, the person walks to `goal`.
  func beginLeg(_ number: Int, goal: Place) {
    let walker = walkers[number]
    guard walker.leg < walker.legs.count else {
      // The person is on the goal's cell already, or next to it.
      let isExit = walker.goal == .exit
      send(number, [.point(plane.center(of: goal), radius: isExit ? Self.doorRadius : Self.spotRadius)])
      return
    }
    switch walker.legs[walker.leg] {
    case .walk(let floor, var corners):
      // The first corner is the cell on which the person stands. The person walks to its centre only if the next corner
      // is visible from there alone.
      let here = plane.local(crowd.position(of: number), floor: floor)
      let isCareful = walker.tries > 1
      if isCareful || corners.count > 1 && isHidden(corners[1], from: here, floor: floor) {
        corners.insert(here, at: 0)
      } else {
        corners[0] = here
      }
      let isLast = walker.leg == walker.legs.count - 1
      var radius = isLast && walker.goal == .stop ? Self.spotRadius : Self.doorRadius
      if !isLast, case .ride(let way, let from, let to) = walker.legs[walker.leg + 1] {
        radius = Self.landingRadius
        if landings.kinds[way] == .elevator {
          corners = wayToWait(corners)
          guard corners.count > 1 else { return ride(number, way: way, from: from, to: to) }
        } else if isOnFlight(number, way: way, stop: from) {
          return ride(number, way: way, from: from, to: to)
        } else if !admissions[way].isOn(number) {
          corners = wayToStairs(corners, landings.flights[way][from])
          guard corners.count > 1 else { return ride(number, way: way, from: from, to: to) }
        } else {
          corners[corners.count - 1] = startOfFlight(way, from, seenFrom: corners[max(corners.count - 2, 0)])
        }
      }
      send(number, plane.marks(along: corners, floor: floor, radius: radius, isCareful: isCareful))
    case .ride(let way, let from, let to):
      if landings.kinds[way] == .elevator || !admissions[way].isOn(number) || isOnFlight(number, way: way, stop: from) {
        return ride(number, way: way, from: from, to: to)
      }
      send(number, [.point(plane.center(of: landings.flights[way][from].start), radius: Self.landingRadius)])
    }
  }

  /// Returns the point where a person begins to climb: beside the landing, or on it if the point beside it is not
  /// visible.
  private func startOfFlight(_ way: Int, _ stop: Int, seenFrom corner: PlanePoint) -> PlanePoint {
    let start = world.routes.navigation.center(of: landings.flights[way][stop].start)
    let landing = landings.centers[way][stop]
    return isHidden(start, from: corner, floor: landing.floor) ? world.routes.navigation.center(of: landing) : start
  }

  private func isHidden(_ point: PlanePoint, from here: PlanePoint, floor: Int) -> Bool {
    world.routes.navigation.floors[floor].barriers.isCrossed(from: here, to: point)
  }

  /// Sends a person to a place on the same floor: straight if the place is visible, and along a distance field
  /// otherwise.
  func send(_ number: Int, to place: Place, radius: Double, along field: @autoclosure () -> DistanceField?) {
    recorders[number].rest(until: now)
    let here = recorders[number].position
    if isHidden(world.routes.navigation.center(of: place), from: here, floor: place.floor),
      let start = plane.place(at: here, floor: place.floor), let field = field(),
      let legs = world.routes.navigation.route(from: start, to: place, along: field), legs.count == 1,
      case .walk(let floor, var corners) = legs[0]
    {
      corners.insert(here, at: 0)
      return send(number, plane.marks(along: corners, floor: floor, radius: radius))
    }
    send(number, [.point(plane.center(of: place), radius: radius)])
  }

  func send(_ number: Int, _ marks: [CrowdWaypoint]) {
    // A way that was found repeatedly may be the one that leads to and fro.
    if walkers[number].tries <= 2 { walkers[number].least = (.infinity, 0) }
    crowd.send(number, along: crowd.add(way: marks))
  }

  /// Handles a person at the end of their waypoints.
  func arrived(_ number: Int) {
    switch walkers[number].phase {
    case .walking: legIsDone(number)
    case .climbing: changeFloor(number)
    case .alighting: hasClimbed(number)
    // Waiting, staying or served people have only made room for others.
    case .called, .inCar, .steppingAside, .inLine, .waitingForStairs, .waitingForCar, .dwelling, .served, .lockedIn,
      .away, .gone:
      rest(number)
    }
  }

  private func legIsDone(_ number: Int) {
    let walker = walkers[number]
    if walker.leg < walker.legs.count, case .walk = walker.legs[walker.leg], walker.leg + 1 < walker.legs.count {
      walkers[number].leg += 1
    }
    let next = walkers[number]
    if next.leg < next.legs.count, case .ride(let way, let from, let to) = next.legs[next.leg] {
      ride(number, way: way, from: from, to: to)
    } else if next.leg > walker.leg {
      beginLeg(number, goal: goalPlace(of: number))
    } else if walker.goal == .exit {
      leave(number)
    } else {
      reachStop(number)
    }
  }

  /// Makes a person stay at the current position.
  func rest(_ number: Int) { crowd.stay(number) }

  /// Removes a person from the building at the exit, without walking the last `doorRadius` metres.
  ///
  /// A person who does not see the exit walks closer first.
  private func leave(_ number: Int) {
    let place = world.entrances[itineraries[number].exit].place
    guard !isHidden(world.routes.navigation.center(of: place), from: recorders[number].position, floor: place.floor)
    else { return send(number, closer(to: place)) }
    crowd.remove(number)
    recorders[number].rest(until: now)
    walkers[number].phase = .gone
    tracks[number].hasLeft = now <= end
    recorders[number].close()
  }

  /// Returns a waypoint for a person who is near a place but does not see it.
  func closer(to place: Place) -> [CrowdWaypoint] { [.point(plane.center(of: place), radius: 0.05)] }

  func reachStop(_ number: Int) {
    let stop = itineraries[number].stops[walkers[number].stop]
    if stop.service != nil { return joinLine(number, at: stop.destination) }
    rest(number)
    walkers[number].phase = .dwelling
    walkers[number].since = now
    walkers[number].stuck = 0
    events.add(.departure, number, at: stop.end(from: now, least: Self.minimumStay))
  }

  func endStay(_ number: Int) {
    noteStay(number, until: now)
    recorders[number].rest(until: now)
    walkers[number].stop += 1
    goOn(number)
  }

  func noteStay(_ number: Int, until time: Int64) {
    let stop = itineraries[number].stops[walkers[number].stop]
    guard walkers[number].since < time else { return }
    tracks[number].stays.append(
      Stay(
        destination: stop.destination, space: world.destinations[stop.destination].space,
        start: Instant(milliseconds: walkers[number].since), end: Instant(milliseconds: min(time, end))))
  }
}
