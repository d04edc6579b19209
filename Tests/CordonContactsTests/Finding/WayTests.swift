import CordonCore
import Testing

@testable import CordonContacts

/// Straight ways rule pairs out before they are solved; that must never lose a contact.
@Suite struct WayTests {
  /// Worlds that strain single precision or the straight ways: long slabs, far origins, bends, jumps, rests.
  static let worlds: [RandomTracks] = [
    RandomTracks(devices: 40, span: 30_000, size: 15, floors: [0]),
    RandomTracks(devices: 25, span: 20_000, size: 15, floors: [0], isSynchronous: true),
    RandomTracks(devices: 30, span: 30_000, size: 300, floors: [0]),
    RandomTracks(devices: 25, span: 30_000, size: 20, unknown: 0.3),
    RandomTracks(devices: 30, span: 30_000, size: 30, floors: [0], origin: (9e8, -9e8)),
    RandomTracks(devices: 30, span: 30_000, size: 20_000, floors: [0]),
  ]

  @Test(arguments: worlds.indices, 0..<2)
  func searchStrategiesGiveTheSamePairs(world: Int, seed: Int) {
    let segments = WayTests.worlds[world].segments(seed: UInt64(90 + seed))
    // Metres apart, and up to the width of the world.
    for distance in [0.5, 2, WayTests.worlds[world].size / 4] {
      let expected = BruteForce.contacts(in: segments, distance: distance)
      for slab in [1_000, 7_000, 3_600_000] as [Int64] {
        for level in ContactRule.kernelLevels {
          var finder = ContactFinder(distance: distance)
          finder.slab = .milliseconds(slab)
          finder.kernelLevel = level
          finder.looksAtWays = false
          let without = finder.contacts(in: segments)
          finder.looksAtWays = true
          #expect(finder.contacts(in: segments) == without, "slab \(slab) level \(level)")
          #expect(without.count == expected.count, "slab \(slab) level \(level)")
        }
      }
    }
  }

  /// Two people meet head-on, side by side at the distance, or for a moment at a bend, at any speed.
  @Test(arguments: [0.001, 1, 50, 3_000])
  func pairsThatJustTouchAreFound(speed: Double) {
    for (k, offset) in [0.0, 1, 1.999_999].enumerated() {
      let length = speed * 10
      let segments = [
        Segment(device: 0, floor: 0, start: 0, end: 10_000, x0: 0, y0: 0, x1: length, y1: 0),
        Segment(device: 1, floor: 0, start: 0, end: 5_000, x0: length, y0: offset, x1: length / 2, y1: offset),
        Segment(
          device: 1, floor: 0, start: 5_000, end: 10_000, x0: length / 2, y0: offset, x1: length, y1: offset + length),
      ]
      var finder = ContactFinder(distance: 2)
      finder.looksAtWays = true
      #expect(finder.contacts(in: segments).count == 1, "\(k)")
    }
  }

  /// Two lanes of people five metres apart have overlapping boxes, and no pairs.
  @Test func pairsThatPassAtADistanceAreNotFound() {
    let tracks = ObservedTracks(
      (0..<40 as Range<Int32>).flatMap { device in
        [0, 30_000].map { (time: Int64) in
          let isEnd = (time > 0) != (device % 2 == 0)
          return TrackPoint(
            device: device, floor: 0, time: time, x: isEnd ? 40 : 0, y: Double(device) * 5 + (isEnd ? 40 : 0))
        }
      })
    let slab = SlabTracks()
    slab.begin(start: 0, end: 30_000)
    var cursor = tracks.cursor(at: 0)
    tracks.load(&cursor, into: slab)
    let members = (0..<40 as Range<UInt32>).map(\.self)
    for level in ContactRule.kernelLevels {
      var rule = ContactRule(distance: 2, unknownFloors: .flagged, kernelLevel: level)
      let counts = [false, true].map { looks in
        rule.looksAtWays = looks
        let sweep = SlabSweep()
        members.withUnsafeBufferPointer { sweep.begin(slab, members: $0, rule: rule) }
        return sweep.next(level: level, tracks: slab.tracks, onlyUnknown: false)
      }
      #expect(counts[0] > 200)
      #expect(counts[1] == 0)
    }
  }

  /// Chunks for threads are whole slabs, cover the span once, and end small.
  @Test(arguments: [1, 2, 3, 16], [1, 1_000, 10_000_000])
  func chunksCoverTheSpan(threads: Int, segments: Int) {
    for span in [0..<1, -70_001..<40_000, 5..<28_800_000] as [Range<Int64>] {
      let chunks = ContactJoin.chunks(of: span, length: 20_000, segments: segments, threads: threads)
      #expect(chunks.first?.lowerBound == span.lowerBound && chunks.last?.upperBound == span.upperBound)
      for (one, next) in zip(chunks, chunks.dropFirst()) {
        #expect(one.upperBound == next.lowerBound && one.upperBound.flooredMultiple(of: 20_000) == one.upperBound)
      }
      if let last = chunks.last, chunks.count > 1 {
        let longest = chunks.map { $0.upperBound - $0.lowerBound }.max() ?? 0
        #expect(last.upperBound - last.lowerBound <= max(longest / 2, 20_000))
      }
    }
  }
}
