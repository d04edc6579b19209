import CordonContacts
import CordonCore
import CordonCrowd
import CordonGeometry
import CordonNavigation
import CordonVenues

extension EvacuationValidation {
  /// Verif.2.1 and RiMEA 1: a person walks along a corridor of 40 m.
  func corridor() throws -> [EvacuationCase] {
    var building = Building()
    building.room("Corridor", x: 0...42, y: 0...2, kind: .corridor)
    building.door("exit", from: (42, 0.4), to: (42, 1.6), rooms: ["Corridor"])
    func time(_ speed: Double) throws -> Double {
      let result = try evacuate(building, [Building.Person(x: 1, y: 1, speed: speed)])
      let track = result.tracks[0].segments
      let length = Self.length(track)
      guard let out = result.out(0), length > 35 else { return .nan }
      return out / length * 40
    }
    return [
      EvacuationCase(
        "nist-2.1", "Verif.2.1: a person with 1 m/s in a corridor: time for 40 m", criterion: "40 s, 2 %",
        value: try time(1), unit: "s", band: 39.2...40.8),
      EvacuationCase(
        "rimea-1", "RiMEA 1: a person with 1.33 m/s: time for 40 m", criterion: "26 to 34 s",
        value: try time(1.33), unit: "s", band: 26...34),
    ]
  }

  /// Returns the length of a track on all floors, in metres.
  static func length(_ segments: [Segment]) -> Double {
    segments.reduce(0) { $0 + PlaneSegment(PlanePoint(x: $1.x0, y: $1.y0), PlanePoint(x: $1.x1, y: $1.y1)).length }
  }

  /// Two floors with stairs; the exit is on one of them.
  private static func storeys(exitOn floor: Int, _ kind: Connection.Kind = .stairs) -> Building {
    var building = Building()
    for storey in 0...1 {
      building.room("Hall \(storey)", x: 0...12, y: 0...6, floor: storey, kind: .lobby)
      building.room("Well \(storey)", x: 12...17, y: 1...4, floor: storey, kind: kind == .stairs ? .stairs : .elevator)
      building.door(
        "well \(storey)", from: (12, 1.5), to: (12, 3.5), rooms: ["Hall \(storey)", "Well \(storey)"], floor: storey)
    }
    building.connection("way", kind, at: [(0, 12.8, 2.5), (1, 12.8, 2.5)])
    building.door("exit", from: (0, 2), to: (0, 4), rooms: ["Hall \(floor)"], floor: floor)
    return building
  }

  /// Verif.2.2: a person climbs stairs up and down.
  func stairs() throws -> [EvacuationCase] {
    func ratio(exitOn floor: Int) throws -> Double {
      let building = Self.storeys(exitOn: floor)
      let person = Building.Person(x: 9, y: 3, floor: 1 - floor, speed: 1)
      let result = try evacuate(building, [person])
      guard let out = result.out(0) else { return .nan }
      let world = result.world
      let start = world.routes.navigation.place(
        near: PlanePoint(x: result.tracks[0].segments[0].x0, y: result.tracks[0].segments[0].y0),
        floor: 1 - floor, within: 1)
      guard let start,
        let legs = world.routes.navigation.route(
          from: start, to: world.entrances[0].place, along: world.routes.navigation.field(to: world.entrances[0].place))
      else { return .nan }
      let walks = legs.reduce(0.0) { sum, leg in
        guard case .walk(_, let points) = leg else { return sum }
        return sum + zip(points, points.dropFirst()).reduce(0) { $0 + PlaneSegment($1.0, $1.1).length }
      }
      let ride = Connection.Kind.stairs.seconds(levels: floor == 1 ? 1 : -1, freeSpeed: 1)
      return out / (walks + ride)
    }
    let criterion = "1, 10 %: 0.455 of the free speed up and 0.515 of it down, over 8 m in plan"
    return [
      EvacuationCase(
        "nist-2.2-up", "Verif.2.2: a person climbs stairs: time divided by that of the assigned speeds",
        criterion: criterion, value: try ratio(exitOn: 1), band: 0.9...1.1),
      EvacuationCase(
        "nist-2.2-down", "the same down", criterion: criterion, value: try ratio(exitOn: 0), band: 0.9...1.1),
    ]
  }

