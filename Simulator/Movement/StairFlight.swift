import CordonGeometry
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
  /// Distance between the lanes of leaving and arriving people, in metres.
  private static let lanes = 0.9
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
    // Far from the landing, and away from the doors.
    func worth(_ point: PlanePoint) -> Double {
      min(PlaneSegment(center, point).length, 3.5)
        + min(doors.map { PlaneSegment($0, point).length }.min() ?? 0, 6)
    }
    let points = cells.map { (cell: $0, point: raster.center(of: $0)) }
    func best(_ worth: (PlanePoint) -> Double?) -> (cell: Int, point: PlanePoint)? {
      var found: (cell: Int, point: PlanePoint)?
      var most = -Double.infinity
      for candidate in points {
        if let value = worth(candidate.point), value > most { (found, most) = (candidate, value) }
      }
      return found
    }
    let one = best(worth) ?? (landing.cell, center)
    let depth = PlaneSegment(center, one.point).length
    let other = best { point in
      let apart = PlaneSegment(one.point, point).length
      let ahead = (one.point.x - center.x) * (point.x - center.x) + (one.point.y - center.y) * (point.y - center.y)
      guard apart >= StairFlight.lanes, apart < 2.5, ahead > 0, PlaneSegment(center, point).length > 0.6 * depth else {
        return nil
      }
      return worth(point) - 0.2 * abs(apart - 1.2)
    }
    func place(_ cell: Int) -> Place { Place(floor: landing.floor, cell: cell) }
    guard let other else {
      head = place(one.cell)
      arrivals = StairFlight.places(round: one, among: points, awayFrom: nil, on: raster).map(place)
      (start, foot) = (landing, landing)
      return
    }
    let turn =
      (one.point.x - center.x) * (other.point.y - center.y) - (one.point.y - center.y) * (other.point.x - center.x)
    let (right, left) = turn > 0 ? (one, other) : (other, one)
    head = place(right.cell)
    arrivals = StairFlight.places(round: left, among: points, awayFrom: right.point, on: raster).map(place)
    let width = PlaneSegment(right.point, left.point).length
    func beside(_ side: PlanePoint, _ other: PlanePoint) -> Place {
      let point = PlanePoint(
        x: center.x + (side.x - other.x) / width * StairFlight.lanes / 2,
        y: center.y + (side.y - other.y) / width * StairFlight.lanes / 2)
      let near = best { candidate in
        let off = PlaneSegment(point, candidate).length
        return off < 0.3 && !raster.barriers.isCrossed(from: side, to: candidate) ? -off : nil
      }
      return near.map { place($0.cell) } ?? landing
    }
    start = beside(right.point, left.point)
    foot = beside(left.point, right.point)
  }

  /// Returns cells to stand on around one of `points`, the nearest first.
  private static func places(
    round middle: (cell: Int, point: PlanePoint), among points: [(cell: Int, point: PlanePoint)],
    awayFrom other: PlanePoint?, on raster: WalkableRaster
  ) -> [Int] {
    let near = points.map { (cell: $0.cell, point: $0.point, off: PlaneSegment(middle.point, $0.point).length) }
      .filter { near in
        near.off < 0.8 && (other.map { PlaneSegment($0, near.point).length > 0.5 } ?? true)
      }
    let kept = raster.spread(
      near.sorted { ($0.off, $0.cell) < ($1.off, $1.cell) }.map(\.cell), apart: 0.2, most: 12)
    return kept.isEmpty ? [middle.cell] : kept
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
