import CordonCore
import CordonGeometry
import Testing

@testable import CordonContacts

/// The time with a wall between two people, compared with samples every few milliseconds.
@Suite struct SightTests {
  @Test func aWallHidesAPairWhileItIsBetweenThem() throws {
    // A wall 1 m long, half-way between two people who walk past it side by side, 1 m apart, at 1 m/s.
    let wall = WallSegment(PlanePoint(x: 2, y: 0.5), PlanePoint(x: 3, y: 0.5))
    var finder = ContactFinder(distance: 2)
    finder.walls = [0: WallIndex([wall])]
    let segments = [
      Segment(device: 0, floor: 0, start: 0, end: 10_000, x0: 0, y0: 0, x1: 10, y1: 0),
      Segment(device: 1, floor: 0, start: 0, end: 10_000, x0: 0, y0: 1, x1: 10, y1: 1),
    ]
    let contact = try #require(finder.contacts(in: segments).first)
    #expect(contact.duration == 10_000_000)
    #expect(abs(contact.obstructed - 1_000_000) <= 1)
    #expect(abs((contact.obstructedShare ?? 0) - 0.1) < 1e-6)
    #expect(ContactFinder(distance: 2).contacts(in: segments).first?.obstructedShare == nil)
  }

  @Test func aTouchIsEitherHiddenOrVisible() throws {
    let segments = [
      Segment(device: 0, floor: 0, start: 0, end: 8_000, x0: -4, y0: 2, x1: 4, y1: 2),
      Segment(device: 1, floor: 0, start: 0, end: 8_000, x0: 0, y0: 0, x1: 0, y1: 0),
    ]
    for (y, share) in [(1.0, 1.0), (5.0, 0.0)] {
      var finder = ContactFinder(distance: 2)
      finder.walls = [0: WallIndex([WallSegment(PlanePoint(x: -1, y: y), PlanePoint(x: 1, y: y))])]
      let contact = try #require(finder.contacts(in: segments).first)
      #expect(contact.duration == 0)
      #expect(contact.obstructedShare == share)
    }
  }

  @Test(arguments: 0..<8)
  func sightAgreesWithDenseSampling(seed: Int) {
    var random = RandomStream(seed: UInt64(seed), stream: 5)
    let world = RandomTracks(devices: 8, span: 40_000, size: seed < 4 ? 8 : (seed < 7 ? 25 : 60), floors: [0])
    let segments = world.segments(seed: UInt64(seed))
    let walls = (0..<40).map { _ in
      let start = PlanePoint(x: random.nextUnit() * world.size, y: random.nextUnit() * world.size)
      let end = PlanePoint(x: start.x + random.nextUnit() * 6 - 3, y: start.y + random.nextUnit() * 6 - 3)
      return WallSegment(start, end)
    }
    let index = WallIndex(walls)
    var finder = ContactFinder(distance: seed < 4 ? 2 : (seed < 7 ? 9 : 40))
    finder.walls = [0: index]
    let contacts = finder.contacts(in: segments)
    #expect(contacts.contains { $0.obstructed > 0 }, "seed \(seed)")
    for contact in contacts where contact.duration > 0 {
      var blocked = 0
      let looks = 4_000
      for k in 0..<looks {
        let time = Double(contact.start) + Double(contact.duration) * (Double(k) + 0.5) / Double(looks)
        let (a, b) = (place(contact.first, time, segments), place(contact.second, time, segments))
        if let a, let b, index.isBlocked(from: a, to: b) { blocked += 1 }
      }
      let share = Double(blocked) / Double(looks)
      #expect(abs((contact.obstructedShare ?? -1) - share) < 0.01, "seed \(seed)")
    }
  }

  /// Looking walls up by position gives the same contacts as trying every wall. The time with a wall between is the
  /// same up to the rounding of long ways, which are summed in parts.
  @Test(arguments: 0..<24)
  func theWallIndexDoesNotChangeSight(seed: Int) {
    var random = RandomStream(seed: UInt64(seed), stream: 12)
    var world = RandomTracks(devices: 14, span: 60_000, size: [6, 20, 45][seed % 3], floors: [0])
    world.isSynchronous = seed % 2 == 0
    if seed % 5 == 0 { world.origin = (-3_000.25, 512.5) }
    let segments = world.segments(seed: UInt64(seed))
    let walls = (0..<[3, 60, 300, 1_500][seed % 4]).map { k in
      let start = PlanePoint(
        x: world.origin.x + random.nextUniform(in: -3...(world.size + 3)),
        y: world.origin.y + random.nextUniform(in: -3...(world.size + 3)))
      // Parallel to the axes as in buildings, oblique, and a few of zero length.
      let length = random.nextUniform(in: 0.2...8)
      let askew = PlanePoint(x: start.x + length * 0.6, y: start.y - length * 0.8)
      let ends = [
        PlanePoint(x: start.x + length, y: start.y), PlanePoint(x: start.x, y: start.y + length), askew, start,
      ]
      return WallSegment(start, ends[k % 17 == 0 ? 3 : k % 3])
    }
    var finder = ContactFinder(distance: [2, 1.5, 5][seed % 3])
    finder.walls = [0: WallIndex(walls)]
    finder.slab = .milliseconds(seed % 4 == 0 ? 20_000 : 4_000)
    let found = finder.contacts(in: segments)
    finder.looksUpWalls = false
    let expected = finder.contacts(in: segments)
    #expect(found.count == expected.count && !found.isEmpty)
    var hidden = 0
    for (one, other) in zip(found, expected) {
      var same = one
      same.obstructed = other.obstructed
      #expect(same == other)
      #expect(abs(one.obstructed - other.obstructed) <= 2, "seed \(seed): \(one), \(other)")
      hidden += other.obstructed > 0 ? 1 : 0
    }
    #expect(hidden > 0 || walls.count < 300, "seed \(seed)")
  }

