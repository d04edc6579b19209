import CordonCore
import CordonCrowd
import CordonGeometry
import CordonRun
import CordonVenueTools
import CordonVenues

extension EvacuationValidation {
  /// Verif.5.2: a hundred people leave a room by an exit of 1 m.
  func maximumFlow() throws -> [EvacuationCase] {
    var building = Building()
    building.room("Room", x: 0...8, y: 0...5)
    building.door("exit", from: (8, 2), to: (8, 3), rooms: ["Room"])
    var random = random(52)
    let result = try evacuate(building, Building.crowd(100, x: 0...7.95, y: 0...5, speeds: &random))
    let times = result.times
    let flow = times.count == 100 ? 80 / max(times[89] - times[9], 1e-9) : .nan
    return [
      EvacuationCase(
        "nist-5.2", "Verif.5.2: 100 people leave by an exit of 1 m: flow", criterion: "at most 1.33 people per second",
        value: flow, unit: "1/s", band: 0...1.34),
      EvacuationCase(
        "nist-5.2-least", "the same", criterion: "the crowd reaches the maximum: at least 1.2 people per second",
        value: flow, unit: "1/s", band: 1.2...1.34),
    ]
  }

  /// Verif.5.1 and RiMEA 13: a room, a corridor of 2 m and stairs up.
  func congestion() throws -> [EvacuationCase] {
    var building = Building()
    building.room("Room", x: 0...8, y: 0...5)
    building.room("Corridor", x: 8...20, y: 1.5...3.5, kind: .corridor)
    building.room("Stairs 0", x: 20...24, y: 1.9...3.1, kind: .stairs)
    building.door("room", from: (8, 2), to: (8, 3), rooms: ["Room", "Corridor"])
    building.door("foot", from: (20, 1.9), to: (20, 3.1), rooms: ["Corridor", "Stairs 0"])
    building.room("Stairs 1", x: 20...24, y: 1.9...3.1, floor: 1, kind: .stairs)
    building.room("Hall 1", x: 8...20, y: 0...5, floor: 1, kind: .lobby)
    building.door("head", from: (20, 1.9), to: (20, 3.1), rooms: ["Hall 1", "Stairs 1"], floor: 1)
    building.connection("stairs", .stairs, at: [(0, 20.6, 2.5), (1, 20.6, 2.5)])
    building.door("exit", from: (8, 1), to: (8, 4), rooms: ["Hall 1"], floor: 1)
    var random = random(51)
    let count = 100
    let result = try evacuate(
      building, Building.crowd(count, x: 0...7.95, y: 0...5, speeds: &random), seconds: 1_200)
    var passes: [EvacuationPassages.Pass] = []
    let venue = try building.venue()
    let places = RunPlaces(venue: venue, plan: result.world.plan, entrances: result.world.entrances)
    let finder = EvacuationPassages(
      world: result.world, places: places, names: QueueNames(places: places, venue: venue))
    for track in result.tracks {
      passes += finder.passes(of: track.segments, from: result.start, stays: [], exit: nil).passes
    }
    let passages = EvacuationPassages.totals(passes, start: result.start)
    func passage(_ name: String) -> EvacuationReplica.Passage? { passages.first { $0.place.name == name } }
    let stairs = passages.first { $0.place.kind == .stairs }
    // The corridor door passes people freely until the queue of the stairs reaches it.
    let first = passage("room").map { $0.times.count > 12 ? 10 / max($0.times[11] - $0.times[1], 1e-9) : .nan } ?? .nan
    return [
      EvacuationCase(
        "nist-5.1",
        "Verif.5.1: \(count) people, a room, a corridor and stairs: most people who wait for the door of the room",
        criterion: "a queue: at least 10", value: Double(passage("room")?.peakQueue ?? 0), band: 10...Double(count)),
      EvacuationCase(
        "nist-5.1-stairs", "the same: most people who wait at the foot of the stairs", criterion: "a queue: at least 3",
        value: Double(max(stairs?.peakQueue ?? 0, passage("foot")?.peakQueue ?? 0)), band: 3...Double(count)),
      EvacuationCase(
        "rimea-13", "RiMEA 13: the same: flow on the stairs divided by the first flow into the corridor",
        criterion: "lower on the stairs: less than 1", value: Self.flow(stairs) / first, band: 0.05...0.99),
    ]
  }

