import CordonCore
import CordonIngest
import CordonTestSupport
import Testing

@testable import CordonPostgres

@Suite struct PostgresAddressTests {
  @Test func addressesAreURLs() throws {
    let here = try PostgresAddress("postgresql://cordon@/cordon?host=/run/postgresql")
    #expect(here.isEncrypted)
    #expect(here.parameters.contains(.init(name: "dbname", value: "cordon")))
    #expect(here.parameters.contains(.init(name: "connect_timeout", value: "3")))
    let far = try PostgresAddress("postgres://cordon:secret@db.example/cordon?connect_timeout=9")
    #expect(far.parameters.contains(.init(name: "sslmode", value: "verify-full")))
    #expect(far.parameters.contains(.init(name: "connect_timeout", value: "9")))
    #expect(far.isEncrypted)
    #expect(try !PostgresAddress("postgres://db.example/cordon?sslmode=prefer").isEncrypted)
  }

  /// Nothing of a refused text is repeated: it may hold a password.
  @Test(arguments: [
    "", "host=db", "mysql://secret@db", "postgresql://a:secret@db/x?colour=red", "postgresql://a:secret@[::1",
  ])
  func othersAreRefused(_ text: String) {
    let error = #expect(throws: PostgresAddress.Unreadable.self) { try PostgresAddress(text) }
    #expect(error?.description.contains("secret") == false)
  }
}

@Suite struct ReconnectionTests {
  /// The pauses double up to a limit, and end with a success.
  @Test func attemptsAreSpacedOut() throws {
    let clock = ManualClock()
    var reconnection = Reconnection(now: { clock.now })
    try reconnection.begin()
    #expect(throws: StoreFault.self) { try reconnection.begin() }
    var pauses: [Duration] = []
    for _ in 0..<8 {
      var pause = Duration.zero
      while true {
        do {
          try reconnection.begin()
          break
        } catch {
          clock.advance(.milliseconds(50))
          pause += .milliseconds(50)
        }
      }
      pauses.append(pause)
    }
    #expect(pauses.prefix(3) == [.milliseconds(100), .milliseconds(200), .milliseconds(400)])
    #expect(pauses.last == Reconnection.longest)
    reconnection.succeed()
    try reconnection.begin()
  }

  /// `@unchecked Sendable` holds because one test uses it in one thread.
  private final class ManualClock: @unchecked Sendable {
    private(set) var now = ContinuousClock.now
    func advance(_ duration: Duration) { now = now.advanced(by: duration) }
  }
}

@Suite(.enabled(if: PostgresServer.isAvailable, "PostgreSQL is not installed"))
struct PostgresFaultTests {
  private static func kind(_ body: () throws -> Void) -> StoreFault.Kind? {
    do {
      try body()
      return nil
    } catch {
      return (error as? StoreFault)?.kind
    }
  }

  @Test func aMissingDatabaseIsUnavailable() throws {
    let folder = try TemporaryFolder()
    let store = PostgresPositionStore(try PostgresAddress("postgresql:///x?host=\(folder.path)"))
    for _ in 0..<2 { #expect(Self.kind { try store.begin() } == .unavailable) }
    #expect(Self.kind { _ = try store.venues() } == .unavailable)
    store.rollback()
  }

  /// A connection that ends within a transaction ends the transaction; nothing of it is kept, and the next one works.
  @Test func aLostConnectionUndoesItsTransaction() throws {
    let database = try Database()
    let store = try database.store()
    let venue = try #require(VenueID("hall"))
    try store.begin()
    _ = try store.number(of: venue, origin: Coordinate(longitude: 8, latitude: 47))
    let process = try #require(store.process)
    try database.sql("SELECT pg_terminate_backend(\(process), 5000)")
    #expect(Self.kind { _ = try store.deviceCount() } == .unavailable)
    // The rest of the transaction is not written by a new connection.
    #expect(Self.kind { _ = try store.positionCount() } == .unavailable)
    #expect(Self.kind { try store.commit() } == .unavailable)
    store.rollback()
    #expect(try store.venues().isEmpty)
    try store.begin()
    #expect(try store.number(of: venue, origin: Coordinate(longitude: 8, latitude: 47)) == 1)
    try store.commit()
  }

  /// The error of a queued statement is thrown by a later call, and nothing of the transaction is kept.
  @Test func aFailedTransactionIsNotCommitted() throws {
    let database = try Database()
    let store = try database.store()
    try store.begin()
    _ = try store.number(of: try #require(VenueID("hall")), origin: Coordinate(longitude: 8, latitude: 47))
    try store.post("INSERT INTO venue (number) VALUES (1)")
    #expect(Self.kind { try store.commit() } == .failed)
    #expect(Self.kind { try store.commit() } == .failed)
    store.rollback()
    #expect(try store.venues().isEmpty)
    // Statements that were prepared by the failed transaction are prepared again.
    #expect(Self.kind { try store.run("INSERT INTO venue (number) VALUES (1)") } == .failed)
  }

  /// The database ends as with a failure of its machine, and comes back with everything that was committed.
  @Test func committedRowsOutliveTheDatabase() throws {
    let server = try PostgresServer()
    let url = try server.database()
    let store = PostgresPositionStore(try PostgresAddress(url))
    let venue = try #require(VenueID("hall"))
    #expect(try store.number(of: venue, origin: Coordinate(longitude: 8, latitude: 47)) == 1)
    server.kill()
    #expect(Self.kind { try store.begin() } == .unavailable || Self.kind { try store.commit() } == .unavailable)
    store.rollback()
    #expect(Self.kind { _ = try store.venues() } == .unavailable)
    try server.start()
    var found: [VenueID] = []
    while found.isEmpty { found = (try? store.venues().map(\.id)) ?? [] }
    #expect(found == [venue])
  }

  @Test func aQueryIsBrokenOff() throws {
    let store = try Database().store(isReadOnly: true)
    let writer = try Database().store()
    try writer.connect()
    writer.setInterruption { true }
    #expect(Self.kind { try writer.run("SELECT count(*) FROM generate_series(1, 4000000000)") } == .interrupted)
    writer.setInterruption(nil)
    #expect(try writer.deviceCount() == 0)
    // A reader waits for the server that makes the tables.
    #expect(Self.kind { _ = try store.deviceCount() } == .unavailable)
  }

  /// A name with a zero character is stored with another one in its place.
  @Test func textsMayHoldZeroCharacters() throws {
    let store = try Database().store()
    let entry = AuditEntry(
      time: .testStart, operator: "op", role: "admin", action: "look", venue: nil, device: nil, reason: "a\0b")
    try store.save(entry)
    #expect(try store.audit(device: nil, before: nil, limit: 1).map(\.reason) == ["a\u{FFFD}b"])
  }

  /// A mark that is written to while it is worked off stays.
  @Test func lateSpansOfAnotherServerAreNotLost() throws {
    let database = try Database()
    let (one, other) = (try database.store(), try database.store())
    try one.markUnsettled(venue: 1, device: 1, span: 10...20)
    let mark = try #require(try one.lateSpans(limit: 9).first)
    try other.markUnsettled(venue: 1, device: 1, span: 12...15)
    try one.removeLateSpan(mark)
    let later = try #require(try one.lateSpans(limit: 9).first)
    #expect(later.span == mark.span)
    try one.removeLateSpan(later)
    #expect(try one.lateSpans(limit: 9).isEmpty)
  }
}
