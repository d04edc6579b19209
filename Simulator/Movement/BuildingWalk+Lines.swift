import CordonContacts
import CordonCore
import CordonGeometry
import CordonVenues

/// A service point: one is served, the others stand in a line that leads up to it.
struct ServiceLine {
  /// Places to stand, the one where people are served first.
  let places: [Place]
  /// Those in line, the first being served or about to be.
  private(set) var people: [Int] = []

  /// Metres between two places in line.
  static let spacing = 0.7

  /// A line that follows the way from `entry` to the service point.
  init(to anchor: Place, from entry: Place?, along field: DistanceField?, in world: World) {
    var places = [anchor]
    let raster = world.routes.navigation.floors[anchor.floor]
    if let entry, let field, entry.floor == anchor.floor {
      var last = raster.center(of: anchor.cell)
      for cell in field.cells(from: entry.cell, on: raster).reversed() {
        let point = raster.center(of: cell)
        guard PlaneSegment(last, point).length >= ServiceLine.spacing, places.count < 60 else { continue }
        places.append(Place(floor: anchor.floor, cell: cell))
        last = point
      }
    }
    self.places = places
  }

  /// Where somebody stands, or where they would be last; the end of a long line stands together.
  func place(of person: Int) -> Place {
    let index = people.firstIndex(of: person) ?? people.count
    return places[min(index, places.count - 1)]
  }

  mutating func join(_ person: Int) { people.append(person) }

  /// The first goes; says who is still in line.
  mutating func next() -> [Int] {
    if !people.isEmpty { people.removeFirst() }
    return people
  }
}

extension BuildingWalk {
  /// The line at a destination.
  func line(at destination: Int) -> ServiceLine {
    if let line = lines[destination] { return line }
    let target = world.destinations[destination]
    let field = fields.destination(destination)
    // The line leads along the way from the nearest entrance on the floor, or from the farthest spot.
    let entry =
      world.entrances.map(\.place).first { $0.floor == target.floor && isJoined($0, field) }
      ?? target.spots.last
    let line = ServiceLine(to: target.anchor, from: entry, along: field, in: world)
    lines[destination] = line
    return line
  }

  private func isJoined(_ place: Place, _ field: DistanceField?) -> Bool {
    field?.distance(of: place.cell, on: world.routes.navigation.floors[place.floor]) != nil
  }

  /// Somebody came to the end of a line.
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
    let here = recorders[number].position
    let target = world.routes.navigation.center(of: place)
    guard PlaneSegment(here, target).length > 0.3,
      !world.routes.navigation.floors[place.floor].barriers.isCrossed(from: here, to: target)
    else { return }
    recorders[number].rest(until: now)
    send(number, [.point(plane.center(of: place), radius: 0.15)])
  }

  /// Somebody has been served: they go on, and the line moves up.
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
