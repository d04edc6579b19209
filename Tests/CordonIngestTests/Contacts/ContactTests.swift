import CordonContacts
import CordonCore
import CordonGeometry
import CordonIngest
import CordonTesting
import CordonWire
import Foundation
import Testing

@Suite("Contacts that follow positions")
struct ContactTests {
  /// The engine's contacts of everything in the store, computed from scratch.
  static func expected(_ bench: Bench, devices: [String]) throws -> [Contact] {
    var points: [TrackPoint] = []
    var still: [Int64] = []
    let frame = LocalFrame(origin: bench.venue.geofence.center)
    for name in devices {
      for row in try bench.store.positions(of: try bench.number(of: name), after: nil, limit: .max)
      where row.accuracy <= 30_000 {
        let place = frame.projectRounded(row.coordinate)
        points.append(
          TrackPoint(
            device: Int32(row.device), floor: row.floor ?? Segment.unknownFloor, time: row.time, x: place.x, y: place.y)
        )
        still.append(row.stillUntil ?? .min)
      }
    }
    let tracks = ObservedTracks(points, stillUntil: still, maximumGap: .seconds(30))
    var finder = ContactFinder(distance: 2)
    for (floor, walls) in bench.walls { finder.walls[floor.thousandths] = WallIndex(walls) }
    return finder.contacts(in: tracks)
  }

  /// Partitions with gaps across the crowd's area, on one of its two floors.
  static let partitions: [FloorOrdinal: [WallSegment]] = [
    FloorOrdinal(0): (-3...3).flatMap { k in
      let at = Double(k) * 3
      return [
        WallSegment(PlanePoint(x: at, y: -9), PlanePoint(x: at, y: -1)),
        WallSegment(PlanePoint(x: at, y: 0.5), PlanePoint(x: at, y: 9)),
        WallSegment(PlanePoint(x: -9, y: at + 1.5), PlanePoint(x: 8, y: at + 1.5)),
      ]
    }
  ]

  static func stored(_ bench: Bench) throws -> [Contact] {
    try bench.store.contacts(in: nil, device: nil, overlapping: .min ... .max, limit: .max)
      .sorted(by: Contact.isListedBefore)
  }

  /// A crowd that walks, rests, changes floors and is sampled unevenly. Its batches arrive in any order, some hours
  /// late and some twice, with restarts and jobs in between.
  @Test(arguments: [1, 2, 3, 4, 5, 6, 7, 8])
  func contactRowsEqualABatchComputation(seed: UInt64) throws {
    var random = RandomStream(seed: seed, stream: 0xc0)
    var settings = IngestSettings()
    settings.contactHorizon = .minutes(10)
    settings.rowsPerHour = .max
    // Half of the seeds use a venue with walls.
    let bench = try Bench(settings, walls: seed % 2 == 0 ? Self.partitions : [:])
    let names = (0..<8).map { "phone-\($0)" }
    var phones: [Bench.Phone] = []
    for name in names { phones.append(try bench.phone(name)) }
    let start = bench.now
    var batches: [(phone: Int, rows: [Location], due: Int64)] = []
    for index in names.indices {
      var (east, north) = (random.nextUniform(in: -6...6), random.nextUniform(in: -6...6))
      var time: Int64 = 0
      var rows: [Location] = []
      var floor = 0
      while time < 3_600_000 {
        let isResting = random.nextIndex(below: 20) == 0
        let rest: TimeSpan? = isResting ? .seconds(Int64(random.nextIndex(below: 900))) : nil
        if random.nextIndex(below: 25) == 0 { floor = random.nextIndex(below: 2) }
        rows.append(
          try bench.location(
            names[index], at: start + .milliseconds(time), east: east, north: north,
            accuracy: random.nextIndex(below: 15) == 0 ? 40 : 4, floor: random.nextIndex(below: 40) == 0 ? nil : floor,
            still: rest))
        if rows.count >= 1 + random.nextIndex(below: 12) {
          let lateness = random.nextIndex(below: 6) == 0 ? Int64(random.nextIndex(below: 3_000_000)) : 20_000
          let end = max(time, time + (rest?.milliseconds ?? 0))
          batches.append((index, rows, end + lateness))
          rows = []
        }
        east = min(max(east + random.nextUniform(in: -3...3), -9), 9)
        north = min(max(north + random.nextUniform(in: -3...3), -9), 9)
        time += Int64(2_000 + random.nextIndex(below: 12_000)) + (rest?.milliseconds ?? 0)
        if random.nextIndex(below: 30) == 0 { time += 60_000 }
      }
    }
    batches.sort { ($0.due, $0.phone) < ($1.due, $1.phone) }
    var tokenTime = bench.now
    for (count, batch) in batches.enumerated() {
      bench.now = max(bench.now, start + .milliseconds(batch.due))
      if bench.now.milliseconds - tokenTime.milliseconds > 1_800_000 {
        tokenTime = bench.now
        for k in phones.indices { phones[k].token = try bench.token(names[k], secret: phones[k].secret) }
      }
      let answers = try bench.post(batch.rows, by: phones[batch.phone])
      let isKept = answers.allSatisfy { $0.isKept }
      #expect(isKept)
      if random.nextIndex(below: 9) == 0 { try bench.post(batch.rows, by: phones[batch.phone]) }
      if random.nextIndex(below: 4) == 0 { bench.ingest.tick(now: bench.now) }
      if random.nextIndex(below: 30) == 0 { bench.restart() }
      if count % 60 == 59 {
        while bench.ingest.tick(now: bench.now) {}
        let (found, wanted) = (try Self.stored(bench), try Self.expected(bench, devices: names))
        #expect(found == wanted, "seed \(seed), after batch \(count)")
      }
    }
    while bench.ingest.tick(now: bench.now) {}
    let rows = try Self.stored(bench)
    #expect(rows.count > 20, "the test must see contacts")
    #expect(rows.contains { $0.obstructed > 0 } == (seed % 2 == 0), "the test must see walls where there are some")
    let wanted = try Self.expected(bench, devices: names)
    #expect(rows == wanted, "seed \(seed)")
  }

