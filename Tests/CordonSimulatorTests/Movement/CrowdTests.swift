import CordonCore
import CordonCrowd
import CordonGeometry
import CordonNavigation
import CordonSimulator
import Testing

@Suite("Crowds")
struct CrowdTests {
  static let models = [
    CrowdModel.collisionFreeSpeed(CollisionFreeSpeed()), .anticipationVelocity(AnticipationVelocity()),
  ]

  static func point(_ x: Double, _ y: Double) -> PlanePoint { PlanePoint(x: x, y: y) }

  /// Two rooms of 12 by 8 m and of 6 by 8 m, joined by a door of a width in a wall 20 cm thick at x = 12.
  static func rooms(door width: Double) -> [PlaneSegment] {
    let (low, high) = (4 - width / 2, 4 + width / 2)
    return PlanePolygon(outer: [
      point(0, 0), point(12, 0), point(12, low), point(12.2, low), point(12.2, 0), point(18.2, 0), point(18.2, 8),
      point(12.2, 8), point(12.2, high), point(12, high), point(12, 8), point(0, 8),
    ]).edges
  }

  /// RiMEA 1: 40 m at 1.33 m/s, within one percent.
  @Test(arguments: models, [0.01, 0.05, 0.1])
  func keepsTheFreeSpeed(model: CrowdModel, step: Double) {
    let walls = PlanePolygon(outer: [
      Self.point(0, 0), Self.point(45, 0), Self.point(45, 2), Self.point(0, 2),
    ]).edges
    let crowd = PedestrianCrowd(walls: walls, people: 1, settings: CrowdSettings(model: model), seed: 1)
    crowd.place(0, at: Self.point(1, 1), freeSpeed: 1.33)
    crowd.send(0, along: crowd.add(way: [.point(Self.point(41, 1), radius: 0.05)]))
    var time = 0.0
    while crowd.arrived.isEmpty && time < 60 {
      crowd.step(seconds: step)
      time += step
    }
    #expect(abs(time - 40 / 1.33) < 0.01 * 40 / 1.33 + step, "\(time)")
  }

  /// The specific flow through a door, persons per second and metre, over the middle of 100 people.
  static func flow(width: Double, seed: UInt64, model: CrowdModel) -> Double? {
    let crowd = PedestrianCrowd(
      walls: rooms(door: width), people: 100, settings: CrowdSettings(model: model), seed: seed)
    let door = PlaneSegment(point(12.1, 4 - width / 2), point(12.1, 4 + width / 2))
    let way = crowd.add(way: [.door(door, toLeft: false), .point(point(17.5, 4), radius: 2)])
    var random = RandomStream(seed: seed, stream: 5)
    var spots: [PlanePoint] = []
    for column in 0..<22 {
      for row in 0..<14 { spots.append(point(0.4 + 0.5 * Double(column), 0.4 + 0.55 * Double(row))) }
    }
    spots.shuffle(using: &random)
    for person in 0..<100 {
      crowd.place(person, at: spots[person], freeSpeed: min(max(1.34 + 0.26 * random.nextNormal(), 0.5), 2.2))
      crowd.send(person, along: way)
    }
    var times: [Double] = []
    var passed: Set<Int> = []
    for step in 1...6_000 where times.count < 90 {
      crowd.step(seconds: 0.05)
      for person in 0..<100 where crowd.position(of: person).x > 12.1 && passed.insert(person).inserted {
        times.append(Double(step) * 0.05)
      }
      for person in crowd.arrived { crowd.remove(person) }
    }
    guard times.count >= 90, crowd.figures.overlaps == 0, crowd.figures.wallCrossings == 0 else { return nil }
    return 79 / (times[89] - times[10]) / width
  }

  /// Measured at real doors: 1.9 persons per second and metre, within 15 % in the mean of twenty crowds, the criterion of
  /// `cordon validate movement`. The mean of three crowds varies a little more.
  @Test(arguments: [0.8, 1.0, 1.2, 1.6, 2.0])
  func doorFlowsMatchMeasurements(width: Double) throws {
    let flows = try (1...3).map { seed in
      try #require(Self.flow(width: width, seed: UInt64(seed), model: Self.models[0]), "jam at seed \(seed)")
    }
    let mean = flows.reduce(0, +) / 3
    #expect(abs(mean - 1.9) < 0.2 * 1.9, "\(flows)")
  }

