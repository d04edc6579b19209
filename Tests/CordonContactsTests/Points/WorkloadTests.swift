import CordonContacts
import CordonCore
import CordonExchange
import Foundation
import Testing

/// Results of other programs: for a workload made here, and for the published ones when a folder with them is named.
@Suite struct WorkloadTests {
  struct Answer: Sendable {
    var name: String
    var gap: Int64
    var pairs: Int
    var contacts: Int
    var seconds: Double
    var longPairs: Int
  }

  static let folder = ProcessInfo.processInfo.environment["CORDON_WORKLOADS"]

  static let answers = [
    Answer(name: "w1", gap: 3_000, pairs: 14_465, contacts: 32_754, seconds: 212_824.115, longPairs: 0),
    Answer(name: "w1a", gap: 3_000, pairs: 14_376, contacts: 34_549, seconds: 226_392.386, longPairs: 0),
    Answer(name: "w2", gap: 15_000, pairs: 1_298_238, contacts: 3_396_594, seconds: 35_030_492.482, longPairs: 13),
    Answer(name: "w2a", gap: 15_000, pairs: 1_298_821, contacts: 3_442_010, seconds: 35_163_775.434, longPairs: 30),
  ]

  @Test(.enabled(if: folder != nil, "set CORDON_WORKLOADS to the folder of the generator"), arguments: answers)
  func contactsEqualTheReference(answer: Answer) throws {
    check(try WorkloadFile.read(path: "\(Self.folder ?? "")/\(answer.name).bin"), answer)
  }

  /// A search of all pairs in C, a plane sweep in C and MEOS's tdwithin give these results for the two.
  @Test(arguments: [
    Answer(name: "one clock", gap: 3_000, pairs: 1_247, contacts: 2_628, seconds: 7_283.518, longPairs: 0),
    Answer(name: "own clocks", gap: 3_000, pairs: 1_274, contacts: 2_657, seconds: 7_034.422, longPairs: 0),
  ])
  func contactsEqualThoseOfOtherPrograms(answer: Answer) {
    check(OwnWorkload(hasOwnClocks: answer.name == "own clocks").points, answer)
  }

  private func check(_ points: [TrackPoint], _ answer: Answer) {
    let tracks = ObservedTracks(points, maximumGap: .milliseconds(answer.gap))
    var summary = ContactSummary()
    ContactFinder(distance: 2).contacts(in: tracks, into: &summary)
    #expect(summary.pairs == answer.pairs)
    #expect(summary.contacts == answer.contacts)
    // The answers are rounded to a millisecond.
    #expect(abs(summary.overlapSeconds - answer.seconds) < max(answer.seconds * 1e-6, 6e-4))
    #expect(summary.pairsOf15Minutes == answer.longPairs)
  }
}

/// Sixty devices that walk and rest on two floors of 30 m by 30 m for ten minutes, in whole millimetres, so that any
/// program can generate the same ones.
private struct OwnWorkload {
  private var state: UInt64 = 11
  private(set) var points: [TrackPoint] = []

  init(hasOwnClocks: Bool) {
    for device in 0..<60 as Range<Int32> {
      var (x, y) = (next(30_001), next(30_001))
      var floor = next(2)
      var (vx, vy) = (next(2_801) - 1_400, next(2_801) - 1_400)
      for tick in 0..<600 {
        let time = tick * 1_000 + (hasOwnClocks ? next(801) - 400 : 0)
        if next(50) != 0 {
          points.append(
            TrackPoint(
              device: device, floor: Int32(floor) * 1_000, time: Int64(time), x: Double(x) / 1_000,
              y: Double(y) / 1_000))
        }
        if next(20) == 0 {
          (vx, vy) = (next(2_801) - 1_400, next(2_801) - 1_400)
          if next(3) == 0 { (vx, vy) = (0, 0) }
        }
        if next(300) == 0 { floor = 1 - floor }
        (x, y) = (x + vx, y + vy)
        if x < 0 || x > 30_000 { (x, vx) = (x - 2 * vx, -vx) }
        if y < 0 || y > 30_000 { (y, vy) = (y - 2 * vy, -vy) }
      }
    }
  }

  /// A whole number from 0 up to but not including `limit`.
  private mutating func next(_ limit: Int) -> Int {
    state = state &* 6_364_136_223_846_793_005 &+ 1_442_695_040_888_963_407
    return Int((state >> 33) % UInt64(limit))
  }
}
