import CordonGeometry
package import CordonNavigation
import CordonVenues

/// The distance fields of the destinations and exits in itineraries.
package struct RouteFields: Sendable {
  private var destinations: [DistanceField?]
  private var exits: [DistanceField?]

  /// Computes the fields that the itineraries need, each once.
  package init(for itineraries: [Itinerary], in world: World, threads: Int) {
    destinations = Array(repeating: nil, count: world.destinations.count)
    exits = Array(repeating: nil, count: world.entrances.count)
    add(for: itineraries, in: world, threads: threads)
  }

  /// Computes the fields that the itineraries need and that are missing.
  package mutating func add(for itineraries: [Itinerary], in world: World, threads: Int) {
    var isUsed = [Bool](repeating: false, count: world.destinations.count)
    var isExit = [Bool](repeating: false, count: world.entrances.count)
    for itinerary in itineraries {
      for stop in itinerary.stops { isUsed[stop.destination] = true }
      isExit[itinerary.exit] = true
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
