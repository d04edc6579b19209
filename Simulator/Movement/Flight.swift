import CordonGeometry
import CordonVenues

/// What a floor's plan shows of stairs, an escalator or a ramp: where people on them are while they count as on that floor.
///
/// Those who leave the floor walk from the landing to the far end of the space that the landing lies in, and are then on the
/// other floor; those who come walk back from there. Both keep to their right, so that they do not meet.
struct Flight {
  /// Where those who go on to another floor leave this one.
  let head: Place
  /// Places where those who come get onto this floor, the best first.
  let arrivals: [Place]
  /// Where those who go begin to climb, and where those who come have the ride behind them: beside the landing.
  let start: Place
  let foot: Place
  /// The space that is the stairs' own; `nil` where they lie in a hall or a corridor.
  let room: Int?
  /// How many people, some going and some coming, pass each other on what the floor shows of it.
  let capacity: Int

  /// Metres from the landing to the head, at most; in a hall or a corridor, where others pass, at most `leastReach`.
  static let reach = 4.0
  static let leastReach = 2.0
  /// Square metres above which a space is not that of stairs.
  private static let largest = 60.0
  /// Metres between those who go and those who come.
  private static let lanes = 0.9
  /// Square metres that each of those who pass each other needs, and how many of them there are at least.
  private static let spaceEach = 0.7
  private static let leastCapacity = 3.0

  init(at landing: Place, in world: World) {
    let raster = world.routes.navigation.floors[landing.floor]
    let center = raster.center(of: landing.cell)
    let index = world.plan.space(at: center, floor: landing.floor)
    let own = index.map { world.plan.spaces[$0] }
    let isOwn = own.map { $0.area <= Flight.largest } ?? false
    room = isOwn ? index : nil
    let doors = isOwn ? own.map { raster.ways(into: $0, round: landing.cell) } ?? [] : []
    let cells = raster.cells(seenFrom: landing.cell, within: isOwn ? Flight.reach : Flight.leastReach) { point in
      own?.contains(point) ?? true
    }
    let area = Double(cells.count) * raster.cellSize * raster.cellSize
    capacity = Int(max(area / Flight.spaceEach, Flight.leastCapacity))
    // Far from the landing, and on the other side of it than the doors.
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
      guard apart >= Flight.lanes, apart < 2.5, ahead > 0, PlaneSegment(center, point).length > 0.6 * depth else {
        return nil
      }
      return worth(point) - 0.2 * abs(apart - 1.2)
    }
    func place(_ cell: Int) -> Place { Place(floor: landing.floor, cell: cell) }
    guard let other else {
      head = place(one.cell)
      arrivals = Flight.places(round: one, among: points, awayFrom: nil, on: raster).map(place)
      (start, foot) = (landing, landing)
      return
    }
    let turn =
      (one.point.x - center.x) * (other.point.y - center.y) - (one.point.y - center.y) * (other.point.x - center.x)
    let (right, left) = turn > 0 ? (one, other) : (other, one)
    head = place(right.cell)
    arrivals = Flight.places(round: left, among: points, awayFrom: right.point, on: raster).map(place)
    let width = PlaneSegment(right.point, left.point).length
    func beside(_ side: PlanePoint, _ other: PlanePoint) -> Place {
      let point = PlanePoint(
        x: center.x + (side.x - other.x) / width * Flight.lanes / 2,
        y: center.y + (side.y - other.y) / width * Flight.lanes / 2)
      let near = best { candidate in
        let off = PlaneSegment(point, candidate).length
        return off < 0.3 && !raster.barriers.isCrossed(from: side, to: candidate) ? -off : nil
      }
      return near.map { place($0.cell) } ?? landing
    }
    start = beside(right.point, left.point)
    foot = beside(left.point, right.point)
  }

  /// Cells to stand on round one of `points`, the nearest first.
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
  /// Places in a space where one gets into it from another one, within 8 m of a cell.
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
