import CordonContacts
import CordonCore
import CordonGeometry
import CordonVenues

/// Waiting for stairs: people wait in front of stairs that others come down, until there is room to pass.
extension BuildingWalk {
  /// Distance in front of stairs that is kept free for people who come off them, in metres.
  private static let apron = 1.5
  /// Distance between waiting people, in metres, so that others can pass between them.
  private static let apart = 1.1
  /// Distance from a landing within which people wait for it, in metres, and the number of waiting places.
  private static let waitingReach = 20.0
  private static let longestLine = 40
  /// Number of waiting people from which others extend their stay, and the extension in milliseconds.
  private static let crowded = 15
  private static let putOff: Int64 = 10_000

  // MARK: Coming

  /// Returns the way to a landing of stairs, up to the point from which people see whether there is room on them.
  func wayToStairs(_ corners: [PlanePoint], _ flight: StairFlight) -> [PlanePoint] {
    shortened(corners, by: wayInside(corners, flight) + Self.apron)
  }

  /// Returns the length of the end of a way that lies on stairs, in metres, to within 0.1 m.
  private func wayInside(_ corners: [PlanePoint], _ flight: StairFlight) -> Double {
    guard flight.room != nil else { return StairFlight.minimumReach }
    var length = 0.0
    for index in corners.indices.dropFirst().reversed() {
      let piece = PlaneSegment(corners[index], corners[index - 1])
      for off in stride(from: 0, to: piece.length, by: 0.1)
      where !isInside(piece.point(at: off / piece.length), flight) {
        return length + off
      }
      length += piece.length
    }
    return length
  }

  /// Checks whether a point on a flight's floor counts as on the stairs.
  private func isInside(_ point: PlanePoint, _ flight: StairFlight) -> Bool {
    guard let room = flight.room else {
      return PlaneSegment(center(flight.head), point).length < StairFlight.minimumReach
        || PlaneSegment(center(flight.foot), point).length < StairFlight.minimumReach
    }
    return world.plan.spaces[room].contains(point)
  }

  func trip(of number: Int, way: Int, from: Int, to: Int) -> StairAdmission.Trip {
    StairAdmission.Trip(
      person: number, from: landings.rank(of: from, on: way), to: landings.rank(of: to, on: way), since: now)
  }

  /// Admits a person in front of stairs, or makes the person wait until there is room.
  func askForStairs(_ number: Int, way: Int, from: Int, to: Int) {
    let trip = trip(of: number, way: way, from: from, to: to)
    walkers[number].ride = Ride(way: way, from: from, next: to, to: to)
    if isInside(recorders[number].position, landings.flights[way][from]) {
      admissions[way].enter(trip)
      return goOntoStairs(number)
    }
    walkers[number].phase = .waitingForStairs
    walkers[number].since = now
    walkers[number].stuck = 0
    admissions[way].wait(trip)
    admit(to: way)
    if walkers[number].phase == .waitingForStairs, !turnsElsewhere(number) { waitForStairs(number) }
  }

  private func goOntoStairs(_ number: Int) {
    walkers[number].phase = .walking
    walkers[number].stuck = 0
    walkers[number].tries = 0
    waitingSpots[number] = nil
    lookForTheWay(number)
  }

  // MARK: Waiting

  private func waitForStairs(_ number: Int) {
    wait(number, taken: admissions[walkers[number].ride.way].waiting.compactMap { waitingSpots[$0.person] })
  }

  /// Sends a person to a free waiting place for which no other person heads.
  func wait(_ number: Int, taken: [Place]) {
    let ride = walkers[number].ride
    let places = placesBefore(ride.way, stop: ride.from)
    waitingSpots[number] = freeSpot(places[...], taken: taken)
    // If every place is taken, the person joins the waiting crowd instead of blocking people who come out.
    guard let spot = waitingSpots[number] ?? (places.isEmpty ? nil : places[number % places.count]) else {
      return rest(number)
    }
    send(number, to: spot, radius: 0.2, along: field(ofLanding: ride.way, ride.from))
  }

  func freeSpot(_ places: ArraySlice<Place>, taken: [Place]) -> Place? {
    places.first { !taken.contains($0) && crowd.isFree(plane.center(of: $0), radius: 0.2, margin: 0.05) }
  }

