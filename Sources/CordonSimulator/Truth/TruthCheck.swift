import CordonContacts
package import CordonCore
package import CordonCrowd
import CordonGeometry
import CordonNavigation
import CordonVenues

/// The faults in a run's truth. A correct simulator causes none.
package struct TruthFindings: Hashable, Sendable {
  /// The number of segment ends that are not walkable.
  package var outside = 0
  /// The number of segments that meet a wall, an edge of the floor or an obstruction.
  package var throughWall = 0
  /// The number of segments that do not continue the previous one in time, place and floor.
  ///
  /// A change of floors is not a gap if both ends are beside landings of one vertical way.
  package var gaps = 0
  /// The number of segments that are faster than the maximum walking speed of 2.2 m/s.
  package var tooFast = 0
  /// The number of visits that do not begin at an entrance, or that end elsewhere than at one.
  package var awayFromEntrance = 0
  /// The number of segments that lie outside the run, or that end before they begin.
  package var outOfTime = 0
  /// The floors of the plan that no person visited.
  package var unvisitedFloors: [FloorOrdinal] = []

  /// Whether there are no faults; a floor without visitors is not a fault by itself.
  package var isClean: Bool { outside + throughWall + gaps + tooFast + awayFromEntrance + outOfTime == 0 }
}

/// A check of a run against the exact plan, without the raster that was used for routing.
package enum TruthCheck {
  /// Checks every segment of every person.
  ///
  /// Only the ends of a segment are checked for walkability. Every edge of the walkable area is a barrier, so a segment
  /// cannot leave the area without meeting one.
  package static func findings(_ truth: Truth, in world: World) -> TruthFindings {
    var findings = TruthFindings()
    let floors = FloorsByOrdinal(world)
    var visited: Set<Int32> = []
    for person in truth.people.indices {
      for visit in truth.people[person].visits {
        let pieces = truth.segments[visit.segmentRange]
        for (index, piece) in zip(pieces.indices, pieces) {
          visited.insert(piece.floor)
          findings.check(piece, floors: floors, truth: truth)
          if index > pieces.startIndex, !floors.joins(pieces[index - 1], piece) { findings.gaps += 1 }
        }
        guard let first = pieces.first, let last = pieces.last else {
          findings.gaps += 1
          continue
        }
        if !floors.isEntrance(first.x0, first.y0) { findings.awayFromEntrance += 1 }
        if visit.hasLeft, !floors.isExit(last.x1, last.y1) { findings.awayFromEntrance += 1 }
      }
    }
    findings.unvisitedFloors = Set(world.plan.floors.map(\.ordinal)).filter { !visited.contains($0.thousandths) }
      .sorted()
    return findings
  }
}

extension TruthCheck {
  /// Returns the minimum distance between the centres of two people on one floor, in metres, and the time of it.
  ///
  /// The result is `nil` if no two people are within 0.5 m of each other. It depends only on the recorded segments and not on the
  /// counters of the movement model. The cost per time is that of sorting the people by x coordinate; it is quadratic
  /// only in people whose x coordinates differ by less than 0.5 m.
  /// - Parameters:
  ///   - truth: the run.
  ///   - step: the time between two checks, at least 1 ms.
  package static func closest(in truth: Truth, every step: TimeSpan) -> (distance: Double, time: Instant)? {
    let step = max(step.milliseconds, 1)
    // Minutes are processed one after the other, because the positions of a whole day would not fit into memory.
    let span = max(60_000 / step, 1) * step
    var next = truth.people.map(\.segmentRange.lowerBound)
    var closest: (distance: Double, time: Instant)?
    var start = truth.start.milliseconds
    while start <= truth.end.milliseconds {
      var places = Array(repeating: [Int32: [PlanePoint]](), count: Int(span / step))
      for person in truth.people.indices {
        let range = truth.people[person].segmentRange
        while next[person] < range.upperBound, truth.segments[next[person]].start < start + span {
          let piece = truth.segments[next[person]]
          var time = start + (max(piece.start - start, 0) + step - 1) / step * step
          while time < min(piece.end, start + span) {
            let share = Double(time - piece.start) / Double(piece.end - piece.start)
            places[Int((time - start) / step)][piece.floor, default: []].append(
              PlanePoint(x: piece.x0 + (piece.x1 - piece.x0) * share, y: piece.y0 + (piece.y1 - piece.y0) * share))
            time += step
          }
          if piece.end > start + span { break }
          next[person] += 1
        }
      }
      for (index, floors) in places.enumerated() {
        for floor in floors.values {
          guard let distance = minimumDistance(among: floor), distance < closest?.distance ?? .infinity else {
            continue
          }
          closest = (distance, Instant(milliseconds: start + Int64(index) * step))
        }
      }
      start += span
    }
    return closest
  }

