import CordonGeometry
import CordonNavigation
import CordonVenues

/// Stairs, escalators and ramps: people wait in front of them until there is room to pass, and then walk on them.
final class Stairs {
  let state: WalkState
  let yielding: Yielding
  private let waitingPlaces: WaitingPlaces
  weak var coordinator: (any WalkCoordinator)?
  /// By vertical way: the people who may be on it; unused for elevators.
  private(set) var admissions: [StairAdmission]

  init(_ state: WalkState, waitingPlaces: WaitingPlaces, yielding: Yielding) {
    self.state = state
    self.waitingPlaces = waitingPlaces
    self.yielding = yielding
    let landings = state.landings
    admissions = landings.flights.enumerated().map { way, flights in
      StairAdmission(capacities: landings.order[way].map { flights.isEmpty ? 0 : flights[$0].capacity })
    }
  }

  // MARK: Admission

  /// Checks whether a person is on a way or was admitted to it.
  func isAdmitted(_ person: Int, to way: Int) -> Bool { admissions[way].isOn(person) }

  /// Returns the number of people who wait at a stop.
  func waitingCount(for way: Int, at stop: Int) -> Int {
    admissions[way].waiting(at: state.landings.rank(of: stop, on: way))
  }

  /// Returns the way to a landing, up to the point from which people see whether there is room on the stairs.
  func approach(_ corners: [PlanePoint], way: Int, stop: Int) -> [PlanePoint] {
    let flight = state.landings.flights[way][stop]
    return corners.withoutEnd(of: flight.lengthInside(corners, in: state.world) + WaitingPlaces.apron)
  }

  /// Starts the ride of a person at a landing, or requests admission for the person.
  func begin(_ person: Int, way: Int, from: Int, to: Int) {
    state.recorders[person].rest(until: state.now)
    guard isOnFlight(person, way: way, stop: from) else {
      guard isAdmitted(person, to: way) else { return requestAdmission(person, way: way, from: from, to: to) }
      return state.sendCloser(person, to: state.landings.flights[way][from].start)
    }
    admissions[way].enter(trip(of: person, way: way, from: from, to: to))
    climb(person, way: way, from: from, to: to)
  }

  private func trip(of person: Int, way: Int, from: Int, to: Int) -> StairAdmission.Trip {
    let landings = state.landings
    return StairAdmission.Trip(
      person: person, from: landings.rank(of: from, on: way), to: landings.rank(of: to, on: way), since: state.now)
  }

  /// Admits a person in front of stairs, or makes the person wait until there is room.
  private func requestAdmission(_ person: Int, way: Int, from: Int, to: Int) {
    let trip = trip(of: person, way: way, from: from, to: to)
    state.walkers[person].ride = WalkerState.Ride(way: way, from: from, next: to, to: to)
    if state.landings.flights[way][from].contains(state.recorders[person].position, in: state.world) {
      admissions[way].enter(trip)
      return walkOn(person)
    }
    state.walkers[person].begin(.waitingForStairs)
    state.walkers[person].since = state.now
    admissions[way].wait(trip)
    admit(to: way)
    guard state.walkers[person].phase == .waitingForStairs,
      coordinator?.takeFasterWay(person, waited: 0) != true
    else { return }
    waitingPlaces.send(
      person, way: state.walkers[person].ride.way, stop: state.walkers[person].ride.from,
      others: admissions[state.walkers[person].ride.way].waiting.map(\.person))
  }

  /// Makes an admitted person walk to the stairs.
  private func walkOn(_ person: Int) {
    state.walkers[person].resumeWalking()
    waitingPlaces.free(person)
    coordinator?.replan(person)
  }

  private func admit(to way: Int) {
    for trip in admissions[way].admit(at: state.now) where state.walkers[trip.person].phase == .waitingForStairs {
      if state.walkers[trip.person].since < state.now { state.recordWait(trip.person, until: state.now) }
      walkOn(trip.person)
    }
  }

  /// Removes a person who takes another way.
  func withdraw(_ person: Int, from way: Int) { admissions[way].leave(person) }

  /// Records that a person reached a stop of a way.
  func pass(_ person: Int, way: Int, stop: Int) {
    admissions[way].pass(person, stop: state.landings.rank(of: stop, on: way))
  }

  /// Removes people who left the stairs and admits waiting people, once a second.
  func update() {
    for way in admissions.indices where !admissions[way].on.isEmpty || !admissions[way].waiting.isEmpty {
      for trip in admissions[way].on where !isStillOn(way, trip) { admissions[way].leave(trip.person) }
      for trip in admissions[way].waiting where state.walkers[trip.person].phase != .waitingForStairs {
        admissions[way].leave(trip.person)
      }
      admit(to: way)
    }
  }

  /// Checks whether a person walks to stairs, is on them, or has not left them yet.
  private func isStillOn(_ way: Int, _ trip: StairAdmission.Trip) -> Bool {
    let walker = state.walkers[trip.person]
    if walker.ride.way == way, walker.phase == .climbing || walker.phase == .alighting { return true }
    if walker.isBound(for: way) { return true }
    guard walker.phase != .gone else { return false }
    return trip.stops.contains { rank in
      let flight = state.landings.flights[way][state.landings.order[way][rank]]
      return flight.head.floor == walker.floor
        && flight.contains(state.recorders[trip.person].position, in: state.world)
    }
  }
}
