import CordonCore
import CordonCrowd
import CordonGeometry
import CordonNavigation

extension MovementValidation {
  private typealias Floors = ValidationFloors

  /// Returns the walls of a hall of 30 by 20 m, and the lines of its doors in the long sides.
  private static func hall(doors: [(x: Double, isTop: Bool)]) -> (walls: [PlaneSegment], lines: [PlaneSegment]) {
    var corners: [(Double, Double)] = [(0, 0)]
    for door in doors.filter({ !$0.isTop }).sorted(by: { $0.x < $1.x }) {
      corners += [(door.x - 0.5, 0), (door.x - 0.5, -3), (door.x + 0.5, -3), (door.x + 0.5, 0)]
    }
    corners += [(30, 0), (30, 20)]
    for door in doors.filter(\.isTop).sorted(by: { $0.x > $1.x }) {
      corners += [(door.x + 0.5, 20), (door.x + 0.5, 23), (door.x - 0.5, 23), (door.x - 0.5, 20)]
    }
    corners.append((0, 20))
    let lines = doors.map { door in
      let y = door.isTop ? 20.1 : -0.1
      return PlaneSegment(Floors.point(door.x - 0.5, y), Floors.point(door.x + 0.5, y))
    }
    return (Floors.walls(corners), lines)
  }

  /// Returns the times until half and until 95 % of the people have left the hall, in seconds.
  private func empty(doors: [(x: Double, isTop: Bool)], people: Int) -> (
    half: Double, nearlyAll: Double, left: [PlanePoint]
  ) {
    let (walls, lines) = Self.hall(doors: doors)
    let crowd = crowd(walls, people: people, doorways: lines.count)
    let ways = zip(doors, lines).enumerated().map { index, pair in
      let end = Floors.point(pair.0.x, pair.0.isTop ? 22.3 : -2.3)
      return crowd.add(way: [.door(pair.1, toLeft: pair.0.isTop, number: index), .point(end, radius: 0.6)])
    }
    var random = random(9)
    var spots: [PlanePoint] = []
    for column in 0..<53 {
      for row in 0..<35 { spots.append(Floors.point(0.5 + 0.55 * Double(column), 0.6 + 0.55 * Double(row))) }
    }
    spots.shuffle(using: &random)
    func sendToNearest(_ person: Int) {
      let here = crowd.position(of: person)
      let nearest = doors.indices.min {
        PlaneSegment(here, lines[$0].middle).length < PlaneSegment(here, lines[$1].middle).length
      }
      crowd.send(person, along: ways[nearest ?? 0])
    }
    for person in 0..<people {
      crowd.place(person, at: spots[person], freeSpeed: FreeSpeeds.random(&random))
      sendToNearest(person)
    }
    var out = 0
    var (half, nearlyAll) = (Double.infinity, Double.infinity)
    _ = walk(crowd, for: 1_500) { time in
      out += crowd.arrived.count
      for person in crowd.arrived { crowd.remove(person) }
      // A person who was pushed into the mouth of another exit leaves there.
      for person in crowd.lost where crowd.isWalking(person) { sendToNearest(person) }
      if out * 2 >= people { half = min(half, time) }
      if out * 20 >= people * 19 { nearlyAll = min(nearlyAll, time) }
      return out == people
    }
    return (half, nearlyAll, crowd.walkers.map { crowd.position(of: Int($0)) })
  }

  /// RiMEA 9: a hall is left through four exits, and then through two.
  package func exits() -> [MovementCase] {
    let people = max(Int(1_000 * scale), 40)
    let four = empty(doors: [(7.5, false), (22.5, false), (7.5, true), (22.5, true)], people: people)
    let two = empty(doors: [(7.5, false), (22.5, false)], people: people)
    // The note states the positions of people who cannot leave.
    let left = (two.left + four.left).prefix(10).map {
      "(\(($0.x * 100).rounded() / 100), \(($0.y * 100).rounded() / 100))"
    }
    return [
      MovementCase(
        "rimea-9", "\(people) people leave a hall through two exits instead of four: times as long (95 % out)",
        value: two.nearlyAll / four.nearlyAll, band: 1.7...2.3, note: "about doubles"),
      MovementCase(
        "rimea-9-out", "the same: people still inside after 1 500 s", value: Double((two.left + four.left).count),
        band: 0...0, note: left.isEmpty ? "" : "at \(left.joined(separator: ", "))"),
    ]
  }