  /// Verif.2.7: an elevator is the only way down.
  func elevator() throws -> [EvacuationCase] {
    let result = try evacuate(
      Self.storeys(exitOn: 0, .elevator), [Building.Person(x: 9, y: 3, floor: 1, speed: 1, stairPace: 0)])
    return [
      EvacuationCase(
        "nist-2.7", "Verif.2.7: a person takes the elevator to the floor of the exit: is out", criterion: "yes (1)",
        value: result.out(0) == nil ? 0 : 1, band: 1...1)
    ]
  }

  /// A corridor of 2 m with a corner to the left, behind a room.
  private static var corner: Building {
    var building = Building()
    building.room("Room", x: -12...0, y: -5...7)
    building.room("West", x: 0...12, y: 0...2, kind: .corridor, open: "e")
    building.room("Corner", x: 12...14, y: 0...2, kind: .corridor, open: "wn")
    building.room("North", x: 12...14, y: 2...14, kind: .corridor, open: "s")
    building.door("room", from: (0, 0), to: (0, 2), rooms: ["Room", "West"])
    building.door("exit", from: (12.1, 14), to: (13.9, 14), rooms: ["North"])
    return building
  }

  /// Verif.2.3 and RiMEA 15: people walk around a corner.
  func corner() throws -> [EvacuationCase] {
    var random = random(23)
    let few = try evacuate(
      Self.corner, Building.crowd(20, x: -6...0, y: -1...3, speeds: &random))
    let count = people(150, least: 40)
    let many = try evacuate(
      Self.corner, Building.crowd(count, x: -12...0, y: -5...7, speeds: &random))
    func broken(_ figures: MovementFigures) -> Double {
      Double(figures.wallCrossings + figures.overlaps + figures.outside)
    }
    return [
      EvacuationCase(
        "nist-2.3", "Verif.2.3: 20 people around a corner: steps into walls or other people", criterion: "none",
        value: broken(few.figures), band: 0...0),
      EvacuationCase(
        "nist-2.3-out", "the same: people who get out", criterion: "all 20", value: Double(few.times.count),
        band: 20...20),
      EvacuationCase(
        "rimea-15",
        "RiMEA 15: \(count) people around a corner: steps into walls or other people, and people still inside",
        criterion: "none", value: broken(many.figures) + Double(count - many.times.count), band: 0...0),
    ]
  }

  /// Verif.2.8: two rooms with a corridor of 2 m; people of both rooms want to leave by the other one.
  func counterflow() throws -> [EvacuationCase] {
    // The corridor joins the rooms without a door.
    var building = Building()
    building.room("West", x: 0...10, y: 0...10, open: "e")
    building.room("Corridor", x: 10...20, y: 4...6, kind: .corridor, open: "ew")
    building.room("East", x: 20...30, y: 0...10, open: "w")
    for x in [10.0, 20] {
      building.wall(from: (x, 0), to: (x, 4))
      building.wall(from: (x, 6), to: (x, 10))
    }
    building.door("exit west", from: (0, 3), to: (0, 7), rooms: ["West"])
    building.door("exit east", from: (30, 3), to: (30, 7), rooms: ["East"])
    let count = people(100, least: 30)
    var times: [Double] = []
    var left = 0
    for share in [0, 0.1, 0.5, 1] {
      var random = random(28)
      var crowd = Building.crowd(count, x: 0.4...9.6, y: 0.4...9.6, speeds: &random, exits: ["exit east"])
      let others = Int(Double(count) * share)
      crowd += Building.crowd(others, x: 20.4...29.6, y: 0.4...9.6, speeds: &random, exits: ["exit west"])
      let result = try evacuate(building, crowd, seconds: 900)
      let first = (0..<count).compactMap(result.out)
      left += crowd.count - result.times.count
      times.append(first.count == count ? first.max() ?? .nan : .nan)
    }
    let rises = zip(times, times.dropFirst()).count { $1 >= $0 * 0.98 }
    return [
      EvacuationCase(
        "nist-2.8",
        "Verif.2.8: \(count) people against 0, \(count / 10), \(count / 2) and \(count) in a corridor: increases of the time",
        criterion: "the time of the first room does not fall with the counterflow: 3; times "
          + times.map { "\(PairedDifference.plain($0)) s" }.joined(separator: ", "),
        value: times[3] > times[0] * 1.05 ? Double(rises) : 0, band: 3...3),
      EvacuationCase(
        "nist-2.8-out", "the same: people still inside after 900 s", criterion: "none", value: Double(left), band: 0...0
      ),
    ]
  }

