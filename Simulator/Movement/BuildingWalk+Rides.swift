import CordonContacts
import CordonCore
import CordonGeometry
import CordonVenues

extension BuildingWalk {
  /// Somebody is at a landing and wants to another.
  func ride(_ number: Int, way: Int, from: Int, to: Int) {
    if landings.kinds[way] == .elevator { return waitForCar(number, way: way, from: from, to: to) }
    guard let time = stepThrough(number, to: landings.centers[way][from]) else {
      return send(number, closer(to: landings.centers[way][from]))
    }
    let stops = world.routes.navigation.verticals[way].stops
    let seconds = landings.kinds[way].seconds(
      levels: stops[to].level - stops[from].level, freeSpeed: itineraries[number].freeSpeed, &rides[number])
    let arrival = time + Int64(min(max(seconds, 2), 86_400) * 1_000)
    recorders[number].rest(until: time + (arrival - time) / 2)
    beginRide(number, way: way, to: to, at: time + (arrival - time) / 2)
    events.add(.stepOff, number, at: arrival)
  }

  /// From the middle of a ride people count as at the landing that they go to.
  private func beginRide(_ number: Int, way: Int, to: Int, at time: Int64) {
    walkers[number].phase = .riding
    walkers[number].landing = (way, to)
    let place = landings.centers[way][to]
    guard time < end else { return }
    recorders[number].begin(
      at: world.routes.navigation.center(of: place), floor: world.plan.floors[place.floor].ordinal.thousandths,
      time: time)
    walkers[number].floor = place.floor
  }

  /// Somebody steps off a way as soon as there is room for them.
  func stepOff(_ number: Int) {
    let (way, stop) = walkers[number].landing
    guard walkers[number].phase == .riding, way >= 0 else { return }
    let center = world.routes.navigation.center(of: landings.centers[way][stop])
    for place in landings.exits[way][stop] {
      let point = plane.center(of: place)
      guard crowd.isFree(point, radius: 0.2, margin: 0.02) else { continue }
      let local = world.routes.navigation.center(of: place)
      let seconds = PlaneSegment(center, local).length / min(max(itineraries[number].freeSpeed, 0.8), 2.2)
      let walk = min(Int64((seconds * 1_000).rounded(.up)), max(now - recorders[number].time, 0))
      recorders[number].rest(until: now - walk)
      recorders[number].move(to: local, at: now)
      // Too short a ride for the step to be seen: they are there at once.
      if recorders[number].position != local { continue }
      crowd.place(number, at: point, freeSpeed: itineraries[number].freeSpeed)
      walkers[number].landing = (-1, -1)
      walkers[number].phase = .walking
      walkers[number].stuck = 0
      walkers[number].tries = 0
      lookForTheWay(number)
      if landings.kinds[way] == .elevator, cars[way].leave(number) {
        cars[way].closesAt = now
        callIn(way)
      }
      return
    }
    // Those who have stood there for some seconds are asked to make room.
    walkers[number].stuck += 1
    if walkers[number].stuck % 16 == 12 {
      let middle = plane.center(of: landings.centers[way][stop])
      for other in crowd.people(near: middle, within: 0.9) where walkers[other].floor == walkers[number].floor {
        switch walkers[other].phase {
        case .dwelling, .waitingForCar, .inLine, .served: stepAside(other, from: PlaneSegment(middle, middle))
        default: break
        }
      }
    }
    events.add(.stepOff, number, at: now + 3 * step)
  }

  // MARK: Elevators

  private func waitForCar(_ number: Int, way: Int, from: Int, to: Int) {
    walkers[number].phase = .waitingForCar
    walkers[number].since = now
    walkers[number].stuck = 0
    cars[way].wait(ElevatorCar.Rider(person: number, from: from, to: to, since: now))
    // To a place that is free and that nobody is on the way to.
    let taken = cars[way].waiting[from].compactMap { waitingSpots[$0.person] }
    let spots = landings.waits[way][from]
    let free = spots.first { place in
      !taken.contains(place) && crowd.isFree(plane.center(of: place), radius: 0.2, margin: 0.05)
    }
    // With every place taken, into the crowd that waits: rather than to stay in the way of those who get off.
    if let spot = free ?? (spots.isEmpty ? nil : spots[number % spots.count]) {
      waitingSpots[number] = free
      send(number, [.point(plane.center(of: spot), radius: 0.2)])
    } else {
      rest(number)
    }
    switch cars[way].phase {
    case .idle: if cars[way].stop == from { carOpens(way) } else { departCar(way) }
    case .open where cars[way].stop == from && !cars[way].isBeingLeft: callIn(way)
    case .open, .moving: break
    }
  }