  @Test func aLateBatchJoinsSeparateContacts() throws {
    var settings = IngestSettings()
    settings.contactHorizon = .minutes(5)
    let bench = try Bench(settings)
    let (a, b) = (try bench.phone("a"), try bench.phone("b"))
    let start = bench.now
    let times = (0..<60).map { start + .seconds(Int64(10 * $0)) }
    bench.now = start + .minutes(11)
    try bench.post(times.map { try bench.location("a", at: $0) }, by: a)
    var rows = try times.map { try bench.location("b", at: $0, east: 1) }
    let middle = Array(rows[20..<40])
    rows.removeSubrange(20..<40)
    try bench.post(rows, by: b)
    while bench.ingest.tick(now: bench.now) {}
    #expect(try Self.stored(bench).count == 2)
    bench.now = bench.now + .minutes(40)
    try bench.post(middle, by: b)
    while bench.ingest.tick(now: bench.now) {}
    #expect(try Self.stored(bench).count == 1)
    let wanted = try Self.expected(bench, devices: ["a", "b"])
    #expect(try Self.stored(bench) == wanted)
  }

  /// The distance is that of the settings, not a number in the code; and no accuracy widens it.
  @Test(arguments: [(1.0, 0), (2.0, 0), (3.5, 1), (6.0, 1)])
  func theConfiguredDistanceIsUsed(distance: Double, count: Int) throws {
    var settings = IngestSettings()
    settings.contactDistance = distance
    let bench = try Bench(settings)
    let (a, b) = (try bench.phone("a"), try bench.phone("b"))
    for k in 0..<30 {
      let time = bench.now - .seconds(Int64(300 - 10 * k))
      try bench.post([try bench.location("a", at: time, accuracy: 5)], by: a)
      try bench.post([try bench.location("b", at: time, east: 3, accuracy: 5)], by: b)
    }
    #expect(try Self.stored(bench).count == count)
  }

  @Test func devicesOfDifferentVenuesNeverMeet() throws {
    let bench = try Bench()
    let a = try bench.phone("a")
    let b = try bench.phone("b", code: try bench.invite(venue: "elsewhere"))
    for k in 0..<20 {
      let time = bench.now - .seconds(Int64(200 - 10 * k))
      try bench.post([try bench.location("a", at: time)], by: a)
      var row = try bench.location("b", at: time)
      row.venue = SmallVenue("elsewhere").venue
      #expect(try bench.post([row], by: b) == [.stored])
    }
    #expect(try Self.stored(bench).isEmpty)
  }
}