  /// RiMEA 10: people leave twelve rooms on a corridor by assigned exits.
  package func assignedExits() -> [MovementCase] {
    // Rooms of 4 by 4 m lie above and below a corridor of 2 m, with doors of 0.9 m and exits at both ends.
    var doors = (0..<6).map { index -> PlaneSegment in
      let x = 4.2 * Double(index)
      return PlaneSegment(Floors.point(x + 1.6, -0.1), Floors.point(x + 2.5, -0.1))
    }
    var ring: [(Double, Double)] = [(-2, 0)]
    for index in 0..<6 {
      let x = 4.2 * Double(index)
      ring += [
        (x + 1.6, 0), (x + 1.6, -0.2), (x, -0.2), (x, -4.2), (x + 4, -4.2), (x + 4, -0.2), (x + 2.5, -0.2),
        (x + 2.5, 0),
      ]
    }
    ring += [(27, 0), (27, 2)]
    for index in (0..<6).reversed() {
      let x = 4.2 * Double(index)
      ring += [
        (x + 2.5, 2), (x + 2.5, 2.2), (x + 4, 2.2), (x + 4, 6.2), (x, 6.2), (x, 2.2), (x + 1.6, 2.2), (x + 1.6, 2),
      ]
      doors.append(PlaneSegment(Floors.point(x + 1.6, 2.1), Floors.point(x + 2.5, 2.1)))
    }
    ring.append((-2, 2))
    let walls = Floors.walls(ring)
    let exits = [Floors.point(-1.5, 1), Floors.point(26.5, 1)]
    let graph = WayGraph(
      nodes: exits.map(WayGraph.Node.destination) + doors.map(WayGraph.Node.door), barriers: SegmentGrid(walls))
    let crowd = crowd(walls, people: 23, doorways: doors.count)
    var random = random(10)
    var assigned: [Int] = []
    for person in 0..<23 {
      let room = person % 12
      let x = 4.2 * Double(room % 6) + 1 + (person < 12 ? 0 : 2)
      let start = Floors.point(x, room < 6 ? -2.5 : 4.5)
      // The four rooms in the east leave by the second exit.
      let exit = room % 6 >= 4 ? 1 : 0
      assigned.append(exit)
      crowd.place(person, at: start, freeSpeed: FreeSpeeds.random(&random))
      send(person, of: crowd, over: graph, to: exit, firstDoor: exits.count)
    }
    var right = 0
    _ = walk(crowd, for: 300) { _ in
      for person in crowd.arrived {
        if PlaneSegment(crowd.position(of: person), exits[assigned[person]]).length < 1.5 { right += 1 }
        crowd.remove(person)
      }
      return crowd.walkerCount == 0
    }
    return [
      MovementCase(
        "rimea-10", "Twelve rooms, 23 people with an exit assigned: people who leave by it", value: Double(right),
        band: 23...23)
    ]
  }

  /// RiMEA 11: a crowd stands on the side of one of two exits.
  ///
  /// All people walk, and are counted at the exit by which they leave.
  package func exitChoice() -> [MovementCase] {
    let people = max(Int(500 * scale), 60)
    let doors = [(x: 7.5, isTop: false), (x: 22.5, isTop: false)]
    let (walls, lines) = Self.hall(doors: doors)
    let crowd = crowd(walls, people: people, doorways: lines.count)
    let ways = zip(doors, lines).enumerated().map { index, pair in
      crowd.add(way: [
        .door(pair.1, toLeft: pair.0.isTop, number: index), .point(Floors.point(pair.0.x, -2.3), radius: 0.6),
      ])
    }
    var random = random(11)
    var spots: [PlanePoint] = []
    for column in 0..<22 {
      for row in 0..<35 { spots.append(Floors.point(0.5 + 0.55 * Double(column), 0.6 + 0.55 * Double(row))) }
    }
    spots.shuffle(using: &random)
    // Each person knows the number of people who are nearer to an exit.
    let near = spots.prefix(people).sorted {
      PlaneSegment($0, lines[0].middle).length < PlaneSegment($1, lines[0].middle).length
    }
    var before = [0, 0]
    var choices: [Int] = []
    for (person, spot) in near.enumerated() {
      let freeSpeed = FreeSpeeds.random(&random)
      let choice = ExitChoice.pick(
        lines.indices.map {
          ExitChoice.Exit(distance: PlaneSegment(spot, lines[$0].middle).length, width: 1, before: before[$0])
        }, freeSpeed: freeSpeed)
      before[choice] += 1
      choices.append(choice)
      crowd.place(person, at: spot, freeSpeed: freeSpeed)
      crowd.send(person, along: ways[choice])
    }
    var left = [0, 0]
    _ = walk(crowd, for: 600) { _ in
      for person in crowd.arrived {
        left[crowd.position(of: person).x < 15 ? 0 : 1] += 1
        crowd.remove(person)
      }
      for person in crowd.lost where crowd.isWalking(person) {
        // A person who was pushed into the mouth of the other exit leaves there.
        let here = crowd.position(of: person)
        crowd.send(person, along: ways[here.y < 0 ? (here.x < 15 ? 0 : 1) : choices[person]])
      }
      return left[0] + left[1] == people
    }
    let out = left[0] + left[1]
    return [
      MovementCase(
        "rimea-11", "\(people) people on the side of one of two exits: share of people who leave by the farther one",
        value: out > 0 ? Double(left[1]) / Double(out) : .nan, band: 0.05...0.5,
        note: "\(left[0]) by the nearer one, which most people prefer"),
      MovementCase(
        "rimea-11-out", "the same: people still inside after 600 s", value: Double(people - out), band: 0...0),
    ]
  }