  func sendToLanding(_ number: Int) {
    let walker = walkers[number]
    guard walker.leg < walker.legs.count, case .ride(let way, let from, _) = walker.legs[walker.leg] else { return }
    waitingSpots[number] = nil
    send(number, to: landings.centers[way][from], radius: 0.35, along: field(ofLanding: way, from))
  }

  /// The field of a landing, made when somebody who waits there first does not see it.
  private func field(ofLanding way: Int, _ stop: Int) -> DistanceField {
    let place = landings.centers[way][stop]
    if let field = landingFields[place] { return field }
    let field = world.routes.navigation.field(to: place)
    landingFields[place] = field
    return field
  }

  func carOpens(_ way: Int) {
    for (index, rider) in cars[way].open().enumerated() {
      events.add(.stepOff, rider.person, at: now + Int64(index + 1) * ElevatorCar.stepTime)
      walkers[rider.person].landing = (way, rider.to)
      let boarding = walkers[rider.person].since
      let arrival = now + Int64(index + 1) * ElevatorCar.stepTime
      let middle = max(boarding + (arrival - boarding) / 2, recorders[rider.person].time)
      recorders[rider.person].rest(until: middle)
      beginRide(rider.person, way: way, to: rider.to, at: middle)
    }
    guard cars[way].isBeingLeft else {
      cars[way].closesAt = now
      return callIn(way)
    }
    cars[way].closesAt = now + ElevatorCar.longestLeaving
    events.add(.carCloses, way, at: cars[way].closesAt)
  }

  private func callIn(_ way: Int) {
    let door = plane.center(of: landings.centers[way][cars[way].stop])
    let asked = cars[way].call { PlaneSegment(crowd.position(of: $0), door).length }
    for rider in asked {
      walkers[rider.person].phase = .called
      walkers[rider.person].stuck = 0
      sendToLanding(rider.person)
    }
    let pause = ElevatorCar.patience + ElevatorCar.stepTime * Int64(asked.count)
    // Whoever comes to a full car does not keep its doors open.
    guard !asked.isEmpty || cars[way].closesAt <= now else { return }
    cars[way].closesAt = now + pause
    events.add(.carCloses, way, at: now + pause)
  }

  func stepIntoCar(_ number: Int) {
    let walker = walkers[number]
    guard walker.leg < walker.legs.count, case .ride(let way, let from, _) = walker.legs[walker.leg] else { return }
    guard cars[way].phase == .open, cars[way].stop == from else { return rest(number) }
    let place = landings.centers[way][from]
    guard let time = stepThrough(number, to: place) else { return send(number, closer(to: place)) }
    guard let rider = cars[way].board(number) else { return }
    noteWait(number, until: now)
    walkers[number].phase = .riding
    walkers[number].since = time
    walkers[number].landing = (-1, -1)
    waitingSpots[rider.person] = nil
    if cars[way].called.isEmpty { carCloses(way) }
  }

  func carCloses(_ way: Int) {
    guard cars[way].phase == .open else { return }
    for late in cars[way].close() {
      walkers[late.person].phase = .waitingForCar
      rest(late.person)
    }
    departCar(way)
  }

  private func departCar(_ way: Int) {
    if let time = cars[way].depart() {
      events.add(.carOpens, way, at: now + time)
    } else if !cars[way].waiting[cars[way].stop].isEmpty {
      // Somebody came too late for the doors: they open again.
      cars[way].hold()
      events.add(.carOpens, way, at: now + 2 * ElevatorCar.doorTime)
    }
  }

  /// Notes a wait that ends.
  func noteWait(_ number: Int, until time: Int64) {
    let walker = walkers[number]
    guard walker.since <= time else { return }
    let reason: Wait.Reason
    if walker.phase == .inLine || walker.phase == .served {
      guard walker.stop < itineraries[number].stops.count else { return }
      reason = .service(itineraries[number].stops[walker.stop].destination)
    } else if walker.leg < walker.legs.count, case .ride(let way, _, _) = walker.legs[walker.leg] {
      reason = .connection(world.routes.connectionOfVertical[way])
    } else {
      return
    }
    tracks[number].waits.append(
      Wait(
        reason: reason, floor: walker.floor, start: Instant(milliseconds: walker.since),
        end: Instant(milliseconds: min(time, end))))
  }
}
