import CordonContacts
import CordonCore
import CordonIngest
import CordonStoreConformance
import CordonTestSupport
import Crypto
import Foundation
import Testing

@testable import CordonPostgres

@Suite struct RowSealTests {
  private let key = SymmetricKey(data: [UInt8](repeating: 7, count: 32))
  private let place = SealedPlace(
    accuracy: 4_000, longitude: 85_417_391, latitude: -473_712_847, floor: nil, space: 3, battery: -1)

  @Test func placesAndMeetingsComeBack() throws {
    let sealed = try place.sealed(under: key, 1, 2, 3)
    #expect(try SealedPlace(sealed, under: key, 1, 2, 3) == place)
    #expect(try place.sealed(under: key, 1, 2, 3) != sealed, "a nonce is used once")
    var other = place
    (other.floor, other.space, other.battery) = (-500, nil, nil)
    #expect(try SealedPlace(try other.sealed(under: key, 1, 2, 3), under: key, 1, 2, 3) == other)
    #expect(other.bytes.count == place.bytes.count)
    for time in [nil, Int64(5)] {
      let meeting = SealedMeeting(
        distance: 1.5, closest: 9, x: -1, y: 2, separationX: 0.25, separationY: -0.5, obstructed: time)
      #expect(try SealedMeeting(try meeting.sealed(under: key, [1, 2, 3]), under: key, [1, 2, 3]) == meeting)
    }
  }

  /// Neither bytes that were changed, nor those of another row or key are taken.
  @Test func othersBytesAreRefused() throws {
    let sealed = try place.sealed(under: key, 1, 2, 3)
    var changed = sealed
    changed[20] ^= 1
    let stranger = SymmetricKey(data: [UInt8](repeating: 8, count: 32))
    #expect(throws: StoreFault.self) { try SealedPlace(changed, under: key, 1, 2, 3) }
    #expect(throws: StoreFault.self) { try SealedPlace(sealed, under: stranger, 1, 2, 3) }
    #expect(throws: StoreFault.self) { try SealedPlace(sealed, under: key, 1, 2, 4) }
    #expect(throws: StoreFault.self) { try SealedPlace([], under: key, 1, 2, 3) }
    #expect(RowSeal.pair(key, stranger) != RowSeal.pair(stranger, key))
    let keys = SealingKeys([.init(id: "a", secret: [UInt8](repeating: 1, count: 32))])
    let wrapped = try keys.seal(key, of: 5)
    #expect(try keys.open(wrapped.bytes, under: "a", of: 5) == key)
    #expect(throws: StoreFault.self) { try keys.open(wrapped.bytes, under: "a", of: 6) }
    #expect(throws: StoreFault.self) { try keys.open(wrapped.bytes, under: "b", of: 5) }
  }
}

/// The store with `sealed-columns = yes`.
@Suite(.enabled(if: PostgresServer.isAvailable, "PostgreSQL is not installed"))
struct SealedStoreTests {
  private static func keys(_ byte: UInt8) -> SealingKeys {
    SealingKeys([.init(id: "k\(byte)", secret: [UInt8](repeating: byte, count: 32))])
  }

  private static func store(
    _ url: String, _ keys: SealingKeys? = keys(1), server: String? = nil
  ) throws -> PostgresPositionStore {
    var options = PostgresPositionStore.Options()
    options.sealing = keys
    options.server = server
    options.standstill = .patientForTests
    return PostgresPositionStore(try PostgresAddress(url), options: options)
  }

  private static func row(_ second: Int64, _ longitude: Int32 = 85_417_391) -> NewPosition {
    let time = UInt64(Instant.testStart.milliseconds + second * 1_000)
    return NewPosition(
      id: FixID(high: time << 16 | 0x7000, low: 0x8000_0000_0000_0000), longitude: longitude, latitude: 473_712_847,
      accuracy: 4_000, venueHash: "h")
  }