  /// RiMEA 12: with a room, a corridor of 1 m and a room with an exit of 1 m, the jam is in the first room.
  package func bottlenecks() -> [MovementCase] {
    let walls = Floors.walls([
      (0, 0), (10, 0), (10, 4.5), (15, 4.5), (15, 0), (25, 0), (25, 4.5), (25.2, 4.5), (25.2, 3), (30, 3), (30, 7),
      (25.2, 7), (25.2, 5.5), (25, 5.5), (25, 10), (15, 10), (15, 5.5), (10, 5.5), (10, 10), (0, 10),
    ])
    let lines = [10.1, 25.1].map { PlaneSegment(Floors.point($0, 4.5), Floors.point($0, 5.5)) }
    let crowd = crowd(walls, people: 150, doorways: 2)
    let way = crowd.add(way: [
      .door(lines[0], toLeft: false, number: 0), .point(Floors.point(15.3, 5), radius: 0.4),
      .door(lines[1], toLeft: false, number: 1), .point(Floors.point(28, 5), radius: 1),
    ])
    var random = random(12)
    for person in 0..<150 {
      crowd.place(
        person, at: Floors.point(0.5 + 0.6 * Double(person / 14), 0.6 + 0.65 * Double(person % 14)),
        freeSpeed: FreeSpeeds.random(&random))
      crowd.send(person, along: way)
    }
    var times: [[Double]] = [[], []]
    var passed = [Int](repeating: 0, count: 150)
    var crowding = 0.0
    _ = walk(crowd, for: 400) { time in
      var between = 0
      for person in 0..<150 where passed[person] < 2 {
        let x = crowd.position(of: person).x
        if passed[person] == 0, x > 12.5 {
          passed[person] = 1
          times[0].append(time)
        }
        if passed[person] == 1, x > 25.1 {
          passed[person] = 2
          times[1].append(time)
        }
        if x > 15, x < 25 { between += 1 }
      }
      crowding = max(crowding, Double(between) / 100)
      for person in crowd.arrived { crowd.remove(person) }
      return times[1].count == 150
    }
    func flow(_ times: [Double]) -> Double {
      times.count > 130 ? 110 / max(times[129] - times[19], 1e-9) : .nan
    }
    return [
      MovementCase(
        "rimea-12", "Two bottlenecks of 1 m: flow of the first minus flow of the last",
        value: flow(times[0]) - flow(times[1]), unit: "1/s", band: -0.05...0.5,
        note: "not below -0.05: the jam is in the first room"),
      MovementCase(
        "rimea-12-room", "the same: maximum density in the second room", value: crowding,
        unit: "1/m2", band: 0...0.4),
    ]
  }

