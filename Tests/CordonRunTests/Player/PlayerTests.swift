import CordonContacts
import CordonCore
import CordonGeometry
import Foundation
import Testing

@testable import CordonRun
@testable import CordonSupport

@Suite("The player of pages")
struct PlayerTests {
  private func object(_ value: JSONValue) throws -> [String: Any] {
    try #require(try JSONSerialization.jsonObject(with: Data(value.text().utf8)) as? [String: Any])
  }

  private func tracks(_ contents: RunContents, limit: Int = PlayerTracks.maximumBytes) throws -> PackedTracks {
    let storeys = ReportStoreys(venue: contents.venue)
    let packed = PlayerTracks(
      contents.shownSegments, people: contents.people.count, start: contents.parameters.start.milliseconds, limit: limit
    ) { storeys.index(ofFloor: $0) }
    let value = try #require(packed).json
    return try PackedTracks(try object(value))
  }

  // MARK: Packing

  @Test(arguments: [0, 1, 2, 3, 300, 65_536, 200_000])
  func packedBytesAreReadByZlib(count: Int) throws {
    var random = SplitMix(seed: UInt64(count) + 1)
    // Few zeros and many, and one value alone.
    let sparse: [UInt8] = (0..<count).map { _ in
      UInt8(truncatingIfNeeded: random.next() & random.next() & random.next())
    }
    let even: [UInt8] = (0..<count).map { UInt8(truncatingIfNeeded: $0) }
    let columns = [sparse, [UInt8](repeating: 7, count: count), even]
    let packed = HuffmanDeflate.compress(columns)
    let inflated = try PackedTracks.inflated(packed)
    #expect(inflated == columns.flatMap { $0 })
    let limit = count * 3 * 3 / 4
    if count > 10_000 { #expect(packed.count < limit) }
    #expect(HuffmanDeflate.compress(columns) == packed)
  }

  @Test func longCodesAreShortened() {
    // Counts like Fibonacci's numbers make the longest codes.
    var counts = [1, 1]
    while counts.count < 40 { counts.append(counts[counts.count - 1] + counts[counts.count - 2]) }
    for limit in [7, 15] {
      let lengths = HuffmanDeflate.codeLengths(counts, limit: limit)
      #expect(lengths.allSatisfy { (1...limit).contains($0) })
      let sum: Double = lengths.reduce(0) { $0 + 1 / Double(1 << $1) }
      #expect(sum == 1, "a complete code")
    }
  }

  // MARK: Accuracy

  @Test(arguments: PlayerTracks.tolerances)
  func positionsKeepTheTolerance(tolerance: Double) {
    var random = SplitMix(seed: 3)
    func unit() -> Double { Double(random.next() >> 11) / Double(1 << 53) }
    var points = [PathSimplifier.Point(time: 0, x: 10, y: -20)]
    var (direction, speed) = (0.0, 1.3)
    for step in 1...3_000 {
      let last = points[points.count - 1]
      // Walks with turns, and rests.
      if step % 40 == 0 { speed = unit() < 0.3 ? 0 : 0.5 + unit() * 2 }
      direction += (unit() - 0.5) * 0.8
      let time = 50 + Int64(unit() * 900)
      let way = speed * Double(time) / 1_000
      points.append(
        .init(
          time: last.time + time, x: last.x + way * PortableMath.cos(direction),
          y: last.y + way * PortableMath.sin(direction)))
    }
    let precision = PathSimplifier.Precision(tolerance: tolerance)
    let vertices = PathSimplifier(precision: precision).vertices(of: points)
    #expect(vertices.count < points.count * 9 / 10)
    #expect(zip(vertices, vertices.dropFirst()).allSatisfy { $0.time <= $1.time })
    var (index, place, worst) = (0, 0, 0.0)
    for time in stride(from: 0, through: points[points.count - 1].time - precision.tick, by: 37) {
      while points[index + 1].time < time { index += 1 }
      while Double(vertices[place + 1].time * precision.tick) < Double(time) { place += 1 }
      let (a, b) = (points[index], points[index + 1])
      let share = Double(time - a.time) / Double(b.time - a.time)
      let (from, to) = (vertices[place], vertices[place + 1])
      let part = (Double(time) / Double(precision.tick) - Double(from.time)) / Double(to.time - from.time)
      let shownX = (Double(from.x) + Double(to.x - from.x) * part) * precision.unit
      let shownY = (Double(from.y) + Double(to.y - from.y) * part) * precision.unit
      let x = shownX - (a.x + (b.x - a.x) * share)
      let y = shownY - (a.y + (b.y - a.y) * share)
      worst = max(worst, (x * x + y * y).squareRoot())
    }
    #expect(worst <= tolerance)
    #expect(worst > tolerance / 3, "the tolerance is used")
  }

  @Test func everybodyIsWhereTheTruthIs() throws {
    let contents = SampleRun(people: 7, minutes: 20).contents
    let tracks = try tracks(contents)
    #expect(tracks.people.count == 7)
    #expect(tracks.tolerance == 0.1)
    #expect(tracks.share == 1)
    let start = contents.parameters.start.milliseconds
    var compared = 0
    for person in 0..<7 {
      let own = contents.truth.filter { Int($0.device) == person }
      for time in stride(from: Int64(0), to: contents.parameters.duration.milliseconds, by: 3_700) {
        let now = start + time
        let here = own.filter { $0.start <= now && now <= $0.end }
        // Around the moments in which somebody comes, goes or changes floors, the tick decides.
        let isEdge = own.contains { segment in abs(segment.start - now) < 100 || abs(segment.end - now) < 100 }
        guard let place = tracks.place(person, at: Double(time)) else {
          let isAway = here.isEmpty || isEdge
          #expect(isAway)
          continue
        }
        let isThere = here.contains { segment in
          let share = Double(now - segment.start) / Double(max(segment.end - segment.start, 1))
          let dx: Double = segment.x0 + (segment.x1 - segment.x0) * share - place.x
          let dy: Double = segment.y0 + (segment.y1 - segment.y0) * share - place.y
          let isNear = (dx * dx + dy * dy).squareRoot() <= 0.1
          return isNear && Int32(place.storey) * 1_000 == segment.floor
        }
        let isRight = isThere || isEdge
        #expect(isRight, "person \(person) at \(time) ms")
        compared += isThere ? 1 : 0
      }
    }
    #expect(compared > 500)
  }

  @Test func aSmallLimitMakesPathsCoarserAndThenFewer() throws {
    let contents = SampleRun(people: 40, minutes: 60).contents
    let fine = try tracks(contents)
    let coarse = try tracks(contents, limit: 3_000)
    #expect(fine.tolerance == 0.1)
    #expect(coarse.tolerance > 0.1)
    let few = try tracks(contents, limit: 500)
    #expect(few.share > 1)
    #expect(few.people.count == (40 + few.share - 1) / few.share)
    let start = contents.parameters.start.milliseconds
    let one = PlayerTracks(contents.truth, people: 40, start: start, limit: 1) { _ in 0 }
    #expect(one?.people == 1, "one person stays")
    let none = PlayerTracks(contents.truth, people: 40, start: start) { _ in nil }
    #expect(none == nil)
  }

  @Test func aDeviceIsShownOnlyWhileItsFixesAreJoined() throws {
    var contents = SampleRun(people: 1).contents
    let start = contents.parameters.start.milliseconds
    contents.truth = []
    contents.parameters.maximumGap = .seconds(30)
    let fix = contents.locations[0]
    contents.locations = [20_000, 40_000, 100_000].map { (offset: Int64) in
      var location = fix
      location.time = start + offset
      location.stillUntil = start + offset + (offset == 100_000 ? 60_000 : 0)
      location.floor = 0
      location.coordinate.longitude += offset == 40_000 ? 0.000_1 : 0
      return location
    }
    let tracks = try tracks(contents)
    func isThere(_ seconds: Double) -> Bool { tracks.place(0, at: seconds * 1_000) != nil }
    let present = (0..<220).filter { isThere(Double($0) + 0.5) }
    let expected: [Int] = Array(20..<70) + Array(100..<190)
    #expect(present == expected)
    // Halfway between two fixes that are joined.
    let places = [21.0, 30, 39].compactMap { tracks.place(0, at: $0 * 1_000)?.x }
    try #require(places.count == 3)
    let middle = (places[0] + places[2]) / 2
    #expect(abs(places[1] - middle) < 0.2)
    #expect(abs(places[2] - places[0]) > 5)
  }

  // MARK: The part

  @Test func aPlayerAloneBringsItsData() throws {
    let contents = SampleRun(people: 5, minutes: 10).contents
    let start = contents.parameters.start
    let layer = SpaceLayer(
      id: "co2", name: "CO₂", unit: "ppm", start: start, step: .minutes(5),
      values: [3: [400.26, .nan], 1: [500, 600]], limits: [600, 800, 1_000])
    let player = PlayerPart(
      venue: contents.venue, segments: contents.truth, people: ["a", "a", "b", "b", "a"], start: start,
      end: contents.parameters.end, origin: start, layers: [layer])
    let page = player.html
    #expect(page.contains("Plan: First floor") && page.contains("class=\"player\""))
    let rest = page.components(separatedBy: "class=\"player-data\">").last ?? ""
    let text = rest.components(separatedBy: "</script>").first ?? ""
    #expect(text.contains("\"decimals\":1"))
    #expect(text.contains("\"values\":{\"1\":[500,600],\"3\":[400.3,null]}"))
    let data = try #require(try JSONSerialization.jsonObject(with: Data(text.utf8)) as? [String: Any])
    #expect(data["groups"] as? [String] == ["a", "b"])
    #expect(data["groupRuns"] as? [[Int]] == [[2, 0], [2, 1], [1, 0]])
    #expect(data["origin"] as? Int64 == start.milliseconds)
    let tracks = try #require(data["tracks"] as? [String: Any])
    #expect(try PackedTracks(tracks).people.count == 5)
    #expect(PlayerPart.script.hasSuffix("startPlayers();\n})();\n"))
  }

  @Test func aPlayerBeginsOnTheFloorOfMostPeople() {
    let contents = SampleRun(people: 5, minutes: 10).contents
    let floors = contents.venue.floors.map(\.ordinal.thousandths)
    for (storey, floor) in floors.enumerated() {
      var segments = contents.truth
      for index in segments.indices where segments[index].device != 2 { segments[index].floor = floor }
      let page = PlayerPart(
        venue: contents.venue, segments: segments, people: ["", "", "", "", ""], start: contents.parameters.start,
        end: contents.parameters.end
      ).html
      #expect(page.contains("\"storey\":\(storey),\"spaces\""), "\(floor)")
    }
  }
}

/// A sequence of numbers for tests.
private struct SplitMix {
  private var state: UInt64
  init(seed: UInt64) { state = seed }

  mutating func next() -> UInt64 {
    state &+= 0x9E37_79B9_7F4A_7C15
    var z = state
    z = (z ^ z >> 30) &* 0xBF58_476D_1CE4_E5B9
    z = (z ^ z >> 27) &* 0x94D0_49BB_1331_11EB
    return z ^ z >> 31
  }
}