  private static func device(_ name: String, in store: PostgresPositionStore) throws -> (Int64, venue: Int64) {
    let venue = try #require(VenueID("hall"))
    let number = try store.number(of: venue, origin: Coordinate(longitude: 8, latitude: 47))
    let device = StoredDevice(
      id: try #require(DeviceID(name)), kind: .secret, venue: venue, type: "t", created: .testStart)
    return (try store.save(device), number)
  }

  @Test(arguments: UInt64(1)...4)
  func memoryAndSealedDatabaseAnswerAlike(_ seed: UInt64) throws {
    var comparison = StoreComparison(MemoryPositionStore(), try Self.store(try Database().url), seed: seed)
    comparison.run(steps: 150)
    #expect(comparison.differences.isEmpty, "\(comparison.differences.prefix(3))")
  }

  /// A store moves into a sealed database and out of it as into any other.
  @Test func copiesAreEqual() throws {
    let file = try SQLitePositionStore(path: ":memory:")
    var comparison = StoreComparison(MemoryPositionStore(), file, seed: 3)
    comparison.run(steps: 200)
    let database = try Database()
    let entries = try StoreCopy.run(from: file, to: try Self.store(database.url))
    #expect(try database.sql("SELECT count(*) FROM position WHERE sealed IS NULL OR longitude IS NOT NULL") == "0")
    #expect(try database.sql("SELECT count(*) FROM contact WHERE sealed IS NULL OR x IS NOT NULL") == "0")
    #expect(try database.sql("SELECT count(*) FROM cordon_view.position WHERE longitude IS NOT NULL") == "0")
    let again = try SQLitePositionStore(path: ":memory:")
    #expect(try StoreCopy.run(from: try Self.store(database.url), to: again) == entries)
  }

  /// Many rows take another way into the table.
  @Test func groupsAreSealed() throws {
    let database = try Database()
    let store = try Self.store(database.url)
    let (device, venue) = try Self.device("phone", in: store)
    try store.begin()
    let rows = (0..<200).map { Self.row($0) }
    #expect(try store.insert([RowBatch(rows: rows, device: device, venue: venue)])[0].allSatisfy { $0 == .stored })
    try store.commit()
    #expect(try database.sql("SELECT count(*) FROM position WHERE sealed IS NOT NULL AND longitude IS NULL") == "200")
    let found = try store.positions(of: device, after: nil, limit: 999)
    #expect(found.map(\.longitude) == rows.map(\.longitude))
    // Without its key a row is not there.
    try database.sql("DELETE FROM device_key")
    #expect(try store.positions(of: device, after: nil, limit: 999).isEmpty)
  }

  /// Servers that differ in the setting or in the keys do not start; an empty database takes either.
  @Test func serversMustAgree() throws {
    let database = try Database()
    try Self.store(database.url, nil).connect()
    let store = try Self.store(database.url)
    let (device, venue) = try Self.device("phone", in: store)
    _ = try store.insert([Self.row(0)], device: device, venue: venue)
    for keys in [nil, Self.keys(2)] {
      let fault = #expect(throws: StoreFault.self) { try Self.store(database.url, keys).connect() }
      #expect(fault?.kind == .failed)
    }
    let plain = try Database()
    let open = try Self.store(plain.url, nil)
    let (other, hall) = try Self.device("phone", in: open)
    _ = try open.insert([Self.row(0)], device: other, venue: hall)
    #expect(throws: StoreFault.self) { try Self.store(plain.url).connect() }
  }

  /// When a device has a new holder the rows of the former one cannot be opened any more; those of the new one can.
  @Test func aFormerHoldersRowsLoseTheirKey() throws {
    let database = try Database()
    let store = try Self.store(database.url)
    let (one, venue) = try Self.device("one", in: store)
    let (two, _) = try Self.device("two", in: store)
    _ = try store.insert((0..<4).map { Self.row($0, Int32($0)) }, device: one, venue: venue)
    let start = (Instant.testStart.milliseconds + 3_000) * 1_000
    let contact = Contact(
      first: Int32(one), second: Int32(two), floor: 0, start: start, end: start + 5, minimumDistance: 1,
      minimumDistanceTime: start, x: 3, y: 4)
    try store.change(contactsOf: venue, removed: [], added: [contact])
    let before = try database.sql("SELECT sealed FROM device_key WHERE device = \(one)")
    #expect(try store.erase(device: one, before: .testStart + .seconds(2)) == 2)
    #expect(try database.sql("SELECT sealed FROM device_key WHERE device = \(one)") != before)
    #expect(try store.positions(of: one, after: nil, limit: 9).map(\.longitude) == [2, 3])
    #expect(try store.contacts(in: venue, device: one, overlapping: start...start, limit: 9) == [contact])
  }

  /// How many files of a folder contain some bytes.
  private static func files(of folder: String, with bytes: [UInt8], except left: String? = nil) -> Int {
    var count = 0
    let list = FileManager.default.enumerator(atPath: folder)
    while let name = list?.nextObject() as? String {
      if let left, name.hasPrefix(left) { continue }
      guard let data = FileManager.default.contents(atPath: folder + "/" + name) else { continue }
      if data.contains(bytes: bytes) { count += 1 }
    }
    return count
  }

  /// Neither files nor log nor a base backup of a time when somebody was there hold a place; after the erasure, the vacuum and a new
  /// sealing key nothing can open what is left.
  @Test func nothingOpensWhatIsLeftOfErasedPeople() throws {
    let server = try PostgresServer(["wal_recycle=off", "wal_init_zero=off", "autovacuum=off", "min_wal_size=32MB"])
    let url = try server.database()
    let store = try Self.store(url)
    let (device, venue) = try Self.device("phone-of-somebody-who-leaves", in: store)
    let (other, _) = try Self.device("phone-that-stays", in: store)
    try store.begin()
    let rows = (0..<200).map { Self.row($0) }
    _ = try store.insert([RowBatch(rows: rows, device: device, venue: venue)])
    _ = try store.insert(Array(rows.prefix(1)), device: other, venue: venue)
    try store.commit()
    let key = try #require(try store.keys(of: [device])[device]).withUnsafeBytes { Array($0) }
    let hex = try server.sql("SELECT encode(sealed, 'hex') FROM cordon.device_key WHERE device = \(device)", at: url)
    let wrapped = stride(from: 0, to: hex.count, by: 2).compactMap { place -> UInt8? in
      let start = hex.index(hex.startIndex, offsetBy: place)
      return UInt8(hex[start..<hex.index(start, offsetBy: 2)], radix: 16)
    }
    try server.sql("CHECKPOINT", at: url)
    let copied = try server.run(
      "pg_basebackup", ["-D", server.folder + "/backup", "-h", server.folder, "-U", "cordon", "-X", "fetch"])
    #expect(copied.status == 0, "\(copied.errors)")
    let row = rows[0]
    let places = [
      withUnsafeBytes(of: (row.longitude.littleEndian, row.latitude.littleEndian)) { Array($0) },
      withUnsafeBytes(of: (row.longitude.bigEndian, row.latitude.bigEndian)) { Array($0) }, Array("85417391".utf8), key,
    ]
    for bytes in places { #expect(Self.files(of: server.folder, with: bytes) == 0) }
    #expect(Self.files(of: server.folder, with: wrapped) > 1, "in the table and in the backup")
    try store.begin()
    #expect(try store.erase(device: device) == 200)
    try store.commit()
    #expect(try server.sql("SELECT count(*) FROM cordon.vacuum_due", at: url) == "1")
    try store.vacuumErased()
    #expect(try server.sql("SELECT count(*) FROM cordon.vacuum_due", at: url) == "0")
    store.disconnect()
    for statement in ["CHECKPOINT", "SELECT pg_switch_wal()", "CHECKPOINT"] { try server.sql(statement, at: url) }
    for bytes in places { #expect(Self.files(of: server.folder, with: bytes) == 0) }
    for bytes in [wrapped, Array("phone-of-somebody-who-leaves".utf8)] {
      #expect(Self.files(of: server.folder, with: bytes, except: "backup") == 0)
    }
    // The backup holds the key of the device still, under the sealing key of that time.
    #expect(Self.files(of: server.folder + "/backup", with: wrapped) > 0)
    let new = SealingKeys([.init(id: "k2", secret: [UInt8](repeating: 2, count: 32))])
    var options = PostgresPositionStore.Options()
    options.sealing = SealingKeys(new.keys + Self.keys(1).keys)
    options.isResealing = true
    let resealing = PostgresPositionStore(try PostgresAddress(url), options: options)
    #expect(try resealing.resealKeys() == 1)
    #expect(try Self.store(url, new).positions(of: other, after: nil, limit: 9).map(\.longitude) == [row.longitude])
    #expect(throws: StoreFault.self) { try new.open(wrapped, under: "k1", of: device) }
    #expect(throws: StoreFault.self) { try Self.store(url).connect() }
  }

  /// Keys are not changed under a server that runs.
  @Test func keysAreNotResealedUnderAServer() throws {
    let database = try Database()
    let running = try Self.store(database.url, server: "one")
    try running.tend()
    let fault = #expect(throws: StoreFault.self) { try Self.store(database.url).resealKeys() }
    #expect(fault?.kind == .busy)
    running.leave()
    #expect(try Self.store(database.url).resealKeys() == 0)
  }
}
