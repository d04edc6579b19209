import CordonContacts
import CordonCore
import CordonGeometry
import CordonSQLite
import CordonTestSupport
import Testing

@testable import CordonRun

@Suite("Trajectories in few bytes")
struct TrajectoryFileTests {
  /// A walk of straight pieces of a few seconds with stays between them.
  private func walk(_ person: Int32, pieces: Int, seed: UInt64) -> [Segment] {
    var random = RandomStream(seed: seed, stream: 1, entity: UInt64(person))
    var (time, x, y) = (Int64(1_767_600_000_000), 10.0, 20.0)
    return (0..<pieces).map { index in
      let isStay = index % 5 == 4
      let length = Int64(isStay ? 600_000 * random.nextUnit() : 8_000 * random.nextUnit()) + 100
      let to = isStay ? (x, y) : (x + 10 * random.nextUnit() - 5, y + 10 * random.nextUnit() - 5)
      defer { (time, x, y) = (time + length, to.0, to.1) }
      return Segment(
        device: person, floor: index > pieces / 2 ? 1_000 : 0, start: time, end: time + length, x0: x, y0: y, x1: to.0,
        y1: to.1)
    }
  }

  private let origin = Coordinate(longitude: 11.58, latitude: 48.14)
  private let start = Instant(milliseconds: 1_767_600_000_000)

  @Test func trajectoriesKeepCentimetresAndMilliseconds() throws {
    let segments = walk(0, pieces: 400, seed: 1) + walk(7, pieces: 300, seed: 1)
    let (bytes, count) = TrajectoryFile.encode(segments, origin: origin, start: start)
    #expect(Double(bytes.count) / Double(count) <= 8, "\(Double(bytes.count) / Double(count)) bytes a sample")
    let contents = try TrajectoryFile.decode(bytes)
    #expect(contents.origin == origin)
    #expect(contents.people.map(\.person) == [0, 7])
    for (person, samples) in contents.people {
      let own = segments.filter { $0.device == person }
      #expect(samples.first?.isJump == true)
      for segment in own {
        let end = try #require(samples.first { $0.time == segment.end && $0.floor == segment.floor })
        #expect(
          abs(Double(end.x) / 100 - segment.x1) <= 0.005_001 && abs(Double(end.y) / 100 - segment.y1) <= 0.005_001)
      }
    }
  }

  @Test func aGapIsAJump() throws {
    func jumps(_ segments: [Segment]) throws -> Int {
      let bytes = TrajectoryFile.encode(segments, origin: origin, start: start).bytes
      return try TrajectoryFile.decode(bytes).people[0].samples.count { $0.isJump }
    }
    var segments = walk(0, pieces: 4, seed: 2)
    let before = try jumps(segments)
    segments[2].start += 50
    let after = try jumps(segments)
    #expect(after == before + 1)
  }

  @Test func truncatedAndChangedFilesAreErrorsWithoutTraps() {
    let bytes = TrajectoryFile.encode(walk(0, pieces: 30, seed: 3), origin: origin, start: start).bytes
    #expect(throws: RunFolderError.self) { try TrajectoryFile.decode([]) }
    for length in 0..<bytes.count { _ = try? TrajectoryFile.decode(Array(bytes.prefix(length))) }
    #expect(throws: RunFolderError.self) { try TrajectoryFile.decode(Array(bytes.prefix(bytes.count - 1))) }
    var random = RandomStream(seed: 4, stream: 1)
    for _ in 0..<2_000 {
      var changed = bytes
      for _ in 0..<3 { changed[random.nextIndex(below: changed.count)] = UInt8(random.nextIndex(below: 256)) }
      _ = try? TrajectoryFile.decode(changed)
    }
  }

  @Test func framesLieOnThePath() {
    let segments = [
      Segment(device: 3, floor: 0, start: 1_000, end: 3_000, x0: 0, y0: 0, x1: 2, y1: 0),
      Segment(device: 3, floor: 0, start: 3_000, end: 4_000, x0: 2, y0: 0, x1: 2, y1: 0),
    ]
    var frames: [RunTracks.Frame] = []
    RunTracks(segments: segments, start: .epoch, step: .milliseconds(500)).forEach { frames.append($0) }
    #expect(frames.map(\.number) == [2, 3, 4, 5, 6, 7, 8])
    #expect(frames.map(\.x) == [0, 0.5, 1, 1.5, 2, 2, 2])
    #expect(frames[0].heading.x == 1)
  }

  @Test func juPedSimFilesHoldOneFloor() throws {
    let scratch = try TemporaryFolder()
    let tracks = RunTracks(segments: walk(0, pieces: 40, seed: 5), start: start, step: .milliseconds(100))
    let square = [(0.0, 0.0), (40, 0), (40, 40), (0, 40)].map { PlanePoint(x: $0.0, y: $0.1) }
    let hole = [(5.0, 5.0), (6, 5), (6, 6)].map { PlanePoint(x: $0.0, y: $0.1) }
    let file = JuPedSimFile(tracks, floor: 0, outline: [hole, square])
    #expect(
      file.wellKnownText
        == "GEOMETRYCOLLECTION (POLYGON ((0 0, 40 0, 40 40, 0 40, 0 0), (5 5, 6 5, 6 6, 5 5)))")
    var count = 0
    tracks.forEach(on: 0) { _ in count += 1 }
    #expect(count > 10)
    try file.writeDatabase(to: scratch.path("floor.sqlite"))
    let database = try Connection(path: scratch.path("floor.sqlite"), mode: .readOnly, timeout: 0)
    let rows = try database.value("SELECT count(*) FROM trajectory_data", as: Int.self)
    let rate = try database.value("SELECT value FROM metadata WHERE key = 'fps'", as: String.self)
    #expect(rows == count)
    #expect(rate == "10")
  }
}
