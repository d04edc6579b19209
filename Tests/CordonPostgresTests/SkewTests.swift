import CordonCore
import CordonIngest
import CordonPostgres
import CordonTestSupport
import CordonWire
import Testing

/// Two servers on one database whose clocks differ.
@Suite(.enabled(if: PostgresServer.isAvailable, "PostgreSQL is not installed"))
struct SkewTests {
  /// Clocks that differ by less than a minute: tokens and rows of either server count at the other, and contacts are those of a
  /// computation from scratch.
  @Test func aMinuteIsTolerated() throws {
    let database = try Database()
    let ahead = try TestServer("ahead", database, now: .testStart + .seconds(50))
    let behind = try TestServer("behind", database, now: .testStart)
    // The holder of the lease is the one that is behind.
    for server in [behind, ahead] { while server.ingest.tick(now: server.now) {} }
    let (one, two) = (try ahead.phone("one"), try behind.phone("two"))
    for server in [behind, ahead] { while server.ingest.tick(now: server.now) {} }
    let stored = [RowStatus](repeating: .stored, count: 20)
    #expect(try behind.post("one", at: ahead.now, one).rows == stored)
    #expect(try ahead.post("two", at: ahead.now, two).rows == stored)
    #expect(try behind.post("two", at: behind.now, two).rows.allSatisfy { [.stored, .known].contains($0) })
    for server in [behind, ahead] { while server.ingest.tick(now: server.now) {} }
    #expect(try database.sql("SELECT count(*) FROM unsettled") == "0")
    let report = try ContactCheck.run(
      try database.store(isReadOnly: true), settings: IngestSettings(), catalog: VenueCatalog())
    #expect(report.found > 0)
    #expect(report.different == 0)
  }

  /// A clock that is an hour behind: tokens of the other server are not valid yet, nothing is stored, and the rows stay on the phone;
  /// leases go on as before.
  @Test func anHourIsRefused() throws {
    let database = try Database()
    let right = try TestServer("right", database, now: .testStart)
    let wrong = try TestServer("wrong-by-an-hour", database, now: .testStart - .minutes(60))
    for server in [right, wrong] { while server.ingest.tick(now: server.now) {} }
    let bearer = try right.phone("one")
    #expect(try wrong.post("one", at: right.now, bearer).status == 401)
    #expect(try right.post("one", at: right.now, bearer).rows == [RowStatus](repeating: .stored, count: 20))
    while wrong.ingest.tick(now: wrong.now) {}
    right.store.disconnect()
    while wrong.ingest.tick(now: wrong.now) {}
    #expect(try database.sql("SELECT count(*) FROM position") == "20")
    #expect(try database.sql("SELECT owner FROM lease") == "wrong-by-an-hour")
  }
}
