import CordonGeometry
import CordonNavigation
import CordonVenues

/// The landings of vertical ways, and the places where people wait for these ways.
struct Landings {
  /// By vertical way and stop: the landing.
  private(set) var centers: [[Place]] = []
  /// By vertical way and stop: the part of the way that the floor shows; empty for elevators.
  private(set) var flights: [[StairFlight]] = []
  /// By vertical way and stop: the places to stand in the car, the one farthest from its door first; empty unless it is
  /// an elevator.
  private(set) var cars: [[[Place]]] = []
  /// By vertical way and stop: the space of the car; `nil` if the map has none.
  private(set) var shafts: [[Int?]] = []
  /// By vertical way and stop: the waiting places, the nearest first; empty for ways other than elevators.
  private(set) var waits: [[[Place]]] = []
  /// By vertical way: its kind.
  let kinds: [Connection.Kind]
  /// By vertical way: its stops in the order of their levels.
  let order: [[Int]]

  init(_ world: World) {
    let navigation = world.routes.navigation
    kinds = world.routes.connectionOfVertical.map { world.plan.connections[$0].kind }
    order = navigation.verticals.map { vertical in
      vertical.stops.indices.sorted { (vertical.stops[$0].level, $0) < (vertical.stops[$1].level, $1) }
    }
    for (way, vertical) in navigation.verticals.enumerated() {
      let isElevator = kinds[way] == .elevator
      centers.append(vertical.stops.map { Place(floor: $0.floor, cell: $0.cell) })
      flights.append(
        isElevator
          ? [] : vertical.stops.map { StairFlight(at: Place(floor: $0.floor, cell: $0.cell), in: world) })
      waits.append(
        vertical.stops.map { stop in
          isElevator ? Landings.waitingPlaces(at: Place(floor: stop.floor, cell: stop.cell), in: world) : []
        })
      var standing: [[Place]] = []
      var own: [Int?] = []
      for (stop, landing) in vertical.stops.enumerated() where isElevator {
        let car = Landings.car(at: Place(floor: landing.floor, cell: landing.cell), in: world)
        let outside = waits[way][stop].first.map(navigation.center)
        standing.append(Landings.fromTheBack(car.places, outside: outside, navigation))
        own.append(car.shaft)
      }
      cars.append(standing)
      shafts.append(own)
    }
  }

  /// Returns the places where people wait for an elevator, the nearest first. Doorways have none.
  private static func waitingPlaces(at landing: Place, in world: World) -> [Place] {
    let navigation = world.routes.navigation
    let raster = navigation.floors[landing.floor]
    let center = raster.center(of: landing.cell)
    let doors = world.plan.doors.filter { $0.floor == landing.floor }.map(\.line)
    func space(_ place: Place) -> Int? { world.plan.space(at: navigation.center(of: place), floor: place.floor) }
    let shaft = space(landing).flatMap { world.plan.spaces[$0].kind == .elevator ? $0 : nil }
    let seen = raster.cells(seenFrom: landing.cell, within: 8) { PlaneSegment(center, $0).length >= 1.1 }
      .filter(raster.isComfortable).map { (distance: PlaneSegment(center, raster.center(of: $0)).length, cell: $0) }
    let nearestFirst = seen.sorted { ($0.distance, $0.cell) < ($1.distance, $1.cell) }.map(\.cell)
    let places = raster.spread(nearestFirst, apart: 0.6, limit: 100).map { Place(floor: landing.floor, cell: $0) }
      .filter { place in
        let here = navigation.center(of: place)
        return doors.allSatisfy { $0.distance(to: here) > 0.9 }
      }
    // People wait in front of the car, not in it, if its floor is drawn as a room.
    let outside = places.filter { shaft == nil || space($0) != shaft }
    return outside.isEmpty ? places : outside
  }

  /// Radius around a landing that counts as its car if the map shows none, in metres.
  static let openCarRadius = 1.2
  /// Maximum distance from the landing to a place in a car, in metres.
  private static let maximumCarReach = 2.4

  /// Returns the places to stand in a car, and the space of the car.
  private static func car(at landing: Place, in world: World) -> (places: [Place], shaft: Int?) {
    let raster = world.routes.navigation.floors[landing.floor]
    let center = raster.center(of: landing.cell)
    let own = world.plan.space(at: center, floor: landing.floor)
    let inside = raster.cells(seenFrom: landing.cell, within: maximumCarReach + 0.3) { point in
      own.map { world.plan.spaces[$0].contains(point) } ?? true
    }
    func away(_ cell: Int) -> Double { PlaneSegment(center, raster.center(of: cell)).length }
    let isShaft = own != nil && inside.allSatisfy { away($0) <= maximumCarReach }
    let cells = isShaft ? inside : inside.filter { away($0) < openCarRadius }
    let wide = raster.spread(cells, apart: 0.5)
    let kept = wide.count < ElevatorCar.capacity ? raster.spread(cells, apart: 0.45) : wide
    let nearest = kept.sorted { (away($0), $0) < (away($1), $1) }.prefix(12)
    return (nearest.map { Place(floor: landing.floor, cell: $0) }, isShaft ? own : nil)
  }

  private static func fromTheBack(_ places: [Place], outside: PlanePoint?, _ navigation: Navigation) -> [Place] {
    guard let outside else { return places }
    return places.sorted {
      let (a, b) = (PlaneSegment(navigation.center(of: $0), outside), PlaneSegment(navigation.center(of: $1), outside))
      return (b.length, $0.cell) < (a.length, $1.cell)
    }
  }

  /// Returns the places where a person without a body is half-way between two landings: on the floor that the person
  /// leaves, and on the floor that the person reaches.
  ///
  /// People with different numbers stand in different places of a car.
  func halfWay(_ way: Int, from: Int, to: Int, number: Int) -> (leaving: Place, arriving: Place) {
    guard kinds[way] == .elevator else { return (flights[way][from].head, flights[way][to].arrivals[0]) }
    func place(_ stop: Int) -> Place {
      let places = cars[way][stop]
      return places.isEmpty ? centers[way][stop] : places[number % places.count]
    }
    return (place(from), place(to))
  }

  /// Returns the rank of a stop in the order of the levels.
  func rank(of stop: Int, on way: Int) -> Int { order[way].firstIndex(of: stop) ?? 0 }

  /// Returns the capacity of a car: the number of people with room at each of its stops, 1 ... 8.
  func capacity(of way: Int) -> Int { min(ElevatorCar.capacity, max(cars[way].map(\.count).min() ?? 1, 1)) }
}
