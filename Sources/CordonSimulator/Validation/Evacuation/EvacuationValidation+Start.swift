import CordonCore
import CordonCrowd
import CordonGeometry
import CordonVenues

extension EvacuationValidation {
  typealias Building = ValidationBuilding

  /// A room of 8 by 5 m with an exit of 1 m in the middle of a short side.
  private static var room: Building {
    var building = Building()
    building.room("Room", x: 0...8, y: 0...5)
    building.door("exit", from: (8, 2), to: (8, 3), rooms: ["Room"])
    return building
  }

  /// Verif.1.1 and RiMEA 5: ten people set off at times from 10 to 100 s.
  func preMovement() throws -> [EvacuationCase] {
    var random = random(11)
    let people = (0..<10).map { number in
      Building.Person(
        x: 0.7 + 0.7 * Double(number), y: number.isMultiple(of: 2) ? 1 : 4, speed: 1.2,
        delay: (100 + 900 * random.nextUnit()).rounded() / 10)
    }
    let result = try evacuate(Self.room, people)
    let errors = people.indices.map { abs((result.beginning($0) ?? .infinity) - people[$0].delay) }
    let delays = people.map(\.delay)
    return [
      EvacuationCase(
        "nist-1.1", "Verif.1.1: ten people with pre-evacuation times from 10 to 100 s: largest error of a start",
        criterion: "at most one step of movement, 0.1 s", value: errors.max() ?? .nan, unit: "s", band: 0...0.101),
      EvacuationCase(
        "rimea-5", "RiMEA 5: the same: people who start between 10 and 100 s",
        criterion: "all ten", value: Double(delays.indices.count { (10...100.2).contains(result.beginning($0) ?? 0) }),
        band: 10...10),
    ]
  }

  /// Verif.2.4: the speeds of a population follow their distribution.
  func demographics() -> [EvacuationCase] {
    var random = random(24)
    let speeds = Sample((0..<1_000).map { _ in Population.SpeedRule().draw(&random) })
    let inside = speeds.sorted.count { (0.5...2.2).contains($0) }
    return [
      EvacuationCase(
        "nist-2.4", "Verif.2.4: 1 000 people with speeds from 0.5 to 2.2 m/s: people within the range",
        criterion: "all", value: Double(inside), band: 1_000...1_000),
      EvacuationCase(
        "nist-2.4-mean", "the same: mean speed", criterion: "1.34 m/s as given, within three standard errors",
        value: speeds.mean, unit: "m/s", band: 1.315...1.365),
    ]
  }

  /// Verif.3.1 and RiMEA 10: twelve rooms on a corridor, 23 people with an exit assigned to each.
  func allocation() throws -> [EvacuationCase] {
    var building = Building()
    building.room("Corridor", x: -2...28, y: 0...2, kind: .corridor)
    building.door("main", from: (-2, 0.4), to: (-2, 1.6), rooms: ["Corridor"])
    building.door("secondary", from: (28, 0.4), to: (28, 1.6), rooms: ["Corridor"])
    for room in 0..<12 {
      let x = 4.4 * Double(room % 6)
      let isSouth = room < 6
      building.room("R\(room)", x: x...(x + 4), y: isSouth ? -4...0 : 2...6)
      let y = isSouth ? 0.0 : 2
      building.door("d\(room)", from: (x + 1.5, y), to: (x + 2.5, y), rooms: ["R\(room)", "Corridor"])
    }
    var random = random(31)
    let people = (0..<23).map { number in
      let room = number % 12
      return Building.Person(
        x: 4.4 * Double(room % 6) + (number < 12 ? 1 : 3), y: room < 6 ? -2.5 : 4.5, speed: FreeSpeeds.random(&random),
        exits: [room % 6 >= 4 ? "secondary" : "main"])
    }
    let result = try evacuate(building, people)
    let right = people.indices.count { result.exit($0) == people[$0].exits[0] }
    return [
      EvacuationCase(
        "nist-3.1", "Verif.3.1: twelve rooms, 23 people with an exit assigned: people who leave by it",
        criterion: "all 23", value: Double(right), band: 23...23),
      EvacuationCase(
        "rimea-10", "RiMEA 10: the same: people of the main exit who leave by it", criterion: "all of them",
        value: Double(people.indices.count { people[$0].exits == ["main"] && result.exit($0) == "main" })
          / Double(people.count { $0.exits == ["main"] }), band: 1...1),
    ]
  }

  /// Verif.3.3: a person who knows only the farther exit, and one who knows both.
  func affiliation() throws -> [EvacuationCase] {
    var building = Building()
    building.room("Room", x: 0...15, y: 0...10)
    building.door("entrance", from: (0, 4.5), to: (0, 5.5), rooms: ["Room"])
    building.door("emergency", from: (15, 4.5), to: (15, 5.5), rooms: ["Room"])
    let people = [Building.Person(x: 10, y: 4, exits: ["entrance"]), Building.Person(x: 10, y: 6)]
    let result = try evacuate(building, people)
    return [
      EvacuationCase(
        "nist-3.3-known", "Verif.3.3: a person who knows only the farther exit: leaves by it", criterion: "yes (1)",
        value: result.exit(0) == "entrance" ? 1 : 0, band: 1...1),
      EvacuationCase(
        "nist-3.3-free", "the same: a person beside who knows both: leaves by the nearer one", criterion: "yes (1)",
        value: result.exit(1) == "emergency" ? 1 : 0, band: 1...1),
    ]
  }

  /// Verif.4.1: the nearer exit is lost a second after the start.
  func lostExit() throws -> [EvacuationCase] {
    var building = Building()
    building.room("Room", x: 0...15, y: 0...10)
    building.door("exit 1", from: (5, 0), to: (6, 0), rooms: ["Room"])
    building.door("exit 2", from: (15, 4.5), to: (15, 5.5), rooms: ["Room"])
    let people = [Building.Person(x: 5.5, y: 5, speed: 1)]
    let before = try evacuate(building, people)
    let after = try evacuate(building, people, losing: ["exit 1": 1])
    return [
      EvacuationCase(
        "nist-4.1", "Verif.4.1: the nearer exit is lost after 1 s: the person leaves by the other",
        criterion: "yes (1)",
        value: after.exit(0) == "exit 2" ? 1 : 0, band: 1...1),
      EvacuationCase(
        "nist-4.1-before", "the same without the loss: the person leaves by the nearer exit", criterion: "yes (1)",
        value: before.exit(0) == "exit 1" ? 1 : 0, band: 1...1),
    ]
  }
}
