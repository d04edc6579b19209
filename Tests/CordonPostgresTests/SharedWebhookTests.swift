import CordonCore
import CordonIngest
import CordonStoreConformance
import CordonTestSupport
import Testing

@testable import CordonPostgres

/// The queue of webhooks that servers on one database share.
@Suite(.enabled(if: PostgresServer.isAvailable, "PostgreSQL is not installed"))
struct SharedWebhookTests {
  private let database: Database
  private let now = Instant.testStart

  init() throws {
    database = try Database()
    try database.store().connect()
  }

  private func queue(_ name: String) throws -> PostgresWebhookQueue {
    PostgresWebhookQueue(try PostgresAddress(database.url), server: name)
  }

  private func event(_ id: String, mark: String? = nil) -> QueuedEvent {
    QueuedEvent(id: id, kind: "k", body: Array(id.utf8), mark: mark)
  }

  @Test(arguments: UInt64(1)...4)
  func aDatabaseAnswersAlike(_ seed: UInt64) throws {
    var comparison = WebhookComparison(try queue("one"), seed: seed)
    comparison.run()
    #expect(comparison.differences.isEmpty, "\(comparison.differences.prefix(3))")
  }

  /// A task has one server at a time: until that one stops, or dies and its claim ends.
  @Test func aTaskHasOneServer() throws {
    let one = try queue("one")
    #expect(try one.claim("a") && one.claim("a"))
    #expect(try !queue("other").claim("a"))
    #expect(try queue("other").claim("b"))
    // A server that starts again under its name, or asks again after half of the time, goes on.
    #expect(try queue("one").claim("a"))
    let length = "SELECT until > clock_timestamp() + interval '50 seconds' FROM webhook_claim WHERE task = 'a'"
    #expect(try database.sql(length) == "t")
    // It dies. A minute later its tasks are free.
    try database.sql("UPDATE webhook_claim SET until = clock_timestamp() WHERE task = 'a'")
    let other = try queue("other")
    #expect(try other.claim("a"))
    #expect(try !queue("one").claim("a"))
    // A server that stops gives its tasks up at once, and only its own.
    #expect(try queue("one").claim("c"))
    other.leave()
    #expect(try database.sql("SELECT string_agg(task, ' ') FROM webhook_claim") == "c")
    #expect(try queue("one").claim("a"))
    #expect(try other.claim("b"), "a server that left may come back")
  }

  /// While a claim lasts the database is not asked, neither by the server that has it nor by another one.
  @Test func claimsAreNotAskedForAllTheTime() throws {
    let (one, other) = (try queue("one"), try queue("other"))
    #expect(try one.claim("a"))
    #expect(try !other.claim("a"))
    try database.sql("DELETE FROM webhook_claim")
    #expect(try one.claim("a") && !other.claim("a"))
    #expect(try database.sql("SELECT count(*) FROM webhook_claim") == "0")
  }

  /// Two servers that make the same event queue it once, and both see the same attempts, pauses and dead letters.
  @Test func serversAgree() throws {
    let (one, other) = (try queue("one"), try queue("other"))
    for (queue, id) in [(one, "of one"), (other, "of other")] {
      try queue.add(
        [event(id, mark: "bin/hall")], to: ["x", "y"], marks: [WebhookMark("bin/hall", former: nil, value: 9)], now: now
      )
    }
    let due = try other.due(for: "x", now: now, limit: 9)
    #expect(due.map(\.id) == ["of one"])
    #expect(due.allSatisfy { $0.number >= PostgresWebhooks.firstNumber }, "a number of a file")
    try one.delay(due[0].number, until: now + .minutes(1), reason: "status 500")
    try one.set(WebhookPause(failures: 3, until: now + .minutes(2)), of: "x")
    #expect(try other.due(for: "x", now: now, limit: 9).isEmpty)
    #expect(try other.due(for: "x", now: now + .minutes(1), limit: 9).map(\.attempts) == [1])
    #expect(try other.pause(of: "x") == WebhookPause(failures: 3, until: now + .minutes(2)))
    try other.bury(due[0].number, reason: "status 410", now: now)
    #expect(try one.deadLetters(after: 0, limit: 9).map(\.reason) == ["status 410"])
  }