  /// Returns the waiting places of a stop, the nearest first. Places along walls precede those in the open, and
  /// doorways have none.
  private func placesBefore(_ way: Int, stop: Int) -> [Place] {
    let landing = landings.centers[way][stop]
    if let places = placesBeforeRides[landing] { return places }
    let raster = world.routes.navigation.floors[landing.floor]
    let field = field(ofLanding: way, stop)
    let cells = raster.cells(round: landing.cell, within: Self.waitingReach)
      .compactMap { cell in field.distance(of: cell, on: raster).map { (cell: cell, distance: $0) } }
      .filter { !isOn(way, stop: stop, raster.center(of: $0.cell)) }
      .sorted { ($0.distance, $0.cell) < ($1.distance, $1.cell) }
    // Places are in front of the stairs or the car, not in the rooms beside them.
    guard let first = cells.first else { return [] }
    func space(_ cell: Int) -> Int? { world.plan.space(at: raster.center(of: cell), floor: landing.floor) }
    let front = space(first.cell)
    let reach = Double(first.distance) + Self.apron / raster.cellSize * 10
    let near = cells.filter { Double($0.distance) > reach && space($0.cell) == front }.map(\.cell)
    let edges = raster.spread(near.filter { !raster.isComfortable($0) }, apart: Self.apart, most: Self.longestLine)
    let all = raster.spread(edges + near, apart: Self.apart, most: 2 * Self.longestLine)
    let places = all.filter { !isInTheWay(raster.center(of: $0), floor: landing.floor) }.prefix(Self.longestLine)
      .map { Place(floor: landing.floor, cell: $0) }
    placesBeforeRides[landing] = places
    return places
  }

  /// Checks whether a point of a stop's floor is on the stairs there, or in the car.
  private func isOn(_ way: Int, stop: Int, _ point: PlanePoint) -> Bool {
    guard landings.kinds[way] == .elevator else { return isInside(point, landings.flights[way][stop]) }
    if let shaft = landings.shafts[way][stop] { return world.plan.spaces[shaft].contains(point) }
    return PlaneSegment(center(landings.centers[way][stop]), point).length < Landings.openCar
  }

  // MARK: Turns

  /// Removes people who left the stairs and admits waiting people, once a second.
  func lookAfterStairs() {
    for way in admissions.indices where !admissions[way].on.isEmpty || !admissions[way].waiting.isEmpty {
      for trip in admissions[way].on where !isStill(on: way, trip) { admissions[way].leave(trip.person) }
      for trip in admissions[way].waiting where walkers[trip.person].phase != .waitingForStairs {
        admissions[way].leave(trip.person)
      }
      admit(to: way)
    }
  }

  private func admit(to way: Int) {
    for trip in admissions[way].admit(at: now) where walkers[trip.person].phase == .waitingForStairs {
      if walkers[trip.person].since < now { noteWait(trip.person, until: now) }
      goOntoStairs(trip.person)
    }
  }

  /// Checks whether a person walks to stairs, is on them, or has not left them yet.
  private func isStill(on way: Int, _ trip: StairAdmission.Trip) -> Bool {
    let number = trip.person
    if walkers[number].ride.way == way, walkers[number].phase == .climbing || walkers[number].phase == .alighting {
      return true
    }
    if goesUp(number, by: way) { return true }
    guard walkers[number].phase != .gone else { return false }
    return trip.stops.contains { rank in
      let flight = landings.flights[way][landings.order[way][rank]]
      return flight.head.floor == walkers[number].floor && isInside(recorders[number].position, flight)
    }
  }

  // MARK: Staying

  /// Ends a stay, or extends it if the person would only wait in front of crowded stairs or a crowded car.
  func wantToGo(_ number: Int) {
    guard isCrowdedAhead(of: number) else { return endStay(number) }
    figures.putOff += 1
    events.add(.departure, number, at: now + Self.putOff + Int64(number % 16) * step)
  }

  private func isCrowdedAhead(of number: Int) -> Bool {
    guard
      admissions.contains(where: { $0.waiting.count >= Self.crowded })
        || cars.contains(where: { $0.waiting.contains { $0.count >= Self.crowded } })
    else { return false }
    let itinerary = itineraries[number]
    let next = walkers[number].stop + 1
    let field =
      next < itinerary.stops.count
      ? fields.destination(itinerary.stops[next].destination) : fields.exit(itinerary.exit)
    let goal = next < itinerary.stops.count ? itinerary.stops[next].spot : world.entrances[itinerary.exit].place
    guard let field, let start = plane.place(at: recorders[number].position, floor: walkers[number].floor) else {
      return false
    }
    var avoided: Set<Int> = []
    while let legs = navigation(avoiding: avoided).route(from: start, to: goal, along: field) {
      guard case .ride(let way, let from, let to)? = legs.first(where: \.isRide) else { return false }
      let people = peopleWaiting(for: way, at: from)
      guard people >= Self.crowded else { return false }
      let wait = expectedWait(number, way: way, from: from, to: to, ahead: people)
      guard isSooner(number, from: start, to: goal, along: field, without: way, avoided: avoided, wait: wait) else {
        return true
      }
      avoided.insert(way)
    }
    return false
  }
}
