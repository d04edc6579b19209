import CordonGeometry
import CordonNavigation
import CordonVenues

/// Boarding, alighting, and the doors of the cars.
extension Elevators {
  // MARK: Alighting

  /// Opens the doors of a car at its stop.
  package func open(_ way: Int) {
    for rider in cars[way].open() {
      placesInCar[rider.person] = nil
      state.walkers[rider.person].exiting = (way, cars[way].stop)
      alight(rider.person)
    }
    guard cars[way].isBeingLeft else {
      cars[way].closesAt = state.now
      return callIn(way)
    }
    cars[way].closesAt = state.now + ElevatorCar.maximumAlighting
    state.events.add(.carCloses, way, at: cars[way].closesAt)
  }

  /// Makes a person leave a car as soon as there is room on the floor.
  func alight(_ person: Int) {
    let (way, stop) = state.walkers[person].exiting
    guard way >= 0 else { return }
    let landing = state.landings.centers[way][stop]
    let retry = state.now + 3 * state.step
    if state.walkers[person].phase == .inCar {
      if state.walkers[person].floor != landing.floor, !enterCar(person, way: way, stop: stop, atDoor: true) {
        state.walkers[person].stuck += 1
        if state.walkers[person].stuck % 16 == 12 { yielding.clear(landing) }
        return state.events.add(.alight, person, at: retry)
      }
      placesInCar[person] = nil
      state.walkers[person].resumeWalking()
      coordinator?.replan(person)
    }
    // A person who continues by the same car need not get out first.
    let continues = state.walkers[person].phase == .waitingForCar && state.walkers[person].ride.way == way
    if !continues, isInCar(person, way: way, stop: stop) { return state.events.add(.alight, person, at: retry) }
    state.walkers[person].exiting = (-1, -1)
    guard cars[way].leave(person), cars[way].phase == .open, cars[way].stop == stop else { return }
    cars[way].closesAt = state.now
    // People who made room go back into the car.
    for rider in cars[way].riders where state.walkers[rider.person].phase == .inCar {
      if !isInCar(rider.person, way: way, stop: stop) { sendIntoCar(rider.person) }
    }
    callIn(way)
  }

  /// Moves the people in a car to the floor of the next stop, half-way between two stops.
  func changeFloor(_ way: Int) {
    let stop = cars[way].stop
    let floor = state.landings.centers[way][stop].floor
    let riders = cars[way].riders.filter {
      state.walkers[$0.person].phase == .inCar && state.walkers[$0.person].floor != floor
    }
    for rider in riders { placesInCar[rider.person] = nil }
    var isFull = false
    for rider in riders where !enterCar(rider.person, way: way, stop: stop, atDoor: rider.to == stop) {
      isFull = true
    }
    if isFull { state.events.add(.carMidway, way, at: state.now + 5 * state.step) }
  }

  /// Puts a person into the car on another floor; returns `false` if other people stand there.
  private func enterCar(_ person: Int, way: Int, stop: Int, atDoor: Bool) -> Bool {
    let places = state.landings.cars[way][stop]
    guard
      let place = (atDoor ? places.reversed() : places).first(where: {
        state.crowd.isFree(state.plane.center(of: $0), radius: 0.2, margin: 0.02)
      })
    else { return false }
    state.enter(person, floor: place.floor, at: state.plane.center(of: place))
    placesInCar[person] = place
    return true
  }

  // MARK: Boarding

  /// Calls waiting people into an open car.
  func callIn(_ way: Int) {
    let stop = cars[way].stop
    let door = state.plane.center(of: state.landings.centers[way][stop])
    let called = cars[way].call { PlaneSegment(state.crowd.position(of: $0), door).length }
    for rider in called {
      state.walkers[rider.person].begin(.called)
      waitingPlaces.free(rider.person)
      placesInCar[rider.person] = freePlaceInCar(way, stop: stop)
      sendIntoCar(rider.person)
      state.events.add(.board, rider.person, at: state.now + 3 * state.step)
    }
    let pause = ElevatorCar.patience + ElevatorCar.stepTime * Int64(called.count)
    // People who reach a full car do not keep its doors open.
    guard !called.isEmpty || cars[way].closesAt <= state.now else { return }
    cars[way].closesAt = state.now + pause
    state.events.add(.carCloses, way, at: state.now + pause)
  }

  /// Returns a free place in the car, the one farthest from the door first.
  private func freePlaceInCar(_ way: Int, stop: Int) -> Place? {
    let taken = (cars[way].riders + cars[way].called).compactMap { placesInCar[$0.person] }
    return state.landings.cars[way][stop].first { !taken.contains($0) }
  }

  /// Makes a called person a rider once the person is anywhere in the car.
  func board(_ person: Int) {
    guard state.walkers[person].phase == .called else { return }
    let ride = state.walkers[person].ride
    guard cars[ride.way].phase == .open, cars[ride.way].stop == ride.from else { return }
    guard isInCar(person, way: ride.way, stop: ride.from) else {
      if !state.crowd.isWalking(person) { sendIntoCar(person) }
      return state.events.add(.board, person, at: state.now + 3 * state.step)
    }
    guard cars[ride.way].board(person) != nil else { return }
    state.recordWait(person, until: state.now)
    state.walkers[person].phase = .inCar
    if cars[ride.way].called.isEmpty { close(ride.way) }
  }

  // MARK: Doors

  /// Closes the doors of a car at the scheduled time, unless they stay open for people called in later.
  func closeWhenDue(_ way: Int) { if state.now >= cars[way].closesAt { close(way) } }

  private func close(_ way: Int) {
    guard cars[way].phase == .open else { return }
    let stop = cars[way].stop
    guard !cars[way].isBeingLeft else {
      // The car waits for people who alight, and others do not board while people stand in their places.
      yielding.clear(state.landings.waits[way][stop].first ?? state.landings.centers[way][stop])
      cars[way].closesAt = state.now + ElevatorCar.maximumAlighting
      return state.events.add(.carCloses, way, at: cars[way].closesAt)
    }
    for late in cars[way].close() { waitAgain(late.person) }
    let floor = state.landings.centers[way][stop].floor
    for rider in cars[way].riders where state.walkers[rider.person].floor == floor {
      guard !isInCar(rider.person, way: way, stop: stop), cars[way].leaveBehind(rider.person) else { continue }
      state.walkers[rider.person].ride.from = stop
      state.walkers[rider.person].since = state.now
      waitAgain(rider.person)
    }
    // People who see the car leave full expect to wait for the same time again.
    for rider in cars[way].waiting[stop] where cars[way].isGoing(towards: rider) {
      _ = coordinator?.takeFasterWay(rider.person, waited: state.now - state.walkers[rider.person].since)
    }
    depart(way)
  }

  private func waitAgain(_ person: Int) {
    state.walkers[person].phase = .waitingForCar
    placesInCar[person] = nil
    let ride = state.walkers[person].ride
    // The space of the car must be free of waiting people.
    if isInCar(person, way: ride.way, stop: ride.from) { sendToWaitingPlace(person) } else { state.stay(person) }
  }

  /// Sends a car to its next stop, or opens it again for people who arrived too late.
  func depart(_ way: Int) {
    if let time = cars[way].depart() {
      state.events.add(.carMidway, way, at: state.now + time / 2)
      state.events.add(.carOpens, way, at: state.now + time)
    } else if !cars[way].waiting[cars[way].stop].isEmpty {
      cars[way].prepareToReopen()
      state.events.add(.carOpens, way, at: state.now + 2 * ElevatorCar.doorTime)
    }
  }
}
