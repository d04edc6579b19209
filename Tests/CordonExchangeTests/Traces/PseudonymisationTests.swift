import CordonCore
import CordonExchange
import CordonGeometry
import CordonTestSupport
import Testing

@Suite struct PseudonymisationTests {
  static let origin = Coordinate(longitude: 8.54, latitude: 47.37)
  static let start = Instant.testStart

  /// Devices that wander about a building for two hours, with a rest each; device `person-n` is the n-th track.
  static func people(_ count: Int, seed: UInt64 = 1) -> Trace {
    let frame = LocalFrame(origin: origin)
    var trace = Trace(format: .csv, name: "people.csv")
    for device in 0..<count {
      var random = RandomStream(seed: seed, stream: 2, entity: UInt64(device))
      var place = PlanePoint(x: random.nextUniform(in: 0...150), y: random.nextUniform(in: 0...100))
      var track = TraceTrack(name: "way of \(device)", device: "person-\(device + 1)")
      for step in 0..<60 {
        place.x = min(max(place.x + random.nextUniform(in: -15...15), 0), 150)
        place.y = min(max(place.y + random.nextUniform(in: -15...15), 0), 100)
        var point = TracePoint(
          place: .degrees(frame.unproject(place)), time: start + .seconds(Int64(step) * 120), accuracy: 4.25,
          floor: FloorOrdinal(device % 2), elevation: 410, line: step + 2)
        if step == 30, let time = point.time { point.stillUntil = time + .seconds(110) }
        track.points.append(point)
      }
      trace.tracks.append(track)
    }
    return trace
  }

  private func applied(
    _ trace: Trace, seed: UInt64 = 7, _ change: (inout TracePseudonymisation) -> Void = { _ in }
  ) throws -> TracePseudonymisation.Result {
    var pseudonymisation = TracePseudonymisation()
    change(&pseudonymisation)
    var random = RandomStream(seed: seed, stream: 3)
    return try pseudonymisation.apply(to: trace, using: &random)
  }

  /// The rows of a trace as its CSV file has them: without the device, and the devices that have it.
  private func rows(_ trace: Trace) throws -> [String: Set<Substring>] {
    let text = String(decoding: try TraceWriter.bytes(of: trace, as: .csv), as: UTF8.self)
    var devices: [String: Set<Substring>] = [:]
    for line in text.split(separator: "\n").dropFirst() {
      let cells = line.split(separator: ",", omittingEmptySubsequences: false)
      // Time, longitude, latitude and floor.
      devices[[cells[1], cells[2], cells[3], cells[5]].joined(separator: ","), default: []].insert(cells[0])
    }
    return devices
  }

  /// Counted in the text of the file, independently of the code that removes.
  @Test(arguments: [2, 3, 5], [UInt64(1), 2, 3]) func kDevicesShareEveryCell(_ k: Int, _ seed: UInt64) throws {
    let people = Self.people(30, seed: seed)
    let all = try applied(people, seed: seed) { ($0.cell, $0.interval) = (25, .minutes(10)) }
    let kept = try applied(people, seed: seed) {
      ($0.cell, $0.interval, $0.minimumDevices) = (25, .minutes(10), k)
    }
    let (before, after) = (try rows(all.trace), try rows(kept.trace))
    #expect(!after.isEmpty && kept.suppressed > 0)
    #expect(after.values.allSatisfy { $0.count >= k })
    // Every row that enough devices share is kept.
    #expect(after == before.filter { $0.value.count >= k })
    #expect(kept.suppressed == before.values.filter { $0.count < k }.reduce(0) { $0 + $1.count })
    // A device is in a cell once: the length of its stay is not written.
    #expect(all.trace.pointCount == before.values.reduce(0) { $0 + $1.count })
  }

