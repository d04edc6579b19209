import CordonCore
import Testing

@testable import CordonContacts

/// Compares the engine with the brute-force search, on many random worlds.
@Suite struct OracleTests {
  static let worlds: [RandomTracks] = [
    RandomTracks(),
    RandomTracks(isSynchronous: true),
    RandomTracks(devices: 30, span: 30_000, size: 8, floors: [0]),
    RandomTracks(unknown: 0.3),
    RandomTracks(devices: 2, span: 1_000_000, size: 6, floors: [-1_000]),
    RandomTracks(origin: (1e7, -2e7)),
    RandomTracks(size: 0.5, floors: [0]),
    RandomTracks(size: 1_000),
    RandomTracks(start: -60_000),
  ]

  @Test(arguments: worlds.indices, 0..<6)
  func contactsAgreeWithTryingEveryPair(world: Int, seed: Int) {
    let segments = OracleTests.worlds[world].segments(seed: UInt64(seed))
    let expected = BruteForce.contacts(in: segments, distance: 2)
    let found = ContactFinder(distance: 2).contacts(in: segments)
    #expect(found.count == expected.count, "world \(world) seed \(seed)")
    for (contact, piece) in zip(found, expected) {
      #expect((contact.first, contact.second, contact.floor) == (piece.first, piece.second, piece.floor))
      #expect(abs(contact.start * 1_000 - piece.start) <= 1_500)
      #expect(abs(contact.end * 1_000 - piece.end) <= 1_500)
      #expect(abs(contact.minimumDistance - piece.minimum) <= 1e-6)
      expectNearest(of: contact, in: segments, "world \(world) seed \(seed)")
    }
  }

  /// Other distances than 2 m, and unknown floors that match no floor.
  @Test(arguments: worlds.indices, [(0.3, false), (0.3, true), (7, false), (40, true)])
  func contactsAgreeAtOtherDistances(world: Int, asked: (distance: Double, isFlagged: Bool)) {
    let segments = OracleTests.worlds[world].segments(seed: 60)
    expectAgreement(segments, distance: asked.distance, isFlagged: asked.isFlagged)
  }

  /// Rests on the corners of a grid of a metre, where many are together, or 1 m, 2 m or 5 m apart to the last bit.
  @Test(arguments: [0, 1, 2, 5], [false, true])
  func contactsAgreeAtTheExactDistance(distance: Double, isFlagged: Bool) {
    let world = RandomTracks(devices: 25, span: 60_000, size: 6, unknown: 0.2)
    let segments = world.segments(seed: 70).map { segment in
      var segment = segment
      (segment.x0, segment.y0) = (segment.x0.rounded(), segment.y0.rounded())
      (segment.x1, segment.y1) = (segment.x0, segment.y0)
      return segment
    }
    #expect(expectAgreement(segments, distance: distance, isFlagged: isFlagged) > 5)
  }

  @discardableResult
  private func expectAgreement(_ segments: [Segment], distance: Double, isFlagged: Bool) -> Int {
    let expected = BruteForce.contacts(in: segments, distance: distance, flagged: isFlagged)
    let found = ContactFinder(distance: distance, unknownFloors: isFlagged ? .flagged : .never).contacts(in: segments)
    #expect(found.count == expected.count)
    for (contact, piece) in zip(found, expected) {
      #expect((contact.first, contact.second, contact.floor) == (piece.first, piece.second, piece.floor))
      #expect(abs(contact.start * 1_000 - piece.start) <= 1_500 && abs(contact.end * 1_000 - piece.end) <= 1_500)
      #expect(abs(contact.minimumDistance - piece.minimum) <= 1e-6)
    }
    return found.count
  }

  /// At the contact's time the two are at its distance with its position half-way between them, and a microsecond
  /// earlier or later they are not nearer.
  private func expectNearest(of contact: Contact, in segments: [Segment], _ comment: Comment) {
    func ways(_ step: Int64) -> (a: Way, b: Way)? {
      let time = contact.minimumDistanceTime + step
      guard time >= contact.start, time <= contact.end, let a = way(contact.first, time, segments),
        let b = way(contact.second, time, segments)
      else { return nil }
      return (a, b)
    }
    guard let (a, b) = ways(0) else { return }
    // Rounding of the time to a microsecond, and of the coordinates.
    let slack = (a.speed + b.speed) * 2e-3 + max(1, abs(contact.x), abs(contact.y)) * 1e-12 + 1e-6
    #expect(abs(hypot(b.x - a.x, b.y - a.y) - contact.minimumDistance) < slack, comment)
    #expect(abs((a.x + b.x) / 2 - contact.x) < slack && abs((a.y + b.y) / 2 - contact.y) < slack, comment)
    #expect(abs(b.x - a.x - Double(contact.separationX)) < slack, comment)
    #expect(abs(b.y - a.y - Double(contact.separationY)) < slack, comment)
    for step in [-1, 1] as [Int64] {
      if let (a, b) = ways(step) { #expect(hypot(b.x - a.x, b.y - a.y) >= contact.minimumDistance - slack, comment) }
    }
  }

  private func hypot(_ x: Double, _ y: Double) -> Double { (x * x + y * y).squareRoot() }

  /// The position and speed of a device, in metres per millisecond.
  private typealias Way = (x: Double, y: Double, speed: Double)

  /// Returns `nil` where a device has no segment, or ends one and begins another elsewhere.
  private func way(_ device: Int32, _ microseconds: Int64, _ segments: [Segment]) -> Way? {
    let ways = segments.filter {
      $0.device == device && $0.start * 1_000 <= microseconds && $0.end * 1_000 >= microseconds
    }.map { segment -> Way in
      let length = Double(segment.end - segment.start)
      let share = Double(microseconds - segment.start * 1_000) / (length * 1_000)
      let (dx, dy) = (segment.x1 - segment.x0, segment.y1 - segment.y0)
      return (segment.x0 + dx * share, segment.y0 + dy * share, hypot(dx, dy) / length)
    }
    guard let first = ways.max(by: { $0.speed < $1.speed }) else { return nil }
    return ways.allSatisfy { hypot($0.x - first.x, $0.y - first.y) < 1e-6 } ? first : nil
  }

  @Test(arguments: worlds.indices)
  func slabsThreadsKernelsAndOrderDoNotChangeContacts(world: Int) {
    let segments = OracleTests.worlds[world].segments(seed: 77)
    let expected = ContactFinder(distance: 2).contacts(in: segments)
    var random = RandomStream(seed: 5, stream: 2)
    for slab in [50, 333, 1_000, 4_096, 86_400_000] as [Int64] {
      for threads in [1, 3] {
        for level in ContactRule.kernelLevels {
          var finder = ContactFinder(distance: 2, threads: threads)
          finder.slab = .milliseconds(slab)
          finder.kernelLevel = level
          #expect(finder.contacts(in: segments) == expected, "slab \(slab) threads \(threads) level \(level)")
        }
      }
    }
    for _ in 0..<3 {
      #expect(ContactFinder(distance: 2, threads: 2).contacts(in: segments.shuffled(using: &random)) == expected)
    }
  }
}
