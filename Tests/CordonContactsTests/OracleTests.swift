import CordonCore
import Testing

@testable import CordonContacts

/// The engine against the brute-force search, on many random worlds.
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
  func agreesWithTryingEveryPair(world: Int, seed: Int) {
    let segments = OracleTests.worlds[world].segments(seed: UInt64(seed))
    let expected = BruteForce.contacts(in: segments, distance: 2)
    let found = ContactFinder(distance: 2).contacts(in: segments)
    #expect(found.count == expected.count, "world \(world) seed \(seed)")
    for (contact, piece) in zip(found, expected) {
      #expect((contact.first, contact.second, contact.floor) == (piece.first, piece.second, piece.floor))
      #expect(abs(contact.start * 1_000 - piece.start) <= 1_500)
      #expect(abs(contact.end * 1_000 - piece.end) <= 1_500)
      #expect(abs(contact.minimumDistance - piece.minimum) <= 1e-6)
    }
  }

  @Test(arguments: worlds.indices)
  func slabsThreadsKernelsAndOrderChangeNothing(world: Int) {
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
