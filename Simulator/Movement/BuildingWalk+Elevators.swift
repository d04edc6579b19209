import CordonContacts
import CordonCore
import CordonGeometry
import CordonVenues

/// Elevators: people wait in front of a car, board one after the other, stand in it and get off.
extension BuildingWalk {
  /// Distance from the landing that is kept free for people who get off, in metres.
  private static let forecourt = 1.9

  /// Returns the way to a landing of an elevator, without the part that people walk only after they are called in.
  func wayToWait(_ corners: [PlanePoint]) -> [PlanePoint] { shortened(corners, by: Self.forecourt) }

  /// Returns a way without its last metres.
  func shortened(_ corners: [PlanePoint], by metres: Double) -> [PlanePoint] {
    var left = metres
    var corners = corners
    while corners.count > 1 {
      let last = PlaneSegment(corners[corners.count - 1], corners[corners.count - 2])
      if last.length > left {
        corners[corners.count - 1] = last.point(at: left / last.length)
        return corners
      }
      left -= last.length
      corners.removeLast()
    }
    return corners
  }

  func waitForCar(_ number: Int, way: Int, from: Int, to: Int) {
    recorders[number].rest(until: now)
    walkers[number].phase = .waitingForCar
    walkers[number].since = now
    walkers[number].stuck = 0
    walkers[number].ride = Ride(way: way, from: from, next: to, to: to)
    cars[way].wait(ElevatorCar.Rider(person: number, from: from, to: to, since: now))
    if turnsElsewhere(number) { return }
    findWaitingSpot(number)
    switch cars[way].phase {
    case .idle: if cars[way].stop == from { carOpens(way) } else { departCar(way) }
    case .open where cars[way].stop == from && !cars[way].isBeingLeft: callIn(way)
    case .open, .moving: break
    }
  }

  /// Sends a person to a free waiting place in front of a car for which no other person heads.
  private func findWaitingSpot(_ number: Int) {
    let ride = walkers[number].ride
    let taken = cars[ride.way].waiting[ride.from].compactMap { waitingSpots[$0.person] }
    let near = landings.waits[ride.way][ride.from]
    guard let spot = freeSpot(near.prefix(ElevatorCar.capacity), taken: taken) else {
      return wait(number, taken: taken)
    }
    waitingSpots[number] = spot
    approach(number, spot, landing: ride.way, ride.from, radius: 0.2)
  }

  /// Returns the distance field of a landing, computed when a person who waits there first does not see it.
  func field(ofLanding way: Int, _ stop: Int) -> DistanceField {
    let place = landings.centers[way][stop]
    if let field = landingFields[place] { return field }
    let field = world.routes.navigation.field(to: place)
    landingFields[place] = field
    return field
  }

  /// Checks whether a person stands in the car of a vertical way at one of its stops.
  private func isInCar(_ number: Int, way: Int, stop: Int) -> Bool {
    let landing = landings.centers[way][stop]
    guard walkers[number].floor == landing.floor else { return false }
    let here = plane.local(crowd.position(of: number), floor: landing.floor)
    let center = world.routes.navigation.center(of: landing)
    guard !world.routes.navigation.floors[landing.floor].barriers.isCrossed(from: here, to: center) else {
      return false
    }
    if let shaft = landings.shafts[way][stop] { return world.plan.spaces[shaft].contains(here) }
    return PlaneSegment(here, center).length < Landings.openCar
  }

  /// Returns a free place in the car, the one farthest from the door first.
  private func placeInCar(_ way: Int, stop: Int) -> Place? {
    let taken = (cars[way].riders + cars[way].called).compactMap { carPlaces[$0.person] }
    return landings.cars[way][stop].first { !taken.contains($0) }
  }

  // MARK: Getting off

