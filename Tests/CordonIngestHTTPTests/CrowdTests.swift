import CordonCore
import CordonTesting
import CordonWire
import Testing

@testable import CordonServerCommand

@Suite("The crowd of the demo")
struct CrowdTests {
  private func row(_ second: Int64) throws -> Location {
    let venue = SmallVenue()
    let (device, time) = (try #require(DeviceID("demo-1")), Instant(milliseconds: 1_767_254_400_000 + second * 1_000))
    let place = venue.place(east: 0, north: 0)
    return Location(
      id: FixID(device: device, time: time, coordinate: place, accuracy: 3, floor: nil), device: device,
      venue: venue.venue, coordinate: place, accuracy: 3, floor: nil, time: time)
  }

  /// Rows of a post that failed go with the next one, in order; what was answered finally goes, and nothing else.
  @Test func whatWasNotTakenIsSentAgain() throws {
    var outbox = CrowdOutbox()
    let rows = try (0..<6).map { try row(Int64($0)) }
    outbox.add(Array(rows[0..<2]))
    // No answer came.
    outbox.add(Array(rows[2..<4]))
    #expect(outbox.rows == Array(rows[0..<4]))
    outbox.settle([
      .init(id: rows[0].id, status: .stored), .init(id: rows[1].id, status: .retry),
      .init(id: rows[2].id, status: .refused(reason: "outside")), .init(id: rows[3].id, status: .known),
    ])
    #expect(outbox.rows == [rows[1]])
    outbox.add(Array(rows[4...]))
    #expect(outbox.rows == [rows[1], rows[4], rows[5]])
    outbox.add(try (10..<(10 + CrowdOutbox.most)).map { try row(Int64($0)) })
    #expect(outbox.rows.count == CrowdOutbox.most)
    #expect(outbox.rows.first?.id == (try row(10)).id)
  }

  /// Nobody walks at the speed of everybody, and the same seed walks the same.
  @Test func eachWalksAtASpeedOfTheirOwn() {
    func speeds() -> [Double] {
      (0..<500).map { index in
        var random = RandomStream(seed: 7, stream: 0xde40, entity: UInt64(index))
        return Crowd.speed(&random)
      }
    }
    let found = speeds()
    #expect(found == speeds())
    #expect(Set(found).count > 450)
    #expect(found.allSatisfy { (0.6...2.2).contains($0) })
    let mean = found.reduce(0, +) / 500
    #expect(abs(mean - 1.3) < 0.05, "\(mean)")
  }
}
