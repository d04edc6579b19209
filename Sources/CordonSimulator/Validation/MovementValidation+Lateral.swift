import CordonCore
import CordonCrowd
import CordonGeometry
import CordonVenueTools
import CordonVenues

/// Where people walk between the walls of a corridor.
extension MovementValidation {
  private typealias Floors = ValidationFloors

  /// The places of people in a corridor agree with the laboratory, and people who meet keep to one side.
  package func lateral() -> [MovementCase] {
    // Five crowds of each kind are enough for shares of some thousand positions.
    let seeds = seeds.prefix(5)
    let count = Double(max(seeds.count * (LateralMeasurement.all.count + 1), 1))
    var done = 0.0
    func measure<Result>(_ body: (UInt64) -> Result) -> [Result] {
      seeds.map { seed in
        onShare(done / count)
        done += 1
        return body(seed)
      }
    }
    var cases: [MovementCase] = []
    for measured in LateralMeasurement.all {
      let use = LateralUse(merging: measure { oneWay(like: measured, seed: $0) })
      let share = use.share(within: LateralMeasurement.near)
      cases += [
        MovementCase(
          "lateral-\(measured.entrance)",
          "A corridor of 1.8 m behind an entrance of \(measured.entrance) m: share of time within 0.4 m of a wall",
          value: share, band: (measured.nearShare - 0.15)...(measured.nearShare + 0.15),
          note: "measured: \(measured.nearShare)"),
        MovementCase(
          "lateral-\(measured.entrance)-spread", "the same: standard deviation over the width", value: use.deviation,
          unit: "m", band: (measured.deviation - 0.08)...(measured.deviation + 0.08),
          note: "measured: \(measured.deviation) m"),
      ]
    }
    let counter = measure { twoWay(seed: $0) }
    let right = LateralUse(merging: counter.map(\.offsets)).rightShare
    return cases + [
      MovementCase(
        "lateral-side", "A corridor of 2.2 m in both directions: share of time in the half on the own side",
        value: settings.lanes?.side == .left ? 1 - right : right, band: 0.8...1, note: "a convention"),
      MovementCase(
        "lateral-side-jams", "the same: people who do not arrive", value: Double(counter.reduce(0) { $0 + $1.jams }),
        band: 0...0),
    ]
  }

  /// Measures a corridor like that of a laboratory run: people enter through its entrance at its flow.
  package func oneWay(like measurement: LateralMeasurement, seed: UInt64) -> LateralUse {
    let width = LateralMeasurement.width
    var use = LateralUse(width: width)
    let free = max(measurement.entrance / 2 - 0.25, 0.02)
    stream(
      width: width, length: 14, people: 120, seed: seed, every: 1 / measurement.flow, directions: 1,
      entering: { width / 2 + free * (2 * $0 - 1) }
    ) { _, point in
      if point.x > 5, point.x < 9 { use.add(point.y) }
    }
    return use
  }

  /// Measures a corridor 2.2 m wide in which people meet.
  ///
  /// Everybody enters within 0.5 m of the middle.
  package func twoWay(seed: UInt64) -> (offsets: LateralUse, jams: Int) {
    let width = 2.2
    var use = LateralUse(width: width)
    let left = stream(
      width: width, length: 30, people: 80, seed: seed, every: 1.5, directions: 2,
      entering: { width / 2 + 0.5 * (2 * $0 - 1) }
    ) { isEastbound, point in
      if point.x > 8, point.x < 22 { use.add(isEastbound ? point.y : width - point.y) }
    }
    return (use, left)
  }

