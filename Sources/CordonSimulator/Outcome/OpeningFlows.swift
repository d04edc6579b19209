import CordonContacts
import CordonCore
import CordonGeometry
import CordonRun
import CordonVenues

/// Counts of the people who pass each opening, over time.
struct OpeningFlows {
  private static let cell = 4.0
  private static let width = RunOutcome.Flow.width

  private struct Key: Hashable {
    var floor: Int32
    var x: Int32
    var y: Int32
  }

  private let doors: [PlanDoor]
  private let floors: [Int32]
  private let grid: [Key: [Int]]

  init(_ plan: VenuePlan) {
    doors = plan.doors
    floors = plan.doors.map { plan.floors[$0.floor].ordinal.thousandths }
    var grid: [Key: [Int]] = [:]
    for (index, door) in plan.doors.enumerated() {
      for key in OpeningFlows.cells(of: door.line, floor: floors[index]) { grid[key, default: []].append(index) }
    }
    self.grid = grid
  }

  /// The passage of a person through a door of the venue. The person's way begins or ends inside, just behind the door.
  struct DoorPassage {
    /// The identifier of the door. Entrances that are not openings of the map have no flow.
    var opening: String
    /// The position of the person inside.
    var inside: PlanePoint
    var isIn: Bool
    var time: Int64
  }

  /// Returns the passages of segments and of the venue's doors, in bins of 15 minutes.
  func rows(_ segments: [Segment], doorPassages: [DoorPassage]) -> [RunOutcome.Flow] {
    struct Bin: Hashable, Comparable {
      var door: Int
      var bin: Int64

      static func < (a: Bin, b: Bin) -> Bool { (a.door, a.bin) < (b.door, b.bin) }
    }
    var counts: [Bin: (forward: Int, backward: Int)] = [:]
    for segment in segments {
      for (door, side) in passages(of: segment) {
        let passage = Bin(door: door, bin: Instant(milliseconds: segment.start).bucket(of: OpeningFlows.width))
        counts[passage, default: (0, 0)].forward += side > 0 ? 1 : 0
        counts[passage, default: (0, 0)].backward += side < 0 ? 1 : 0
      }
    }
    let numbers = Dictionary(doors.indices.map { (doors[$0].id, $0) }, uniquingKeysWith: { first, _ in first })
    for passed in doorPassages {
      guard let door = numbers[passed.opening] else { continue }
      let isLeft = OpeningFlows.side(passed.inside, of: doors[door].line) > 0
      let passage = Bin(door: door, bin: Instant(milliseconds: passed.time).bucket(of: OpeningFlows.width))
      counts[passage, default: (0, 0)].forward += isLeft == passed.isIn ? 0 : 1
      counts[passage, default: (0, 0)].backward += isLeft == passed.isIn ? 1 : 0
    }
    let order = doors.indices.sorted { (floors[$0], doors[$0].id, $0) < (floors[$1], doors[$1].id, $1) }
    var rank = Array(repeating: 0, count: doors.count)
    for (place, door) in order.enumerated() { rank[door] = place }
    return counts.keys.sorted { (rank[$0.door], $0.bin) < (rank[$1.door], $1.bin) }.map { key in
      RunOutcome.Flow(
        opening: doors[key.door].id, floor: floors[key.door], binStart: key.bin * OpeningFlows.width.milliseconds,
        forward: counts[key]?.forward ?? 0, backward: counts[key]?.backward ?? 0)
    }
  }

  /// Returns the doors that a segment passes, as indices in the plan, each with 1 for a passage from the left of its
  /// line to the right, and -1 for the other direction. The order is that of the cells along the segment.
  func passages(of segment: Segment) -> [(door: Int, side: Int)] {
    guard segment.x0 != segment.x1 || segment.y0 != segment.y1 else { return [] }
    let way = PlaneSegment(PlanePoint(x: segment.x0, y: segment.y0), PlanePoint(x: segment.x1, y: segment.y1))
    var seen: Set<Int> = []
    var passed: [(door: Int, side: Int)] = []
    for key in OpeningFlows.cells(of: way, floor: segment.floor) {
      for door in grid[key] ?? [] where seen.insert(door).inserted {
        let side = OpeningFlows.passage(of: way, through: doors[door].line)
        if side != 0 { passed.append((door, side)) }
      }
    }
    return passed
  }

  /// Returns 1 for a passage from the left of the line to its right, -1 for the other direction, and 0 for no passage.
  ///
  /// A way that begins on the line passed it with the previous segment.
  private static func passage(of way: PlaneSegment, through line: PlaneSegment) -> Int {
    let (before, after) = (side(way.a, of: line), side(way.b, of: line))
    guard (before > 0 && after <= 0) || (before < 0 && after >= 0) else { return 0 }
    let (left, right) = (side(line.a, of: way), side(line.b, of: way))
    guard (left >= 0) != (right > 0) || left == 0 || right == 0 else { return 0 }
    return before > 0 ? 1 : -1
  }

  /// Returns a number that is positive on the left of a line.
  private static func side(_ point: PlanePoint, of line: PlaneSegment) -> Double {
    (line.b.x - line.a.x) * (point.y - line.a.y) - (line.b.y - line.a.y) * (point.x - line.a.x)
  }

  private static func cells(of line: PlaneSegment, floor: Int32) -> [Key] {
    func index(_ value: Double) -> Int32 { Int32(max(min((value / cell).rounded(.down), 1e8), -1e8)) }
    let (x0, x1) = (index(min(line.a.x, line.b.x)), index(max(line.a.x, line.b.x)))
    let (y0, y1) = (index(min(line.a.y, line.b.y)), index(max(line.a.y, line.b.y)))
    var keys: [Key] = []
    for x in x0...x1 { for y in y0...y1 { keys.append(Key(floor: floor, x: x, y: y)) } }
    return keys
  }
}
