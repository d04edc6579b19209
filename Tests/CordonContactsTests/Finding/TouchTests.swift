import CordonCore
import CordonGeometry
import Testing

@testable import CordonContacts

/// Contacts that share only one moment: two segments of which one ends when the other begins, and lone fixes.
@Suite struct TouchTests {
  /// Few devices with fixes on a coarse grid of time, so that their tracks often end and begin at one moment.
  struct World: Sendable, CustomStringConvertible {
    var devices: Int32 = 6
    /// Moments of the grid.
    var moments = 30
    /// The share of moments at which a device has a fix.
    var density = 0.4
    var floors: [Int32] = [0, 1_000]
    var unknown = 0.0
    var resting = 0.0
    /// Whether places are corners of a grid, so that distances are exactly 2 m, or anywhere.
    var isOnGrid = true
    var start: Int64 = 1_700_000_000_000
    var description: String { "\(devices) devices, density \(density), unknown \(unknown), resting \(resting)" }
  }

  static let worlds = [
    World(), World(density: 0.7, floors: [0]), World(density: 0.15, floors: [0]), World(unknown: 0.3),
    World(density: 0.3, resting: 0.4), World(devices: 12, floors: [0], isOnGrid: false),
    World(moments: 100, density: 0.5, unknown: 0.1, resting: 0.3, isOnGrid: false, start: -15_000),
  ]

  static let gap = TimeSpan.seconds(2)

  static func points(_ world: World, seed: UInt64) -> [ContactStream.Point] {
    var random = RandomStream(seed: seed, stream: 21)
    var all: [ContactStream.Point] = []
    for device in 0..<world.devices {
      var floor = world.floors[0]
      let times = (0..<world.moments).filter { _ in random.nextUnit() < world.density }
      for (k, moment) in times.enumerated() {
        if random.nextUnit() < 0.15 { floor = world.floors[random.nextIndex(below: world.floors.count)] }
        let (x, y) = (random.nextUnit() * 4, random.nextUnit() * 4)
        let point = TrackPoint(
          device: device, floor: random.nextUnit() < world.unknown ? Segment.unknownFloor : floor,
          time: world.start + Int64(moment) * 1_000, x: world.isOnGrid ? x.rounded() : x,
          y: world.isOnGrid ? y.rounded() : y)
        // A rest up to the next fix would end in a jump, where only the later place counts.
        let free = (k + 1 < times.count ? times[k + 1] : world.moments) - moment - 1
        let rest = random.nextUnit() < world.resting ? Int64(min(free, 3)) * 1_000 : 0
        all.append(ContactStream.Point(point, stillUntil: point.time + rest))
      }
    }
    return all
  }

  /// Closed segments and the instants of all fixes, made independently of the engine.
  private static func closedTracks(_ points: [ContactStream.Point]) -> [Segment] {
    var list: [Segment] = []
    for device in Set(points.map(\.point.device)).sorted() {
      let own = points.filter { $0.point.device == device }.sorted { $0.point.time < $1.point.time }
      for (k, fix) in own.enumerated() {
        let p = fix.point
        let rest = max(p.time, fix.stillUntil)
        list.append(
          Segment(device: device, floor: p.floor, start: p.time, end: rest, x0: p.x, y0: p.y, x1: p.x, y1: p.y))
        guard k + 1 < own.count else { continue }
        let q = own[k + 1].point
        if q.floor == p.floor, q.time - rest <= gap.milliseconds {
          list.append(
            Segment(device: device, floor: p.floor, start: rest, end: q.time, x0: p.x, y0: p.y, x1: q.x, y1: q.y))
        }
      }
    }
    return list
  }

  static func tracks(_ points: [ContactStream.Point]) -> ObservedTracks {
    ObservedTracks(
      points.map(\.point), accuracies: points.map(\.accuracy), stillUntil: points.map(\.stillUntil), maximumGap: gap)
  }

  @Test(arguments: worlds, 0..<12)
  func contactsAgreeWithTryingEveryPair(world: World, seed: Int) {
    let points = Self.points(world, seed: UInt64(seed))
    // No two corners of the grid are at this distance: rounding decides where ways only graze it.
    let found = ContactFinder(distance: 2.05).contacts(in: Self.tracks(points))
    let expected = BruteForce.contacts(in: Self.closedTracks(points), distance: 2.05)
    #expect(found.count == expected.count, "\(world) seed \(seed)")
    for (contact, piece) in zip(found, expected) {
      #expect((contact.first, contact.second, contact.floor) == (piece.first, piece.second, piece.floor))
      #expect(abs(contact.start * 1_000 - piece.start) <= 1_500 && abs(contact.end * 1_000 - piece.end) <= 1_500)
      #expect(abs(contact.minimumDistance - piece.minimum) <= 1e-6)
    }
  }

