import CordonCore
import CordonGeometry
import CordonMonitoring
import CordonTesting
import CordonVenueTools
import CordonVenues
import Testing

@testable import CordonCommandLine
@testable import CordonServerCommand

@Suite("The devices of the demo")
struct DemoClientTests {
  private struct Demo {
    var ways: DemoWays
    let gate: PackedVenueGate
    let sink = InProcessSink(needsToken: true)
    var client: DemoClient
    var now = ClockReading(virtual: Instant(milliseconds: 1_767_254_400_000))

    init() throws {
      let venue = try VenueGenerator.generate(kind: .office, floors: 1, area: 400, seed: 3)
      let packed = try venue.packed()
      ways = try DemoWays(venue, visited: Set(packed.spaces.lazy.filter { $0.recording == .full }.map(\.id)))
      gate = PackedVenueGate(packed)
      sink.inviteCodes = ["CODE"]
      client = try DemoClient(number: 0, seed: 7, ways: ways, gate: gate, inviteCode: "CODE", at: now)
    }

    /// Two seconds of the demo. Without a server, requests get no response.
    mutating func round(isServerUp: Bool = true) async throws {
      now = now + .seconds(2)
      client.walk(seconds: 2, in: &ways, until: now)
      try await perform(isServerUp: isServerUp)
    }

    mutating func perform(isServerUp: Bool = true) async throws {
      let (sink, time) = (sink, now.wall)
      try await client.performOutput { request in
        isServerUp ? sink.handle(request, now: time) : SinkResponse(number: request.number, status: 503)
      }
    }
  }

  /// A device activates itself, reports its consent, and sends a fix for each second, each inside the venue.
  @Test func aDeviceIsAPhone() async throws {
    var demo = try Demo()
    try await demo.perform()
    for _ in 0..<60 { try await demo.round() }
    #expect(demo.sink.consents[demo.client.device]?.purposes == [.record, .share])
    #expect(demo.client.accounting.fixes == 120 && demo.client.accounting.onPhone == 0)
    #expect(demo.sink.count > 80)
    for row in demo.sink.locations {
      let verdict = demo.gate.judge(row.coordinate, floor: row.floor)
      #expect(verdict.isInside && verdict.recording == .full)
    }
  }

  /// Rows that the server did not take while it was busy arrive later, once each.
  @Test func unacknowledgedRowsAreSentAgain() async throws {
    var demo = try Demo()
    try await demo.perform()
    for _ in 0..<10 { try await demo.round() }
    let before = demo.sink.count
    for _ in 0..<20 { try await demo.round(isServerUp: false) }
    #expect(demo.sink.count == before)
    #expect(demo.client.accounting.onPhone > 20)
    // The back-off ends within its longest wait.
    for _ in 0..<450 { try await demo.round() }
    #expect(demo.client.accounting.onPhone == 0)
    #expect(UInt64(demo.sink.count) == demo.client.accounting.stored && demo.sink.knownCount == 0)
  }

  /// A device that the server does not accept ends the demo with a reason.
  @Test func aRefusedDeviceIsAnError() async throws {
    var demo = try Demo()
    demo.sink.inviteCodes = []
    await #expect(throws: CommandError.self) { try await demo.perform() }
  }

  /// Nobody walks at the speed of everybody, and the same seed walks the same.
  @Test func eachPersonHasAnOwnSpeed() {
    func speeds() -> [Double] {
      (0..<500).map { index in
        var random = RandomStream(seed: 7, stream: 0xde40, entity: UInt64(index))
        return DemoWalk.speed(&random)
      }
    }
    let found = speeds()
    #expect(found == speeds())
    #expect(Set(found).count > 450)
    #expect(found.allSatisfy { (0.6...2.2).contains($0) })
    let mean = found.reduce(0, +) / 500
    #expect(abs(mean - 1.3) < 0.05, "\(mean)")
  }

  /// They go through doors from room to room and over stairs from floor to floor, for half an hour each; no step of theirs
  /// touches a wall, and every step is as long as they walk in a second.
  @Test(arguments: [VenueGenerator.Kind.office, .museum]) func peopleDoNotWalkThroughWalls(kind: VenueGenerator.Kind)
    throws
  {
    let venue = try VenueGenerator.generate(kind: kind, floors: 2, area: 600, seed: 7)
    let visited = Set(try venue.packed().spaces.lazy.filter { $0.recording == .full }.map(\.id))
    var ways = try DemoWays(venue, visited: visited)
    let doors = ways.plan.doors
    var (rooms, floors, crossings): (Set<Int>, Set<Int>, Int) = ([], [], 0)
    for index in 0..<6 {
      var random = RandomStream(seed: 7, stream: 0xde40, entity: UInt64(index))
      var walk = DemoWalk(ways, speed: 1.4, &random)
      for _ in 0..<1_800 {
        let before = (walk.floor, walk.point)
        let passed = walk.step(&ways, &random)
        if let room = ways.plan.space(at: walk.point, floor: walk.floor) { rooms.insert(room) }
        floors.insert(walk.floor)
        // From one floor to another: by a stop, with nothing passed on the way.
        if walk.floor != before.0 { continue }
        let first = try #require(passed.first)
        #expect(first == before.1 || passed.count == 1)
        let steps = zip(passed, passed.dropFirst()).map { PlaneSegment($0, $1) }
        #expect(steps.reduce(0) { $0 + $1.length } < 1.4 + 1e-9)
        for step in steps where step.length > 0 {
          #expect(!ways.plan.floors[walk.floor].walls.contains { $0.meets(step) }, "\(step)")
          crossings += doors.count { $0.floor == walk.floor && $0.line.meets(step) }
        }
      }
    }
    #expect(rooms.count >= 5, "\(rooms.count) rooms")
    #expect(floors == [0, 1])
    #expect(crossings >= 20, "\(crossings) times through a door")
  }

  /// The same seed walks the same.
  @Test func equalSeedsWalkEqually() throws {
    func path() throws -> [PlanePoint] {
      let venue = try VenueGenerator.generate(kind: .office, floors: 1, area: 400, seed: 3)
      var ways = try DemoWays(venue, visited: Set(try venue.packed().spaces.map(\.id)))
      var random = RandomStream(seed: 9, stream: 0xde40, entity: 1)
      var walk = DemoWalk(ways, speed: 1.2, &random)
      return (0..<300).map { _ in
        _ = walk.step(&ways, &random)
        return walk.point
      }
    }
    let found = try path()
    #expect(found == (try path()))
    #expect(Set(found).count > 20)
  }
}
