import CordonCore
import CordonMonitoring
import CordonSQLite
import CordonStorage
import CordonTestSupport
import CordonTesting
import Foundation
import Testing

@Suite("Files of older versions")
struct MigrationTests {
  static let device = "5a0f6a5c-3f6e-4a2e-9d2b-0a1b2c3d4e5f"
  static let time = Instant.testStart

  static func location(_ index: Int) throws -> Location {
    let device = try #require(DeviceID(device))
    let place = Coordinate(longitude: 8.54 + Double(index) / 1e4, latitude: 47.37)
    let time = time + .seconds(Int64(index) * 5)
    let floor = index % 3 == 0 ? nil : FloorOrdinal(index % 3)
    return Location(
      id: FixID(device: device, time: time, coordinate: place, accuracy: 7.5, floor: floor), device: device,
      venue: try #require(VenueID("lakeside")), coordinate: place, accuracy: 7.5, floor: floor, time: time,
      stillUntil: index % 4 == 0 ? time + .minutes(3) : nil, space: index % 2 == 0 ? SpaceID("atrium") : nil,
      venueHash: String(repeating: "0a", count: 32))
  }

  /// The bytes of a monitor's state as version 1 wrote them: 12 locations stored, 2 acknowledged.
  static func stateOfVersion1() -> [UInt8] {
    func text(_ text: String) -> [UInt8] { [UInt8(text.utf8.count)] + Array(text.utf8) }
    func number(_ value: UInt64) -> [UInt8] {
      var (rest, bytes) = (value, [UInt8]())
      while rest >= 0x80 {
        bytes.append(UInt8(truncatingIfNeeded: rest) | 0x80)
        rest >>= 7
      }
      return bytes + [UInt8(rest)]
    }
    var bytes: [UInt8] = [1]
    bytes += number(1 | 2 | 16)
    bytes += text("2025-12") + number(3) + number(UInt64(time.milliseconds) << 1)
    // fixes, thinned, held, stored, acknowledged, quarantined, expired by age, rows, bytes, erased
    for value in [20, 5, 0, 12, 2, 1, 0, 0, 0, 0] as [UInt64] { bytes += number(value) }
    bytes += number(13) + [0, 0, 0, 1, 0, 0, 0, 0, 2, 0, 0, 0, 0]
    bytes += number(1) + text("a-former-device") + text("former-secret") + number(4)
    return bytes
  }

  /// A file as version 1 of the schema left it, made by its own SQL.
  static func writeVersion1(_ path: String) throws {
    let file = try Connection(path: path, mode: .create, timeout: 0)
    defer { file.close() }
    try file.execute("PRAGMA journal_mode = WAL; BEGIN")
    try file.execute(OldSchemas.version1)
    let record = try file.prepareOnce(
      "INSERT INTO device VALUES (1, ?, 'old-token', ?, 1, 'phone', 'lakeside', 'old-secret', ?)")
    record.bind(1, device)
    record.bind(2, (time + .hours(1)).milliseconds)
    record.bind(3, stateOfVersion1())
    try record.finish()
    try file.execute("INSERT INTO bundle VALUES (1, 'lakeside', '\(String(repeating: "0a", count: 32))')")
    for index in 0..<10 { try insert(location(index), index, file) }
    try file.execute("COMMIT")
  }