  @Test(arguments: worlds)
  func theTestWorldsHaveTouchesAndLongerContacts(world: World) {
    let found = (0..<12).flatMap {
      ContactFinder(distance: 2.05).contacts(in: Self.tracks(Self.points(world, seed: $0)))
    }
    #expect(found.contains { $0.duration == 0 } && found.contains { $0.duration > 0 })
  }

  @Test(arguments: worlds, 0..<3)
  func slabsThreadsKernelsAndOrderDoNotChangeContacts(world: World, seed: Int) {
    let points = Self.points(world, seed: UInt64(seed + 100))
    var random = RandomStream(seed: UInt64(seed), stream: 22)
    for walls in [[:], ContactStreamTests.walls] {
      var finder = ContactFinder(distance: 2)
      finder.walls = walls
      let expected = finder.contacts(in: Self.tracks(points))
      #expect(finder.contacts(in: Self.tracks(points).elements()) == expected)
      #expect(finder.contacts(in: Self.tracks(points.shuffled(using: &random))) == expected)
      for slab in [100, 1_000, 3_700, 60_000] as [Int64] {
        for threads in [1, 3] {
          for level in ContactRule.kernelLevels {
            for looksAtWays in [false, true] {
              var other = finder
              (other.slab, other.threads, other.kernelLevel) = (.milliseconds(slab), threads, level)
              other.looksAtWays = looksAtWays
              let found = other.contacts(in: Self.tracks(points))
              #expect(found == expected, "\(world) slab \(slab) threads \(threads) level \(level)")
            }
          }
        }
      }
    }
  }

  @Test(arguments: worlds, [1_000, 4_000, 5_500, 15_000] as [Int64])
  func windowsDoNotChangeContacts(world: World, length: Int64) {
    let points = Self.points(world, seed: 7)
    let finder = ContactFinder(distance: 2)
    var windows = TrackWindows(maximumGap: Self.gap)
    let session = ContactSession(finder: finder)
    var list = ContactList()
    var (start, limit) = (world.start, Int64.min)
    let last = points.map { max($0.point.time, $0.stillUntil) }.max() ?? world.start
    while start <= last {
      let end = start + length
      let fresh = points.filter { $0.point.time > limit && $0.point.time <= end + Self.gap.milliseconds }
      let joined = windows.tracks(adding: fresh.map(\.point), stillUntil: fresh.map(\.stillUntil))
      session.run(joined, from: Instant(milliseconds: start), to: Instant(milliseconds: end), into: &list)
      windows.release(before: end)
      (start, limit) = (end, end + Self.gap.milliseconds)
    }
    session.finish(into: &list)
    #expect(list.contacts.sorted(by: Contact.isListedBefore) == finder.contacts(in: Self.tracks(points)))
  }

