import CordonCore
import CordonGeometry
import CordonNavigation

/// The walk of one person of the demo: to a room, a rest there, and on to the next.
struct DemoWalk {
  /// Index of the floor in the plan.
  private(set) var floor: Int
  private(set) var point: PlanePoint
  /// Whether they are between two floors.
  var isBetweenFloors: Bool { riding > 0 }

  /// Metres in a second.
  private let speed: Double
  /// Where the way ends.
  private var goal: Place
  private var legs: ArraySlice<RouteLeg> = []
  private var corners: ArraySlice<PlanePoint> = []
  /// Seconds until the next floor is come to, and what stop that is.
  private var riding = 0
  private var arrival: Place?
  /// Seconds until the next way begins.
  private var rest = 0

  /// Draws the speed of a person, in metres a second: people differ, and nobody runs.
  static func speed(_ random: inout RandomStream) -> Double { min(max(1.3 + random.nextNormal() * 0.25, 0.6), 2.2) }

  /// A person who stands in a room.
  init(_ ways: DemoWays, speed: Double, _ random: inout RandomStream) {
    self.speed = speed
    goal = ways.spot(in: random.nextIndex(below: ways.rooms.count), &random)
    floor = goal.floor
    point = ways.navigation.center(of: goal)
  }

  /// Walks for a second. Returns the points that the person passed on the floor, with the first and the last one.
  mutating func step(_ ways: inout DemoWays, _ random: inout RandomStream) -> [PlanePoint] {
    if riding > 0 {
      riding -= 1
      if riding == 0, let stop = arrival {
        floor = stop.floor
        point = ways.navigation.center(of: stop)
      }
      return [point]
    }
    if rest > 0 {
      rest -= 1
      if rest == 0 { leave(&ways, &random) }
      return [point]
    }
    var passed = [point]
    var left = speed
    while left > 0, riding == 0 {
      guard let corner = corners.first else {
        guard begin(ways, &random) else { break }
        continue
      }
      let way = PlaneSegment(point, corner)
      if way.length <= left {
        left -= way.length
        point = corner
        corners.removeFirst()
      } else {
        point = way.point(at: left / way.length)
        left = 0
      }
      passed.append(point)
    }
    return passed
  }

  /// Takes the next part of the way; at its end there is a rest.
  private mutating func begin(_ ways: DemoWays, _ random: inout RandomStream) -> Bool {
    switch legs.popFirst() {
    case .walk(_, let points):
      corners = points[...]
      return true
    case .ride(let number, let from, let to):
      let vertical = ways.navigation.verticals[number]
      let (a, b) = (vertical.stops[from], vertical.stops[to])
      // The cost is in metres on the level that take as long.
      let metres = vertical.entryCost + vertical.costPerLevel * abs(a.level - b.level)
      riding = max(1, Int((metres / speed).rounded()))
      arrival = Place(floor: b.floor, cell: b.cell)
      return true
    case nil:
      rest = 5 + random.nextIndex(below: 60)
      return false
    }
  }

  /// Most ways are on the same floor.
  private mutating func leave(_ ways: inout DemoWays, _ random: inout RandomStream) {
    let here = ways.rooms.indices.filter { ways.rooms[$0].floor == floor }
    let isFar = random.nextIndex(below: 6) == 0 || here.isEmpty
    let room = isFar ? random.nextIndex(below: ways.rooms.count) : here[random.nextIndex(below: here.count)]
    let end = ways.spot(in: room, &random)
    let way = ways.way(from: goal, to: end, in: room)
    guard !way.isEmpty else { return }
    legs = way[...]
    goal = end
  }
}