  /// Two crowds against each other in a corridor: no overlap, and no step through a wall.
  @Test(arguments: models, [0.05, 0.1])
  func bodiesDoNotOverlapInCounterflow(model: CrowdModel, step: Double) {
    let walls = PlanePolygon(outer: [
      Self.point(0, 0), Self.point(40, 0), Self.point(40, 3), Self.point(0, 3),
    ]).edges
    let crowd = PedestrianCrowd(walls: walls, people: 120, settings: CrowdSettings(model: model), seed: 3)
    let east = crowd.add(way: [.point(Self.point(39, 1.5), radius: 1)])
    let west = crowd.add(way: [.point(Self.point(1, 1.5), radius: 1)])
    for person in 0..<120 {
      let side = person % 2
      let column = Double(person / 2 / 5)
      let x = side == 0 ? 1 + column : 39 - column
      crowd.place(person, at: Self.point(x, 0.4 + 0.55 * Double(person / 2 % 5)), freeSpeed: 1.34)
      crowd.send(person, along: side == 0 ? east : west)
    }
    for _ in 0..<Int(30 / step) { crowd.step(seconds: step) }
    #expect(crowd.figures.overlaps == 0)
    #expect(crowd.figures.minimumGap > -1e-9, "\(crowd.figures)")
    #expect(crowd.figures.wallCrossings == 0)
    #expect(crowd.figures.minimumGap < 0.2)
  }

  /// Staying people make no steps, and others walk around them.
  @Test(arguments: models)
  func stayingPeopleCostNothingAndAreAvoided(model: CrowdModel) {
    let walls = PlanePolygon(outer: [
      Self.point(0, 0), Self.point(40, 0), Self.point(40, 10), Self.point(0, 10),
    ]).edges
    let crowd = PedestrianCrowd(walls: walls, people: 169, settings: CrowdSettings(model: model), seed: 3)
    for person in 0..<168 {
      crowd.place(
        person, at: Self.point(3 + 1.5 * Double(person / 7), 0.6 + 1.4 * Double(person % 7)), freeSpeed: 1.34)
    }
    let before = (0..<168).map(crowd.position(of:))
    crowd.place(168, at: Self.point(1, 4.5), freeSpeed: 1.34)
    crowd.send(168, along: crowd.add(way: [.point(Self.point(39, 4.5), radius: 0.5)]))
    var steps = 0
    while crowd.arrived.isEmpty, steps < 1_000 {
      crowd.step(seconds: 0.1)
      steps += 1
    }
    #expect(crowd.arrived == [168], "\(crowd.position(of: 168))")
    #expect(crowd.figures.personSteps == steps)
    #expect(crowd.figures.overlaps == 0 && crowd.figures.minimumGap > -1e-9 && crowd.figures.minimumGap < 0.3)
    #expect((0..<168).map(crowd.position(of:)) == before)
  }