  /// Points arrive batch by batch, sorted by time or not, and the watermark advances.
  @Test(arguments: worlds, 0..<8)
  func rowsOfAStreamEqualABatchComputation(world: World, seed: Int) {
    var random = RandomStream(seed: UInt64(seed), stream: 23)
    var points = Self.points(world, seed: UInt64(seed + 200))
    points = seed % 2 == 0 ? points.sorted { $0.point.time < $1.point.time } : points.shuffled(using: &random)
    let finder = ContactStreamTests.finder(hasWalls: seed % 4 > 1)
    var stream = ContactStream(finder: finder, maximumGap: Self.gap)
    var (taken, final, mirror): ([ContactStream.Point], [Contact], Set<Contact>) = ([], [], [])
    var begin = 0
    while begin < points.count {
      let end = min(begin + 1 + random.nextIndex(below: 6), points.count)
      let batch = Array(points[begin..<end])
      taken += batch.filter { $0.point.time >= stream.watermark }
      let update = stream.add(batch)
      for row in update.removed { #expect(mirror.remove(row) != nil) }
      for row in update.added { #expect(mirror.insert(row).inserted) }
      if seed % 2 == 0, let latest = batch.last?.point.time {
        let closed = stream.close(before: Instant(milliseconds: latest - 3_000))
        final += closed
        mirror.subtract(closed)
      }
      begin = end
      let all = (final + stream.contacts).sorted(by: Contact.isListedBefore)
      #expect(all == finder.contacts(in: Self.tracks(taken)), "\(world) seed \(seed) after \(end)")
      #expect(mirror == Set(stream.contacts))
    }
  }

  private static func fix(_ device: Int32, _ seconds: Int64, _ x: Double) -> TrackPoint {
    TrackPoint(device: device, floor: 0, time: seconds * 1_000, x: x, y: 0)
  }

  /// A fix on another floor ends the rest before it, whose last moment is that of the fix. A fix between them changes
  /// the one and not the other.
  @Test func aRestEndedByAFixOnAnotherFloorHasALastInstant() {
    let fixes = [(0, 1_000), (5_000, 0), (3_000, 1_000)].map { time, floor in
      TrackPoint(device: 0, floor: Int32(floor), time: Int64(time), x: 0, y: 0)
    }
    let others = [(1, 1_000), (2, 0)].map { device, floor in
      TrackPoint(device: Int32(device), floor: Int32(floor), time: 5_000, x: 1, y: 0)
    }
    let points = (fixes + others).map { ContactStream.Point($0, stillUntil: $0.time == 5_000 ? .min : 9_000) }
    let contacts = ContactFinder(distance: 2).contacts(in: Self.tracks(points))
    #expect(
      contacts.map { [Int64($0.second), Int64($0.floor), $0.start, $0.end] } == [
        [1, 1_000, 5_000_000, 5_000_000], [2, 0, 5_000_000, 5_000_000],
      ])
    #expect(ContactFinder(distance: 2).contacts(in: Self.tracks(points).elements()) == contacts)
    for slab in [1_000, 5_000, 60_000] as [Int64] {
      var finder = ContactFinder(distance: 2)
      finder.slab = .milliseconds(slab)
      #expect(finder.contacts(in: Self.tracks(points)) == contacts)
    }
    for order in [[0, 1, 3, 4, 2], [3, 4, 2, 1, 0], [4, 0, 3, 1, 2]] {
      var stream = ContactStream(finder: ContactFinder(distance: 2), maximumGap: Self.gap)
      for k in order { stream.add([points[k]]) }
      #expect(stream.contacts == contacts)
    }
  }

  @Test func tracksThatShareOneInstantMeet() {
    let points = [Self.fix(0, 0, 0), Self.fix(0, 1, 1), Self.fix(1, 1, 1.5), Self.fix(1, 2, 2)]
    let contacts = ContactFinder(distance: 2).contacts(in: ObservedTracks(points))
    #expect(contacts.map { [$0.start, $0.end] } == [[1_000_000, 1_000_000]])
    #expect(contacts.map(\.minimumDistance) == [0.5])
    #expect(ContactFinder(distance: 0.4).contacts(in: ObservedTracks(points)).isEmpty)
  }

  @Test func aLoneFixMeetsAPathAndAnotherLoneFix() {
    let way = [Self.fix(0, 0, 0), Self.fix(0, 10, 10)]
    let contacts = ContactFinder(distance: 2).contacts(
      in: ObservedTracks(way + [Self.fix(1, 5, 5), Self.fix(2, 5, 7)]))
    #expect(
      contacts.map { [Int64($0.first), Int64($0.second), $0.start, $0.end] } == [
        [0, 1, 5_000_000, 5_000_000], [0, 2, 5_000_000, 5_000_000], [1, 2, 5_000_000, 5_000_000],
      ])
  }

  /// The end of a segment where the next one begins does not make a separate contact.
  @Test func jointsOfSegmentsDoNotSplitContacts() {
    let points = (0..<10).flatMap { [Self.fix(0, $0, 0), Self.fix(1, $0, 1)] } + [Self.fix(2, 5, 0.5)]
    let contacts = ContactFinder(distance: 2).contacts(in: ObservedTracks(points))
    #expect(contacts.map(\.duration) == [9_000_000, 0, 0])
  }

  /// A wall blocks a touch wholly or not at all, and a touch that is part of a contact adds nothing to its time.
  @Test func aTouchBehindAWallIsObstructed() {
    var finder = ContactFinder(distance: 2)
    finder.walls = [0: WallIndex([WallSegment(PlanePoint(x: 0.5, y: -5), PlanePoint(x: 0.5, y: 5))])]
    let points = [Self.fix(0, 0, 0), Self.fix(0, 1, 0), Self.fix(1, 1, 1), Self.fix(1, 2, 1)]
    #expect(finder.contacts(in: ObservedTracks(points)).map(\.obstructedShare) == [1])
    let longer = points + [Self.fix(1, 0, 1)]
    #expect(finder.contacts(in: ObservedTracks(longer)).map(\.obstructed) == [1_000_000])
  }

  /// Of two times at one distance the earlier one counts, although rounding suggests otherwise.
  @Test func theNearestOfEqualDistancesIsTheFirst() {
    // One walks beside the other, 1 m apart, along a way whose coordinates do not come out even.
    let points = (0..<60 as Range<Int64>).flatMap { k in
      let (x, y) = (Double(k) * 0.1 / 3, Double(k) * 0.7 / 9)
      return [(0, 0.6, 0.8), (1, 0, 0)].map { device, dx, dy in
        TrackPoint(device: device, floor: 0, time: k * 1_000, x: 1e3 + x + dx, y: y + dy)
      }
    }
    for level in ContactRule.kernelLevels {
      var finder = ContactFinder(distance: 2)
      finder.kernelLevel = level
      let contacts = finder.contacts(in: ObservedTracks(points))
      #expect(contacts.map(\.minimumDistanceTime) == [0])
    }
  }
}
