import CordonCore
import CordonGeometry
import CordonNavigation
import CordonVenues

/// The journeys of people: from stop to stop along the legs of a way, and out of the building.
extension BuildingWalk: WalkCoordinator {
  /// Distances from an exit or landing, and from a place in a queue or a spot, at which a person has arrived, in
  /// metres.
  private static let doorRadius = 0.35
  private static let spotRadius = 0.1
  /// Distance from an exit at which an evacuated person has arrived, in metres: two ranks of people pass an exit at its maximum
  /// flow. With one rank, the flow would be that of the steps into its place.
  private static let exitRadius = 0.75
  /// Minimum duration of a stay in milliseconds, also for people who arrive late.
  private static let minimumStay: Int64 = 5_000
  /// The extension of a stay that would end in front of a crowd, in milliseconds.
  private static let postponement: Int64 = 10_000

  // MARK: Decisions

  func proceed(_ person: Int) {
    let itinerary = state.itineraries[person]
    state.walkers[person].tries = 0
    state.walkers[person].avoided = []
    queues.release(person)
    releaseCompanions(of: person)
    while state.walkers[person].stop < itinerary.stops.count {
      state.walkers[person].goal = .stop
      if itinerary.leader != nil { state.walkers[person].desk = state.deskOfLeader(of: person) }
      if let field = state.fields.destination(state.destination(of: person)),
        setOut(person, to: queues.goalPlace(of: person), along: field)
      {
        return
      }
      state.tracks[person].unreachable += 1
      state.walkers[person].stop += 1
      queues.release(person)
    }
    state.walkers[person].goal = .exit
    evacuation?.chooseExit(for: person)
    let number = state.itineraries[person].exit
    let exit = state.world.entrances[number].place
    if let field = state.fields.exit(number), setOut(person, to: exit, along: field) { return }
    // Without a way out, the person stays until the end.
    state.tracks[person].unreachable += 1
    state.stay(person)
    state.walkers[person].phase = .trapped
  }

  func replan(_ person: Int) {
    state.walkers[person].tries += 1
    switch state.walkers[person].phase {
    case .called: return elevators.sendIntoCar(person)
    case .climbing: return stairs.walkToHead(person)
    case .alighting: return stairs.finishFlight(person)
    default: break
    }
    if let field = state.goalField(of: person), setOut(person, to: queues.goalPlace(of: person), along: field) {
      return
    }
    proceed(person)
  }

  func beginRide(_ person: Int, way: Int, from: Int, to: Int) {
    if isElevator(way) {
      elevators.wait(person, way: way, from: from, to: to)
    } else {
      stairs.begin(person, way: way, from: from, to: to)
    }
  }

  func takeFasterWay(_ person: Int, waited: Int64) -> Bool { alternatives.takeFasterWay(person, waited: waited) }

  func navigation(avoiding ways: Set<Int>) -> Navigation { alternatives.navigation(avoiding: ways) }

  func reachStop(_ person: Int) {
    guard rooms.mayStay(person) else { return }
    guard state.itineraries[person].evacuee == nil else { return evacuation?.reachMeetingPlace(person) ?? () }
    let itinerary = state.itineraries[person]
    let stop = itinerary.stops[state.walkers[person].stop]
    if stop.hasQueue { return queues.join(person) }
    state.stay(person)
    state.walkers[person].begin(.dwelling)
    state.walkers[person].since = state.now
    // A companion stays until the leader walks on.
    if let leader = itinerary.leader, !state.hasLeft(leader, stop: state.walkers[person].stop) { return }
    state.events.add(
      .departure, person,
      at: itinerary.leader == nil ? stop.end(from: state.now, minimum: Self.minimumStay) : state.now + state.step)
  }

  /// Makes the companions who wait for a person walk on, once the person has left the stop.
  private func releaseCompanions(of person: Int) {
    for other in state.followers(of: person) where state.walkers[other].phase == .dwelling {
      if state.hasLeft(person, stop: state.walkers[other].stop) {
        state.events.add(.departure, other, at: state.now + state.step)
      }
    }
  }

  /// Ends a stay, or extends it if the person would only wait in front of crowded stairs or a crowded car.
  func depart(_ person: Int) {
    guard state.itineraries[person].evacuee == nil else { return evacuation?.setOff(person) ?? () }
    guard !alternatives.isCrowdedAhead(of: person) else {
      state.figures.postponedDepartures += 1
      // People who stay at one place try again at different times.
      let delay = Self.postponement + Int64(person % 16) * state.step
      return state.events.add(.departure, person, at: state.now + delay)
    }
    state.recordStay(person, until: state.now)
    state.recorders[person].rest(until: state.now)
    state.walkers[person].stop += 1
    proceed(person)
  }

  // MARK: Legs

  private func isElevator(_ way: Int) -> Bool { state.landings.kinds[way] == .elevator }

  private func setOut(_ person: Int, to goal: Place, along field: DistanceField) -> Bool {
    let here = state.bodyPosition(of: person)
    guard let start = state.plane.place(at: here, floor: state.walkers[person].floor) else { return false }
    let barred = state.barredWays(of: person)
    var legs = alternatives.navigation(avoiding: state.walkers[person].avoided.union(barred))
      .route(from: start, to: goal, along: field)
    if legs == nil, !state.walkers[person].avoided.isEmpty {
      state.walkers[person].avoided = []
      legs = alternatives.navigation(avoiding: barred).route(from: start, to: goal, along: field)
    }
    guard let legs else { return false }
    state.walkers[person].legs = legs
    state.walkers[person].leg = 0
    state.walkers[person].phase = .walking
    guard !rooms.isUsed || rooms.maySetOut(person, along: legs) else { return true }
    beginLeg(person, goal: goal)
    return true
  }

