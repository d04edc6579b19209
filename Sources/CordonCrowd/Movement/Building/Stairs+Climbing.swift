import CordonGeometry
import CordonNavigation
import CordonVenues

/// Walking on stairs: people walk on the part of the way that each floor's plan shows, and change floors half-way.
extension Stairs {
  private static let headRadius = 0.2
  /// The minimum factor of the free speed.
  private static let minimumPace = 0.1
  /// Minimum and maximum duration of a ride, in seconds.
  private static let minimumDuration = 2.0
  private static let maximumDuration = 86_400.0
  /// Delay after which a person presses on, in milliseconds, and the maximum distance from the middle of the ride for
  /// it, in metres.
  private static let pressDelay: Int64 = 5_000
  private static let pressRadius = 1.2

  /// Checks whether a person who changes floors is at the beginning of the stairs or farther on.
  func isOnFlight(_ person: Int, way: Int, stop: Int) -> Bool {
    let flight = state.landings.flights[way][stop]
    let floor = flight.head.floor
    guard state.walkers[person].floor == floor else { return false }
    let here = state.bodyPosition(of: person)
    let (start, head) = (state.center(of: flight.start), state.center(of: flight.head))
    if PlaneSegment(start, here).length <= WalkState.landingRadius {
      return !state.isHidden(start, from: here, floor: floor)
    }
    let ahead = (here.x - start.x) * (head.x - start.x) + (here.y - start.y) * (head.y - start.y)
    return ahead > 0 && PlaneSegment(here, head).length < StairFlight.reach
      && !state.isHidden(head, from: here, floor: floor)
  }

  /// Starts the ride from a stop to the next one.
  func climb(_ person: Int, way: Int, from: Int, to: Int) {
    let landings = state.landings
    let stops = state.world.routes.navigation.verticals[way].stops
    // Includes the stops in between: the landings of other floors are part of the stairs.
    let (low, high) = (min(stops[from].level, stops[to].level), max(stops[from].level, stops[to].level))
    let between = stops.indices.filter { stops[$0].level > low && stops[$0].level < high }
    let next =
      between.min { abs(stops[$0].level - stops[from].level) < abs(stops[$1].level - stops[from].level) } ?? to
    let freeSpeed = max(state.itineraries[person].freeSpeed, 0.1)
    let seconds =
      landings.kinds[way].seconds(levels: stops[next].level - stops[from].level, freeSpeed: freeSpeed)
      / state.stairPace(of: person)
    let time = Int64(min(max(seconds, Self.minimumDuration), Self.maximumDuration) * 1_000)
    let head = state.center(of: landings.flights[way][from].head)
    let length =
      max(PlaneSegment(state.recorders[person].position, head).length - Self.headRadius, 0)
      + arrivalLength(of: landings.flights[way][next])
    let pace = min(max(length * 1_000 / (Double(time) * freeSpeed), Self.minimumPace), 1)
    state.walkers[person].ride = WalkerState.Ride(
      way: way, from: from, next: next, to: to, arrival: state.now + time, pace: pace)
    state.walkers[person].begin(.climbing)
    walkToHead(person)
  }

  /// Returns the length of the part of a flight that arriving people walk, in metres.
  private func arrivalLength(of flight: StairFlight) -> Double {
    let length = PlaneSegment(state.center(of: flight.arrivals[0]), state.center(of: flight.foot)).length
    return max(length - WalkState.landingRadius, 0)
  }

  /// Sends a person to the point where people leave the floor.
  func walkToHead(_ person: Int) {
    let ride = state.walkers[person].ride
    let flight = state.landings.flights[ride.way][ride.from]
    let head = state.plane.center(of: flight.head)
    var marks: [CrowdWaypoint] = [.point(head, radius: Self.headRadius, pace: ride.pace)]
    if state.crowd.sight.isCrossed(from: state.crowd.position(of: person), to: head) {
      let start = state.plane.center(of: flight.start)
      marks.insert(.point(start, radius: WalkState.landingRadius, pace: ride.pace), at: 0)
    }
    state.send(person, marks)
  }