  /// A pushing crowd does not pass a one-way line against its direction, and all people pass it in its direction.
  @Test(arguments: models)
  func peopleAreNotPushedThroughAOneWayLine(model: CrowdModel) {
    let walls = PlanePolygon(outer: [Self.point(0, 0), Self.point(12, 0), Self.point(12, 2), Self.point(0, 2)]).edges
    // Its left is in the west.
    let line = PlaneSegment(Self.point(6, 0), Self.point(6, 2))
    let crowd = PedestrianCrowd(
      walls: walls, oneWays: [line], people: 24, settings: CrowdSettings(model: model), seed: 5)
    let (west, east) = (
      crowd.add(way: [.point(Self.point(1, 1), radius: 0.3)]), crowd.add(way: [.point(Self.point(11, 1), radius: 0.3)])
    )
    for person in 0..<24 {
      let (row, column) = (Double(person % 3), Double(person / 3 % 4))
      crowd.place(person, at: Self.point(person < 12 ? 2 + column : 7 + column, 0.5 + 0.5 * row), freeSpeed: 1.34)
      crowd.send(person, along: person < 12 ? east : west)
    }
    var through: Set<Int> = []
    for _ in 0..<1_200 {
      let before = (0..<24).map { crowd.position(of: $0).x }
      crowd.step(seconds: 0.1)
      for person in 0..<24 where before[person] < 6 { #expect(crowd.position(of: person).x < 6) }
      for person in 12..<24 where crowd.position(of: person).x < 6 { through.insert(person) }
      for person in crowd.arrived { crowd.remove(person) }
    }
    #expect(through.count > 3, "\(through)")
    #expect(crowd.figures.wallCrossings == 0 && crowd.figures.overlaps == 0)
  }

  /// Two people on the two sides of a wall without thickness, at its end: they do not see each other, and still leave
  /// each other room.
  @Test(arguments: models)
  func bodiesDoNotOverlapRoundTheEndOfAWall(model: CrowdModel) {
    let walls =
      PlanePolygon(outer: [Self.point(0, 0), Self.point(10, 0), Self.point(10, 6), Self.point(0, 6)]).edges
      + [PlaneSegment(Self.point(5, 0), Self.point(5, 3))]
    let crowd = PedestrianCrowd(walls: walls, people: 40, settings: CrowdSettings(model: model), seed: 3)
    let ways = [1.0, -1.0].map { side in
      crowd.add(way: [.point(Self.point(5 + side * 0.22, 2.6), radius: 0.01)])
    }
    for person in 0..<40 {
      let side = person % 2 == 0 ? 1.0 : -1.0
      let row = Double(person / 2)
      crowd.place(
        person,
        at: Self.point(
          5 + side * (1 + 0.5 * (row / 5).rounded(.down)), 0.5 + 0.5 * row.truncatingRemainder(dividingBy: 5)),
        freeSpeed: 1.34)
      crowd.send(person, along: ways[person % 2])
    }
    for _ in 0..<300 { crowd.step(seconds: 0.1) }
    #expect(crowd.figures.overlaps == 0 && crowd.figures.minimumGap > -1e-9, "\(crowd.figures)")
  }

  @Test(arguments: models)
  func threadsDoNotChangePositions(model: CrowdModel) {
    func run(threads: Int) -> [PlanePoint] {
      let crowd = PedestrianCrowd(
        walls: Self.rooms(door: 1.2), people: 200, settings: CrowdSettings(model: model), seed: 8)
      let door = PlaneSegment(Self.point(12.1, 3.4), Self.point(12.1, 4.6))
      let way = crowd.add(way: [.door(door, toLeft: false), .point(Self.point(17.5, 4), radius: 0.5)])
      for person in 0..<200 {
        crowd.place(
          person, at: Self.point(0.4 + 0.5 * Double(person % 20), 0.4 + 0.6 * Double(person / 20)), freeSpeed: 1.3)
        crowd.send(person, along: way)
      }
      for _ in 0..<300 { crowd.step(seconds: 0.1, threads: threads) }
      return (0..<200).map(crowd.position(of:))
    }
    let one = run(threads: 1)
    #expect(run(threads: 2) == one)
    #expect(run(threads: 3) == one)
  }

  @Test func routesLeadThroughDoorsAndAroundCorners() throws {
    // An L of two corridors with a room off the far one.
    let floor = PlanePolygon(outer: [
      Self.point(0, 0), Self.point(20, 0), Self.point(20, 20), Self.point(16, 20), Self.point(16, 4),
      Self.point(0, 4),
    ])
    let door = PlaneSegment(Self.point(16, 15), Self.point(16, 16))
    let walls =
      floor.edges.flatMap { edge -> [PlaneSegment] in
        guard edge.a.x == 16, edge.b.x == 16 else { return [edge] }
        return [PlaneSegment(edge.a, Self.point(16, 16)), PlaneSegment(Self.point(16, 15), edge.b)]
      }
      + PlanePolygon(outer: [
        Self.point(10, 12), Self.point(16, 12), Self.point(16, 15), Self.point(16, 16), Self.point(16, 19),
        Self.point(10, 19),
      ]).edges.filter { $0.a.x != 16 || $0.b.x != 16 }
    let graph = WayGraph(
      nodes: [.destination(Self.point(12, 15.5)), .door(door)]
        + floor.corners(standOff: 0.5).map(WayGraph.Node.corner), barriers: SegmentGrid(walls))
    let way = try #require(graph.way(from: Self.point(1, 2), to: 0))
    #expect(way.map(\.node) == [2, 1, 0])
    // The line runs north, so people who walk west cross it to its left.
    #expect(way[1].isToLeft)
  }
}
