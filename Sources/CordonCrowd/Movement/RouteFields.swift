import CordonGeometry
package import CordonNavigation
import CordonVenues

/// What itineraries refer to: the distance fields of destinations and exits, and the stations that serve people.
package struct RouteFields: Sendable {
  /// The stations; ``Itinerary/Stop/station`` is an index into them.
  package private(set) var stations: [ServiceStation]
  private var destinations: [DistanceField?]
  private var exits: [DistanceField?]

  /// Computes the fields that the itineraries and the servers of stations need, each once.
  package init(
    for itineraries: [Itinerary], in world: World, stations: [ServiceStation] = [], threads: Int
  ) {
    self.stations = stations
    destinations = Array(repeating: nil, count: world.destinations.count)
    exits = Array(repeating: nil, count: world.entrances.count)
    add(for: itineraries, in: world, stations: stations, threads: threads)
  }

  /// Computes the fields that the itineraries and stations need and that are missing.
  /// - Parameter stations: the stations of these itineraries, which replace those of earlier ones.
  package mutating func add(
    for itineraries: [Itinerary], in world: World, stations: [ServiceStation] = [], threads: Int
  ) {
    self.stations = stations
    var isUsed = [Bool](repeating: false, count: world.destinations.count)
    var isExit = [Bool](repeating: false, count: world.entrances.count)
    for itinerary in itineraries {
      for stop in itinerary.stops { isUsed[stop.destination] = true }
      isExit[itinerary.exit] = true
      for exit in itinerary.evacuee?.exits ?? [] { isExit[exit] = true }
    }
    for station in stations {
      for server in station.servers { isUsed[server.destination] = true }
    }
    let used = isUsed.indices.filter { isUsed[$0] && destinations[$0] == nil }
    let left = isExit.indices.filter { isExit[$0] && exits[$0] == nil }
    let places = used.map { world.destinations[$0].anchor } + left.map { world.entrances[$0].place }
    let fields = parallelMap(count: places.count, threads: threads) { world.routes.navigation.field(to: places[$0]) }
    for (index, destination) in used.enumerated() { destinations[destination] = fields[index] }
    for (index, exit) in left.enumerated() { exits[exit] = fields[used.count + index] }
  }

  /// Returns the field of a destination, by its index; `nil` if no itinerary contains the destination.
  package func destination(_ index: Int) -> DistanceField? { destinations[index] }

  /// Returns the field of an exit, by its index; `nil` if no itinerary contains the exit.
  package func exit(_ index: Int) -> DistanceField? { exits[index] }
}