  /// Lets people walk through a straight corridor, and returns the number of people who do not arrive within five
  /// minutes.
  /// - Parameters:
  ///   - width: the width of the corridor, in metres.
  ///   - length: its length, in metres.
  ///   - people: the number of people.
  ///   - seed: the seed of speeds and places.
  ///   - interval: the time between two people, in seconds.
  ///   - directions: 1 for eastbound people only; 2 for people in both directions in turn.
  ///   - entering: returns the place in the width, in metres, from a random number in 0 ..< 1.
  ///   - position: receives whether a person is eastbound, and the position, at every step.
  @discardableResult
  private func stream(
    width: Double, length: Double, people: Int, seed: UInt64, every interval: Double, directions: Int,
    entering: (Double) -> Double, position: (_ isEastbound: Bool, _ point: PlanePoint) -> Void
  ) -> Int {
    let crowd = crowd(Floors.hall(length, width), people: people, seed: seed)
    var random = random(22, seed: seed)
    // The way ends at a line across the corridor, so it does not draw people towards a point.
    let ways = [(length - 2.5, false, length - 1.2), (2.5, true, 1.2)].map { line, toLeft, end in
      crowd.add(way: [
        .line(PlaneSegment(Floors.point(line, 0), Floors.point(line, width)), toLeft: toLeft),
        .point(Floors.point(end, width / 2), radius: width / 2 + 0.6),
      ])
    }
    var (next, arrived) = (0, 0)
    _ = walk(crowd, for: 300) { time in
      while next < people, time >= interval * Double(next) {
        let direction = next % directions
        let point = Floors.point(direction == 0 ? 0.5 : length - 0.5, entering(random.nextUnit()))
        guard crowd.isFree(point, radius: 0.2, margin: 0.02) else { break }
        crowd.place(next, at: point, freeSpeed: FreeSpeeds.random(&random))
        crowd.send(next, along: ways[direction])
        next += 1
      }
      for person in crowd.walkers { position(Int(person) % directions == 0, crowd.position(of: Int(person))) }
      arrived += crowd.arrived.count
      for person in crowd.arrived { crowd.remove(person) }
      return arrived == people
    }
    return people - arrived
  }

  /// Measures the corridors of a generated office in which people walk between rooms.
  ///
  /// The result is `nil` if the office cannot be generated, which would be a defect of the generator.
  package func officeCorridors() -> CorridorUse? {
    guard !isInterrupted(),
      let venue = try? VenueGenerator.generate(
        kind: .office, floors: 1, area: VenueGenerator.Kind.office.defaultArea, seed: 3),
      let world = try? World(venue: venue)
    else { return nil }
    let scenario = Scenario(
      visitors: max(Int(120 * scale), 30), start: Instant(milliseconds: 1_763_971_200_000), duration: .minutes(30),
      seed: 3)
    var movement = CrowdMovement(settings, step: Int64(step * 1_000 + 0.5))
    movement.isInterrupted = isInterrupted
    guard let truth = try? Simulation.truth(world: world, scenario: scenario, model: movement) else { return nil }
    return CorridorUse(truth, in: world)
  }

  /// The positions of people over the width of a corridor, compared with a laboratory.
  package func corridorStudy() -> MovementStudy? {
    guard let measured = LateralMeasurement.all.first, let seed = seeds.first, let office = officeCorridors() else {
      return nil
    }
    let model = oneWay(like: measured, seed: seed)
    let counter = twoWay(seed: seed).offsets
    func percent(_ share: Double) -> String { "\((share * 1_000).rounded() / 10) %" }
    return MovementStudy(
      "corridors", "Positions over the width of a corridor: share of time in each 0.1 m",
      xName: "distance from the wall on the right, m", yName: "share",
      series: [
        MovementStudy.Series(
          name: "measured, 1.8 m",
          points: measured.permille.enumerated().map {
            MovementStudy.Point(x: (Double($0.offset) + 0.5) * 0.1, y: Double($0.element) / 1_000)
          }),
        MovementStudy.Series(name: "model, 1.8 m", points: model.curve),
        MovementStudy.Series(name: "model, both directions, 2.2 m", points: counter.curve),
      ],
      remarks: [
        "In one direction, \(percent(model.share(within: LateralMeasurement.near))) of the time is within 0.4 m of a wall; measured: \(percent(measured.nearShare)).",
        "Where people meet, they spend \(percent(counter.rightShare)) of the time in the right half.",
        "In the corridors of a generated office, \(percent(office.share(within: 0.4))) of the walking time is within 0.4 m of a wall; even use of the width would be \(percent(office.evenShare(within: 0.4))).",
      ])
  }
}
