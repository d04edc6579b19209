import CordonContacts
import CordonCore
import CordonGeometry
import CordonVenues

/// The queue of a service point: the first person is served, the others stand in a line that leads up to it.
struct ServiceLine {
  /// The places in the queue; people are served at the first one.
  let places: [Place]
  /// The people in the queue; the first one is being served or about to be served.
  private(set) var people: [Int] = []

  /// Distance between two places in the queue, in metres.
  static let spacing = 0.7

  /// Creates a queue along the way from `entry` to the service point.
  /// - Parameter isKeptFree: whether a point must be kept free of queueing people.
  init(
    to anchor: Place, from entry: Place?, along field: DistanceField?, in world: World,
    isKeptFree: (PlanePoint) -> Bool
  ) {
    var places = [anchor]
    let raster = world.routes.navigation.floors[anchor.floor]
    if let entry, let field, entry.floor == anchor.floor {
      var last = raster.center(of: anchor.cell)
      for cell in field.cells(from: entry.cell, on: raster).reversed() {
        let point = raster.center(of: cell)
        guard PlaneSegment(last, point).length >= ServiceLine.spacing, places.count < 60, !isKeptFree(point) else {
          continue
        }
        places.append(Place(floor: anchor.floor, cell: cell))
        last = point
      }
    }
    self.places = places
  }

  /// Returns the place of a person in the queue, or the place of the next person to join.
  ///
  /// People beyond the last place of a long queue share that place.
  func place(of person: Int) -> Place {
    let index = people.firstIndex(of: person) ?? people.count
    return places[min(index, places.count - 1)]
  }

  mutating func join(_ person: Int) { people.append(person) }

  /// Removes the first person, and returns the people still in the queue.
  mutating func next() -> [Int] {
    if !people.isEmpty { people.removeFirst() }
    return people
  }
}

extension BuildingWalk {
  /// Returns the queue at a destination.
  func line(at destination: Int) -> ServiceLine {
    if let line = lines[destination] { return line }
    let target = world.destinations[destination]
    let field = fields.destination(destination)
    // The queue follows the way from the nearest entrance on the floor, or from the farthest spot if there is none.
    let raster = world.routes.navigation.floors[target.floor]
    let entrances = world.entrances.map(\.place).filter { $0.floor == target.floor }
    let nearest = entrances.compactMap { place in
      field?.distance(of: place.cell, on: raster).map { (place: place, distance: $0) }
    }.min { $0.distance < $1.distance }
    let line = ServiceLine(
      to: target.anchor, from: nearest?.place ?? target.spots.last, along: field, in: world,
      isKeptFree: { isInTheWay($0, floor: target.floor) })
    lines[destination] = line
    return line
  }

  /// Updates queues, once a second.
  ///
  /// People who reached a queue join it, and people on the way head for its current end.
  func joinLines() {
    for walker in crowd.walkers {
      let number = Int(walker)
      let state = walkers[number]
      guard state.phase == .walking, state.goal == .stop, state.leg + 1 >= state.legs.count,
        state.stop < itineraries[number].stops.count
      else { continue }
      let stop = itineraries[number].stops[state.stop]
      guard stop.service != nil, world.destinations[stop.destination].floor == state.floor else { continue }
      let line = line(at: stop.destination)
      let here = recorders[number].position
      let end = line.place(of: number)
      if sees(here, world.routes.navigation.center(of: end), floor: state.floor, within: line.people.isEmpty ? 0.6 : 1)
        || line.people.contains(where: { sees(here, recorders[$0].position, floor: state.floor, within: 1) })
      {
        walkers[number].leg = state.legs.count
        reachStop(number)
      } else if let last = crowd.lastMark(of: number), PlaneSegment(last, plane.center(of: end)).length > 0.3 {
        walkers[number].tries = 0
        lookForTheWay(number)
      }
    }
  }

  private func sees(_ here: PlanePoint, _ there: PlanePoint, floor: Int, within reach: Double) -> Bool {
    PlaneSegment(here, there).length < reach
      && !world.routes.navigation.floors[floor].barriers.isCrossed(from: here, to: there)
  }

  /// Adds a person to the end of a queue.
  func joinLine(_ number: Int, at destination: Int) {
    if walkers[number].phase == .inLine { return rest(number) }
    _ = line(at: destination)
    lines[destination]?.join(number)
    walkers[number].phase = .inLine
    walkers[number].since = now
    walkers[number].stuck = 0
    rest(number)
    if lines[destination]?.people.first == number {
      serve(number, at: destination)
    } else {
      moveUp(number, destination)
    }
  }

  private func serve(_ number: Int, at destination: Int) {
    let stop = itineraries[number].stops[walkers[number].stop]
    noteWait(number, until: now)
    walkers[number].phase = .served
    walkers[number].since = now
    moveUp(number, destination)
    events.add(.served, number, at: now + max(stop.service?.milliseconds ?? 0, 1))
  }

  private func moveUp(_ number: Int, _ destination: Int) {
    guard let line = lines[destination] else { return }
    let place = line.place(of: number)
    guard PlaneSegment(recorders[number].position, world.routes.navigation.center(of: place)).length > 0.3 else {
      return
    }
    send(number, to: place, radius: 0.15, along: fields.destination(destination))
  }

  /// Ends the service of a person: the person walks on, and the queue moves up.
  func endService(_ number: Int) {
    guard walkers[number].phase == .served else { return }
    let destination = itineraries[number].stops[walkers[number].stop].destination
    walkers[number].phase = .dwelling
    noteStay(number, until: now)
    recorders[number].rest(until: now)
    let waiting = lines[destination]?.next() ?? []
    walkers[number].stop += 1
    goOn(number)
    for (place, other) in waiting.enumerated() where walkers[other].phase == .inLine {
      if place == 0 { serve(other, at: destination) } else { moveUp(other, destination) }
    }
  }
}
