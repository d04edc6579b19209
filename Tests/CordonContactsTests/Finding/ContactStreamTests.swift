import CordonContacts
import CordonCore
import CordonGeometry
import Testing

/// After each batch the stream's rows equal those of all points so far, computed from scratch.
@Suite struct ContactStreamTests {
  struct World: Sendable {
    var devices = 8
    var points = 60
    var size = 10.0
    var interval: Int64 = 5_000
    var lateness = 20
    var unknown = 0.0
    var resting = 0.0
    var repeated = 0.0
    /// The share of repeated fixes, some at the same place and some not, with a rest or without.
    var heartbeats = 0.0
    /// The first points are up to five seconds later.
    var start: Int64 = 1_700_000_000_000
  }

  static let worlds = [
    World(), World(devices: 3, points: 300, size: 4), World(unknown: 0.2), World(resting: 0.3),
    World(lateness: 400, repeated: 0.1), World(interval: 40_000, resting: 0.5), World(start: -150_000),
    World(lateness: 5, resting: 0.4, heartbeats: 0.4),
    World(lateness: 400, resting: 0.3, repeated: 0.2, heartbeats: 0.3),
  ]

  static func points(_ world: World, seed: UInt64) -> [ContactStream.Point] {
    var random = RandomStream(seed: seed, stream: 9)
    var all: [(order: Int, point: ContactStream.Point)] = []
    for device in 0..<world.devices {
      var (x, y) = (random.nextUnit() * world.size, random.nextUnit() * world.size)
      var floor: Int32 = 0
      var time = world.start + Int64(random.nextIndex(below: 5_000))
      for k in 0..<world.points {
        let known = random.nextUnit() >= world.unknown
        let still = random.nextUnit() < world.resting ? time + Int64(random.nextIndex(below: 60_000)) : .min
        let point = TrackPoint(
          device: Int32(device), floor: known ? floor : Segment.unknownFloor, time: time, x: x, y: y)
        let order = k * world.devices + random.nextIndex(below: world.lateness * world.devices)
        let accuracy = Float(1 + random.nextIndex(below: 1_000_000)) / 1_000
        all.append((order, ContactStream.Point(point, accuracy: accuracy, stillUntil: still)))
        if random.nextUnit() < world.repeated {
          var again = point
          again.x += 0.5
          all.append((order + 50, ContactStream.Point(again, accuracy: accuracy / 2)))
        }
        if random.nextUnit() < world.heartbeats {
          for beat in 0...random.nextIndex(below: 4) {
            var again = point
            if random.nextUnit() < 0.3 { again.x += 0.5 }
            let still = random.nextUnit() < 0.6 ? time + Int64(beat + 1) * 15_000 : .min
            let radius = random.nextUnit() < 0.5 ? accuracy : Float(1 + random.nextIndex(below: 1_000))
            all.append((order + random.nextIndex(below: 100), .init(again, accuracy: radius, stillUntil: still)))
          }
        }
        (x, y) = (x + random.nextUnit() - 0.5, y + random.nextUnit() - 0.5)
        time += 1 + Int64(random.nextIndex(below: Int(world.interval)))
        if random.nextUnit() < 0.05 { floor = floor == 0 ? 1_000 : 0 }
        if random.nextUnit() < 0.03 { time += 120_000 }
      }
    }
    return all.sorted { $0.order < $1.order }.map(\.point)
  }

  /// Walls at several places on one of the two floors.
  static let walls: [Int32: WallIndex] = {
    var random = RandomStream(seed: 1, stream: 11)
    let lines = (0..<150).map { _ in
      let start = PlanePoint(x: random.nextUniform(in: -6...16), y: random.nextUniform(in: -6...16))
      let end = PlanePoint(
        x: start.x + random.nextUniform(in: -3...3), y: start.y + random.nextUniform(in: -3...3))
      return WallSegment(start, end)
    }
    return [0: WallIndex(lines)]
  }()

  static func finder(hasWalls: Bool) -> ContactFinder {
    var finder = ContactFinder(distance: 2)
    if hasWalls { finder.walls = walls }
    return finder
  }

  static func fromScratch(_ points: [ContactStream.Point], _ finder: ContactFinder) -> [Contact] {
    let tracks = ObservedTracks(
      points.map(\.point), accuracies: points.map(\.accuracy), stillUntil: points.map(\.stillUntil))
    return finder.contacts(in: tracks)
  }

