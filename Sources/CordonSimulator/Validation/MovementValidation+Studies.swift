import CordonContacts
import CordonCore
import CordonCrowd
import CordonGeometry
import CordonNavigation
import CordonVenueTools
import CordonVenues

extension MovementValidation {
  private typealias Floors = ValidationFloors

  /// The names of the studies.
  package static let studyNames = ["rimea-8", "rimea-15", "corridors"]

  /// Runs studies.
  /// - Parameters:
  ///   - only: the studies to run, by ``studyNames``; empty for all. Other names are ignored.
  ///   - progress: receives the number of finished studies and of all studies.
  /// - Returns: the finished studies, which are fewer after an interruption.
  package func studies(only: [String] = [], progress: (Int, Int) -> Void = { _, _ in }) -> [MovementStudy] {
    let names = Self.studyNames.filter { only.isEmpty || only.contains($0) }
    var studies: [MovementStudy] = []
    for (index, name) in names.enumerated() {
      guard !isInterrupted() else { return studies }
      progress(index, names.count)
      let study =
        switch name {
        case "rimea-8": storeys()
        case "rimea-15": largeCorner()
        default: corridorStudy()
        }
      guard !isInterrupted() else { return studies }
      if let study { studies.append(study) }
    }
    progress(names.count, names.count)
    return studies
  }

  // MARK: RiMEA 8

  /// RiMEA 8: people leave a building of three storeys, with different free speeds and then with different numbers of
  /// people.
  ///
  /// The result is `nil` if the building cannot be generated, which would be a defect of the generator.
  package func storeys() -> MovementStudy? {
    guard
      var venue = try? VenueGenerator.generate(
        kind: .office, floors: 3, area: VenueGenerator.Kind.office.defaultArea, seed: 3)
    else { return nil }
    venue.connections.removeAll { $0.kind == .elevator }
    guard let world = try? World(venue: venue) else { return nil }
    let people = max(Int(200 * scale), 12)
    let paces = [0.6, 0.8, 1.0, 1.2, 1.4]
    let crowds = [0.25, 0.5, 1.0, 1.5, 2.0].map { max(Int(Double(people) * $0), 6) }
    let bySpeed = paces.map {
      MovementStudy.Point(x: $0 * 1.34, y: leave(world, people: people, pace: $0))
    }
    let byCrowd = crowds.map { MovementStudy.Point(x: Double($0), y: leave(world, people: $0, pace: 1)) }
    let doubled = bySpeed.first.map { $0.y / (bySpeed.last?.y ?? 1) } ?? 0
    let crowded = byCrowd.last.map { $0.y / (byCrowd.first?.y ?? 1) } ?? 0
    func tenths(_ value: Double) -> String { "\((value * 10).rounded() / 10)" }
    return MovementStudy(
      "rimea-8", "Evacuation of an office of three storeys by its stairs: time for 95 % of the people",
      xName: "mean free speed, m/s", yName: "seconds",
      series: [
        MovementStudy.Series(name: "\(people) people", points: bySpeed),
        MovementStudy.Series(
          name: "free speed 1.34 m/s, people as x by \(people)",
          points: byCrowd.map { MovementStudy.Point(x: $0.x / Double(people), y: $0.y) }),
      ],
      remarks: [
        "People with 0.6 of the usual speed take \(tenths(doubled)) times as long as people with 1.4 of it.",
        "An eightfold number of people takes \(tenths(crowded)) times as long: they share stairs and exits.",
      ])
  }

