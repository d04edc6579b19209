import CordonCore
import CordonGeometry
package import CordonNavigation
package import CordonVenues

/// A place where people stay: a space, or a part of a floor where the map has no spaces.
package struct Destination: Sendable {
  /// Index in `VenuePlan.spaces`; `nil` for a part of a floor outside all spaces.
  package let space: Int?
  /// Index of the floor.
  package let floor: Int
  /// The kind of the space.
  package let kind: SpaceKind
  /// The origin of the destination's distance field.
  package let anchor: Place
  /// Places where people can be; at least one. They are about 0.7 m apart or more if there is room.
  package let spots: [Place]
  /// The weight with which the destination is chosen among others.
  package let popularity: Double
  /// The number of the group of connected parts of floors, see `PlanNavigation.group(of:)`.
  package let group: Int
  /// The number of people for which the floor area has room, see ``OccupantLoad``; at least 1.
  package let occupantLoad: Int

  /// The number of people who find room without limits of the scenario or the map: at most one at each spot.
  package var room: Int { min(occupantLoad, spots.count) }
}

/// Finds destinations and spots on a walkable plan.
struct DestinationFinder {
  let routes: PlanNavigation
  private(set) var destinations: [Destination] = []

  /// Area per spot, in square metres.
  private static let spotArea = 1.2
  /// Bounds the memory of very large halls.
  private static let maximumSpots = 20_000
  /// Minimum distance between two spots, in metres.
  private static let spotDistance = 0.7
  /// Side of the squares into which a floor without spaces is divided, in metres.
  private static let zoneSide = 8.0

  init(_ routes: PlanNavigation) {
    self.routes = routes
    for floor in routes.plan.floors.indices { add(floor: floor) }
  }

  private mutating func add(floor: Int) {
    let plan = routes.plan
    let raster = routes.navigation.floors[floor]
    var cellsOfSpace: [Int: [Int]] = [:]
    var others: [ZoneKey: [Int]] = [:]
    var inSpaces = 0
    let lookup = SpaceLookup(plan: plan, floor: floor, raster: raster)
    for cell in raster.component.indices where raster.component[cell] >= 0 {
      guard routes.isOpen(floor: floor, component: Int(raster.component[cell])) else { continue }
      if let space = lookup.space(of: cell) {
        cellsOfSpace[space, default: []].append(cell)
        inSpaces += 1
      } else {
        let center = raster.center(of: cell)
        let key = ZoneKey(
          x: Int((center.x / DestinationFinder.zoneSide).rounded(.down)),
          y: Int((center.y / DestinationFinder.zoneSide).rounded(.down)))
        others[key, default: []].append(cell)
      }
    }
    var found = 0
    for space in cellsOfSpace.keys.sorted() {
      guard let cells = cellsOfSpace[space] else { continue }
      var kind = plan.spaces[space].kind
      if kind == .corridor && isFurnished(space, floor: floor) { kind = .office }
      guard kind.isVisited else { continue }
      add(cells: cells, floor: floor, space: space, kind: kind)
      found += 1
    }
    // On open-plan floors whose map has no rooms, people spread over squares of the floor.
    let outside = others.values.reduce(0) { $0 + $1.count }
    guard found == 0 || outside > inSpaces * 2 else { return }
    for key in others.keys.sorted() {
      guard let cells = others[key], Double(cells.count) * raster.cellSize * raster.cellSize >= 4 else { continue }
      add(cells: cells, floor: floor, space: nil, kind: .area)
    }
    // On floors with nothing but corridors and stairs, people go there.
    if destinations.last?.floor != floor {
      for space in cellsOfSpace.keys.sorted() {
        guard let cells = cellsOfSpace[space] else { continue }
        add(cells: cells, floor: floor, space: space, kind: plan.spaces[space].kind)
      }
    }
  }

  /// Checks whether a large passage contains much furniture: the open part of an office, where people sit.
  private func isFurnished(_ space: Int, floor: Int) -> Bool {
    let plan = routes.plan
    guard plan.spaces[space].area >= 100 else { return false }
    let inside = plan.floors[floor].obstacles.count { plan.spaces[space].contains($0.middle) }
    return Double(inside) >= plan.spaces[space].area * 0.2
  }

  private mutating func add(cells: [Int], floor: Int, space: Int?, kind: SpaceKind) {
    let raster = routes.navigation.floors[floor]
    let area = Double(cells.count) * raster.cellSize * raster.cellSize
    var random = RandomStream(seed: 0, stream: Stream.spots, entity: UInt64(floor) << 32 | UInt64(cells[0]))
    let wanted = min(max(Int(area / DestinationFinder.spotArea), 1), DestinationFinder.maximumSpots)
    var spots: [Int] = []
    var taken = SpotGrid(side: DestinationFinder.spotDistance)
    // Random cells become spots if they are far enough from other spots and not close to a wall.
    for attempt in 0..<(wanted * 12) where spots.count < wanted {
      let cell = cells[random.nextIndex(below: cells.count)]
      if attempt < wanted * 8 && !raster.isComfortable(cell) { continue }
      let center = raster.center(of: cell)
      guard !taken.hasPoint(near: center, within: DestinationFinder.spotDistance) else { continue }
      taken.add(center)
      spots.append(cell)
    }
    if spots.isEmpty { spots = [cells[cells.count / 2]] }
    let middle = PlanePoint(
      x: spots.reduce(0) { $0 + raster.center(of: $1).x } / Double(spots.count),
      y: spots.reduce(0) { $0 + raster.center(of: $1).y } / Double(spots.count))
    let anchor = spots.min {
      let a = PlaneSegment(raster.center(of: $0), middle).length
      let b = PlaneSegment(raster.center(of: $1), middle).length
      return (a, $0) < (b, $1)
    }
    let place = Place(floor: floor, cell: anchor ?? cells[0])
    // A random factor makes some places more popular than others of their kind.
    let fancy = PortableMath.exp(random.nextNormal() * 0.6)
    destinations.append(
      Destination(
        space: space, floor: floor, kind: kind, anchor: place, spots: spots.map { Place(floor: floor, cell: $0) },
        popularity: kind.attraction * area.squareRoot() * fancy, group: routes.group(of: place),
        occupantLoad: OccupantLoad.people(on: space.map { routes.plan.spaces[$0].area } ?? area, in: kind)))
  }
}

struct ZoneKey: Hashable, Comparable {
  let x: Int
  let y: Int

  static func < (a: ZoneKey, b: ZoneKey) -> Bool { (a.y, a.x) < (b.y, b.x) }
}
