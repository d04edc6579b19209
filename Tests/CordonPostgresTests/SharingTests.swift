import CordonContacts
import CordonCore
import CordonIngest
import CordonTestSupport
import Testing

@testable import CordonPostgres

/// Servers on one database agree on who finds the contacts of a venue, and on quotas.
@Suite(.enabled(if: PostgresServer.isAvailable, "PostgreSQL is not installed"))
struct SharingTests {
  private static let origin = Coordinate(longitude: 8, latitude: 47)

  private func server(_ name: String, _ database: Database) throws -> PostgresPositionStore {
    var options = PostgresPositionStore.Options()
    options.server = name
    options.standstill = .patientForTests
    return PostgresPositionStore(try PostgresAddress(database.url), options: options)
  }

  private func pair() throws -> (Database, one: PostgresPositionStore, other: PostgresPositionStore, venue: Int64) {
    let database = try Database()
    let (one, other) = (try server("one", database), try server("other", database))
    let venue = try one.number(of: try #require(VenueID("hall")), origin: Self.origin)
    return (database, one, other, venue)
  }

  @Test func aVenueHasOneServer() throws {
    let (database, one, other, venue) = try pair()
    #expect(try one.lease(of: venue) == nil)
    try one.tend()
    try other.tend()
    #expect(try one.lease(of: venue) == VenueLease(epoch: 1, revision: 0))
    #expect(try other.lease(of: venue) == nil)
    #expect(one.isMaintainer)
    #expect(!other.isMaintainer)
    // The holder's process ends: the next call of the other one takes what it held.
    let process = try #require(one.process)
    try database.sql("SELECT pg_terminate_backend(\(process), 5000)")
    try other.tend()
    #expect(try other.lease(of: venue) == VenueLease(epoch: 2, revision: 0))
    #expect(other.isMaintainer)
    #expect(throws: StoreFault.self) { try one.tend() }
    try one.tend()
    #expect(try one.lease(of: venue) == nil)
    #expect(!one.isMaintainer)
  }

  /// A lease that is given back goes to another server, and comes back only after a while.
  @Test func aLeaseCanBeGivenBack() throws {
    let (database, one, other, venue) = try pair()
    let annex = try one.number(of: try #require(VenueID("annex")), origin: Self.origin)
    try one.tend()
    try one.giveBack(venue)
    #expect(try one.lease(of: venue) == nil)
    #expect(try one.lease(of: annex) == VenueLease(epoch: 1, revision: 0), "the other one stays")
    // The server that gave it back is not the one that takes it.
    try one.tend()
    #expect(try one.lease(of: venue) == nil)
    try other.markUnsettled(venue: venue, device: 1, span: 0...1)
    try other.tend()
    #expect(try other.lease(of: venue) == VenueLease(epoch: 2, revision: 0))
    try one.giveBack(venue)
    try one.tend()
    #expect(try database.sql("SELECT owner || ' ' || epoch FROM lease ORDER BY venue") == "other 2\none 1")
  }

  /// A lease that is given back goes to a server that gets rows of the venue, also when one without rows asks first.
  @Test func aLeaseGoesToAServerWithRows() throws {
    let (database, one, other, venue) = try pair()
    let idle = try server("idle", database)
    try one.tend()
    try other.markUnsettled(venue: venue, device: 1, span: 0...1)
    try one.giveBack(venue)
    try idle.tend()
    #expect(try idle.lease(of: venue) == nil)
    try other.tend()
    #expect(try other.lease(of: venue) == VenueLease(epoch: 2, revision: 0))
    // Without a server that wants it any server takes it after five seconds.
    try other.giveBack(venue)
    try idle.tend()
    #expect(try idle.lease(of: venue) == nil)
    try database.sql("UPDATE lease SET given_back = given_back - interval '5 seconds'")
    try idle.tend()
    #expect(try idle.lease(of: venue) == VenueLease(epoch: 3, revision: 0))
    #expect(try database.sql("SELECT count(*) FROM lease WHERE given_back IS NOT NULL") == "0")
    // A lease whose holder died is taken at once.
    let process = try #require(idle.process)
    try database.sql("SELECT pg_terminate_backend(\(process), 5000)")
    try server("fourth", database).tend()
    #expect(try database.sql("SELECT owner FROM lease") == "fourth")
  }

  /// A server that has not noticed that it lost a lease changes no contact.
  /// - Parameter isUsed: whether the transaction before needed the lease, so that the next one confirms it at its start.
  @Test(arguments: [false, true]) func aLostLeaseIsNoticedByItsEpoch(isUsed: Bool) throws {
    let (database, one, _, venue) = try pair()
    try one.tend()
    #expect(try one.lease(of: venue) != nil)
    if isUsed {
      for _ in 0..<2 {
        try one.begin()
        #expect(try one.lease(of: venue) == VenueLease(epoch: 1, revision: 0))
        try one.commit()
      }
    }
    try database.sql("UPDATE lease SET owner = 'other', epoch = epoch + 1")
    try one.begin()
    #expect(try one.lease(of: venue) == nil)
    try one.commit()
  }

  /// Within a transaction that relies on it a lease is not taken.
  @Test func aLeaseHoldsUntilTheTransactionEnds() throws {
    let (database, one, _, venue) = try pair()
    try one.tend()
    try one.begin()
    #expect(try one.lease(of: venue) != nil)
    let takeover = "SET lock_timeout = '50ms'; UPDATE lease SET owner = 'other', epoch = epoch + 1"
    #expect(throws: PostgresServer.Failure.self) { try database.sql(takeover) }
    try one.commit()
    try database.sql(takeover)
  }

  /// After an erasure by another server nothing of the person is left in memory: the lease is another one.
  @Test func anErasureReachesTheHolder() throws {
    let (database, one, other, venue) = try pair()
    var device = StoredDevice(
      id: try #require(DeviceID("phone")), kind: .secret, venue: try #require(VenueID("hall")), type: "",
      created: .testStart)
    device.number = try other.save(device)
    let time = UInt64(Instant.testStart.milliseconds)
    let row = NewPosition(
      id: FixID(high: time << 16 | 0x7000, low: 0x8000_0000_0000_0000), longitude: 1, latitude: 2, accuracy: 3,
      venueHash: "h")
    _ = try other.insert([row], device: device.number, venue: venue)
    try one.tend()
    try one.begin()
    let before = try one.lease(of: venue)
    // While the holder's transaction goes on an erasure waits, so that its contacts are erased as well.
    #expect(throws: PostgresServer.Failure.self) {
      try database.sql("SET lock_timeout = '50ms'; UPDATE erasure SET number = number + 1")
    }
    try one.commit()
    #expect(try other.erase(device: device.number) == 1)
    try one.begin()
    let after = try one.lease(of: venue)
    try one.commit()
    #expect(before?.epoch == after?.epoch)
    #expect(before?.revision != after?.revision)
  }

  @Test func quotasAreCountedTogether() throws {
    let (_, one, other, _) = try pair()
    #expect(try one.count(30, of: 1, hour: 7, limit: 50))
    #expect(try !other.count(30, of: 1, hour: 7, limit: 50))
    #expect(try other.count(20, of: 1, hour: 7, limit: 50))
    #expect(try other.count(30, of: 1, hour: 8, limit: 50))
    #expect(try !other.count(51, of: 2, hour: 8, limit: 50))
    try one.begin()
    #expect(try one.count(30, of: 3, hour: 8, limit: 50))
    #expect(try !one.count(30, of: 3, hour: 8, limit: 50), "within a transaction")
    one.rollback()
    #expect(try other.count(50, of: 3, hour: 8, limit: 50), "undone with its transaction")
    try one.begin()
    for device in [Int64(5), 4, 5] { #expect(try one.count(15, of: device, hour: 8, limit: 50)) }
    try one.commit()
    #expect(try !other.count(21, of: 5, hour: 8, limit: 50), "written with its transaction")
    #expect(try other.count(20, of: 5, hour: 8, limit: 50))
    #expect(try other.count(35, of: 4, hour: 8, limit: 50))
  }

  /// Requests that read, decide and write are handled one after the other; a connection that ends meanwhile ends the request.
  @Test func requestsAreHandledAlone() throws {
    let (database, one, _, _) = try pair()
    let attempt = "SELECT pg_try_advisory_lock(\(PostgresPositionStore.AdvisoryLock.alone))"
    one.beginAlone()
    #expect(try database.sql(attempt) == "f")
    let process = try #require(one.process)
    try database.sql("SELECT pg_terminate_backend(\(process), 5000)")
    for _ in 0..<2 { #expect(throws: StoreFault.self) { try one.deviceCount() } }
    one.endAlone()
    #expect(try one.deviceCount() == 0)
    one.beginAlone()
    one.endAlone()
    #expect(try database.sql(attempt) == "t")
  }

  /// A device that is checked in a transaction is not erased before its rows are stored.
  @Test func anErasureWaitsForRows() throws {
    let (database, one, _, _) = try pair()
    var device = StoredDevice(
      id: try #require(DeviceID("phone")), kind: .secret, venue: try #require(VenueID("hall")), type: "",
      created: .testStart)
    device.number = try one.save(device)
    try one.begin()
    #expect(try one.device(device.id) == device)
    let erasure = "SET lock_timeout = '50ms'; SELECT 1 FROM device FOR UPDATE"
    #expect(throws: PostgresServer.Failure.self) { try database.sql(erasure) }
    // Other changes of the device do not wait.
    try database.sql("SET lock_timeout = '50ms'; UPDATE device SET generation = generation + 1")
    try one.commit()
    try database.sql(erasure)
  }
}
