import CordonContacts
import CordonCore
import CordonGeometry
import CordonVenues

/// Stairs, escalators and ramps: people walk on the part of them that each floor's plan shows.
extension BuildingWalk {
  /// A trip between two floors.
  struct Ride {
    var way = -1
    /// The stop that the person leaves, the next stop, and the last stop.
    var from = -1
    var next = -1
    var to = -1
    /// Time at which the person reaches the next stop unless others cause a delay, in milliseconds since 1970.
    var arrival: Int64 = 0
    /// Factor of the free speed.
    var pace = 1.0
  }

  /// Distance from a landing at which a ride begins and ends, in metres. Several people fit within it.
  static let landingRadius = 0.6
  private static let headRadius = 0.2
  private static let slowest = 0.1
  /// Delay after which a person presses on, in milliseconds, and the maximum distance from the middle of the ride for
  /// it, in metres.
  private static let longestPress: Int64 = 5_000
  private static let pressRadius = 1.2

  /// Starts the ride of a person at a landing.
  func ride(_ number: Int, way: Int, from: Int, to: Int) {
    if landings.kinds[way] == .elevator { return waitForCar(number, way: way, from: from, to: to) }
    recorders[number].rest(until: now)
    guard isOnFlight(number, way: way, stop: from) else {
      guard admissions[way].isOn(number) else { return askForStairs(number, way: way, from: from, to: to) }
      return send(number, closer(to: landings.flights[way][from].start))
    }
    admissions[way].enter(trip(of: number, way: way, from: from, to: to))
    climb(number, way: way, from: from, to: to)
  }

  /// Checks whether a person who changes floors is at the beginning of the stairs or farther on.
  func isOnFlight(_ number: Int, way: Int, stop: Int) -> Bool {
    let flight = landings.flights[way][stop]
    guard walkers[number].floor == flight.head.floor else { return false }
    let here = plane.local(crowd.position(of: number), floor: flight.head.floor)
    let (start, head) = (center(flight.start), center(flight.head))
    let barriers = world.routes.navigation.floors[flight.head.floor].barriers
    if PlaneSegment(start, here).length <= Self.landingRadius { return !barriers.isCrossed(from: here, to: start) }
    let ahead = (here.x - start.x) * (head.x - start.x) + (here.y - start.y) * (head.y - start.y)
    return ahead > 0 && PlaneSegment(here, head).length < StairFlight.reach && !barriers.isCrossed(from: here, to: head)
  }

  /// Starts the ride from a stop to the next one.
  private func climb(_ number: Int, way: Int, from: Int, to: Int) {
    let stops = world.routes.navigation.verticals[way].stops
    // Includes the stops in between: the landings of other floors are part of the stairs.
    let (low, high) = (min(stops[from].level, stops[to].level), max(stops[from].level, stops[to].level))
    let between = stops.indices.filter { stops[$0].level > low && stops[$0].level < high }
    let next =
      between.min { abs(stops[$0].level - stops[from].level) < abs(stops[$1].level - stops[from].level) } ?? to
    let freeSpeed = max(itineraries[number].freeSpeed, 0.1)
    let seconds = landings.kinds[way].seconds(
      levels: stops[next].level - stops[from].level, freeSpeed: freeSpeed, &rides[number])
    let time = Int64(min(max(seconds, 2), 86_400) * 1_000)
    let there = landings.flights[way][next]
    let length =
      max(
        PlaneSegment(recorders[number].position, center(landings.flights[way][from].head)).length - Self.headRadius, 0)
      + secondHalf(there)
    let pace = min(max(length * 1_000 / (Double(time) * freeSpeed), Self.slowest), 1)
    walkers[number].ride = Ride(way: way, from: from, next: next, to: to, arrival: now + time, pace: pace)
    walkers[number].phase = .climbing
    walkers[number].stuck = 0
    goUpstairs(number)
  }

  /// Sends a person to the point where people leave the floor.
  func goUpstairs(_ number: Int) {
    let ride = walkers[number].ride
    let head = plane.center(of: landings.flights[ride.way][ride.from].head)
    let here = crowd.position(of: number)
    var marks: [CrowdWaypoint] = [.point(head, radius: Self.headRadius, pace: ride.pace)]
    if crowd.sight.isCrossed(from: here, to: head) {
      let start = plane.center(of: landings.flights[ride.way][ride.from].start)
      marks.insert(.point(start, radius: Self.landingRadius, pace: ride.pace), at: 0)
    }
    send(number, marks)
  }

