import CordonContacts
import CordonCore
import CordonGeometry
import CordonTestSupport
import CordonTesting
import Foundation
import Testing

@testable import CordonIngest
@testable import CordonSQLite

@Suite("Walls between two devices")
struct SightTests {
  /// A wall between two devices at x = 0 and x = 1.
  private static let wall = [
    FloorOrdinal(0): [WallSegment(PlanePoint(x: 0.5, y: -5), PlanePoint(x: 0.5, y: 5))]
  ]

  /// Two phones a metre apart for a given time, up to now.
  private func meet(
    _ bench: Bench, _ phones: [Bench.Phone], seconds: ClosedRange<Int> = 0...300, floor: Int = 0
  ) throws {
    for (k, phone) in phones.enumerated() {
      let rows = try stride(from: seconds.lowerBound, through: seconds.upperBound, by: 10).map { second in
        try bench.location(
          phone.id, at: bench.now - .seconds(Int64(300 - second)), east: Double(k), accuracy: 4, floor: floor)
      }
      try bench.post(rows, by: phone)
    }
  }

  private func rows(_ bench: Bench, _ format: String = "json") -> IngestResponse {
    bench.send(
      "GET", "/v1/operator/contacts?venue=small-venue&format=\(format)", "", Bench.basic("op-admin", bench.admin),
      .init("x-reason", "a test"))
  }

  @Test func operatorsSeeTheShareOfTimeWithAWall() throws {
    let bench = try Bench(walls: Self.wall)
    let phones = [try bench.phone("a"), try bench.phone("b")]
    try meet(bench, phones, seconds: 0...100)
    // On a floor without a map, the share is unknown.
    try meet(bench, phones, seconds: 200...300, floor: 1)
    let list = try rows(bench).object["contacts"] as? [[String: Any]]
    let contacts = try #require(list)
    #expect(contacts.count == 2)
    #expect(contacts.first?["wall_share"] as? Double == 1)
    #expect(contacts.last?["wall_share"] is NSNull)
    let lines = rows(bench, "csv").text.split(separator: "\r\n")
    let table = lines.map { $0.split(separator: ",", omittingEmptySubsequences: false) }
    #expect(table.first?.last == "wall_share")
    #expect(table.dropFirst().map(\.last) == ["1.0", ""])
    let own = try bench.send("GET", "/v1/devices/a/data", "", phones[0].bearer).object["contacts"] as? [[String: Any]]
    #expect(own?.first?["wall_share"] as? Double == 1)
  }

  /// A file of the first version has no walls; its contacts stay unknown, and new ones are measured.
  @Test func aFileOfTheFirstVersionIsMigrated() throws {
    let scratch = try TemporaryFolder()
    let folder = scratch.url.path
    let path = folder + "/cordon.sqlite"
    do {
      let file = try Connection(path: path, vfs: nil, isReadOnly: false)
      try file.script(Schema.steps[0])
      try file.script(
        """
        PRAGMA user_version = 1;
        INSERT INTO venue (number, id, longitude, latitude) VALUES (1, 'small-venue', 8.54, 47.37);
        INSERT INTO contact (first, second, start, floor, venue, end, distance, closest, x, y, separationX, separationY)
        VALUES (7, 9, 1000000, 0, 1, 5000000, 1.5, 2000000, 3.25, -4.5, 0.5, 0.25);
        """)
    }
    let old = Contact(
      first: 7, second: 9, floor: 0, start: 1_000_000, end: 5_000_000, minimumDistance: 1.5,
      minimumDistanceTime: 2_000_000, x: 3.25, y: -4.5, separationX: 0.5, separationY: 0.25)
    let bench = try Bench(path: path, walls: Self.wall)
    #expect(SQLitePositionStore.schemaVersion == 7)
    #expect(try ContactTests.stored(bench) == [old])
    try meet(bench, [try bench.phone("a"), try bench.phone("b")])
    let rows = try ContactTests.stored(bench)
    #expect(rows.count == 2)
    #expect(rows.first == old)
    #expect(rows.last?.obstructedShare == 1)
    let again = try SQLitePositionStore(path: path)
    #expect(try again.contacts(in: 1, device: nil, overlapping: .min ... .max, limit: 9) == rows)
  }

  /// Contacts in memory are measured against the new walls, as from scratch.
  @Test func aNewMapIsUsed() throws {
    let bench = try Bench()
    let phones = [try bench.phone("a"), try bench.phone("b")]
    try meet(bench, phones, seconds: 0...150)
    #expect(try ContactTests.stored(bench).map(\.obstructed) == [Contact.wallsNotAsked])
    bench.walls = Self.wall
    bench.ingest.replace(Bench.preprocessor(bench.settings, bench.venue, bench.keys, bench.admin, bench.walls))
    try meet(bench, phones, seconds: 160...300)
    let rows = try ContactTests.stored(bench)
    #expect(rows.map(\.obstructedShare) == [1])
    let wanted = try ContactTests.expected(bench, devices: ["a", "b"])
    #expect(rows == wanted)
    let catalog = bench.ingest.preprocessor.catalog
    let report = try ContactCheck.run(bench.store, settings: bench.settings, catalog: catalog)
    #expect((report.stored, report.found, report.different, report.otherWalls) == (1, 1, 0, 0))
    let plain = try ContactCheck.run(bench.store, settings: bench.settings, catalog: VenueCatalog())
    #expect((plain.different, plain.otherWalls) == (0, 1))
  }

  /// Walls of a bundle, in the frame that was fixed when the venue was first stored.
  @Test func wallsLieInPlaceInEveryFrame() throws {
    let root = Places.package
    let catalog = VenueCatalog.load(folder: root.path + "/venues").catalog
    var count = 0
    for venue in catalog.venues.values {
      let origin = venue.frame.origin
      let other = LocalFrame(
        origin: Coordinate(longitude: origin.longitude + 0.001, latitude: origin.latitude - 0.0005))
      let (here, there) = (venue.walls.indexes(in: venue.frame), venue.walls.indexes(in: other))
      #expect(here.keys.sorted() == there.keys.sorted())
      for (floor, index) in here {
        for (wall, same) in zip(index.walls, there[floor]?.walls ?? []) {
          count += 1
          for (a, b) in [(wall.a, same.a), (wall.b, same.b)] {
            let (c, d) = (venue.frame.unproject(a), other.unproject(b))
            #expect(abs(c.longitude - d.longitude) < 1e-9 && abs(c.latitude - d.latitude) < 1e-9)
          }
        }
      }
    }
    #expect(count > 100)
  }
}
