package import CordonGeometry
package import CordonNavigation

/// The simulation of a ``WalkingScenario``.
package final class WalkingCrowd {
  /// The crowd on the scenario's floor.
  package let crowd: PedestrianCrowd
  /// The number of times a person reached a room.
  package private(set) var arrivals = 0
  /// The number of times a person had to find a new way.
  package private(set) var detours = 0
  /// Returns the number of walking people without progress for longer than `seconds`, which must be less than 12.
  package func stuck(longerThan seconds: Double) -> Int {
    crowd.walkers.reduce(0) { $0 + (crowd.blockedSeconds(of: Int($1)) > seconds ? 1 : 0) }
  }

  /// A digest (FNV-1a over 64-bit words) of all positions; equal runs have equal digests.
  package var digest: UInt64 {
    var digest: UInt64 = 0xcbf2_9ce4_8422_2325
    for person in scenario.agents.indices {
      let point = crowd.position(of: person)
      for bits in [point.x.bitPattern, point.y.bitPattern] { digest = (digest ^ bits) &* 0x100_0000_01b3 }
    }
    return digest
  }

  private let scenario: WalkingScenario
  private let graph: WayGraph
  private let firstDoor: Int
  private var stage: [Int]
  private var ways: [WayKey: Range<Int>] = [:]

  private struct WayKey: Hashable {
    var point: Int
    var room: Int
  }

  /// Creates the floor and its people. The scenario must not have a ``WalkingScenario/fault``.
  package init(_ scenario: WalkingScenario, settings: CrowdSettings, seed: UInt64) {
    self.scenario = scenario
    let floor = scenario.floor
    let walls = floor.edges
    let doors = scenario.rooms.compactMap { room in
      room.door.map { PlaneSegment(PlanePoint(x: $0[0][0], y: $0[0][1]), PlanePoint(x: $0[1][0], y: $0[1][1])) }
    }
    crowd = PedestrianCrowd(
      walls: walls, people: scenario.agents.count, doorways: doors.count, settings: settings, seed: seed)
    firstDoor = scenario.rooms.count
    var nodes = scenario.rooms.map { WayGraph.Node.destination(PlanePoint(x: $0.centre[0], y: $0.centre[1])) }
    nodes += doors.map(WayGraph.Node.door)
    let doorGrid = SegmentGrid(doors)
    // The corners of a doorway belong to the door.
    nodes += floor.corners(standOff: 0.5).filter { doorGrid.distance(to: $0, limit: 1) >= 0.9 }.map(
      WayGraph.Node.corner)
    graph = WayGraph(nodes: nodes, barriers: SegmentGrid(walls))
    stage = scenario.agents.map(\.startStage)
    for (person, agent) in scenario.agents.enumerated() {
      crowd.place(person, at: PlanePoint(x: agent.x, y: agent.y), freeSpeed: agent.v0, radius: scenario.radius)
      send(person)
    }
  }

  /// Moves all people by one step; a person who arrives continues to the next room of the journey.
  package func step(seconds: Double, threads: Int = 1) {
    crowd.step(seconds: seconds, threads: threads)
    for person in crowd.arrived {
      arrivals += 1
      stage[person] = (stage[person] + 1) % scenario.journeys[scenario.agents[person].journey].count
      send(person)
    }
    for person in crowd.lost {
      detours += 1
      send(person)
    }
  }

  private func send(_ person: Int) {
    let room = scenario.journeys[scenario.agents[person].journey][stage[person]]
    let centre = scenario.rooms[room].centre
    let here = crowd.position(of: person)
    let goal = PlanePoint(x: centre[0], y: centre[1])
    // A visible goal needs no search. People who start near one graph node share one way.
    let start = crowd.sight.isCrossed(from: here, to: goal) ? graph.start(near: here, to: room) ?? -1 : -1
    let key = WayKey(point: start, room: room)
    let way = ways[key] ?? crowd.add(way: way(fromPoint: start, to: room, goal: goal))
    ways[key] = way
    crowd.send(person, along: way)
  }

  private func way(fromPoint start: Int, to room: Int, goal: PlanePoint) -> [CrowdWaypoint] {
    let last = CrowdWaypoint.point(goal, radius: scenario.waypointRadius)
    guard start >= 0, let steps = graph.way(fromPoint: start, to: room) else { return [last] }
    return steps.map { step in
      switch graph.nodes[step.node] {
      case .destination: last
      case .corner(let point): .point(point, radius: 0.4)
      case .door(let line): .door(line, toLeft: step.isToLeft, number: step.node - firstDoor)
      }
    }
  }
}

extension PlanePolygon {
  /// Returns points in front of the corners that stick out into the polygon.
  /// - Parameter standOff: the distance of each point from the tip of its corner, in metres.
  package func corners(standOff: Double) -> [PlanePoint] {
    var corners: [PlanePoint] = []
    for (number, ring) in rings.enumerated() where ring.count > 2 {
      // The ring is walked with the inside on the left.
      let isCounterClockwise = PlanePolygon(outer: ring).isCounterClockwise
      let points = isCounterClockwise == (number == 0) ? ring : ring.reversed()
      for index in points.indices {
        let before = points[(index + points.count - 1) % points.count]
        let tip = points[index]
        let after = points[(index + 1) % points.count]
        let first = PlaneSegment(before, tip)
        let second = PlaneSegment(tip, after)
        guard first.length > 1e-6, second.length > 1e-6 else { continue }
        let (ax, ay) = ((tip.x - before.x) / first.length, (tip.y - before.y) / first.length)
        let (bx, by) = ((after.x - tip.x) / second.length, (after.y - tip.y) / second.length)
        // A right turn of more than five degrees sticks out.
        guard ax * by - ay * bx < -0.087 else { continue }
        let (x, y) = (ax - bx, ay - by)
        let length = (x * x + y * y).squareRoot()
        guard length > 1e-6 else { continue }
        corners.append(PlanePoint(x: tip.x + x / length * standOff, y: tip.y + y / length * standOff))
      }
    }
    return corners
  }

  /// Whether the outer ring runs counter-clockwise.
  var isCounterClockwise: Bool {
    guard let first = outer.first, var previous = outer.last else { return true }
    var doubled = 0.0
    for point in outer {
      doubled += (previous.x - first.x) * (point.y - first.y) - (point.x - first.x) * (previous.y - first.y)
      previous = point
    }
    return doubled > 0
  }
}
