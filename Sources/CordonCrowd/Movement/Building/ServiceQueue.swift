import CordonGeometry
import CordonNavigation
import CordonVenues

/// The queue of a service point: the first person is served, the others stand in a line that leads up to it.
struct ServiceQueue {
  /// The places in the queue; people are served at the first one.
  let places: [Place]
  /// The people in the queue; the first one is being served or about to be served.
  private(set) var people: [Int] = []

  /// Distance between two places in the queue, in metres.
  static let spacing = 0.7
  private static let maximumPlaces = 60

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
        guard PlaneSegment(last, point).length >= Self.spacing, places.count < Self.maximumPlaces, !isKeptFree(point)
        else { continue }
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