  /// k holds together with every other change of places and times.
  @Test func kAnonymityHoldsWithEveryOtherOption() throws {
    let kept = try applied(Self.people(60)) {
      ($0.center, $0.radius, $0.cutEnds) = (Self.origin, 130, .minutes(5))
      ($0.daysEarlier, $0.timeShift, $0.jitter) = (7, .minutes(20), 8)
      ($0.cell, $0.interval, $0.minimumDevices) = (50, .minutes(30), 4)
    }
    let rows = try rows(kept.trace)
    #expect(!rows.isEmpty && rows.values.allSatisfy { $0.count >= 4 })
    #expect(kept.far > 0 && kept.ends > 0 && kept.merged > 0 && kept.suppressed > 0)
  }

  /// Neither a name nor its place in the file reveals the device of the input.
  @Test func pseudonymsDoNotFollowTheOrderOfTheFile() throws {
    let people = Self.people(24)
    // The first point identifies the input's device of a track.
    let firsts = people.tracks.map(\.points[0].place)
    var sums = [Int](repeating: 0, count: 24)
    for seed in 1...200 {
      let trace = try applied(people, seed: UInt64(seed)).trace
      #expect(trace.tracks.map(\.device) == (1...24).map { "device-\($0)" })
      let order = try trace.tracks.map { track in
        try #require(firsts.firstIndex(of: track.points[0].place))
      }
      #expect(order.sorted() == Array(0..<24) && order != Array(0..<24))
      for (name, device) in order.enumerated() { sums[device] += name }
    }
    // On average every device is in the middle: 11.5, with a standard error of 0.49.
    #expect(sums.allSatisfy { abs(Double($0) / 200 - 11.5) < 2.5 })
  }

  @Test func onlyPlacesAndTimesRemain() throws {
    var people = Self.people(3)
    people.remarks = ["a column called secret"]
    people.faults = [TraceFault(line: 3, reason: "Ann's row")]
    people.faultCount = 1
    let trace = try applied(people).trace
    #expect(trace.name == "trace" && trace.remarks.isEmpty && trace.faults.isEmpty && trace.faultCount == 1)
    for track in trace.tracks {
      #expect(track.name.isEmpty)
      #expect(track.points.allSatisfy { $0.elevation == nil && $0.line == 0 })
    }
  }