  /// Moves a person to the other floor, half-way along the ride, as soon as there is room.
  func changeFloor(_ number: Int) {
    guard walkers[number].phase == .climbing else { return }
    let ride = walkers[number].ride
    let there = landings.flights[ride.way][ride.next]
    // Others may have pushed in since.
    guard isAtHead(number) else { return goUpstairs(number) }
    let freeSpeed = max(itineraries[number].freeSpeed, 0.1)
    let moment = ride.arrival - Int64(secondHalf(there) / (freeSpeed * ride.pace) * 1_000)
    // Half a step too early is accepted, so that rounding to whole steps does not make people late.
    guard now + step / 2 >= moment else {
      rest(number)
      return events.add(.stepOff, number, at: moment)
    }
    if let place = there.arrivals.first(where: { crowd.isFree(plane.center(of: $0), radius: 0.2, margin: 0.02) }) {
      return arrive(number, at: plane.center(of: place))
    }
    // In a single lane, people who wait to come the other way block the lane, so the two people exchange places.
    let target = plane.center(of: there.arrivals[0])
    let facing = crowd.people(near: target, within: 0.4).first { other in
      let theirs = walkers[other].ride
      return walkers[other].phase == .climbing && !crowd.isWalking(other) && theirs.way == ride.way
        && theirs.from == ride.next && theirs.next == ride.from
    }
    if let facing {
      let (mine, theirs) = (crowd.position(of: number), crowd.position(of: facing))
      crowd.remove(number)
      crowd.remove(facing)
      arrive(number, at: theirs)
      return arrive(facing, at: mine)
    }
    rest(number)
    walkers[number].stuck += 1
    if walkers[number].stuck % 16 == 12 { askToMakeRoom(at: there.arrivals[0]) }
    events.add(.stepOff, number, at: now + 3 * step)
  }

  /// Checks whether a person is at the point where people leave the floor, or as near as the crowd in front of it
  /// allows.
  private func isAtHead(_ number: Int) -> Bool {
    let ride = walkers[number].ride
    let (here, head) = (crowd.position(of: number), plane.center(of: landings.flights[ride.way][ride.from].head))
    let away = PlaneSegment(here, head).length
    guard away >= 2 * Self.headRadius else { return true }
    guard now > ride.arrival + Self.longestPress, away < Self.pressRadius else { return false }
    return !crowd.sight.isCrossed(from: here, to: head)
  }

  /// Makes a person who is late and near the middle of the ride continue from there.
  ///
  /// Without this, one person pushed into the last corner could block everybody else.
  func pressOn(_ number: Int) {
    guard walkers[number].phase == .climbing, now > walkers[number].ride.arrival + Self.longestPress, isAtHead(number)
    else { return }
    changeFloor(number)
  }

  /// Puts a person on the floor of the next stop, at a point of the plane.
  private func arrive(_ number: Int, at point: PlanePoint) {
    let ride = walkers[number].ride
    let foot = landings.flights[ride.way][ride.next].foot
    enter(number, floor: foot.floor, at: point)
    admissions[ride.way].pass(number, stop: landings.rank(of: ride.next, on: ride.way))
    walkers[number].phase = .alighting
    walkers[number].stuck = 0
    send(number, [.point(plane.center(of: foot), radius: Self.landingRadius, pace: ride.pace)])
  }

  /// Moves a person to another floor.
  func enter(_ number: Int, floor: Int, at point: PlanePoint) {
    recorders[number].rest(until: now)
    recorders[number].begin(
      at: plane.local(point, floor: floor), floor: world.plan.floors[floor].ordinal.thousandths, time: now)
    crowd.place(number, at: point, freeSpeed: itineraries[number].freeSpeed)
    walkers[number].floor = floor
  }

  /// Ends the part of the ride up to the next stop.
  func hasClimbed(_ number: Int) {
    let ride = walkers[number].ride
    if ride.next != ride.to { return climb(number, way: ride.way, from: ride.next, to: ride.to) }
    walkers[number].phase = .walking
    walkers[number].stuck = 0
    walkers[number].tries = 0
    lookForTheWay(number)
  }

  /// Checks whether a person walks to the landing of a vertical way to change floors, or is on that way.
  func goesUp(_ number: Int, by way: Int) -> Bool {
    let walker = walkers[number]
    switch walker.phase {
    case .climbing: return walker.ride.way == way
    case .walking, .steppingAside:
      let next = walker.leg < walker.legs.count && walker.legs[walker.leg].isRide ? walker.leg : walker.leg + 1
      guard next < walker.legs.count, case .ride(let theirs, _, _) = walker.legs[next] else { return false }
      return theirs == way
    default: return false
    }
  }

  /// Returns the length of the part of a flight that arriving people walk, in metres.
  private func secondHalf(_ flight: StairFlight) -> Double {
    max(PlaneSegment(center(flight.arrivals[0]), center(flight.foot)).length - Self.landingRadius, 0)
  }

  func center(_ place: Place) -> PlanePoint { world.routes.navigation.center(of: place) }

  /// Asks people who stand where others want to get off to make room.
  func askToMakeRoom(at place: Place) {
    let middle = plane.center(of: place)
    for other in crowd.people(near: middle, within: 0.9) where walkers[other].floor == place.floor {
      switch walkers[other].phase {
      case .dwelling, .waitingForStairs, .waitingForCar, .inLine, .served:
        stepAside(other, from: PlaneSegment(middle, middle))
      default: break
      }
    }
  }

  /// Records a wait that ends.
  func noteWait(_ number: Int, until time: Int64) {
    let walker = walkers[number]
    guard walker.since <= time else { return }
    let reason: Wait.Reason
    if walker.phase == .inLine || walker.phase == .served {
      guard walker.stop < itineraries[number].stops.count else { return }
      reason = .service(itineraries[number].stops[walker.stop].destination)
    } else if walker.ride.way >= 0 {
      reason = .connection(world.routes.connectionOfVertical[walker.ride.way])
    } else {
      return
    }
    tracks[number].waits.append(
      Wait(
        reason: reason, floor: walker.floor, start: Instant(milliseconds: walker.since),
        end: Instant(milliseconds: min(time, end))))
  }
}

extension RouteLeg {
  var isRide: Bool { if case .ride = self { true } else { false } }
}
