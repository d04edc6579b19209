import CordonGeometry
import CordonVenues

/// Where ways between floors are stepped on and off, and where people wait for them.
struct Landings {
  /// By vertical way and stop: where people step on.
  private(set) var centers: [[Place]] = []
  /// By vertical way and stop: places to step off to, the nearest first.
  private(set) var exits: [[[Place]]] = []
  /// By vertical way and stop: places to wait at, the nearest first; empty for ways that are not waited for.
  private(set) var waits: [[[Place]]] = []
  /// By vertical way: what it is.
  let kinds: [Connection.Kind]

  init(_ world: World) {
    let navigation = world.routes.navigation
    kinds = world.routes.connectionOfVertical.map { world.plan.connections[$0].kind }
    for (way, vertical) in navigation.verticals.enumerated() {
      let isElevator = kinds[way] == .elevator
      centers.append(vertical.stops.map { Place(floor: $0.floor, cell: $0.cell) })
      exits.append(
        vertical.stops.map { stop in
          Landings.cells(round: stop, on: navigation.floors[stop.floor], from: 0, to: 1.6, apart: 0.15, most: 40)
        })
      waits.append(
        vertical.stops.map { stop in
          guard isElevator else { return [] }
          let doors = world.plan.doors.filter { $0.floor == stop.floor }.map(\.line)
          func space(_ place: Place) -> Int? {
            world.plan.space(at: navigation.center(of: place), floor: place.floor)
          }
          let own = space(Place(floor: stop.floor, cell: stop.cell))
          let shaft = own.flatMap { world.plan.spaces[$0].kind == .elevator ? $0 : nil }
          let places = Landings.cells(
            round: stop, on: navigation.floors[stop.floor], from: 1.1, to: 8, apart: 0.6, most: 100
          ).filter { place in
            let center = navigation.center(of: place)
            return doors.allSatisfy { $0.distance(to: center) > 0.9 }
          }
          // In front of the car rather than in it, where its floor is drawn as a room.
          let outside = places.filter { shaft == nil || space($0) != shaft }
          return outside.isEmpty ? places : outside
        })
    }
  }

  private static func cells(
    round stop: VerticalWay.Stop, on raster: WalkableRaster, from least: Double, to most: Double, apart: Double,
    most count: Int
  ) -> [Place] {
    let center = raster.center(of: stop.cell)
    let reach = Int(most / raster.cellSize) + 1
    var found: [(distance: Double, cell: Int)] = []
    for row in -reach...reach {
      for column in -reach...reach {
        let cell = stop.cell + row * raster.columns + column
        guard raster.component.indices.contains(cell), raster.component[cell] == raster.component[stop.cell] else {
          continue
        }
        let point = raster.center(of: cell)
        let distance = PlaneSegment(center, point).length
        guard distance >= least, distance <= most, least == 0 || raster.isComfortable(cell) else { continue }
        found.append((distance, cell))
      }
    }
    found.sort { ($0.distance, $0.cell) < ($1.distance, $1.cell) }
    var kept: [(Place, PlanePoint)] = []
    for (_, cell) in found where kept.count < count {
      let point = raster.center(of: cell)
      guard kept.allSatisfy({ PlaneSegment($0.1, point).length >= apart }),
        !raster.barriers.isCrossed(from: center, to: point) || cell == stop.cell
      else { continue }
      kept.append((Place(floor: stop.floor, cell: cell), point))
    }
    return kept.map(\.0)
  }
}
