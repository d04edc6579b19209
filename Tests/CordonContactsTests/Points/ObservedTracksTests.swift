import CordonCore
import Testing

@testable import CordonContacts

/// Fixes become segments.
@Suite struct ObservedTracksTests {
  static func point(_ device: Int32, _ time: Int64, _ x: Double, floor: Int32 = 0) -> TrackPoint {
    TrackPoint(device: device, floor: floor, time: time, x: x, y: 0)
  }

  @Test func fixesWithinTheGapAreJoined() {
    let tracks = ObservedTracks(
      [
        Self.point(0, 0, 0), Self.point(0, 30_000, 30), Self.point(0, 60_001, 60),
        Self.point(0, 61_000, 61, floor: 1_000),
        Self.point(0, 62_000, 62, floor: Segment.unknownFloor), Self.point(0, 63_000, 63, floor: Segment.unknownFloor),
        Self.point(1, 64_000, 0),
      ])
    #expect(tracks.segments().map { [$0.start, $0.end] } == [[0, 30_000], [62_000, 63_000]])
    #expect(tracks.segments().map(\.floor) == [0, Segment.unknownFloor])
    #expect(tracks.report.intervals == 5)
    #expect(tracks.report.intervalsBeyondGap == 1)
    #expect(tracks.report.floorChanges == 2)
    #expect(tracks.report.shareBeyondGap == 0.2)
    #expect(tracks.report.devices == 2)
    #expect(tracks.maximumGap == .seconds(30))
  }

  @Test func aRestIsOneSegmentOfAnyLength() {
    let tracks = ObservedTracks(
      [Self.point(0, 0, 5), Self.point(0, 3_605_000, 6), Self.point(0, 3_700_000, 9), Self.point(1, 0, 5)],
      stillUntil: [3_600_000, .min, 3_800_000, 7_200_000])
    let own = tracks.segments().filter { $0.device == 0 }
    #expect(own.map { [$0.start, $0.end] } == [[0, 3_600_000], [3_600_000, 3_605_000], [3_700_000, 3_800_000]])
    #expect(own.map(\.x1) == [5, 6, 9])
    // Two at one table for an hour are one contact of an hour.
    let contacts = ContactFinder(distance: 2).contacts(in: tracks)
    #expect(contacts.map(\.duration) == [3_605_000_000])
    #expect(contacts == ContactFinder(distance: 2).contacts(in: tracks.segments()))
    #expect(tracks.report.intervalsBeyondGap == 1)
  }

  @Test func restEndsAtTheNextFix() {
    let tracks = ObservedTracks(
      [Self.point(0, 0, 0), Self.point(0, 10_000, 8)], stillUntil: [60_000, .min])
    #expect(tracks.segments().map { [$0.start, $0.end] } == [[0, 10_000]])
    #expect(tracks.segments().map(\.x1) == [0])
  }

  @Test func theBestOfDuplicateFixesIsKept() {
    let tracks = ObservedTracks(
      [
        Self.point(0, 0, 1), Self.point(0, 0, 2), Self.point(0, 0, 3), Self.point(0, 5_000, 4), Self.point(0, 5_000, 4),
      ],
      accuracies: [9, 4, 4, .nan, .nan], stillUntil: [.min, .min, .min, 6_000, 9_000])
    #expect(tracks.points.map(\.x) == [2, 4])
    #expect(tracks.report.duplicates == 3)
    #expect(tracks.report.conflicting == 2)
    // A heartbeat repeats the fix and reports a longer rest.
    #expect(tracks.segments().map(\.end) == [5_000, 9_000])
  }