  private static func insert(_ row: Location, _ index: Int, _ file: Connection) throws {
    let (high, low) = (Int64(bitPattern: row.id.high), Int64(bitPattern: row.id.low))
    let fix = try file.prepare("INSERT INTO locationRow VALUES (1, ?, ?, ?, ?, ?, ?, ?, ?, ?, 1)")
    fix.bind(1, high)
    fix.bind(2, low)
    fix.bind(3, row.coordinate.longitude)
    fix.bind(4, row.coordinate.latitude)
    fix.bind(5, row.accuracy)
    fix.bind(6, row.floor.map { Int64($0.thousandths) })
    fix.bind(7, row.time.milliseconds)
    fix.bind(8, row.stillUntil?.milliseconds)
    fix.bind(9, row.space?.rawValue)
    try fix.finish()
    // One row is quarantined, two belong to a request, the rest wait.
    let status = index == 9 ? 2 : index < 2 ? 1 : 0
    let delivery = try file.prepare("INSERT INTO delivery VALUES (1, 0, ?, ?, ?, ?, ?)")
    delivery.bind(1, high)
    delivery.bind(2, low)
    delivery.bind(3, Int64(status))
    delivery.bind(4, status == 1 ? (time + .hours(2)).milliseconds : 0)
    delivery.bind(5, status == 1 ? Int64(3) : 0)
    try delivery.finish()
  }

  @Test func version1KeepsEverything() throws {
    let folder = try TemporaryFolder()
    try Self.writeVersion1(folder.path("store.sqlite"))
    let device = try #require(DeviceID(Self.device))
    try checkMigrated(SQLiteStore(path: folder.path("store.sqlite")), device)
    // A second opening changes nothing.
    #expect(try SQLiteStore(path: folder.path("store.sqlite")).locations(of: device).count == 10)
  }

  private func checkMigrated(_ store: SQLiteStore, _ device: DeviceID) throws {
    #expect(try store.locations(of: device) == (0..<10).map(Self.location))
    let record = try #require(try store.device(device))
    #expect(record.authToken == "old-token" && record.secret == "old-secret" && record.isActivated)
    #expect(record.expiresAt == Self.time + .hours(1))
    #expect(record.venue == VenueID("lakeside"))
    let ways = try store.deliveries(of: device)
    #expect(ways.filter { $0.status == .leased }.map(\.attempts) == [3, 3])
    #expect(ways.count { $0.status == .quarantined } == 1)
    #expect(ways.count { $0.status == .pending } == 7)
  }

  @Test func aPhoneContinuesWithAFileOfVersion1() throws {
    let folder = try TemporaryFolder()
    try Self.writeVersion1(folder.path("store.sqlite"))
    let store = try SQLiteStore(path: folder.path("store.sqlite"))
    let now = ClockReading(virtual: Self.time + .hours(3))
    let runtime = try Runtime(store: store, at: now)
    let state = runtime.monitor.state
    #expect(state.consent == Consent(version: "2025-12", time: Self.time))
    #expect(runtime.accounting.onPhone == 9 && runtime.accounting.quarantined == 1)
    #expect(runtime.accounting[.duplicate] == 1 && runtime.accounting[.outside] == 2)
    #expect(state.erasures.map(\.device.rawValue) == ["a-former-device"])
    #expect(state.erasures.first?.secret == "former-secret")
    let sink = InProcessSink()
    let phone = try TestPhone(store: store, sink: sink, start: now.wall)
    phone.send(.start)
    phone.wait(.hours(1))
    phone.send(.flush)
    #expect(phone.accounting.onPhone == 0)
    #expect(sink.count == 9)
    #expect(sink.erased.map(\.rawValue) == ["a-former-device"], "the promise to erase is kept across versions")
    let secrets = try #require(try store.device(phone.runtime.device)).erasureSecrets
    #expect(secrets.keys.filter { $0.rawValue == "a-former-device" }.isEmpty)
  }

  @Test func theSecretOfAFormerDeviceMovesToTheSecrets() throws {
    let folder = try TemporaryFolder()
    try Self.writeVersion1(folder.path("store.sqlite"))
    let store = try SQLiteStore(path: folder.path("store.sqlite"))
    let now = ClockReading(virtual: Self.time + .hours(3))
    var runtime = try Runtime(store: store, at: now)
    var output = MonitorOutput()
    runtime.step(now, .stop, into: &output)
    let record = try #require(try store.device(runtime.device))
    #expect(record.erasureSecrets.values.sorted() == ["former-secret"])
    #expect(!record.state.contains(Array("former-secret".utf8)))
  }
}