  /// Moves a person to the other floor, half-way along the ride, as soon as there is room.
  func changeFloor(_ person: Int) {
    guard state.walkers[person].phase == .climbing else { return }
    let ride = state.walkers[person].ride
    let there = state.landings.flights[ride.way][ride.next]
    // Others may have pushed in since.
    guard isAtHead(person) else { return walkToHead(person) }
    let freeSpeed = max(state.itineraries[person].freeSpeed, 0.1)
    let time = ride.arrival - Int64(arrivalLength(of: there) / (freeSpeed * ride.pace) * 1_000)
    // Half a step too early is accepted, so that rounding to whole steps does not make people late.
    guard state.now + state.step / 2 >= time else {
      state.stay(person)
      return state.events.add(.alight, person, at: time)
    }
    let arrivals = there.arrivals.lazy.map(state.plane.center(of:))
    if let point = arrivals.first(where: { state.crowd.isFree($0, radius: 0.2, margin: 0.02) }) {
      return arrive(person, at: point)
    }
    if let facing = personFacing(ride, at: there) { return exchange(person, facing) }
    state.stay(person)
    state.walkers[person].stuck += 1
    if state.walkers[person].stuck % 16 == 12 { yielding.clear(there.arrivals[0]) }
    state.events.add(.alight, person, at: state.now + 3 * state.step)
  }

  /// Returns the first person who waits at the arrival of a ride for the opposite ride.
  private func personFacing(_ ride: WalkerState.Ride, at flight: StairFlight) -> Int? {
    state.crowd.people(near: state.plane.center(of: flight.arrivals[0]), within: 0.4).first { other in
      let theirs = state.walkers[other].ride
      return state.walkers[other].phase == .climbing && !state.crowd.isWalking(other) && theirs.way == ride.way
        && theirs.from == ride.next && theirs.next == ride.from
    }
  }

  /// Exchanges the places of two people. In a single lane, two people in opposite directions would block each other.
  private func exchange(_ person: Int, _ other: Int) {
    let crowd = state.crowd
    let (mine, theirs) = (crowd.position(of: person), crowd.position(of: other))
    crowd.remove(person)
    crowd.remove(other)
    arrive(person, at: theirs)
    arrive(other, at: mine)
  }

  /// Checks whether a person is at the point where people leave the floor, or as near as the crowd in front of it
  /// allows.
  private func isAtHead(_ person: Int) -> Bool {
    let ride = state.walkers[person].ride
    let here = state.crowd.position(of: person)
    let head = state.plane.center(of: state.landings.flights[ride.way][ride.from].head)
    let distance = PlaneSegment(here, head).length
    guard distance >= 2 * Self.headRadius else { return true }
    guard state.now > ride.arrival + Self.pressDelay, distance < Self.pressRadius else { return false }
    return !state.crowd.sight.isCrossed(from: here, to: head)
  }

  /// Makes a person who is late and near the middle of the ride continue from there.
  ///
  /// Without this rule, one person pushed into the last corner could block all others.
  func pressOn(_ person: Int) {
    let walker = state.walkers[person]
    guard walker.phase == .climbing, state.now > walker.ride.arrival + Self.pressDelay, isAtHead(person) else { return }
    changeFloor(person)
  }

  /// Puts a person on the floor of the next stop, at a point of the plane.
  private func arrive(_ person: Int, at point: PlanePoint) {
    let ride = state.walkers[person].ride
    let foot = state.landings.flights[ride.way][ride.next].foot
    state.enter(person, floor: foot.floor, at: point)
    pass(person, way: ride.way, stop: ride.next)
    state.walkers[person].begin(.alighting)
    state.send(person, [.point(state.plane.center(of: foot), radius: WalkState.landingRadius, pace: ride.pace)])
  }

  /// Ends the part of the ride up to the next stop.
  func finishFlight(_ person: Int) {
    let ride = state.walkers[person].ride
    if ride.next != ride.to { return climb(person, way: ride.way, from: ride.next, to: ride.to) }
    state.walkers[person].resumeWalking()
    coordinator?.replan(person)
  }
}
