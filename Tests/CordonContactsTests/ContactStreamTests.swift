import CordonContacts
import CordonCore
import CordonGeometry
import Testing

/// After each batch the stream's rows are those of all points so far from scratch.
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
  }

  static let worlds = [
    World(), World(devices: 3, points: 300, size: 4), World(unknown: 0.2), World(resting: 0.3),
    World(lateness: 400, repeated: 0.1), World(interval: 40_000, resting: 0.5),
  ]

  static func points(_ world: World, seed: UInt64) -> [ContactStream.Point] {
    var random = RandomStream(seed: seed, stream: 9)
    var all: [(order: Int, point: ContactStream.Point)] = []
    for device in 0..<world.devices {
      var (x, y) = (random.nextUnit() * world.size, random.nextUnit() * world.size)
      var floor: Int32 = 0
      var time: Int64 = 1_700_000_000_000 + Int64(random.nextIndex(below: 5_000))
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
        (x, y) = (x + random.nextUnit() - 0.5, y + random.nextUnit() - 0.5)
        time += 1 + Int64(random.nextIndex(below: Int(world.interval)))
        if random.nextUnit() < 0.05 { floor = floor == 0 ? 1_000 : 0 }
        if random.nextUnit() < 0.03 { time += 120_000 }
      }
    }
    return all.sorted { $0.order < $1.order }.map(\.point)
  }

  /// Walls here and there on one of the two floors.
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
  func rowsAreThoseFromScratch(world: Int, seed: Int) {
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

  @Test(arguments: worlds.indices, [false, true])
  func whatTheWatermarkClosesIsFinal(world: Int, hasWalls: Bool) {
    let finder = ContactStreamTests.finder(hasWalls: hasWalls)
    let points = ContactStreamTests.points(ContactStreamTests.worlds[world], seed: 4).sorted {
      $0.point.time < $1.point.time
    }
    var stream = ContactStream(finder: finder)
    var final: [Contact] = []
    for begin in stride(from: 0, to: points.count, by: 25) {
      let batch = Array(points[begin..<min(begin + 25, points.count)]).reversed()
      stream.add(Array(batch))
      final += stream.close(before: Instant(milliseconds: points[begin].point.time))
    }
    let all = (final + stream.contacts).sorted(by: Contact.isListedBefore)
    #expect(all == ContactStreamTests.fromScratch(points, finder))
    #expect(stream.refused.late == 0)
    #expect(stream.pointCount < points.count)
    let late = stream.add([points[0]])
    #expect(late == ContactStream.Update())
    #expect(stream.refused.late == 1)
  }
}
