import CordonCore
import CordonIngest
import CordonPostgres
import CordonTestSupport
import CordonWire
import Testing

/// Rows that come to a server without the lease of their venue, and leases that follow the rows.
@Suite(.enabled(if: PostgresServer.isAvailable, "PostgreSQL is not installed"))
struct HandOverTests {
  private static let stored = [RowStatus](repeating: .stored, count: 20)

  private func expectContactsOfScratch(_ database: Database, minimum: Int) throws {
    #expect(try database.sql("SELECT count(*) FROM unsettled") == "0")
    let report = try ContactCheck.run(
      try database.store(isReadOnly: true), settings: IngestSettings(), catalog: VenueCatalog())
    #expect(report.found >= minimum)
    #expect(report.different == 0)
  }

  /// Six phones send to either server at random, some of them late and in no order; contacts are those of a computation from scratch,
  /// whether the holder has the venue in memory or not.
  @Test(arguments: UInt64(1)...3)
  func rowsMayComeToAnyServer(_ seed: UInt64) throws {
    let database = try Database()
    let servers = try ["one", "other"].map { try TestServer($0, database, now: .testStart) }
    for server in servers { server.tick() }
    let phones = try (0..<6).map { ("phone-\($0)", try servers[$0 % 2].phone("phone-\($0)")) }
    for server in servers { server.tick() }
    var random = RandomStream(seed: seed, stream: 1)
    for round in Int64(0)..<30 {
      let time = Instant.testStart + .seconds(60 + 20 * round)
      for server in servers { server.now = time }
      for _ in 0..<3 {
        let (name, bearer) = phones[random.nextIndex(below: phones.count)]
        // One in four is older than what is in memory, or reaches into it.
        let age = random.nextIndex(below: 4) == 0 ? Int64(3_300 + 20 * random.nextIndex(below: 40)) : 0
        let server = servers[random.nextIndex(below: 2)]
        let answer = try server.post(name, at: time - .seconds(age), east: Double(random.nextIndex(below: 3)), bearer)
        #expect(answer.status == 207)
      }
      // A hint has come, or the second is over, or neither.
      switch random.nextIndex(below: 3) {
      case 0: while servers[0].ingest.settleHinted(now: time) {}
      case 1: for server in servers { server.tick() }
      default: break
      }
    }
    for server in servers { server.tick() }
    try expectContactsOfScratch(database, minimum: 10)
  }

  /// The lease of a venue whose rows come to another server for half a minute moves there, once.
  @Test func aLeaseFollowsTheRows() throws {
    let database = try Database()
    let (one, other) = (
      try TestServer("one", database, now: .testStart), try TestServer("other", database, now: .testStart)
    )
    let (first, second) = (try one.phone("first"), try other.phone("second"))
    for server in [one, other] { server.tick() }
    let owner = "SELECT owner || ' ' || epoch FROM lease"
    #expect(try database.sql(owner) == "one 1")
    for step in Int64(1)...12 {
      let time = Instant.testStart + .seconds(20 * step)
      for server in [one, other] { server.now = time }
      for (name, bearer) in [("first", first), ("second", second)] {
        #expect(try other.post(name, at: time, bearer).rows == Self.stored)
      }
      for server in [one, other] { server.tick() }
      #expect(try database.sql(owner) == (step < 4 ? "one 1" : "other 2"), "step \(step)")
    }
    try expectContactsOfScratch(database, minimum: 1)
    // Rows that are spread over the servers move nothing.
    for step in Int64(13)...18 {
      let time = Instant.testStart + .seconds(20 * step)
      for server in [one, other] { server.now = time }
      #expect(try one.post("first", at: time, first).rows == Self.stored)
      #expect(try other.post("second", at: time, second).rows == Self.stored)
      for server in [one, other] { server.tick() }
    }
    #expect(try database.sql(owner) == "other 2")
    for server in [one, other] { server.tick() }
    try expectContactsOfScratch(database, minimum: 1)
  }
}