  func carOpens(_ way: Int) {
    for rider in cars[way].open() {
      carPlaces[rider.person] = nil
      walkers[rider.person].car = (way, cars[way].stop)
      getOff(rider.person)
    }
    guard cars[way].isBeingLeft else {
      cars[way].closesAt = now
      return callIn(way)
    }
    cars[way].closesAt = now + ElevatorCar.longestLeaving
    events.add(.carCloses, way, at: cars[way].closesAt)
  }

  /// Makes a person leave a car as soon as there is room on the floor.
  func getOff(_ number: Int) {
    let (way, stop) = walkers[number].car
    guard way >= 0 else { return }
    let landing = landings.centers[way][stop]
    if walkers[number].phase == .inCar {
      if walkers[number].floor != landing.floor, !enterWithCar(number, way: way, stop: stop, atDoor: true) {
        walkers[number].stuck += 1
        if walkers[number].stuck % 16 == 12 { askToMakeRoom(at: landing) }
        return events.add(.stepOff, number, at: now + 3 * step)
      }
      carPlaces[number] = nil
      walkers[number].phase = .walking
      walkers[number].stuck = 0
      walkers[number].tries = 0
      lookForTheWay(number)
    }
    // A person who continues by the same car need not get out first.
    let goesOn = walkers[number].phase == .waitingForCar && walkers[number].ride.way == way
    if !goesOn, isInCar(number, way: way, stop: stop) { return events.add(.stepOff, number, at: now + 3 * step) }
    walkers[number].car = (-1, -1)
    guard cars[way].leave(number), cars[way].phase == .open, cars[way].stop == stop else { return }
    cars[way].closesAt = now
    // People who made room go back into the car.
    for rider in cars[way].riders where walkers[rider.person].phase == .inCar {
      if !isInCar(rider.person, way: way, stop: stop) { stepInto(rider.person) }
    }
    callIn(way)
  }

  /// Moves the people in the car to the floor of the next stop, half-way between two stops.
  func carPasses(_ way: Int) {
    let stop = cars[way].stop
    let floor = landings.centers[way][stop].floor
    let riders = cars[way].riders.filter { walkers[$0.person].phase == .inCar && walkers[$0.person].floor != floor }
    for rider in riders { carPlaces[rider.person] = nil }
    var isFull = false
    for rider in riders where !enterWithCar(rider.person, way: way, stop: stop, atDoor: rider.to == stop) {
      isFull = true
    }
    if isFull { events.add(.carPasses, way, at: now + 5 * step) }
  }

  /// Puts a person into the car on another floor; returns `false` if other people stand there.
  private func enterWithCar(_ number: Int, way: Int, stop: Int, atDoor: Bool) -> Bool {
    let places = landings.cars[way][stop]
    guard
      let place = (atDoor ? places.reversed() : places).first(where: {
        crowd.isFree(plane.center(of: $0), radius: 0.2, margin: 0.02)
      })
    else { return false }
    enter(number, floor: place.floor, at: plane.center(of: place))
    carPlaces[number] = place
    return true
  }

  // MARK: Getting on

  private func callIn(_ way: Int) {
    let stop = cars[way].stop
    let door = plane.center(of: landings.centers[way][stop])
    let asked = cars[way].call { PlaneSegment(crowd.position(of: $0), door).length }
    for rider in asked {
      walkers[rider.person].phase = .called
      walkers[rider.person].stuck = 0
      waitingSpots[rider.person] = nil
      carPlaces[rider.person] = placeInCar(way, stop: stop)
      stepInto(rider.person)
      events.add(.stepOn, rider.person, at: now + 3 * step)
    }
    let pause = ElevatorCar.patience + ElevatorCar.stepTime * Int64(asked.count)
    // People who reach a full car do not keep its doors open.
    guard !asked.isEmpty || cars[way].closesAt <= now else { return }
    cars[way].closesAt = now + pause
    events.add(.carCloses, way, at: now + pause)
  }

