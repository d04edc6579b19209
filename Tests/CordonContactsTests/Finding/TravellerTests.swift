import CordonCore
import CordonExchange
import CordonTestSupport
import Foundation
import Testing

@testable import CordonContacts

/// Devices that move between venues.
@Suite struct TravellerTests {
  struct Row {
    var device: Int
    var venue: Int
    var time: Int64
    var x: Double
    var still: Int64

    var text: String { "d\(device),v\(venue),\(time),\(x),0,\(still > time ? String(still) : "")\n" }
  }

  private func windows(_ rows: [Row], rowsInMemory: Int) throws -> PointWindows {
    let scratch = try TemporaryFolder()
    let url = scratch.url.appendingPathComponent("travellers.csv")
    try Data(("device,venue,t_ms,x,y,still_until\n" + rows.map(\.text).joined()).utf8).write(to: url)
    return try PointCSV.windows(path: url.path, rowsInMemory: rowsInMemory)
  }

  /// The contacts of a venue, found in windows of about `points` points.
  private func contacts(_ windows: PointWindows, _ venue: PointWindows.Venue, points: Int) throws -> [Contact] {
    var tracks = TrackWindows()
    let session = ContactSession(finder: ContactFinder(distance: 2))
    var list = ContactList()
    try windows.forEach(of: venue, gap: 30_000, points: points) { window in
      let joined = tracks.tracks(adding: window.points, stillUntil: window.stillUntil)
      session.run(
        joined, from: Instant(milliseconds: window.start), to: Instant(milliseconds: window.end), into: &list)
      tracks.release(before: window.end)
      return true
    }
    session.finish(into: &list)
    return list.contacts.sorted(by: Contact.isListedBefore)
  }

  /// The same with each visit as a separate device, whose rest ends with it.
  private func expected(_ rows: [Row], venue: Int) -> [[Int64]] {
    var (points, stills, owners): ([TrackPoint], [Int64], [Int32]) = ([], [], [])
    for device in Set(rows.map(\.device)).sorted() {
      let own = rows.filter { $0.device == device }.sorted { $0.time < $1.time }
      var isAway = true
      for (k, row) in own.enumerated() {
        guard row.venue == venue else {
          isAway = true
          continue
        }
        if isAway { owners.append(Int32(device)) }
        isAway = false
        points.append(
          TrackPoint(
            device: Int32(owners.count - 1), floor: Segment.unknownFloor, time: row.time, x: row.x, y: 0))
        stills.append(min(row.still, k + 1 < own.count ? own[k + 1].time : .max))
      }
    }
    return ContactFinder(distance: 2).contacts(in: ObservedTracks(points, stillUntil: stills)).filter {
      owners[Int($0.first)] != owners[Int($0.second)]
    }.map { contact in
      let pair = [owners[Int(contact.first)], owners[Int(contact.second)]].sorted()
      return [contact.start, contact.end, Int64(pair[0]), Int64(pair[1])]
    }.sorted { $0.lexicographicallyPrecedes($1) }
  }

  @Test(arguments: 0..<6)
  func anotherVenueEndsPathsAndRests(seed: Int) throws {
    var random = RandomStream(seed: UInt64(seed), stream: 31)
    var rows: [Row] = []
    for device in 0..<6 {
      var (time, venue) = (Int64(random.nextIndex(below: 9_000)), 0)
      for _ in 0..<80 {
        let still = random.nextUnit() < 0.3 ? time + Int64(random.nextIndex(below: 120_000)) : 0
        rows.append(Row(device: device, venue: venue, time: time, x: random.nextUnit() * 6, still: still))
        time += 1 + Int64(random.nextIndex(below: 15_000))
        if random.nextUnit() < 0.3 { venue = random.nextIndex(below: 3) }
      }
    }
    let shuffled = rows.shuffled(using: &random)
    for (rowsInMemory, points) in [(100_000, 100_000), (60, 1), (60, 150)] {
      let windows = try windows(shuffled, rowsInMemory: rowsInMemory)
      #expect(windows.venueConflicts == 0 && windows.pointCount == rows.count)
      for (number, venue) in windows.venues.enumerated() {
        let found = try contacts(windows, venue, points: points).map {
          [$0.start, $0.end, Int64($0.first), Int64($0.second)]
        }
        let expected = expected(rows, venue: number)
        #expect(expected.count > 10)
        #expect(
          found.sorted { $0.lexicographicallyPrecedes($1) } == expected, "seed \(seed) venue \(number) points \(points)"
        )
      }
    }
  }

  @Test func fixesInTwoVenuesAtOnceAreCounted() throws {
    let rows =
      (0..<8 as Range<Int64>).flatMap { k in
        (0..<2).map { Row(device: 1, venue: $0, time: k * 5_000, x: 0, still: 0) }
      } + [Row(device: 0, venue: 1, time: 5_000, x: 0, still: 0)]
    let windows = try windows(rows, rowsInMemory: 4)
    #expect(windows.venueConflicts == 8)
    #expect(windows.listedVenueConflicts.map(\.time) == [0, 5_000, 10_000, 15_000, 20_000])
    #expect(windows.listedVenueConflicts.allSatisfy { windows.devices[Int($0.device)] == "d1" })
    // It is unknown which of the two is right: both are kept.
    #expect(try contacts(windows, windows.venues[0], points: 1).isEmpty)
  }
}
