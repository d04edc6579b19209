import CordonContacts
import CordonCore
import CordonIngest
import CordonPostgres
import CordonTestSupport
import Foundation
import Testing

/// The statements of a how-to guide remove the bytes of erased people.
@Suite(.enabled(if: PostgresServer.isAvailable, "PostgreSQL is not installed"))
struct ErasedBytesTests {
  /// How many files of a folder contain some bytes.
  private func files(of folder: String, with bytes: [UInt8]) -> Int {
    var count = 0
    let list = FileManager.default.enumerator(atPath: folder)
    while let name = list?.nextObject() as? String {
      guard let data = FileManager.default.contents(atPath: folder + "/" + name) else { continue }
      if data.contains(bytes: bytes) { count += 1 }
    }
    return count
  }

  @Test func rewrittenTablesAndLogsHoldNothingOfErasedPeople() throws {
    let server = try PostgresServer(["wal_recycle=off", "wal_init_zero=off", "autovacuum=off", "min_wal_size=32MB"])
    let url = try server.database()
    let store = PostgresPositionStore(try PostgresAddress(url))
    let name = "phone-of-somebody-who-leaves"
    let place: (Int32, Int32) = (85_417_391, 473_712_847)
    let venue = try #require(VenueID("hall"))
    try store.begin()
    let number = try store.number(of: venue, origin: Coordinate(longitude: 8, latitude: 47))
    var device = StoredDevice(
      id: try #require(DeviceID(name)), kind: .secret, venue: venue, type: "t", created: .testStart)
    device.number = try store.save(device)
    let time = UInt64(Instant.testStart.milliseconds)
    let rows = (0..<50).map {
      NewPosition(
        id: FixID(high: (time + $0) << 16 | 0x7000, low: 0x8000_0000_0000_0000), longitude: place.0, latitude: place.1,
        accuracy: 4_000, venueHash: "h")
    }
    #expect(try store.insert(rows, device: device.number, venue: number).count == 50)
    // Somebody stays.
    var other = StoredDevice(
      id: try #require(DeviceID("other")), kind: .secret, venue: venue, type: "t", created: .testStart)
    other.number = try store.save(other)
    var row = rows[0]
    (row.longitude, row.latitude) = (1, 2)
    _ = try store.insert([row], device: other.number, venue: number)
    try store.commit()
    try server.sql("ANALYZE", at: url)
    let coordinates = withUnsafeBytes(of: (place.0.littleEndian, place.1.littleEndian)) { Array($0) }
    try server.sql("CHECKPOINT", at: url)
    #expect(files(of: server.folder, with: Array(name.utf8)) > 0)
    #expect(files(of: server.folder, with: coordinates) > 0)
    try store.begin()
    #expect(try store.erase(device: device.number) == 50)
    try store.commit()
    try server.sql("CHECKPOINT", at: url)
    #expect(files(of: server.folder, with: coordinates) > 0, "a deleted row keeps its bytes")
    store.disconnect()
    let database = url.split(separator: "/").last?.split(separator: "?").first.map(String.init) ?? ""
    let done = try server.run(
      "vacuumdb", ["--analyze-only", "-q", "-h", server.folder, "-U", "cordon", database])
    #expect(done.status == 0, "\(done.errors)")
    let rewritten = try server.run("vacuumdb", ["--full", "-q", "-h", server.folder, "-U", "cordon", database])
    #expect(rewritten.status == 0, "\(rewritten.errors)")
    for statement in ["CHECKPOINT", "SELECT pg_switch_wal()", "CHECKPOINT"] { try server.sql(statement, at: url) }
    #expect(files(of: server.folder, with: Array(name.utf8)) == 0)
    #expect(files(of: server.folder, with: coordinates) == 0)
  }
}