  /// Verif.2.9: a group of four fast people and a slow one.
  func groups() throws -> [EvacuationCase] {
    var building = Building()
    building.room("Room", x: 0...30, y: 0...10)
    building.door("exit", from: (30, 4), to: (30, 6), rooms: ["Room"])
    var people = (0..<4).map { Building.Person(x: 4 + Double($0), y: 8, speed: 1.25, group: 0) }
    people.append(Building.Person(x: 2, y: 2, speed: 0.5, group: 0))
    let result = try evacuate(building, people)
    let times = result.times
    let spread = times.count == 5 ? (times.last ?? 0) - (times.first ?? 0) : .nan
    // From the meeting place to the exit, the group needs at least the time of its slowest member.
    return [
      EvacuationCase(
        "nist-2.9",
        "Verif.2.9: a group of four with 1.25 m/s and one with 0.5 m/s: time between the first and the last exit",
        criterion: "at most 15 s", value: spread, unit: "s", band: 0...15),
      EvacuationCase(
        "nist-2.9-speed", "the same: time at which the first one is out", criterion: "not before 24 m at 0.5 m/s: 48 s",
        value: times.first ?? .nan, unit: "s", band: 48...120),
    ]
  }

  /// Verif.2.10: a slow person on a narrow way behind which others have to walk.
  func disabilities() throws -> [EvacuationCase] {
    var building = Building()
    building.room("Room", x: 0...5, y: 0...4)
    building.room("Ramp", x: 5...25, y: 1.55...2.45, kind: .corridor)
    building.room("Hall", x: 25...30, y: 0...4)
    building.door("d1", from: (5, 1.55), to: (5, 2.45), rooms: ["Room", "Ramp"])
    building.door("d2", from: (25, 1.55), to: (25, 2.45), rooms: ["Ramp", "Hall"])
    building.door("exit", from: (30, 1), to: (30, 3), rooms: ["Hall"])
    func last(slow: Bool) throws -> (time: Double, out: Int) {
      var people = (0..<24).map { number in
        Building.Person(x: 0.6 + 0.7 * Double(number % 6), y: 0.6 + 0.9 * Double(number / 6), speed: 1.25)
      }
      people[11] = Building.Person(x: 4.6, y: 2, speed: slow ? 0.4 : 1.25)
      let result = try evacuate(building, people)
      return (result.times.last ?? .nan, result.times.count)
    }
    let (with, without) = (try last(slow: true), try last(slow: false))
    return [
      EvacuationCase(
        "nist-2.10",
        "Verif.2.10: 24 people on a narrow way, one with 0.4 instead of 1.25 m/s: time divided by that without",
        criterion: "longer: at least 1.3", value: with.time / without.time, band: 1.3...4),
      EvacuationCase(
        "nist-2.10-out", "the same: people who get out of 48", criterion: "all", value: Double(with.out + without.out),
        band: 48...48),
    ]
  }
}
