import CordonGeometry
import CordonNavigation
import CordonVenues

/// The part of stairs, an escalator or a ramp that a floor's plan shows; people on it count as on that floor.
///
/// Leaving people walk from the landing to the far end of the space that contains the landing, and are then on the
/// other floor. Arriving people walk back from there. Both keep to their right, so that they do not meet.
struct StairFlight {
  /// The place where leaving people leave this floor.
  let head: Place
  /// The places where arriving people enter this floor, the best one first.
  let arrivals: [Place]
  /// The places beside the landing where leaving people begin to climb, and where the ride of arriving people ends.
  let start: Place
  let foot: Place
  /// The space of the stairs; `nil` if they lie in a hall or a corridor.
  let room: Int?
  /// The number of people, leaving or arriving, who can pass each other on the part that the floor shows.
  let capacity: Int

  /// Maximum distance from the landing to the head, in metres, and the distance in a hall or a corridor, where other
  /// people pass.
  static let reach = 4.0
  static let minimumReach = 2.0
  /// Area above which a space is not a stairwell, in square metres.
  private static let largest = 60.0
  /// Area for each passing person, in square metres, and the minimum capacity.
  private static let spaceEach = 0.7
  private static let minimumCapacity = 3.0

  init(at landing: Place, in world: World) {
    let raster = world.routes.navigation.floors[landing.floor]
    let center = raster.center(of: landing.cell)
    let index = world.plan.space(at: center, floor: landing.floor)
    let own = index.map { world.plan.spaces[$0] }
    let isOwn = own.map { $0.area <= StairFlight.largest } ?? false
    room = isOwn ? index : nil
    let doors = isOwn ? own.map { raster.ways(into: $0, round: landing.cell) } ?? [] : []
    let cells = raster.cells(seenFrom: landing.cell, within: isOwn ? StairFlight.reach : StairFlight.minimumReach) {
      point in
      own?.contains(point) ?? true
    }
    let area = Double(cells.count) * raster.cellSize * raster.cellSize
    capacity = Int(max(area / StairFlight.spaceEach, StairFlight.minimumCapacity))
    let layout = FlightLayout(landing: landing, cells: cells, doors: doors, raster: raster)
    let farEnd = layout.farEnd
    guard let other = layout.secondLane(beside: farEnd) else {
      head = layout.place(farEnd)
      arrivals = layout.places(around: farEnd, awayFrom: nil)
      (start, foot) = (landing, landing)
      return
    }
    let (right, left) = layout.isLeft(other, of: farEnd) ? (farEnd, other) : (other, farEnd)
    head = layout.place(right)
    arrivals = layout.places(around: left, awayFrom: right.point)
    start = layout.placeBesideLanding(towards: right, awayFrom: left)
    foot = layout.placeBesideLanding(towards: left, awayFrom: right)
  }

  /// Checks whether a point on the flight's floor counts as on the stairs.
  func contains(_ point: PlanePoint, in world: World) -> Bool {
    guard let room else {
      let navigation = world.routes.navigation
      return PlaneSegment(navigation.center(of: head), point).length < StairFlight.minimumReach
        || PlaneSegment(navigation.center(of: foot), point).length < StairFlight.minimumReach
    }
    return world.plan.spaces[room].contains(point)
  }

  /// Returns the length of the end of a way that lies on the stairs, in metres, to within 0.1 m.
  func lengthInside(_ corners: [PlanePoint], in world: World) -> Double {
    guard room != nil else { return StairFlight.minimumReach }
    var length = 0.0
    for index in corners.indices.dropFirst().reversed() {
      let piece = PlaneSegment(corners[index], corners[index - 1])
      for offset in stride(from: 0, to: piece.length, by: 0.1)
      where !contains(piece.point(at: offset / piece.length), in: world) {
        return length + offset
      }
      length += piece.length
    }
    return length
  }
}

extension WalkableRaster {
  /// Returns the points, within 8 m of a cell, at which a space is entered from another one.
  fileprivate func ways(into space: PlanSpace, round cell: Int) -> [PlanePoint] {
    cells(round: cell, within: 8).filter { space.contains(center(of: $0)) }.filter { candidate in
      let (point, side) = (center(of: candidate), candidate % columns)
      return [(0, 1), (0, -1), (1, 0), (-1, 0)].contains { rows, sides in
        let next = candidate + rows * columns + sides
        guard (0..<columns).contains(side + sides), isJoined(next, to: cell) else { return false }
        let beyond = center(of: next)
        return !space.contains(beyond) && !barriers.isCrossed(from: point, to: beyond)
      }
    }.map(center)
  }
}
