import CordonCore
import CordonGeometry
import CordonTesting
import CordonVenues
import CordonWire
import Testing

@testable import CordonServerCommand

@Suite("The crowd of the demo")
struct CrowdTests {
  private func row(_ second: Int64) throws -> Location {
    let venue = SmallVenue()
    let (device, time) = (try #require(DeviceID("demo-1")), Instant(milliseconds: 1_767_254_400_000 + second * 1_000))
    let place = venue.place(east: 0, north: 0)
    return Location(
      id: FixID(device: device, time: time, coordinate: place, accuracy: 3, floor: nil), device: device,
      venue: venue.venue, coordinate: place, accuracy: 3, floor: nil, time: time)
  }

  /// Rows of a failed post are sent with the next one, in order; finally answered rows are removed, and no others.
  @Test func whatWasNotTakenIsSentAgain() throws {
    var outbox = CrowdOutbox()
    let rows = try (0..<6).map { try row(Int64($0)) }
    outbox.add(Array(rows[0..<2]))
    // No answer arrived.
    outbox.add(Array(rows[2..<4]))
    #expect(outbox.rows == Array(rows[0..<4]))
    outbox.settle([
      .init(id: rows[0].id, status: .stored), .init(id: rows[1].id, status: .retry),
      .init(id: rows[2].id, status: .refused(reason: "outside")), .init(id: rows[3].id, status: .known),
    ])
    #expect(outbox.rows == [rows[1]])
    outbox.add(Array(rows[4...]))
    #expect(outbox.rows == [rows[1], rows[4], rows[5]])
    outbox.add(try (10..<(10 + CrowdOutbox.most)).map { try row(Int64($0)) })
    #expect(outbox.rows.count == CrowdOutbox.most)
    #expect(outbox.rows.first?.id == (try row(10)).id)
  }

  /// Speeds differ between people, and the same seed gives the same speeds.
  @Test func eachWalksAtASpeedOfTheirOwn() {
    func speeds() -> [Double] {
      (0..<500).map { index in
        var random = RandomStream(seed: 7, stream: 0xde40, entity: UInt64(index))
        return Crowd.speed(&random)
      }
    }
    let found = speeds()
    #expect(found == speeds())
    #expect(Set(found).count > 450)
    #expect(found.allSatisfy { (0.6...2.2).contains($0) })
    let mean = found.reduce(0, +) / 500
    #expect(abs(mean - 1.3) < 0.05, "\(mean)")
  }

  /// People walk for half an hour each, through doors and over stairs; no step touches a wall, and every step has the
  /// length of a second's walk.
  @Test(arguments: [VenueGenerator.Kind.office, .museum]) func nobodyWalksThroughAWall(kind: VenueGenerator.Kind) throws
  {
    let venue = try VenueGenerator.generate(kind: kind, floors: 2, area: 600, seed: 7)
    let visited = Set(try venue.packed().spaces.lazy.filter { $0.recording == .full }.map(\.id))
    var ways = try CrowdWays(venue, visited: visited)
    let doors = ways.plan.doors
    var (rooms, floors, crossings): (Set<Int>, Set<Int>, Int) = ([], [], 0)
    for index in 0..<6 {
      var random = RandomStream(seed: 7, stream: 0xde40, entity: UInt64(index))
      var walk = CrowdWalk(ways, speed: 1.4, &random)
      for _ in 0..<1_800 {
        let before = (walk.floor, walk.point)
        let passed = walk.step(&ways, &random)
        if let room = ways.plan.space(at: walk.point, floor: walk.floor) { rooms.insert(room) }
        floors.insert(walk.floor)
        // A change of floor is a stop without a path.
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

  /// The same seed gives the same path.
  @Test func theSameSeedWalksTheSame() throws {
    func path() throws -> [PlanePoint] {
      let venue = try VenueGenerator.generate(kind: .office, floors: 1, area: 400, seed: 3)
      var ways = try CrowdWays(venue, visited: Set(try venue.packed().spaces.map(\.id)))
      var random = RandomStream(seed: 9, stream: 0xde40, entity: 1)
      var walk = CrowdWalk(ways, speed: 1.2, &random)
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
