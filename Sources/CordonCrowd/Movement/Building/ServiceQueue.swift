import CordonGeometry
import CordonNavigation
import CordonVenues

/// A station in a building walk, with the places of its servers and of the line in front of them.
struct ServiceQueue {
  let spec: ServiceStation
  var station: QueueingStation
  /// The place where each server serves a person.
  let desks: [Place]
  /// The places in the line, the first one next to the servers; empty if people are called.
  let line: [Place]

  /// Distance between two places in the line, in metres.
  static let spacing = 0.7
  private static let maximumPlaces = 60
  /// Distance between two servers, in metres.
  private static let deskSpacing = 1.4

  /// Creates a queue without people.
  /// - Parameters:
  ///   - spec: the station.
  ///   - entry: the place from which the line leads to the first server; `nil` for no line.
  ///   - field: the distance field of the destination of the first server.
  ///   - isKeptFree: whether a point on a floor must be kept free of people who stay.
  init(
    _ spec: ServiceStation, from entry: Place?, along field: DistanceField?, in world: World,
    isKeptFree: (_ point: PlanePoint, _ floor: Int) -> Bool
  ) {
    self.spec = spec
    station = spec.station
    desks = Self.desks(of: spec, in: world, isKeptFree: isKeptFree)
    line = spec.callsPeople ? [] : Self.line(of: spec, from: entry, along: field, in: world, isKeptFree: isKeptFree)
  }

  /// Returns the places of the servers: in each destination the middle, and the spots around it.
  private static func desks(
    of spec: ServiceStation, in world: World, isKeptFree: (PlanePoint, Int) -> Bool
  ) -> [Place] {
    var taken: [Int: [Place]] = [:]
    return spec.servers.map { server in
      let destination = world.destinations[server.destination]
      let others = taken[server.destination] ?? []
      let navigation = world.routes.navigation
      func distance(_ place: Place, _ other: Place) -> Double {
        PlanePoint.distance(navigation.center(of: place), navigation.center(of: other))
      }
      var place = destination.anchor
      if !others.isEmpty {
        let free = destination.spots.filter { spot in
          others.allSatisfy { distance(spot, $0) >= deskSpacing }
            && !isKeptFree(navigation.center(of: spot), destination.floor)
        }
        // Servers in a space without room for all share the places of others.
        place =
          free.min { (distance($0, destination.anchor), $0.cell) < (distance($1, destination.anchor), $1.cell) }
          ?? others[others.count % Set(others).count]
      }
      taken[server.destination, default: []].append(place)
      return place
    }
  }

  private static func line(
    of spec: ServiceStation, from entry: Place?, along field: DistanceField?, in world: World,
    isKeptFree: (PlanePoint, Int) -> Bool
  ) -> [Place] {
    guard let first = spec.servers.first, let entry, let field else { return [] }
    let anchor = world.destinations[first.destination].anchor
    guard entry.floor == anchor.floor else { return [] }
    let raster = world.routes.navigation.floors[anchor.floor]
    var places: [Place] = []
    var last = raster.center(of: anchor.cell)
    for cell in field.cells(from: entry.cell, on: raster).reversed() {
      let point = raster.center(of: cell)
      guard PlaneSegment(last, point).length >= spacing, places.count < maximumPlaces,
        !isKeptFree(point, anchor.floor)
      else { continue }
      places.append(Place(floor: anchor.floor, cell: cell))
      last = point
    }
    return places
  }

  /// Returns the place of a person who is served or waits, or the place of the next person to join.
  ///
  /// People beyond the last place of a long line share that place.
  func place(of person: Int, at time: Int64) -> Place {
    if let server = station.server(of: person) { return desks[server] }
    if let position = station.position(of: person) { return place(inLine: position) }
    if station.waitingCount == 0, let server = station.freeServer(at: time) { return desks[server] }
    return place(inLine: station.waitingCount)
  }

  private func place(inLine position: Int) -> Place {
    line.isEmpty ? desks[0] : line[min(position, line.count - 1)]
  }
}
