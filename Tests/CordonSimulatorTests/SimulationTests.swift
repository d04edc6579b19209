import CordonContacts
import CordonCore
import CordonCrowd
import CordonSimulator
import CordonVenueTools
import CordonVenues
import Testing

@Suite("Simulations")
struct SimulationTests {
  static let monday = Instant(milliseconds: 1_763_971_200_000)

  static func world(_ kind: VenueGenerator.Kind = .office, floors: Int = 3, seed: UInt64 = 3) throws -> World {
    try World(venue: VenueGenerator.generate(kind: kind, floors: floors, area: kind.defaultArea, seed: seed))
  }

  @Test(arguments: VenueGenerator.Kind.allCases)
  func tracksStayWithinTheWalkableArea(kind: VenueGenerator.Kind) throws {
    let world = try Self.world(kind, floors: 2)
    let scenario = Scenario(visitors: 150, start: Self.monday, duration: .hours(2), seed: 5)
    let truth = try Simulation.truth(world: world, scenario: scenario, model: WayFollowing(), threads: 2)
    let findings = TruthCheck.findings(truth, in: world)
    #expect(findings.isClean, "\(kind): \(findings) \(world.notes)")
    #expect(findings.unvisitedFloors == [])
    #expect(truth.unreachable == 0)
  }

  @Test func threadsDoNotChangeTheTruth() throws {
    let world = try Self.world()
    let scenario = Scenario(visitors: 80, start: Self.monday, duration: .minutes(50), seed: 9)
    let one = try Simulation.truth(world: world, scenario: scenario, model: WayFollowing(), threads: 1)
    for threads in [2, 3, 7] {
      let many = try Simulation.truth(world: Self.world(), scenario: scenario, model: WayFollowing(), threads: threads)
      #expect(many.segments == one.segments)
      #expect(many.people.map(\.stays) == one.people.map(\.stays))
    }
    var other = scenario
    other.seed = 10
    #expect(try Simulation.truth(world: world, scenario: other, model: WayFollowing()).segments != one.segments)
    let repeated = try Simulation.truth(world: world, scenario: scenario, replica: 1, model: WayFollowing())
    #expect(repeated.segments != one.segments)
  }

  @Test func tracksCoverTheTimeFromArrivalToDeparture() throws {
    let world = try Self.world()
    let scenario = Scenario(visitors: 120, start: Self.monday, duration: .minutes(40), seed: 2)
    let truth = try Simulation.truth(world: world, scenario: scenario, model: WayFollowing())
    for (index, person) in truth.people.enumerated() {
      let pieces = truth.segments(of: index)
      #expect(pieces.allSatisfy { $0.device == Int32(index) })
      #expect(pieces.first?.start == person.arrival.milliseconds)
      #expect(pieces.last?.end == person.departure.milliseconds)
      #expect(person.hasLeft || person.departure == truth.end)
      for stay in person.stays {
        let middle = Instant(milliseconds: (stay.start.milliseconds + stay.end.milliseconds) / 2)
        #expect(truth.position(of: index, at: middle)?.isStill == true)
      }
      #expect(truth.position(of: index, at: person.arrival - .milliseconds(1)) == nil)
      #expect(truth.position(of: index, at: person.departure + .milliseconds(1)) == nil)
    }
  }

  @Test func cursorsAgreeWithSearching() throws {
    let world = try Self.world()
    let scenario = Scenario(visitors: 10, start: Self.monday, duration: .minutes(30), seed: 4)
    let truth = try Simulation.truth(world: world, scenario: scenario, model: WayFollowing())
    for person in truth.people.indices {
      var cursor = TruthCursor(truth, person: person)
      var time = truth.start
      while time <= truth.end {
        #expect(cursor.position(at: time) == truth.position(of: person, at: time))
        time = time + .milliseconds(777)
      }
    }
  }

  @Test func peopleWalkAtTheirOwnSpeed() throws {
    let world = try Self.world(.mall, floors: 1)
    let scenario = Scenario(visitors: 400, start: Self.monday, duration: .hours(2), seed: 6)
    let truth = try Simulation.truth(world: world, scenario: scenario, model: WayFollowing())
    let speeds = truth.people.map(\.freeSpeed)
    let mean = speeds.reduce(0, +) / Double(speeds.count)
    let variance = speeds.reduce(0) { $0 + ($1 - mean) * ($1 - mean) } / Double(speeds.count)
    #expect(abs(mean - 1.34) < 0.04 && abs(variance.squareRoot() - 0.26) < 0.03, "\(mean) \(variance.squareRoot())")
    for piece in truth.segments where piece.x0 != piece.x1 || piece.y0 != piece.y1 {
      let length = ((piece.x1 - piece.x0) * (piece.x1 - piece.x0) + (piece.y1 - piece.y0) * (piece.y1 - piece.y0))
        .squareRoot()
      guard length > 2 else { continue }
      let speed = length / Double(piece.end - piece.start) * 1_000
      #expect(abs(speed - truth.people[Int(piece.device)].freeSpeed) < 0.003)
    }
  }

  @Test func impossibleRunsAreRejected() throws {
    let world = try Self.world(floors: 1)
    func run(_ people: Int, _ duration: TimeSpan) throws {
      _ = try Simulation.truth(
        world: world, scenario: Scenario(visitors: people, start: Self.monday, duration: duration, seed: 1))
    }
    for (people, duration, key) in [
      (0, TimeSpan.hours(1), "visitors.count"), (1_000_001, .hours(1), "visitors.count"), (5, .zero, "time.duration"),
      (5, .days(32), "time.duration"),
    ] {
      let error = #expect(throws: ScenarioError.self) { try run(people, duration) }
      #expect(error?.path == key)
    }
    try run(1, .milliseconds(1))
  }
}