  @Test func shiftsKeepEveryDuration() throws {
    let people = Self.people(20)
    let shifted = try applied(people) { $0.timeShift = .minutes(30) }.trace
    var shifts: Set<TimeSpan> = []
    for track in shifted.tracks {
      let source = try #require(people.tracks.first { $0.points[0].place == track.points[0].place })
      var own: Set<TimeSpan> = []
      for (point, old) in zip(track.points, source.points) {
        own.insert(try #require(point.time) - (try #require(old.time)))
        if let until = old.stillUntil { own.insert(try #require(point.stillUntil) - until) }
      }
      #expect(own.count == 1 && own.allSatisfy { abs($0.milliseconds) <= 1_800_000 })
      shifts.formUnion(own)
    }
    #expect(shifts.count == 20 && shifts.contains { $0 < .zero } && shifts.contains { $0 > .zero })
  }

  @Test func endsAreCutAndStaysAreShortened() throws {
    func point(_ seconds: Int64, until: Int64? = nil) -> TracePoint {
      TracePoint(
        place: .degrees(Self.origin), time: Self.start + .seconds(seconds),
        stillUntil: until.map { Self.start + .seconds($0) })
    }
    var trace = Trace(format: .csv)
    trace.tracks = [
      TraceTrack(device: "a", points: [point(0, until: 400), point(500), point(650), point(900), point(1_000)])
    ]
    let result = try applied(trace) { $0.cutEnds = .seconds(300) }
    let points = result.trace.tracks[0].points
    #expect(points.map(\.time) == [300, 500, 650].map { Self.start + .seconds($0) })
    #expect(points.map(\.stillUntil) == [Self.start + .seconds(400), nil, nil])
    #expect(result.ends == 2)
    #expect(try applied(trace) { $0.cutEnds = .minutes(20) }.trace.tracks.isEmpty)
  }

  /// 68 % of the displacements are less than the radius, and the accuracy states it.
  @Test func jitterDisplacesByTheGivenDistance() throws {
    let people = Self.people(60)
    let frame = LocalFrame(origin: Self.origin)
    let trace = try applied(people) { $0.jitter = 10 }.trace
    var near = 0
    func distances(_ one: TraceTrack, _ two: TraceTrack) -> [Double] {
      var distances: [Double] = []
      for (first, second) in zip(one.points, two.points) {
        guard case .degrees(let one) = first.place, case .degrees(let two) = second.place else { continue }
        let (a, b) = (frame.project(one), frame.project(two))
        let (dx, dy) = (a.x - b.x, a.y - b.y)
        distances.append((dx * dx + dy * dy).squareRoot())
      }
      return distances
    }
    for track in trace.tracks {
      // Names are shuffled: the nearest track is the device's own.
      let all: [[Double]] = people.tracks.map { distances(track, $0) }
      let sums: [Double] = all.map { $0.reduce(0, +) }
      let least = try #require(sums.min())
      let best = try #require(sums.firstIndex(of: least))
      near += all[best].count { $0 < 10 }
    }
    // 3 600 draws: a standard error of 0.8 %.
    #expect(abs(Double(near) / 3_600 - 0.68) < 0.03)
    // The root of 4.25² + 10², in whole metres.
    #expect(trace.tracks.allSatisfy { $0.points.allSatisfy { $0.accuracy == 11 } })
  }

  /// Cells do not depend on the data, have the stated size, and their centres do not move.
  @Test(arguments: [0.0, 47.37, -33.9, 69.6, 80]) func placesMoveToTheCentresOfSquares(_ latitude: Double) throws {
    var trace = Trace(format: .csv)
    var random = RandomStream(seed: 4, stream: 4)
    for device in 0..<50 {
      let place = Coordinate(
        longitude: random.nextUniform(in: -179...179), latitude: latitude + random.nextUniform(in: -0.05...0.05))
      trace.tracks.append(TraceTrack(device: "\(device)", points: [TracePoint(place: .degrees(place), accuracy: 3)]))
    }
    let coarse = try applied(trace) { $0.cell = 40 }.trace
    for track in coarse.tracks {
      guard case .degrees(let middle) = track.points[0].place else { continue }
      let frame = LocalFrame(origin: middle)
      let nearest = trace.tracks.compactMap { source -> Double? in
        guard case .degrees(let place) = source.points[0].place else { return nil }
        let offset = frame.project(place)
        return max(abs(offset.x), abs(offset.y))
      }.min()
      // Half a side, on an ellipsoid that is half a percent larger in places.
      #expect((nearest ?? .infinity) < 20.3)
      #expect(track.points[0].accuracy == 19)
    }
    let again = try applied(coarse) { $0.cell = 40 }.trace
    #expect(Set(again.tracks.map(\.points[0].place)) == Set(coarse.tracks.map(\.points[0].place)))
  }

  @Test func optionsWithoutTheirInputAreRefused() throws {
    var trace = Self.people(2)
    trace.tracks[0].points[3].time = nil
    for change in [
      { (p: inout TracePseudonymisation) in p.cutEnds = .seconds(1) }, { $0.timeShift = .seconds(1) },
      { $0.interval = .seconds(1) },
    ] {
      #expect { _ = try applied(trace, change) } throws: { ($0 as? TraceError)?.code == .missing }
    }
    #expect(try applied(trace).trace.pointCount == 120)
    trace.tracks[0].points[3].place = .metres(PlanePoint(x: 1, y: 1))
    #expect { _ = try applied(trace) { $0.center = Self.origin } } throws: { ($0 as? TraceError)?.code == .unsuitable }
  }

  /// Times at the ends of the range neither trap nor take long.
  @Test func extremeTimesAreHarmless() throws {
    var trace = Self.people(2)
    trace.tracks[0].points[3].time = Instant(milliseconds: .min)
    trace.tracks[1].points[3].time = Instant(milliseconds: .max)
    let result = try applied(trace) {
      ($0.cutEnds, $0.daysEarlier, $0.timeShift) = (.seconds(1), 9, .minutes(1))
      ($0.cell, $0.interval, $0.minimumDevices) = (10, .minutes(1), 2)
    }
    #expect(result.trace.pointCount >= 0)
    trace.tracks[0].points[3].stillUntil = Instant(milliseconds: .max)
    #expect { _ = try applied(trace) { $0.interval = .milliseconds(1) } } throws: {
      ($0 as? TraceError)?.code == .unsuitable
    }
  }
}

@Suite struct UniquenessTests {
  private func shares(_ trace: Trace, knowing counts: [Int] = [2, 4]) throws -> [Double?] {
    var random = RandomStream(seed: 5, stream: 5)
    return try TraceUniqueness().shares(of: trace, knowing: counts, using: &random)
  }

  /// Devices that were in numbered squares, one each ten minutes; squares are 100 m apart.
  private func trace(_ squares: [[Int]]) -> Trace {
    Trace(
      format: .csv,
      tracks: squares.enumerated().map { device, squares in
        TraceTrack(
          device: "\(device)",
          points: squares.enumerated().map { step, square in
            TracePoint(
              place: .metres(PlanePoint(x: Double(square) * 100 + 25, y: 25)),
              time: Instant(milliseconds: Int64(step) * 600_000))
          })
      })
  }

  @Test func identicalTracesAreNeverUniqueAndDistinctOnesAlways() throws {
    #expect(try shares(trace([[1, 2, 3, 4], [1, 2, 3, 4]])) == [0, 0])
    #expect(try shares(trace([[1, 2, 3, 4], [5, 6, 7, 8]])) == [1, 1])
    #expect(try shares(trace([[1, 2, 3, 4], [1, 2, 3, 4], [9, 9, 9, 9]])) == [1.0 / 3, 1.0 / 3])
    #expect(try shares(Trace(format: .csv)) == [nil, nil])
    // A device with more sightings than another is identified by some of them.
    let share = try #require(try shares(trace([[1, 2], [1, 2, 3, 4]]), knowing: [4])[0])
    #expect(share == 0.5)
  }

  /// Compared with every pair of sightings of every device, one by one.
  @Test func uniquenessIsTheShareOfPairsOfOneDevice() throws {
    var random = RandomStream(seed: 8, stream: 8)
    let squares = (0..<40).map { _ in (0..<6).map { _ in random.nextIndex(below: 6) } }
    var alone = 0
    for own in squares {
      for one in 0..<6 {
        for two in 0..<one { alone += squares.count { $0[one] == own[one] && $0[two] == own[two] } == 1 ? 1 : 0 }
      }
    }
    let exact = Double(alone) / Double(40 * 15)
    let drawn = try #require(try shares(trace(squares), knowing: [2])[0])
    // 640 draws.
    #expect(exact > 0.02 && abs(drawn - exact) < 0.06, "\(drawn), not \(exact)")
    let four = try #require(try shares(trace(squares), knowing: [4])[0])
    #expect(four > drawn)
  }

  /// A stay is a sighting in each of its intervals.
  @Test func uniquenessCountsWholeStays() throws {
    var stays = trace([[1], [1]])
    stays.tracks[0].points[0].stillUntil = Instant(milliseconds: 3_000_000)
    #expect(try #require(try shares(stays, knowing: [2])[0]) == 0.5)
  }

  /// Each option that makes a trace coarser makes fewer of its devices unique.
  @Test func coarserTracesAreLessUnique() throws {
    let people = PseudonymisationTests.people(60)
    var last = try #require(try shares(people)[0])
    for (cell, interval) in [(50.0, TimeSpan.minutes(30)), (100, .hours(1)), (1_000, .hours(6))] {
      var pseudonymisation = TracePseudonymisation()
      (pseudonymisation.cell, pseudonymisation.interval) = (cell, interval)
      var random = RandomStream(seed: 1, stream: 1)
      let share = try #require(try shares(try pseudonymisation.apply(to: people, using: &random).trace)[0])
      #expect(share <= last)
      last = share
    }
    #expect(last < 0.1)
  }
}
