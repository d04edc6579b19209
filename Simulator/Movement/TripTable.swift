import CordonContacts
import CordonCore
import CordonGeometry
import CordonVenues

/// The ways between destinations, entrances and spots that itineraries need, each once.
struct TripTable: Sendable {
  private var trips: [Key: [Part]?] = [:]
  private var approaches: [Place: [Part]?] = [:]

  /// Destinations by number, entrances as -1, -2 ...
  struct Key: Hashable {
    var from: Int
    var to: Int
  }

  /// A piece of a way.
  enum Part: Sendable {
    case walk(Segment)
    /// A ride: vertical way, stops, and where it begins and ends.
    case ride(kind: Connection.Kind, levels: Double, from: (Int32, PlanePoint), to: (Int32, PlanePoint))
  }

  /// Finds what itineraries need and the table does not have yet.
  mutating func add(_ itineraries: [Itinerary], fields: RouteFields, world: World, threads: Int) {
    var keys: Set<Key> = []
    var spots: [Place: Int] = [:]
    for itinerary in itineraries {
      var last = -1 - itinerary.entrance
      for stop in itinerary.stops {
        keys.insert(Key(from: last, to: stop.destination))
        spots[stop.spot] = stop.destination
        last = stop.destination
      }
      keys.insert(Key(from: last, to: -1 - itinerary.exit))
    }
    @Sendable func place(_ number: Int) -> Place {
      number < 0 ? world.entrances[-1 - number].place : world.destinations[number].anchor
    }
    let wanted = keys.filter { trips[$0] == nil }.sorted { ($0.from, $0.to) < ($1.from, $1.to) }
    let found = parallelMap(count: wanted.count, threads: threads) { index -> [Part]? in
      let key = wanted[index]
      let field = key.to < 0 ? fields.exit(-1 - key.to) : fields.destination(key.to)
      return field.flatMap { TripTable.parts(from: place(key.from), to: place(key.to), along: $0, in: world) }
    }
    for (key, way) in zip(wanted, found) { trips.updateValue(way, forKey: key) }
    let places = spots.filter { approaches[$0.key] == nil }.sorted {
      ($0.key.floor, $0.key.cell) < ($1.key.floor, $1.key.cell)
    }
    let near = parallelMap(count: places.count, threads: threads) { index -> [Part]? in
      let (spot, destination) = places[index]
      return fields.destination(destination).flatMap {
        TripTable.parts(from: spot, to: world.destinations[destination].anchor, along: $0, in: world)
      }
    }
    for (place, way) in zip(places, near) { approaches.updateValue(way, forKey: place.key) }
  }

  /// The way between two destinations; `nil` when there is none.
  func trip(_ from: Int, _ to: Int) -> [Part]? { trips[Key(from: from, to: to)] ?? nil }

  /// The way from a spot to the middle of its destination; `nil` when there is none.
  func approach(_ spot: Place) -> [Part]? { approaches[spot] ?? nil }

  private static func parts(from: Place, to: Place, along field: DistanceField, in world: World) -> [Part]? {
    guard let legs = world.routes.navigation.route(from: from, to: to, along: field) else { return nil }
    func ordinal(_ floor: Int) -> Int32 { world.plan.floors[floor].ordinal.thousandths }
    var parts: [Part] = []
    for leg in legs {
      switch leg {
      case .walk(let floor, let corners):
        for (a, b) in zip(corners, corners.dropFirst()) {
          parts.append(
            .walk(
              Segment(device: 0, floor: ordinal(floor), start: 0, end: 0, x0: a.x, y0: a.y, x1: b.x, y1: b.y)))
        }
      case .ride(let way, let from, let to):
        let vertical = world.routes.navigation.verticals[way]
        let (a, b) = (vertical.stops[from], vertical.stops[to])
        func end(_ stop: VerticalWay.Stop) -> (Int32, PlanePoint) {
          (ordinal(stop.floor), world.routes.navigation.floors[stop.floor].center(of: stop.cell))
        }
        parts.append(
          .ride(
            kind: world.plan.connections[world.routes.connectionOfVertical[way]].kind, levels: b.level - a.level,
            from: end(a), to: end(b)))
      }
    }
    return parts
  }
}
