import CordonContacts
import CordonCore
import CordonGeometry
import CordonNavigation
import CordonVenues

/// The ways between the destinations, entrances and spots of itineraries, each computed once.
package struct TripTable: Sendable {
  private var trips: [Key: [Part]?] = [:]
  private var approaches: [Place: [Part]?] = [:]
  /// The landings of the world, computed with the first ways.
  private var landings: Landings?

  /// Creates an empty table.
  package init() {}

  /// The two ends of a way: destinations by number, entrances as -1, -2 and so on.
  struct Key: Hashable {
    var from: Int
    var to: Int
  }

  /// Returns the ways that leave stops out: from a queue that closes to the exit, and past stops with a limit.
  private static func shortened(_ itinerary: Itinerary, limited: [Int: Int]) -> [Key] {
    let stops = itinerary.stops
    let exit = -1 - itinerary.exit
    var keys = stops.filter(\.hasQueue).map { Key(from: $0.destination, to: exit) }
    for (index, stop) in stops.enumerated() where limited[stop.destination] != nil {
      // The places from which the stop may have been approached, and those to which the person may go instead.
      let before = stops[..<index].lastIndex { limited[$0.destination] == nil }
      let after = stops[(index + 1)...].firstIndex { limited[$0.destination] == nil }
      var from = stops[(before ?? 0)..<index].map(\.destination)
      if before == nil { from.append(-1 - itinerary.entrance) }
      var to = stops[(index + 1)..<min((after ?? stops.count) + 1, stops.count)].map(\.destination)
      if after == nil { to.append(exit) }
      for one in from { keys += to.map { Key(from: one, to: $0) } }
    }
    return keys
  }

  /// A part of a way.
  enum Part: Sendable {
    case walk(Segment)
    /// A ride: its kind, the number of levels, and the parts on the floor of departure and on the floor of arrival.
    case ride(kind: Connection.Kind, levels: Double, leaving: Segment, arriving: Segment)
  }

  /// Computes the ways that itineraries need and that the table lacks.
  /// - Parameter limited: the destinations with a limit, whose stops may be given up.
  package mutating func add(
    _ itineraries: [Itinerary], limited: [Int: Int] = [:], fields: RouteFields, world: World, threads: Int
  ) {
    let landings = landings ?? Landings(world)
    self.landings = landings
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
      keys.formUnion(TripTable.shortened(itinerary, limited: limited))
    }
    @Sendable func place(_ number: Int) -> Place {
      number < 0 ? world.entrances[-1 - number].place : world.destinations[number].anchor
    }
    let wanted = keys.filter { trips[$0] == nil }.sorted { ($0.from, $0.to) < ($1.from, $1.to) }
    let found = parallelMap(count: wanted.count, threads: threads) { index -> [Part]? in
      let key = wanted[index]
      let field = key.to < 0 ? fields.exit(-1 - key.to) : fields.destination(key.to)
      return field.flatMap { TripTable.parts(from: place(key.from), to: place(key.to), along: $0, in: world, landings) }
    }
    for (key, way) in zip(wanted, found) { trips.updateValue(way, forKey: key) }
    let places = spots.filter { approaches[$0.key] == nil }.sorted {
      ($0.key.floor, $0.key.cell) < ($1.key.floor, $1.key.cell)
    }
    let near = parallelMap(count: places.count, threads: threads) { index -> [Part]? in
      let (spot, destination) = places[index]
      return fields.destination(destination).flatMap {
        TripTable.parts(from: spot, to: world.destinations[destination].anchor, along: $0, in: world, landings)
      }
    }
    for (place, way) in zip(places, near) { approaches.updateValue(way, forKey: place.key) }
  }

  /// Returns the way between two destinations or entrances; `nil` if there is none.
  func trip(_ from: Int, _ to: Int) -> [Part]? { trips[Key(from: from, to: to)] ?? nil }

  /// Returns the way from a spot to the centre of its destination; `nil` if there is none.
  func approach(_ spot: Place) -> [Part]? { approaches[spot] ?? nil }

  private static func parts(
    from: Place, to: Place, along field: DistanceField, in world: World, _ landings: Landings
  ) -> [Part]? {
    guard let legs = world.routes.navigation.route(from: from, to: to, along: field) else { return nil }
    func segment(_ floor: Int, _ a: PlanePoint, _ b: PlanePoint) -> Segment {
      Segment(
        device: 0, floor: world.plan.floors[floor].ordinal.thousandths, start: 0, end: 0, x0: a.x, y0: a.y, x1: b.x,
        y1: b.y)
    }
    func segment(_ a: Place, _ b: Place) -> Segment {
      segment(a.floor, world.routes.navigation.center(of: a), world.routes.navigation.center(of: b))
    }
    var parts: [Part] = []
    for leg in legs {
      switch leg {
      case .walk(let floor, let corners):
        for (a, b) in zip(corners, corners.dropFirst()) { parts.append(.walk(segment(floor, a, b))) }
      case .ride(let way, let start, let end):
        let stops = world.routes.navigation.verticals[way].stops
        let half = landings.halfWay(way, from: start, to: end, number: from.cell + to.cell)
        parts.append(
          .ride(
            kind: landings.kinds[way], levels: stops[end].level - stops[start].level,
            leaving: segment(landings.centers[way][start], half.leaving),
            arriving: segment(half.arriving, landings.centers[way][end])))
      }
    }
    return parts
  }
}
