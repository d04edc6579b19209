import CordonCore
import CordonExchange
import CordonTestSupport
import Dispatch
import Foundation
import Testing

@testable import CordonContacts

/// A record whose rows lie far apart in time takes no longer than one with close rows.
@Suite struct EmptyStretchTests {
  /// A feed that counts the requested slabs.
  struct CountingFeed<Feed: SlabFeed>: SlabFeed {
    final class Counter: Sendable {
      private let lock = DispatchSemaphore(value: 1)
      nonisolated(unsafe) private var count = 0
      func add() {
        lock.wait()
        count += 1
        lock.signal()
      }
      var value: Int { count }
    }

    var feed: Feed
    let slabs = Counter()
    var span: Range<Int64>? { feed.span }
    var typicalLength: Int64 { feed.typicalLength }
    var estimatedCount: Int { feed.estimatedCount }
    func cursor(at time: Int64) -> Feed.Cursor { feed.cursor(at: time) }
    func seek(_ cursor: inout Feed.Cursor, to time: Int64) { feed.seek(&cursor, to: time) }
    func nextStart(_ cursor: Feed.Cursor, from time: Int64) -> Int64? { feed.nextStart(cursor, from: time) }
    func load(_ cursor: inout Feed.Cursor, into slab: SlabTracks) {
      slabs.add()
      feed.load(&cursor, into: slab)
    }
  }

  static let today: Int64 = Instant.testStart.milliseconds
  static let year: Int64 = 31_556_952_000

  /// Two devices that meet for ten seconds, and rows of other years.
  static func points(_ years: [Int64]) -> [TrackPoint] {
    var points: [TrackPoint] = []
    for k in 0...10 as ClosedRange<Int64> {
      points.append(TrackPoint(device: 0, floor: 0, time: today + k * 1_000, x: 0, y: 0))
      points.append(TrackPoint(device: 1, floor: 0, time: today + k * 1_000, x: 1, y: 0))
    }
    for other in years {
      points.append(TrackPoint(device: 0, floor: 0, time: other * year, x: 0, y: 0))
      points.append(TrackPoint(device: 2, floor: 0, time: other * year + 1, x: 1, y: 0))
    }
    return points
  }

  private func find<Feed: SlabFeed>(_ feed: Feed, threads: Int) -> (contacts: [Contact], slabs: Int) {
    var finder = ContactFinder(distance: 2)
    finder.threads = threads
    let counting = CountingFeed(feed: feed)
    var list = ContactList()
    finder.run(counting, into: &list)
    return (list.contacts.sorted(by: Contact.isListedBefore), counting.slabs.value)
  }

  @Test(arguments: [[0], [-290, 0, 290], [10, 11, 200]] as [[Int64]], [1, 3])
  func stretchesWithoutRowsAreSkipped(years: [Int64], threads: Int) {
    let tracks = ObservedTracks(EmptyStretchTests.points(years), maximumGap: .seconds(30))
    let found = find(tracks, threads: threads)
    #expect(found.contacts.map { [$0.start / 1_000, $0.duration] } == [[EmptyStretchTests.today, 10_000_000]])
    #expect(found.slabs < 1_000, "\(found.slabs) slabs")
    let known = find(SegmentTable(tracks.elements()), threads: threads)
    #expect(known.contacts == found.contacts)
    #expect(known.slabs < 1_000, "\(known.slabs) slabs")
  }

  /// A rest with a wrong year lasts long, and no row begins in most of it.
  @Test(arguments: [1, 3])
  func longRestsTakeFewSlabs(threads: Int) {
    let (today, year) = (EmptyStretchTests.today, EmptyStretchTests.year)
    let points =
      EmptyStretchTests.points([]) + [
        TrackPoint(device: 3, floor: 0, time: today - 100 * year, x: 50, y: 0),
        TrackPoint(device: 4, floor: 0, time: today - 90 * year, x: 51, y: 0),
      ]
    var rests = [Int64](repeating: .min, count: points.count)
    rests[rests.count - 2] = today + 100 * year
    rests[rests.count - 1] = today + 110 * year
    let tracks = ObservedTracks(points, stillUntil: rests)
    let found = find(tracks, threads: threads)
    #expect(
      found.contacts.map { [Int64($0.first), $0.start / 1_000, $0.end / 1_000] } == [
        [3, today - 90 * year, today + 100 * year], [0, today, today + 10_000],
      ])
    #expect(found.slabs < 20_000, "\(found.slabs) slabs")
    #expect(find(SegmentTable(tracks.elements()), threads: threads).contacts == found.contacts)
  }

  /// Where no row begins slabs are longer, which changes no contact.
  @Test(arguments: 0..<6)
  func rareRowsGiveTheContactsOfTryingEveryPair(seed: Int) {
    var random = RandomStream(seed: UInt64(seed), stream: 31)
    var segments: [Segment] = []
    for device in 0..<6 as Range<Int32> {
      var time = EmptyStretchTests.today + Int64(random.nextIndex(below: 1_000_000))
      var (x, y) = (random.nextUnit() * 4, random.nextUnit() * 4)
      for _ in 0..<12 {
        time += Int64(random.nextIndex(below: 3)) * Int64(random.nextIndex(below: 400_000_000))
        let end = time + 1 + Int64(random.nextIndex(below: random.nextUnit() < 0.5 ? 3_000 : 500_000_000))
        let (nextX, nextY) = random.nextUnit() < 0.5 ? (x, y) : (random.nextUnit() * 4, random.nextUnit() * 4)
        segments.append(Segment(device: device, floor: 0, start: time, end: end, x0: x, y0: y, x1: nextX, y1: nextY))
        (time, x, y) = (end, nextX, nextY)
      }
    }
    let expected = BruteForce.contacts(in: segments, distance: 2)
    #expect(!expected.isEmpty)
    for threads in [1, 3] {
      let found = find(SegmentTable(segments), threads: threads).contacts
      #expect(found.count == expected.count)
      for (contact, piece) in zip(found, expected) {
        #expect((contact.first, contact.second) == (piece.first, piece.second))
        #expect(abs(contact.start * 1_000 - piece.start) <= 1_500 && abs(contact.end * 1_000 - piece.end) <= 1_500)
      }
    }
  }

  @Test(arguments: [[0], [-290, 0, 290]] as [[Int64]])
  func aWorkloadWithAWrongYearHasFewWindows(years: [Int64]) throws {
    let scratch = try TemporaryFolder()
    let url = scratch.url.appendingPathComponent("years.bin")
    let points = EmptyStretchTests.points(years).sorted { ($0.device, $0.time) < ($1.device, $1.time) }
    try points.withUnsafeBytes { try Data($0).write(to: url) }
    let windows = try #require(try WorkloadWindows(path: url.path, gap: 30_000))
    let session = ContactSession(finder: ContactFinder(distance: 2))
    var (list, count) = (ContactList(), 0)
    try windows.forEach(length: 10_000, gap: 30_000) { window in
      session.run(
        ObservedTracks(window.points, maximumGap: .seconds(30)), from: Instant(milliseconds: window.start),
        to: Instant(milliseconds: window.end), into: &list)
      count += 1
      return true
    }
    session.finish(into: &list)
    #expect(list.contacts.map { [$0.start / 1_000, $0.duration] } == [[EmptyStretchTests.today, 10_000_000]])
    #expect(count < 40, "\(count) windows")
  }
}
