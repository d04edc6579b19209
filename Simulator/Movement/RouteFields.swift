public import CordonGeometry
import CordonVenues

/// One distance field for each destination and exit that somebody goes to.
public struct RouteFields: Sendable {
  private let destinations: [DistanceField?]
  private let exits: [DistanceField?]

  /// Makes the fields that the itineraries need, each once.
  public init(for itineraries: [Itinerary], in world: World, threads: Int) {
    var isUsed = [Bool](repeating: false, count: world.destinations.count)
    var isExit = [Bool](repeating: false, count: world.entrances.count)
    for itinerary in itineraries {
      for stop in itinerary.stops { isUsed[stop.destination] = true }
      isExit[itinerary.exit] = true
    }
    let used = isUsed.indices.filter { isUsed[$0] }
    let left = isExit.indices.filter { isExit[$0] }
    let places = used.map { world.destinations[$0].anchor } + left.map { world.entrances[$0].place }
    let fields = parallelMap(count: places.count, threads: threads) { world.routes.navigation.field(to: places[$0]) }
    var destinations = [DistanceField?](repeating: nil, count: world.destinations.count)
    var exits = [DistanceField?](repeating: nil, count: world.entrances.count)
    for (index, destination) in used.enumerated() { destinations[destination] = fields[index] }
    for (index, exit) in left.enumerated() { exits[exit] = fields[used.count + index] }
    self.destinations = destinations
    self.exits = exits
  }

  /// The field of a destination; `nil` when nobody goes there.
  public func destination(_ index: Int) -> DistanceField? { destinations[index] }

  /// The field of an exit; `nil` when nobody leaves there.
  public func exit(_ index: Int) -> DistanceField? { exits[index] }
}