  @Test(arguments: worlds.indices, 0..<6)
  func streamedRowsEqualABatchComputation(world: Int, seed: Int) {
    let points = ContactStreamTests.points(ContactStreamTests.worlds[world], seed: UInt64(seed))
    let finder = ContactStreamTests.finder(hasWalls: seed % 2 == 1)
    var stream = ContactStream(finder: finder)
    var mirror = Set<Contact>()
    var begin = 0
    var random = RandomStream(seed: UInt64(seed), stream: 10)
    while begin < points.count {
      let end = min(begin + 1 + random.nextIndex(below: 40), points.count)
      let update = stream.add(Array(points[begin..<end]))
      for row in update.removed { #expect(mirror.remove(row) != nil, "world \(world) seed \(seed)") }
      for row in update.added { #expect(mirror.insert(row).inserted) }
      begin = end
      let expected = ContactStreamTests.fromScratch(Array(points[..<end]), finder)
      #expect(stream.contacts == expected, "world \(world) seed \(seed) points \(end)")
      #expect(mirror == Set(expected))
      if stream.contacts != expected { return }
    }
    // Walls were between some.
    #expect(seed % 2 == 0 || stream.contacts.contains { $0.obstructedShare ?? 0 > 0 })
  }

  /// The best fix of a moment rests as long as the longest rest of any fix at its place, in any order of arrival.
  @Test func theOrderOfSimultaneousFixesDoesNotMatter() {
    let fix = { (x: Double, accuracy: Float, still: Int64) in
      ContactStream.Point(
        TrackPoint(device: 0, floor: 0, time: 0, x: x, y: 0), accuracy: accuracy, stillUntil: still)
    }
    let fixes = [fix(0, 9, 60_000), fix(50, 4, .min), fix(0, 3, .min)]
    let other = ContactStream.Point(TrackPoint(device: 1, floor: 0, time: 0, x: 1, y: 0), stillUntil: 90_000)
    for order in [[0, 1, 2], [0, 2, 1], [1, 0, 2], [1, 2, 0], [2, 0, 1], [2, 1, 0]] {
      var stream = ContactStream(finder: ContactFinder(distance: 2))
      for k in [other] + order.map({ fixes[$0] }) { stream.add([k]) }
      #expect(stream.contacts.map(\.duration) == [60_000_000], "\(order)")
      #expect(stream.refused.duplicates == 2 && stream.refused.conflicting > 0)
    }
  }

  /// Batches of all sizes, some of them late, while the watermark advances: the accepted points give the same rows as
  /// from scratch.
  @Test(arguments: worlds.indices, 0..<2)
  func closingWithLateBatchesGivesTheAcceptedRows(world: Int, seed: Int) {
    let finder = ContactStreamTests.finder(hasWalls: false)
    let points = ContactStreamTests.points(ContactStreamTests.worlds[world], seed: UInt64(seed + 20))
    var stream = ContactStream(finder: finder)
    var (taken, final): ([ContactStream.Point], [Contact]) = ([], [])
    var random = RandomStream(seed: UInt64(seed), stream: 12)
    var begin = 0
    var latest = Int64.min
    while begin < points.count {
      let end = min(begin + 1 + random.nextIndex(below: 40), points.count)
      let batch = Array(points[begin..<end])
      taken += batch.filter { $0.point.time >= stream.watermark }
      stream.add(batch)
      latest = max(latest, batch.map(\.point.time).max() ?? latest)
      final += stream.close(before: Instant(milliseconds: latest - 60_000))
      begin = end
    }
    let all = (final + stream.contacts).sorted(by: Contact.isListedBefore)
    #expect(all == ContactStreamTests.fromScratch(taken, finder), "world \(world) seed \(seed)")
    #expect(taken.count + stream.refused.late == points.count)
  }

  @Test(arguments: worlds.indices, [false, true])
  func rowsClosedByTheWatermarkAreFinal(world: Int, hasWalls: Bool) {
    let finder = ContactStreamTests.finder(hasWalls: hasWalls)
    let points = ContactStreamTests.points(ContactStreamTests.worlds[world], seed: 4).sorted {
      $0.point.time < $1.point.time
    }
    var stream = ContactStream(finder: finder)
    var (arrived, final): ([ContactStream.Point], [Contact]) = ([], [])
    for begin in stride(from: 0, to: points.count, by: 25) {
      let batch = Array(points[begin..<min(begin + 25, points.count)].reversed())
      arrived += batch
      stream.add(batch)
      // Right behind the last point, so that the next points of any device may continue earlier ones.
      let last = points[min(begin + 25, points.count) - 1].point.time
      final += stream.close(before: Instant(milliseconds: last))
    }
    let all = (final + stream.contacts).sorted(by: Contact.isListedBefore)
    #expect(all == ContactStreamTests.fromScratch(arrived, finder))
    #expect(stream.refused.late == 0)
    #expect(stream.pointCount < points.count)
    let late = stream.add([points[0]])
    #expect(late == ContactStream.Update())
    #expect(stream.refused.late == 1)
  }
}