  /// Of several fixes of one moment the contents decide which counts, in a stream as well.
  @Test func theSameConflictingFixIsKeptInAnyOrder() {
    var random = RandomStream(seed: 3, stream: 3)
    let place = { (x: Double, floor: Int32) in TrackPoint(device: 0, floor: floor, time: 5_000, x: x, y: 0) }
    let around = [Self.point(0, 0, 0), Self.point(0, 10_000, 0), Self.point(1, 0, 1), Self.point(1, 10_000, 1)]
    let several = [place(3, 0), place(1, 0), place(2, Segment.unknownFloor), place(0, 1_000), place(7, 0)]
    let points = around + several
    for (accuracies, kept) in [
      ([Float](repeating: .nan, count: 9), 1), (around.map { _ in 3 } + [4, 4, 9, 4, 4], 1),
      (around.map { _ in 3 } + [4, 5, 9, 9, 4], 3),
    ] as [([Float], Double)] {
      var rows: Set<[Contact]> = []
      for _ in 0..<20 {
        let order = points.indices.shuffled(using: &random)
        let tracks = ObservedTracks(order.map { points[$0] }, accuracies: order.map { accuracies[$0] })
        #expect(tracks.points.first { $0.time == 5_000 }?.x == kept)
        #expect(tracks.report.conflicting == 4)
        var stream = ContactStream(finder: ContactFinder(distance: 2))
        for k in order { stream.add([ContactStream.Point(points[k], accuracy: accuracies[k])]) }
        let contacts = ContactFinder(distance: 2).contacts(in: tracks)
        #expect(stream.contacts == contacts)
        rows.insert(contacts)
      }
      #expect(rows.count == 1)
    }
    #expect(ObservedTracks(points).report.conflictingAlike == 4)
    #expect(ObservedTracks(points, accuracies: around.map { _ in 3 } + [4, 5, 9, 9, 4]).report.conflictingAlike == 1)
  }

  @Test func theOrderOfFixesDoesNotMatter() {
    let segments = RandomTracks(isSynchronous: true).segments(seed: 9)
    let points = segments.map { TrackPoint(device: $0.device, floor: $0.floor, time: $0.start, x: $0.x0, y: $0.y0) }
    var random = RandomStream(seed: 1, stream: 1)
    let sorted = ObservedTracks(points)
    let shuffled = ObservedTracks(points.shuffled(using: &random))
    #expect(sorted.report.wasSorted)
    #expect(!shuffled.report.wasSorted)
    #expect(sorted.points == shuffled.points)
    let contacts = ContactFinder(distance: 2).contacts(in: shuffled)
    #expect(!contacts.isEmpty)
    #expect(contacts == ContactFinder(distance: 2).contacts(in: sorted.segments()))
  }

  @Test func threadsDoNotChangeTheResult() {
    var random = RandomStream(seed: 4, stream: 14)
    var points: [TrackPoint] = []
    for device in 0..<500 as Range<Int32> {
      var time = Int64(random.nextIndex(below: 9_000)) - 4_000
      for k in 0..<random.nextIndex(below: 1_600) {
        points.append(
          TrackPoint(
            device: device, floor: Int32(k / 100), time: time, x: random.nextUnit() * 40, y: random.nextUnit() * 40))
        time += 1 + Int64(random.nextIndex(below: 2_000))
      }
    }
    let one = ObservedTracks(points, maximumGap: .milliseconds(1_500))
    #expect(points.count > 300_000 && one.report.intervalsBeyondGap > 1_000 && one.report.floorChanges > 1_000)
    var finder = ContactFinder(distance: 0.5)
    let expected = finder.contacts(in: one)
    for threads in [2, 3, 7] {
      let several = ObservedTracks(points, maximumGap: .milliseconds(1_500), threads: threads)
      #expect(several.report == one.report && several.offsets == one.offsets && several.spanOfTime == one.spanOfTime)
      finder.threads = threads
      #expect(finder.contacts(in: several) == expected, "\(threads) threads")
    }
    // Any thread that finds points out of order reports them: here the second of three.
    var mixed = points
    mixed.swapAt(points.count / 2, points.count / 2 + 1)
    let sorted = ObservedTracks(mixed, maximumGap: .milliseconds(1_500), threads: 3)
    #expect(sorted.points == points && !sorted.report.wasSorted)
  }

  @Test func impossibleValuesAreCounted() {
    let tracks = ObservedTracks([
      Self.point(0, 0, .nan), Self.point(-1, 0, 0), Self.point(0, .max, 0), Self.point(0, .min, 0),
      Self.point(0, 5, 1e12),
      Self.point(0, 6, 1),
    ])
    #expect(tracks.report.unusable == 5)
    #expect(tracks.points.count == 1)
    #expect(tracks.segments().isEmpty)
    #expect(ObservedTracks([]).segments().isEmpty)
    #expect(ContactFinder().contacts(in: ObservedTracks([])).isEmpty)
  }
}
