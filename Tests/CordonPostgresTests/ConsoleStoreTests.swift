import CordonCore
import CordonIngest
import CordonOperators
import CordonPostgres
import CordonStoreConformance
import CordonTestSupport
import Testing

/// The stores of the console answer as those in memory and in files do, and all servers see the same.
@Suite(.enabled(if: PostgresServer.isAvailable, "PostgreSQL is not installed"))
struct ConsoleStoreTests {
  @Test(arguments: UInt64(1)...4)
  func casesAndAlertsAnswerAlike(_ seed: UInt64) throws {
    let database = try Database()
    try database.store().connect()
    let address = try PostgresAddress(database.url)
    var comparison = ConsoleComparison(
      cases: PostgresCaseStore(address), alerts: PostgresAlertStore(address), seed: seed)
    comparison.run()
    #expect(comparison.differences.isEmpty, "\(comparison.differences.prefix(3))")
  }

  /// The files must meet the same.
  @Test(arguments: UInt64(1)...4)
  func filesAnswerAlike(_ seed: UInt64) throws {
    let scratch = try TemporaryFolder()
    var comparison = ConsoleComparison(
      cases: try SQLiteCaseStore(path: ":memory:"), alerts: try SQLiteAlertStore(path: scratch.path("alerts.sqlite")),
      seed: seed)
    comparison.run()
    #expect(comparison.differences.isEmpty, "\(comparison.differences.prefix(3))")
  }

  private func history(of store: any SessionStore) throws -> [String] {
    var log: [String] = []
    func session(_ byte: UInt8, _ name: String, _ seconds: Int64) -> OperatorSession {
      OperatorSession(
        tokenHash: [UInt8](repeating: byte, count: 32), operator: name, method: byte % 2 == 0 ? .password : .openID,
        now: .testStart + .seconds(seconds), sealedToken: byte == 1 ? [1, 0, 2] : nil)
    }
    var first = session(0, "op-a", 0)
    first.number = try store.save(first)
    for byte in UInt8(1)...4 { log.append("\(try store.save(session(byte, byte < 3 ? "op-a" : "op-b", Int64(byte))))") }
    first.lastSeen = .testStart + .seconds(50)
    log.append("\(try store.save(first))")
    log.append("\(String(describing: try store.session(first.tokenHash)))")
    log.append("\(try store.sessions(of: "op-a"))")
    log.append("\(try store.removeSession(2)) \(try store.removeSession(2))")
    try store.removeSessions(createdBefore: .testStart, lastSeenBefore: .testStart + .seconds(4))
    log.append("\(try store.sessions(of: "op-a")) \(try store.sessions(of: "op-b"))")
    log.append("\(try [7, 7, 8, 6].map { try store.useCode($0, of: "op-a") })")
    for (index, action) in AccountEvent.Action.allCases.enumerated() {
      try store.save(
        AccountEvent(
          time: .testStart + .seconds(Int64(index)), operator: "op-a", action: action,
          subject: index % 2 == 0 ? nil : "op-b"))
    }
    try store.removeEvents(before: .testStart + .seconds(3))
    log.append("\(try store.events(before: nil, limit: 4)) \(try store.events(before: 7, limit: 100))")
    try store.forget("op-a")
    log.append("\(try store.sessions(of: "op-a")) \(try store.useCode(1, of: "op-a"))")
    return log
  }

  @Test func sessionsAnswerAlike() throws {
    let database = try Database()
    try database.store().connect()
    let found = try history(of: PostgresSessionStore(try PostgresAddress(database.url)))
    let expected = try history(of: SQLiteSessionStore(path: ":memory:"))
    #expect(found == expected)
  }

  /// An operator who signs in at one server is known to another, and a session that ends ends everywhere, also where a server is about
  /// to write it.
  @Test func aSessionIsThatOfAllServers() throws {
    let database = try Database()
    try database.store().connect()
    let address = try PostgresAddress(database.url)
    let (one, other) = (PostgresSessionStore(address), PostgresSessionStore(address))
    var session = OperatorSession(tokenHash: [1], operator: "op", method: .password, now: .testStart)
    session.number = try one.save(session)
    #expect(try other.session([1]) == session)
    #expect(try one.removeSession(session.number))
    session.lastSeen = .testStart + .seconds(60)
    _ = try other.save(session)
    #expect(try other.session([1]) == nil)
  }

  /// Before the server has made its tables there is nothing to read; it is not a failure of the program.
  @Test func missingTablesAreUnavailable() throws {
    let cases = PostgresCaseStore(try PostgresAddress(try Database().url))
    let fault = #expect(throws: StoreFault.self) { try cases.record(1) }
    #expect(fault?.kind == .unavailable)
  }
}