  private static func minimumDistance(among points: [PlanePoint]) -> Double? {
    let sorted = points.sorted { $0.x < $1.x }
    var minimum: Double?
    for (place, point) in sorted.enumerated() {
      for other in sorted[(place + 1)...] {
        guard other.x - point.x < 0.5 else { break }
        let distance = PlaneSegment(point, other).length
        if distance < minimum ?? 0.5 { minimum = distance }
      }
    }
    return minimum
  }
}

extension TruthFindings {
  fileprivate mutating func check(_ piece: Segment, floors: FloorsByOrdinal, truth: Truth) {
    if piece.end < piece.start || piece.start < truth.start.milliseconds || piece.end > truth.end.milliseconds {
      outOfTime += 1
    }
    let a = PlanePoint(x: piece.x0, y: piece.y0)
    let b = PlanePoint(x: piece.x1, y: piece.y1)
    if !floors.isWalkable(a, on: piece.floor) || !floors.isWalkable(b, on: piece.floor) { outside += 1 }
    if floors.isBlocked(from: a, to: b, on: piece.floor) { throughWall += 1 }
    // Times are whole milliseconds, so a short segment can be off by one.
    let seconds = Double(piece.end - piece.start + 1) / 1_000
    if PlaneSegment(a, b).length > 2.2 * seconds + 1e-3 { tooFast += 1 }
  }
}

/// The floors of the plan, by the ordinal that segments contain.
private struct FloorsByOrdinal {
  private let world: World
  private let floors: [Int32: [Int]]
  private let entrances: Set<PlanePoint>
  /// By vertical way: the ordinals and positions of its landings.
  private let landings: [[(floor: Int32, point: PlanePoint)]]

  /// Distance from an exit at which a person may disappear, and distance from a landing at which a person may change
  /// floors, in metres.
  private static let exitReach = 0.36
  private static let landingReach = 4.8

  init(_ world: World) {
    self.world = world
    floors = Dictionary(grouping: world.plan.floors.indices) { world.plan.floors[$0].ordinal.thousandths }
    entrances = Set(world.entrances.map(\.position))
    landings = world.routes.navigation.verticals.map { way in
      way.stops.map {
        (world.plan.floors[$0.floor].ordinal.thousandths, world.routes.navigation.floors[$0.floor].center(of: $0.cell))
      }
    }
  }

  func isWalkable(_ point: PlanePoint, on ordinal: Int32) -> Bool {
    (floors[ordinal] ?? []).contains { world.plan.isWalkable(point, floor: $0) }
  }

  /// Checks whether the way is blocked on every floor of the ordinal.
  func isBlocked(from a: PlanePoint, to b: PlanePoint, on ordinal: Int32) -> Bool {
    (floors[ordinal] ?? []).allSatisfy {
      !world.plan.isWalkable(a, floor: $0) || world.routes.navigation.floors[$0].barriers.isCrossed(from: a, to: b)
    }
  }

  func isEntrance(_ x: Double, _ y: Double) -> Bool { entrances.contains(PlanePoint(x: x, y: y)) }

  func isExit(_ x: Double, _ y: Double) -> Bool {
    entrances.contains { PlaneSegment($0, PlanePoint(x: x, y: y)).length <= FloorsByOrdinal.exitReach }
  }

  func joins(_ a: Segment, _ b: Segment) -> Bool {
    guard a.end == b.start else { return false }
    let from = PlanePoint(x: a.x1, y: a.y1)
    let to = PlanePoint(x: b.x0, y: b.y0)
    if a.floor == b.floor && from == to { return true }
    func isBeside(_ landing: (floor: Int32, point: PlanePoint), _ floor: Int32, _ point: PlanePoint) -> Bool {
      landing.floor == floor && PlaneSegment(landing.point, point).length <= FloorsByOrdinal.landingReach
    }
    return a.floor != b.floor
      && landings.contains { way in
        way.contains { isBeside($0, a.floor, from) } && way.contains { isBeside($0, b.floor, to) }
      }
  }
}
