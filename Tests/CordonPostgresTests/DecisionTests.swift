import CordonCore
import CordonPostgres
import CordonSupport
import CordonTestSupport
import Testing

@testable import CordonIngest

/// HMAC-SHA-256 without a cryptography library.
struct PlainSigner: TokenSigner {
  func authenticationCode(of message: [UInt8], key: [UInt8]) -> [UInt8] { HMAC.code(of: message, key: key) }
}

/// Decisions are in a log outside the database before they are in the database.
@Suite(.enabled(if: PostgresServer.isAvailable, "PostgreSQL is not installed"))
struct DecisionTests {
  private static let pseudonyms = Pseudonyms(
    signer: PlainSigner(),
    keys: ServerKeys(tokens: [], tombstone: Array("another key of thirty-two bytes!".utf8)))

  private static func log(_ path: String) throws -> DecisionLog {
    try DecisionLog(path: path, pseudonyms: pseudonyms, isNew: true)
  }

  private static func store(_ database: Database, _ log: DecisionLog, _ name: String) throws -> PostgresPositionStore {
    let store = try database.store()
    store.record(in: log, pseudonyms: pseudonyms, name: name)
    return store
  }

  private static func device(_ name: String, in store: PostgresPositionStore) throws -> StoredDevice {
    let venue = try #require(VenueID("hall"))
    try store.begin()
    _ = try store.number(of: venue, origin: Coordinate(longitude: 8, latitude: 47))
    var device = StoredDevice(
      id: try #require(DeviceID(name)), kind: .secret, venue: venue, type: "t", created: .testStart)
    device.number = try store.save(device)
    try store.commit()
    return device
  }

  private static func erase(_ device: StoredDevice, in store: PostgresPositionStore) throws {
    try store.begin()
    let count = try store.erase(device: device.number)
    try store.save(
      Tombstone(hash: pseudonyms.device(device.id), proof: nil, time: .testStart, locations: count))
    try store.commit()
  }

  /// A commit that fails after the decision is in the log is made up for before anything else is written.
  @Test func aDecisionThatWasNotCommittedIsMadeUpFor() throws {
    let database = try Database()
    let scratch = try TemporaryFolder()
    let log = try Self.log(scratch.path("log.sqlite"))
    let store = try Self.store(database, log, "one")
    let device = try Self.device("phone", in: store)
    try database.sql(
      """
      CREATE FUNCTION fail() RETURNS trigger LANGUAGE plpgsql AS $$ BEGIN RAISE EXCEPTION 'no'; END $$;
      CREATE CONSTRAINT TRIGGER fail AFTER INSERT ON tombstone DEFERRABLE INITIALLY DEFERRED
        FOR EACH ROW EXECUTE FUNCTION fail()
      """)
    #expect(throws: StoreFault.self) { try Self.erase(device, in: store) }
    store.rollback()
    #expect(try database.sql("SELECT count(*) FROM device") == "1")
    #expect(throws: StoreFault.self, "the database takes no erasure, so it takes nothing else") { try store.begin() }
    store.rollback()
    try database.sql("DROP TRIGGER fail ON tombstone")
    try store.begin()
    try store.commit()
    #expect(try database.sql("SELECT count(*) FROM device") == "0")
    #expect(try store.tombstone(Self.pseudonyms.device(device.id)) != nil)
    #expect(try store.decided() == log.last)
  }

  /// A database that was brought back to an earlier state, by whatever means, is brought up to date with the log.
  @Test func anEarlierStateComesUpToDate() throws {
    let database = try Database()
    let scratch = try TemporaryFolder()
    let log = try Self.log(scratch.path("log.sqlite"))
    let store = try Self.store(database, log, "one")
    let (gone, kept) = (try Self.device("gone", in: store), try Self.device("kept", in: store))
    try database.sql("CREATE TABLE former AS SELECT * FROM device; CREATE TABLE mark AS SELECT * FROM decision_mark")
    try Self.erase(gone, in: store)
    let consent = StoredConsent(time: .testStart, version: "1", purposes: ["record", "share"], received: .testStart)
    try store.begin()
    try store.save(consent, of: kept.number)
    try store.commit()
    try database.sql(
      """
      DELETE FROM device; INSERT INTO device SELECT * FROM former; DELETE FROM consent; DELETE FROM tombstone;
      DELETE FROM decision_mark; INSERT INTO decision_mark SELECT * FROM mark
      """)
    let again = try Self.store(database, log, "one")
    #expect(try again.device(gone.id) != nil)
    try again.begin()
    try again.commit()
    #expect(try again.device(gone.id) == nil)
    #expect(try again.consents(of: kept.number) == [consent])
    #expect(try again.decided() == log.last)
    // An earlier copy of the log is refused.
    try database.sql("UPDATE decision_mark SET last = last + 1")
    let fault = #expect(throws: StoreFault.self) {
      let third = try Self.store(database, log, "one")
      try third.begin()
    }
    #expect(fault?.kind == .corrupt)
  }

  /// The records of several servers have one order, and each server has the records of its own decisions.
  @Test func numbersAreGivenByTheDatabase() throws {
    let database = try Database()
    let scratch = try TemporaryFolder()
    let logs = (try Self.log(scratch.path("a.sqlite")), try Self.log(scratch.path("b.sqlite")))
    let (one, two) = (try Self.store(database, logs.0, "one"), try Self.store(database, logs.1, "two"))
    _ = try Self.device("a", in: one)
    _ = try Self.device("b", in: two)
    _ = try Self.device("c", in: one)
    #expect(try logs.0.records(after: 0).map(\.number) == [1, 3])
    #expect(try logs.1.records(after: 0).map(\.number) == [2])
    #expect(try database.sql("SELECT log, last FROM decision_mark ORDER BY log") == "one|3\ntwo|2")
  }
}