  /// RiMEA 13: a corridor of 2 m leads up a stair that is 1.2 m wide.
  package func stairFoot() -> [MovementCase] {
    let walls = Floors.walls([
      (0, 0), (12, 0), (12, 0.4), (22, 0.4), (22, 1.6), (12, 1.6), (12, 2), (0, 2), (0, 6), (-8, 6), (-8, -4), (0, -4),
    ])
    let crowd = crowd(walls, people: 120)
    func line(_ x: Double, _ low: Double, _ high: Double) -> PlaneSegment {
      PlaneSegment(Floors.point(x, low), Floors.point(x, high))
    }
    let way = crowd.add(way: [
      .door(line(0, 0, 2), toLeft: false), .line(line(6, 0, 2), toLeft: false),
      .door(line(12, 0.4, 1.6), toLeft: false), .line(line(20, 0.4, 1.6), toLeft: false, pace: StairPace.up),
      .point(Floors.point(21, 1), radius: 0.8, pace: StairPace.up),
    ])
    var random = random(13)
    for person in 0..<120 {
      crowd.place(
        person, at: Floors.point(-7.6 + 0.55 * Double(person / 15), -3.5 + 0.6 * Double(person % 15)),
        freeSpeed: FreeSpeeds.random(&random))
      crowd.send(person, along: way)
    }
    var corridor: [Double] = []
    var stair: [Double] = []
    var place = [Int](repeating: 0, count: 120)
    var foot = 0.0
    _ = walk(crowd, for: 400) { time in
      var near = 0
      for person in 0..<120 where place[person] < 2 {
        let x = crowd.position(of: person).x
        if place[person] == 0, x > 4 {
          place[person] = 1
          corridor.append(time)
        }
        if place[person] == 1, x > 17 {
          place[person] = 2
          stair.append(time)
        }
        if x > 9, x < 12 { near += 1 }
      }
      foot = max(foot, Double(near) / 6)
      for person in crowd.arrived { crowd.remove(person) }
      return stair.count == 120
    }
    // The flow in the corridor is measured before the jam reaches the line of measurement.
    let first = corridor.count > 12 ? 10 / max(corridor[11] - corridor[1], 1e-9) : .nan
    let second = stair.count > 100 ? 80 / max(stair[99] - stair[19], 1e-9) : .nan
    return [
      MovementCase(
        "rimea-13", "A stair at the end of a corridor: flow on the stair divided by flow in the corridor",
        value: second / first,
        band: 0.2...0.95, note: "lower on the stair"),
      MovementCase(
        "rimea-13-foot", "the same: maximum density at the foot", value: foot, unit: "1/m2",
        band: 1.5...6, note: "a jam"),
    ]
  }

  /// RiMEA 14: people choose between two ways round a block.
  ///
  /// All people walk, and are counted beside the block.
  package func routes() -> [MovementCase] {
    // A block in the middle: the way round its near side is 1 to 5 m shorter for all people.
    let outer = [(0.0, 0.0), (20, 0), (20, 14), (0, 14)].map { Floors.point($0.0, $0.1) }
    let block = [(4.0, 2.5), (16, 2.5), (16, 9), (4, 9)].map { Floors.point($0.0, $0.1) }
    let floor = PlanePolygon(outer: outer, holes: [block])
    let graph = WayGraph(
      nodes: [.destination(Floors.point(19, 4))] + floor.corners(standOff: 0.5).map(WayGraph.Node.corner),
      barriers: SegmentGrid(floor.edges))
    let people = 40
    let crowd = crowd(floor.edges, people: people)
    var random = random(14)
    for person in 0..<people {
      let start = Floors.point(0.5 + 0.6 * Double(person / 8), 1.2 + 0.8 * Double(person % 8))
      crowd.place(person, at: start, freeSpeed: FreeSpeeds.random(&random))
      send(person, of: crowd, over: graph)
    }
    var passed = [Bool](repeating: false, count: people)
    var (short, long, there) = (0, 0, 0)
    _ = walk(crowd, for: 180) { _ in
      for person in 0..<people where !passed[person] && crowd.position(of: person).x > 10 {
        passed[person] = true
        if crowd.position(of: person).y < 5 { short += 1 } else { long += 1 }
      }
      there += crowd.arrived.count
      for person in crowd.arrived { crowd.remove(person) }
      for person in crowd.lost where crowd.isWalking(person) { send(person, of: crowd, over: graph) }
      return there == people
    }
    return [
      MovementCase(
        "rimea-14", "A short and a long way around a block: share of people on the short one",
        value: short + long > 0 ? Double(short) / Double(short + long) : .nan, band: 1...1,
        note: "documented: all people take the shortest way, \(short) the short and \(long) the long one"),
      MovementCase(
        "rimea-14-out", "the same: people of \(people) who do not arrive within 180 s",
        value: Double(people - there), band: 0...0),
    ]
  }
}
