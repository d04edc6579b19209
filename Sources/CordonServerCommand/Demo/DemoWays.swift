import CordonCommandLine
import CordonCore
import CordonGeometry
import CordonNavigation
import CordonVenues

/// The rooms that people of the demo go to, and the ways between them: through doors, and over stairs and lifts.
struct DemoWays {
  /// Where somebody can stand in a room.
  struct Room {
    var floor: Int
    var cells: [Int]
    var kind: SpaceKind
  }

  let plan: VenuePlan
  let navigation: Navigation
  let rooms: [Room]
  private var fields: [Int: DistanceField] = [:]

  /// - Parameter visited: the spaces that people go to.
  init(_ venue: Venue, visited: Set<SpaceID>) throws {
    let walking = try VenueRoutes(venue).routes
    plan = walking.plan
    navigation = walking.navigation
    rooms = walking.plan.spaces.compactMap { space in
      guard visited.contains(space.id) else { return nil }
      let raster = walking.navigation.floors[space.floor]
      var cells: [Int] = []
      for polygon in space.polygons {
        raster.forEachCell(in: polygon) { cell in
          guard raster.isComfortable(cell) else { return }
          if walking.isOpen(floor: space.floor, component: Int(raster.component[cell])) { cells.append(cell) }
        }
      }
      return cells.isEmpty ? nil : Room(floor: space.floor, cells: cells, kind: space.kind)
    }
    guard !rooms.isEmpty else { throw CommandError("the venue has no space to walk to") }
  }

  /// A spot in a room.
  func spot(in room: Int, _ random: inout RandomStream) -> Place {
    let cells = rooms[room].cells
    return Place(floor: rooms[room].floor, cell: cells[random.nextIndex(below: cells.count)])
  }

  /// The way from one spot to another in a room; empty when there is none.
  mutating func way(from start: Place, to end: Place, in room: Int) -> [RouteLeg] {
    // Computed once for each room.
    let field = fields[room] ?? navigation.field(to: Place(floor: rooms[room].floor, cell: rooms[room].cells[0]))
    fields[room] = field
    return navigation.route(from: start, to: end, along: field) ?? []
  }
}