  /// Begins the current leg of the way; without a leg, the person walks to `goal`.
  private func beginLeg(_ person: Int, goal: Place) {
    let walker = state.walkers[person]
    guard walker.leg < walker.legs.count else {
      // The person is on the goal's cell already, or next to it.
      let radius = walker.goal == .exit ? exitRadius(of: person) : Self.spotRadius
      return state.send(person, [.point(state.plane.center(of: goal), radius: radius)])
    }
    switch walker.legs[walker.leg] {
    case .walk(let floor, let corners): beginWalk(person, floor: floor, corners: corners)
    case .ride(let way, let from, let to):
      if isElevator(way) || !stairs.isAdmitted(person, to: way) || stairs.isOnFlight(person, way: way, stop: from) {
        return beginRide(person, way: way, from: from, to: to)
      }
      let start = state.plane.center(of: state.landings.flights[way][from].start)
      state.send(person, [.point(start, radius: WalkState.landingRadius)])
    }
  }

  private func exitRadius(of person: Int) -> Double {
    state.itineraries[person].evacuee == nil ? Self.doorRadius : Self.exitRadius
  }

  /// Begins a leg on one floor.
  private func beginWalk(_ person: Int, floor: Int, corners route: [PlanePoint]) {
    let walker = state.walkers[person]
    var corners = route
    // The first corner is the cell on which the person stands. The person walks to its centre only if the next corner
    // is visible from there alone.
    let here = state.bodyPosition(of: person, onFloor: floor)
    let isCareful = walker.tries > 1
    if isCareful || corners.count > 1 && state.isHidden(corners[1], from: here, floor: floor) {
      corners.insert(here, at: 0)
    } else {
      corners[0] = here
    }
    let isLast = walker.leg == walker.legs.count - 1
    if isLast, walker.goal == .exit, corners.count > 1 {
      evacuation?.spread(&corners[corners.count - 1], of: person, from: corners[corners.count - 2])
    }
    var radius = isLast ? walker.goal == .stop ? Self.spotRadius : exitRadius(of: person) : Self.doorRadius
    if !isLast, case .ride(let way, let from, let to) = walker.legs[walker.leg + 1] {
      radius = WalkState.landingRadius
      guard let approach = approach(corners, person: person, way: way, stop: from) else {
        return beginRide(person, way: way, from: from, to: to)
      }
      corners = approach
    }
    state.send(person, along: corners, floor: floor, radius: radius, isCareful: isCareful)
  }

  /// Returns the way up to the point where a person waits for a vertical way or begins to climb; `nil` for a person
  /// who is there already.
  private func approach(_ corners: [PlanePoint], person: Int, way: Int, stop: Int) -> [PlanePoint]? {
    var corners = corners
    if isElevator(way) {
      corners = elevators.approach(corners)
    } else if stairs.isOnFlight(person, way: way, stop: stop) {
      return nil
    } else if !stairs.isAdmitted(person, to: way) {
      corners = stairs.approach(corners, way: way, stop: stop)
    } else {
      corners[corners.count - 1] = startOfFlight(way, stop, seenFrom: corners[max(corners.count - 2, 0)])
      return corners
    }
    return corners.count > 1 ? corners : nil
  }

  /// Returns the point where a person begins to climb: beside the landing, or on it if the point beside it is not
  /// visible.
  private func startOfFlight(_ way: Int, _ stop: Int, seenFrom corner: PlanePoint) -> PlanePoint {
    let start = state.center(of: state.landings.flights[way][stop].start)
    let landing = state.landings.centers[way][stop]
    return state.isHidden(start, from: corner, floor: landing.floor) ? state.center(of: landing) : start
  }

  // MARK: Arrivals

  /// Handles a person at the end of their waypoints.
  package func arrived(_ person: Int) {
    switch state.walkers[person].phase {
    case .walking: finishLeg(person)
    case .climbing: stairs.changeFloor(person)
    case .alighting: stairs.finishFlight(person)
    // Waiting, staying or served people have only made room for others.
    case .called, .inCar, .steppingAside, .queueing, .waitingForStairs, .waitingForCar, .dwelling, .served, .trapped,
      .waitingForRoom, .waitingOutside, .leaving, .away, .gone:
      state.stay(person)
    }
  }

  private func finishLeg(_ person: Int) {
    let before = state.walkers[person]
    if before.leg + 1 < before.legs.count, !before.legs[before.leg].isRide { state.walkers[person].leg += 1 }
    let walker = state.walkers[person]
    if walker.leg < walker.legs.count, case .ride(let way, let from, let to) = walker.legs[walker.leg] {
      beginRide(person, way: way, from: from, to: to)
    } else if walker.leg > before.leg {
      beginLeg(person, goal: queues.goalPlace(of: person))
    } else if walker.goal == .exit {
      leave(person)
    } else {
      reachStop(person)
    }
  }

  /// Removes a person from the building at the exit, without walking the last `doorRadius` metres.
  ///
  /// A person who does not see the exit walks closer first.
  private func leave(_ person: Int) {
    guard state.itineraries[person].evacuee == nil else { return evacuation?.leave(person) ?? () }
    let place = state.world.entrances[state.itineraries[person].exit].place
    let here = state.recorders[person].position
    guard !state.isHidden(state.center(of: place), from: here, floor: place.floor) else {
      return state.sendCloser(person, to: place)
    }
    state.crowd.remove(person)
    state.recorders[person].rest(until: state.now)
    state.walkers[person].phase = .gone
    state.tracks[person].hasLeft = state.now <= state.end
    state.recorders[person].close()
  }
}
