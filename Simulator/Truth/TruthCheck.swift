import CordonContacts
public import CordonCore
import CordonGeometry
import CordonVenues

/// What is wrong with a run's truth; nothing, unless the simulator is broken.
public struct TruthFindings: Hashable, Sendable {
  /// Ends of pieces that cannot be walked on.
  public var outside = 0
  /// Pieces that meet a wall, an edge of the floor or something solid.
  public var throughWall = 0
  /// Pieces that do not begin when, where and on the floor on which the one before ended (a change of floor, when
  /// both ends are beside landings of one way, is no gap).
  public var gaps = 0
  /// Pieces faster than the fastest walker.
  public var tooFast = 0
  /// People whose first piece does not begin at an entrance, or who left elsewhere.
  public var awayFromEntrance = 0
  /// Pieces before the start or after the end of the run, or that end before they begin.
  public var outOfTime = 0
  /// Floors with something to walk on where nobody has been.
  public var floorsNotVisited: [FloorOrdinal] = []

  /// Whether nothing is wrong; a floor where nobody has been is not wrong by itself.
  public var isClean: Bool { outside + throughWall + gaps + tooFast + awayFromEntrance + outOfTime == 0 }
}

/// Holds a run against the exact plan, without the raster that ways were found on.
public enum TruthCheck {
  /// Looks at every piece of every person. Between the ends of a piece nobody can leave what can be walked on
  /// without meeting a barrier, since every edge of it is one.
  public static func findings(_ truth: Truth, in world: World) -> TruthFindings {
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
    findings.floorsNotVisited = Set(world.plan.floors.map(\.ordinal)).filter { !visited.contains($0.thousandths) }
      .sorted()
    return findings
  }
}

extension TruthCheck {
  /// The nearest that the centres of two people on one floor come to each other at times `step` apart, metres, and when; `nil`
  /// when no two are ever within half a metre.
  ///
  /// From the recorded ways alone, so that it does not rest on what the movement model says of itself. Linear in the
  /// people and times, but for those who stand in a line from north to south.
  public static func closest(in truth: Truth, every step: TimeSpan) -> (distance: Double, time: Instant)? {
    let step = max(step.milliseconds, 1)
    // One minute of everybody after the other: a whole day of places at once would not fit into memory.
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
          guard let distance = least(among: floor), distance < closest?.distance ?? .infinity else { continue }
          closest = (distance, Instant(milliseconds: start + Int64(index) * step))
        }
      }
      start += span
    }
    return closest
  }

  private static func least(among points: [PlanePoint]) -> Double? {
    let sorted = points.sorted { $0.x < $1.x }
    var least: Double?
    for (place, point) in sorted.enumerated() {
      for other in sorted[(place + 1)...] {
        guard other.x - point.x < 0.5 else { break }
        let distance = PlaneSegment(point, other).length
        if distance < least ?? 0.5 { least = distance }
      }
    }
    return least
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
    // Times are whole milliseconds: a short piece can be off by one.
    let seconds = Double(piece.end - piece.start + 1) / 1_000
    if PlaneSegment(a, b).length > 2.2 * seconds + 1e-3 { tooFast += 1 }
  }
}

/// The plan's floors as pieces name them.
private struct FloorsByOrdinal {
  private let world: World
  private let floors: [Int32: [Int]]
  private let entrances: Set<PlanePoint>
  /// By way between floors: ordinals and places of its landings.
  private let landings: [[(floor: Int32, point: PlanePoint)]]

  /// Metres from an exit at which somebody may be gone, and from a landing at which somebody may change floors.
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

  /// Whether the way is blocked on every floor of the ordinal.
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