  @Test func aFloorWithoutWallsHidesNothing() {
    var finder = ContactFinder(distance: 2)
    finder.walls = [0: WallIndex([])]
    let segments = RandomTracks(devices: 6, floors: [0]).segments(seed: 2)
    #expect(Set(finder.contacts(in: segments).map(\.obstructed)) == [0])
  }

  @Test func slabsAndThreadsDoNotChangeSight() {
    let segments = RandomTracks(devices: 12, span: 60_000, size: 12, floors: [0, 1_000]).segments(seed: 3)
    let walls = WallIndex(
      (0..<12).map { k in
        WallSegment(PlanePoint(x: Double(k), y: 1), PlanePoint(x: Double(k), y: 11))
      })
    var finder = ContactFinder(distance: 2)
    finder.walls = [0: walls]
    let expected = finder.contacts(in: segments)
    #expect(expected.contains { $0.obstructed > 0 })
    #expect(expected.allSatisfy { ($0.floor == 0) == ($0.obstructedShare != nil) })
    for (slab, threads) in [(300, 1), (5_000, 2), (60_000, 3)] as [(Int64, Int)] {
      for level in ContactRule.kernelLevels {
        finder.slab = .milliseconds(slab)
        finder.threads = threads
        finder.kernelLevel = level
        #expect(finder.contacts(in: segments) == expected, "slab \(slab) level \(level)")
      }
    }
  }

  @Test func wallsAreFoundAlongALongPath() throws {
    // Two people who run side by side for a minute, with a fix each second, past twenty walls 0.6 m long.
    var finder = ContactFinder(distance: 2)
    finder.walls = [
      0: WallIndex(
        (0..<20).map { k in
          WallSegment(PlanePoint(x: Double(k) * 9 + 1, y: 0.5), PlanePoint(x: Double(k) * 9 + 1.6, y: 0.5))
        })
    ]
    let segments = (0..<2).flatMap { device in
      (0..<60).map { k in
        let (start, y) = (Int64(k) * 1_000, Double(device))
        return Segment(
          device: Int32(device), floor: 0, start: start, end: start + 1_000, x0: Double(k) * 3, y0: y,
          x1: Double(k + 1) * 3, y1: y)
      }
    }
    let contact = try #require(finder.contacts(in: segments).first)
    #expect(abs(contact.obstructed - 4_000_000) <= 20)
  }

  /// One walks ahead of the other, and the only near wall comes between them in the first or in the last 5 cm of a
  /// way, for any origin of the raster's cells.
  @Test(arguments: [1.4, 2.9, 3.9, 9, 40])
  func wallsAtTheEndsOfPathsAreFound(way: Double) throws {
    for step in 0..<21 {
      let start = Double(step) * 0.1
      let segments = [
        Segment(device: 0, floor: 0, start: 0, end: 10_000, x0: start, y0: 0, x1: start + way, y1: 0),
        Segment(device: 1, floor: 0, start: 0, end: 10_000, x0: start + 1.9, y0: 0, x1: start + 1.9 + way, y1: 0),
      ]
      for place in [start + 0.05, start + 1.85 + way] {
        var finder = ContactFinder(distance: 2)
        finder.walls = [
          0: WallIndex([
            WallSegment(PlanePoint(x: place, y: -0.1), PlanePoint(x: place, y: 0.1)),
            // Far away, so that the raster's cells do not move.
            WallSegment(PlanePoint(x: -60, y: -60), PlanePoint(x: -60, y: -59)),
            WallSegment(PlanePoint(x: 90, y: 60), PlanePoint(x: 90, y: 61)),
          ])
        ]
        let contact = try #require(finder.contacts(in: segments).first)
        #expect(abs((contact.obstructedShare ?? 0) - 0.05 / way) < 1e-6, "\(way) m from \(start), wall at \(place)")
      }
    }
  }

  @Test func aHundredWallsCanAlternate() throws {
    // Posts 0.1 m wide every 0.5 m between two people who walk 80 m in one segment: hidden for a fifth of the way.
    var finder = ContactFinder(distance: 2)
    finder.walls = [
      0: WallIndex(
        (0..<160).map { k in
          WallSegment(PlanePoint(x: Double(k) * 0.5, y: 0.5), PlanePoint(x: Double(k) * 0.5 + 0.1, y: 0.5))
        })
    ]
    let segments = [
      Segment(device: 0, floor: 0, start: 0, end: 80_000, x0: 0, y0: 0, x1: 80, y1: 0),
      Segment(device: 1, floor: 0, start: 0, end: 80_000, x0: 0, y0: 1, x1: 80, y1: 1),
    ]
    let contact = try #require(finder.contacts(in: segments).first)
    #expect(abs((contact.obstructedShare ?? 0) - 0.2) < 1e-6)
  }

  private func place(_ device: Int32, _ time: Double, _ segments: [Segment]) -> PlanePoint? {
    guard
      let s = segments.first(where: {
        $0.device == device && Double($0.start) * 1_000 <= time && Double($0.end) * 1_000 >= time
      })
    else { return nil }
    let share = (time / 1_000 - Double(s.start)) / Double(s.end - s.start)
    return PlanePoint(x: s.x0 + (s.x1 - s.x0) * share, y: s.y0 + (s.y1 - s.y0) * share)
  }
}