  /// Of two servers that set the same mark at the same moment the second one waits for the first.
  @Test func marksAreSetOneAfterTheOther() throws {
    let one = try queue("one")
    for former in [nil, 1] as [Int64?] {
      try one.add(
        [event("a", mark: "m")], to: ["x"], marks: [WebhookMark("m", former: former, value: (former ?? 0) + 1)],
        now: now)
    }
    #expect(try one.mark("m") == 2)
    let change = "SET lock_timeout = '50ms'; UPDATE webhook_mark SET value = 3 WHERE name = 'm' AND value = 2"
    let connection = try PostgresConnection(try PostgresAddress(database.url), patience: .seconds(15))
    try connection.script("SET search_path = cordon")
    try connection.begin()
    try connection.run("UPDATE webhook_mark SET value = 3 WHERE name = $1", [.text("m")])
    #expect(throws: PostgresServer.Failure.self) { try database.sql(change) }
    try connection.commit()
    try one.add([event("b", mark: "m")], to: ["x"], marks: [WebhookMark("m", former: 2, value: 3)], now: now)
    #expect(try one.due(for: "x", now: now, limit: 9).map(\.id) == ["a", "a"])
  }

  /// While settings change, one server names a receiver that another one names no longer: its messages wait.
  @Test func aReceiverThatAServerNamesKeepsItsMessages() throws {
    let (one, other) = (try queue("one"), try queue("other"))
    try one.buryOthers(than: ["x", "y"], now: now)
    try one.add([event("a")], to: ["x", "y"], marks: [], now: now)
    try other.buryOthers(than: ["x"], now: now)
    #expect(try other.counts().dead == 0 && other.counts().waiting == 2)
    try database.sql("UPDATE webhook_receiver SET named = named - interval '4 hours'")
    try other.buryOthers(than: ["x"], now: now)
    #expect(try other.deadLetters(after: 0, limit: 9).map(\.receiver) == ["y"])
    #expect(try other.deadLetters(after: 0, limit: 9).map(\.reason) == [WebhookDelivery.noReceiver])
  }

  /// An erasure at any server removes the messages that name the device.
  @Test func messagesAreErasedWithTheirDevice() throws {
    let server = try TestServer("server", database, now: .testStart)
    let (one, other) = (try queue("one"), try queue("other"))
    try server.ingest.add(WebhookErasure(other), now: .testStart)
    let secret = try server.activate("phone")
    for name in ["phone", "other-phone"] {
      var named = event(name)
      named.device = DeviceID(name)
      try one.add([named, event("none")], to: ["x"], marks: [], now: now)
    }
    #expect(try server.send("DELETE", "/v1/devices/phone", #"{"secret": "\#(secret)"}"#).status == 200)
    #expect(try one.due(for: "x", now: now, limit: 9).map(\.id) == ["none", "other-phone", "none"])
    // Without the database the erasure fails, and is made again.
    let gone = PostgresWebhookQueue(try PostgresAddress("postgresql:///x?host=/nowhere"), server: "gone")
    try server.ingest.add(WebhookErasure(gone), now: .testStart)
    let second = try server.activate("second")
    #expect(try server.send("DELETE", "/v1/devices/second", #"{"secret": "\#(second)"}"#).status == 503)
    #expect(try database.sql("SELECT id FROM device") == "second")
  }

  /// Before the server has made its tables there is nothing to read.
  @Test func missingTablesAreAFault() throws {
    let queue = PostgresWebhookQueue(try PostgresAddress(try Database().url), server: "one")
    #expect(throws: WebhookQueueFault.self) { try queue.counts() }
  }
}