  /// Returns the flow through a passage without the first and last tenth of the people, in people per second.
  private static func flow(_ passage: EvacuationReplica.Passage?) -> Double {
    guard let times = passage?.times, times.count > 20 else { return .nan }
    let (from, to) = (times.count / 10, times.count * 9 / 10)
    return Double(to - from) / max(times[to] - times[from], 1e-9)
  }

  /// RiMEA 8: one parameter at a time is varied in a building of three storeys.
  func sensitivity() throws -> [EvacuationCase] {
    let venue = try VenueGenerator.generate(kind: .office, floors: 3, area: 600, seed: 5)
    func nearlyAll(speed: Double, delay: Double) throws -> Double {
      var scenario = Scenario()
      scenario.visitors = nil
      scenario.seed = seed
      var evacuation = Evacuation()
      evacuation.occupants = .people(people(90, least: 30))
      evacuation.preMovement = [.init(population: nil, delay: .fixed(.milliseconds(Int64(delay * 1_000))))]
      evacuation.mobility = [.init(name: "all", share: 1, speed: speed, stairs: 1)]
      scenario.evacuation = evacuation
      let report = try EvacuationStudy(venue: venue, scenario: scenario).run(replicas: 1, isInterrupted: isInterrupted)
      return report?.figure("time_95_s")?.mean ?? .nan
    }
    let (base, slow, late) = (
      try nearlyAll(speed: 1, delay: 10), try nearlyAll(speed: 0.7, delay: 10), try nearlyAll(speed: 1, delay: 70)
    )
    return [
      EvacuationCase(
        "rimea-8-speed",
        "RiMEA 8: three storeys, all people with 0.7 of the speed: time of 95 % divided by that before",
        criterion: "longer, at most in proportion: 1.05 to 1.5", value: slow / base, band: 1.05...1.5),
      EvacuationCase(
        "rimea-8-delay", "the same with 60 s more of pre-movement time: increase", criterion: "60 s, 10 s",
        value: late - base, unit: "s", band: 50...70),
    ]
  }

  /// A hall of 30 by 20 m with exits of 1 m.
  private static func hall(exits: Int) -> Building {
    var building = Building()
    building.room("Hall", x: 0...30, y: 0...20)
    let places: [(Double, Double)] = [(7.5, 0), (22.5, 0), (7.5, 20), (22.5, 20)]
    for (index, place) in places.prefix(exits).enumerated() {
      building.door(
        "exit \(index)", from: (place.0 - 0.5, place.1), to: (place.0 + 0.5, place.1), rooms: ["Hall"])
    }
    return building
  }

  /// RiMEA 9: a hall is left by four exits, and then by two.
  func exits() throws -> [EvacuationCase] {
    let count = people(1_000, least: 400)
    func nearlyAll(_ exits: Int) throws -> (time: Double, left: Int) {
      var random = random(9)
      let crowd = Building.crowd(count, x: 1...29, y: 1...19, speeds: &random)
      let result = try evacuate(Self.hall(exits: exits), crowd, seconds: 1_500)
      let times = result.times
      return (times.isEmpty ? .nan : times[max(times.count * 95 / 100 - 1, 0)], count - times.count)
    }
    let (four, two) = (try nearlyAll(4), try nearlyAll(2))
    return [
      EvacuationCase(
        "rimea-9", "RiMEA 9: \(count) people leave a hall by two exits instead of four: times as long (95 % out)",
        criterion: "about twice: 1.7 to 2.3", value: two.time / four.time, band: 1.7...2.3),
      EvacuationCase(
        "rimea-9-out", "the same: people still inside after 1 500 s", criterion: "none",
        value: Double(two.left + four.left), band: 0...0),
    ]
  }

  /// RiMEA 11: a crowd on the side of one of two exits.
  func choice() throws -> [EvacuationCase] {
    let count = people(500, least: 100)
    var random = random(10)
    let crowd = Building.crowd(count, x: 1...13, y: 1...19, speeds: &random)
    let result = try evacuate(Self.hall(exits: 2), crowd, seconds: 900)
    let far = crowd.indices.count { result.exit($0) == "exit 1" }
    let out = result.times.count
    return [
      EvacuationCase(
        "rimea-11", "RiMEA 11: \(count) people on the side of one of two exits: share that leaves by the farther one",
        criterion: "some, but fewer than half: 0.05 to 0.5",
        value: out > 0 ? Double(far) / Double(out) : .nan, band: 0.05...0.5),
      EvacuationCase(
        "rimea-11-out", "the same: people still inside after 900 s", criterion: "none", value: Double(count - out),
        band: 0...0),
    ]
  }
}