  /// Sends a person to their place in the car.
  func stepInto(_ number: Int) {
    let ride = walkers[number].ride
    let stop = walkers[number].phase == .called ? ride.from : cars[ride.way].stop
    let landing = landings.centers[ride.way][stop]
    guard let place = carPlaces[number], place.floor == landing.floor else { return }
    recorders[number].rest(until: now)
    approach(number, place, landing: ride.way, stop, radius: 0.15)
  }

  /// Sends a person to a place that is visible from a landing.
  ///
  /// The way is straight if the place is visible, and leads towards the landing until it is visible otherwise.
  private func approach(_ number: Int, _ place: Place, landing way: Int, _ stop: Int, radius: Double) {
    let navigation = world.routes.navigation
    let barriers = navigation.floors[place.floor].barriers
    let (here, goal) = (recorders[number].position, navigation.center(of: place))
    var corners = [here]
    if barriers.isCrossed(from: here, to: goal) {
      let landing = landings.centers[way][stop]
      if let start = plane.place(at: here, floor: place.floor),
        let legs = navigation.route(from: start, to: landing, along: field(ofLanding: way, stop)), legs.count == 1,
        case .walk(_, let way) = legs[0]
      {
        let last = way.firstIndex { !barriers.isCrossed(from: $0, to: goal) } ?? way.count - 1
        corners += way[...last]
      } else {
        corners.append(navigation.center(of: landing))
      }
    }
    send(number, plane.marks(along: corners + [goal], floor: place.floor, radius: radius))
  }

  /// Makes a called person a rider once they are anywhere in the car.
  func stepOn(_ number: Int) {
    guard walkers[number].phase == .called else { return }
    let ride = walkers[number].ride
    guard cars[ride.way].phase == .open, cars[ride.way].stop == ride.from else { return }
    guard isInCar(number, way: ride.way, stop: ride.from) else {
      if !crowd.isWalking(number) { stepInto(number) }
      return events.add(.stepOn, number, at: now + 3 * step)
    }
    guard cars[ride.way].board(number) != nil else { return }
    noteWait(number, until: now)
    walkers[number].phase = .inCar
    if cars[ride.way].called.isEmpty { carCloses(ride.way) }
  }

  func carCloses(_ way: Int) {
    guard cars[way].phase == .open else { return }
    let stop = cars[way].stop
    guard !cars[way].isBeingLeft else {
      // The car waits for people who get off, and others do not board while people stand in their places.
      askToMakeRoom(at: landings.waits[way][stop].first ?? landings.centers[way][stop])
      cars[way].closesAt = now + ElevatorCar.longestLeaving
      return events.add(.carCloses, way, at: cars[way].closesAt)
    }
    for late in cars[way].close() { waitOn(late.person) }
    let floor = landings.centers[way][stop].floor
    for rider in cars[way].riders where walkers[rider.person].floor == floor {
      guard !isInCar(rider.person, way: way, stop: stop), cars[way].leaveBehind(rider.person) else { continue }
      walkers[rider.person].ride.from = stop
      walkers[rider.person].since = now
      waitOn(rider.person)
    }
    // People who see the car leave full expect to wait for the same time again.
    for rider in cars[way].waiting[stop] where cars[way].goes(rider) {
      _ = turnsElsewhere(rider.person, waited: now - walkers[rider.person].since)
    }
    departCar(way)
  }

  private func waitOn(_ number: Int) {
    walkers[number].phase = .waitingForCar
    carPlaces[number] = nil
    // The space of the car must be free of waiting people.
    if isInCar(number, way: walkers[number].ride.way, stop: walkers[number].ride.from) {
      findWaitingSpot(number)
    } else {
      rest(number)
    }
  }

  func departCar(_ way: Int) {
    if let time = cars[way].depart() {
      events.add(.carPasses, way, at: now + time / 2)
      events.add(.carOpens, way, at: now + time)
    } else if !cars[way].waiting[cars[way].stop].isEmpty {
      // A person came too late for the doors, so they open again.
      cars[way].hold()
      events.add(.carOpens, way, at: now + 2 * ElevatorCar.doorTime)
    }
  }
}