  /// Returns the time from the alarm until 95 % of the people have left a building, in seconds; infinity if it exceeds
  /// 15 minutes.
  private func leave(_ world: World, people: Int, pace: Double) -> Double {
    // The setup of a building is costly, so the interruption is checked first.
    guard !isInterrupted() else { return .infinity }
    let start = Instant(milliseconds: 1_763_971_200_000)
    let alarm = start + .minutes(15)
    let group = world.routes.group(of: world.entrances[0].place)
    let doors = world.entrances.indices.filter { world.routes.group(of: world.entrances[$0].place) == group }
    var spots: [(destination: Int, spot: Place)] = []
    for (index, destination) in world.destinations.enumerated() where destination.group == group {
      spots += destination.spots.map { (index, $0) }
    }
    var random = random(8)
    spots.shuffle(using: &random)
    guard !spots.isEmpty else { return .infinity }
    let itineraries = (0..<people).map { person -> Itinerary in
      let goal = spots[person % spots.count]
      let door = doors[person % doors.count]
      return Itinerary(
        person: person, freeSpeed: min(FreeSpeeds.random(&random) * pace, CrowdSettings.maximumFreeSpeed),
        arrival: start + .seconds(Int64(person) * 300 / Int64(people)), entrance: door,
        stops: [Itinerary.Stop(destination: goal.destination, spot: goal.spot, leave: alarm)], exit: door)
    }
    let replication = Replication(start: start, duration: .minutes(30), seed: 1)
    var movement = CrowdMovement(settings, step: Int64(step * 1_000 + 0.5))
    movement.isInterrupted = isInterrupted
    let result = movement.tracks(
      of: itineraries, fields: RouteFields(for: itineraries, in: world, threads: 1), world: world,
      replication: replication,
      threads: 1, progress: nil)
    let times = result.tracks.compactMap { $0.hasLeft ? $0.segments.last?.end : nil }.sorted()
    let needed = (people * 95 + 99) / 100
    guard times.count >= needed else { return .infinity }
    return Double(times[needed - 1] - alarm.milliseconds) / 1_000
  }

  // MARK: RiMEA 15

  /// RiMEA 15: a large crowd turns a corner, compared with a straight corridor of the same length.
  package func largeCorner() -> MovementStudy? {
    let people = max(Int(200 * scale), 20)
    let columns = (people + 4) / 5
    let length = 0.6 * Double(columns) + 8
    // Both corridors are 3 m wide, and continue for 12 m after the corner, along the middle.
    let bent = PlanePolygon(
      outer: [
        (0, 0), (length + 1.5, 0), (length + 1.5, 15), (length - 1.5, 15), (length - 1.5, 3), (0, 3),
      ].map { Floors.point($0.0, $0.1) })
    let straight = PlanePolygon(
      outer: [(0, 0), (length + 16, 0), (length + 16, 3), (0, 3)].map { Floors.point($0.0, $0.1) })
    let tip = Floors.point(length - 1.1, 2.6)
    let bentWay: [CrowdWaypoint] = [
      .point(tip, radius: 0.4), .point(Floors.point(length, 14.5), radius: 2.4),
    ]
    let straightWay: [CrowdWaypoint] = [.point(Floors.point(length + 15.5, 1.5), radius: 4)]
    var crossings = 0
    var series: [MovementStudy.Series] = []
    var halves: [Double] = []
    for (name, floor, way) in [("straight on", straight, straightWay), ("round the corner", bent, bentWay)] {
      let crowd = crowd(floor.edges, people: people)
      let range = crowd.add(way: way)
      var random = random(15)
      for person in 0..<people {
        let start = Floors.point(0.4 + 0.6 * Double(person / 5), 0.4 + 0.55 * Double(person % 5))
        crowd.place(person, at: start, freeSpeed: FreeSpeeds.random(&random))
        crowd.send(person, along: range)
      }
      var out = 0
      var points = [MovementStudy.Point(x: 0, y: 0)]
      var half = Double.infinity
      _ = walk(crowd, for: 300) { time in
        out += crowd.arrived.count
        for person in crowd.arrived { crowd.remove(person) }
        if out * 2 >= people { half = min(half, time) }
        if time - (points.last?.x ?? 0) >= 1 - 1e-6 { points.append(MovementStudy.Point(x: time, y: Double(out))) }
        return out == people
      }
      crossings += crowd.figures.wallCrossings + crowd.figures.overlaps
      points.append(MovementStudy.Point(x: (points.last?.x ?? 0) + 1, y: Double(out)))
      series.append(MovementStudy.Series(name: name, points: points))
      halves.append(half)
    }
    let late = ((halves[1] - halves[0]) * 10).rounded() / 10
    return MovementStudy(
      "rimea-15", "\(people) people in a corridor 3 m wide: number of people at its end", xName: "seconds",
      yName: "people", series: series,
      remarks: [
        "Half of them are there \(late) s later round the corner than straight on.",
        "Steps into walls and overlaps of bodies in both corridors: \(crossings).",
      ])
  }
}
