import CordonCore
import CordonIngest
import CordonSQLite
import CordonStoreConformance
import CordonTestSupport
import Foundation
import Testing

/// The same behaviour of the queue in memory and in a file.
@Suite("The queue of webhooks")
struct WebhookQueueTests {
  private let scratch: TemporaryFolder
  private let now = Instant.testStart

  init() throws { scratch = try TemporaryFolder() }

  private func queue(_ isFile: Bool) throws -> any WebhookQueue {
    isFile ? try SQLiteWebhookQueue(path: scratch.path("webhooks.sqlite")) : MemoryWebhookQueue()
  }

  private func event(_ id: String) -> QueuedEvent {
    QueuedEvent(id: id, kind: "cordon.webhook.test", body: Array(id.utf8))
  }

  @Test(arguments: [false, true])
  func messagesWaitUntilTheyAreTaken(isFile: Bool) throws {
    let queue = try queue(isFile)
    try queue.add(
      [event("a"), event("b")], to: ["x", "y"], marks: [WebhookMark("m", former: nil, value: 5)], now: now)
    #expect(try queue.mark("m") == 5 && queue.mark("n") == nil)
    let due = try queue.due(for: "x", now: now, limit: 10)
    #expect(due.map(\.id) == ["a", "b"] && due[0].body == Array("a".utf8) && due[0].attempts == 0)
    #expect(due[0].created == now && due[0].receiver == "x" && due[0].kind == "cordon.webhook.test")
    #expect(try queue.due(for: "x", now: now, limit: 1).map(\.id) == ["a"])
    #expect(try queue.due(for: "x", now: now - .seconds(1), limit: 10).isEmpty)
    try queue.complete(due[0].number)
    try queue.delay(due[1].number, until: now + .minutes(1), reason: "status 500")
    #expect(try queue.due(for: "x", now: now, limit: 10).isEmpty)
    let later = try queue.due(for: "x", now: now + .minutes(1), limit: 10)
    #expect(later.map(\.id) == ["b"] && later[0].attempts == 1 && later[0].reason == "status 500")
    #expect(try queue.due(for: "y", now: now, limit: 10).count == 2)
    let counts = try queue.counts()
    #expect(counts.waiting == 3 && counts.dead == 0)
  }

  @Test(arguments: [false, true])
  func deadLettersAreListedSentAgainAndDeleted(isFile: Bool) throws {
    let queue = try queue(isFile)
    try queue.add([event("a"), event("b"), event("c")], to: ["x"], marks: [], now: now)
    let due = try queue.due(for: "x", now: now, limit: 10)
    for delivery in due { try queue.bury(delivery.number, reason: "status 410", now: now) }
    #expect(try queue.due(for: "x", now: now + .days(1), limit: 10).isEmpty)
    let dead = try queue.deadLetters(after: 0, limit: 10)
    #expect(dead.map(\.id) == ["a", "b", "c"] && dead[0].reason == "status 410")
    #expect(try queue.deadLetters(after: dead[0].number, limit: 1).map(\.id) == ["b"])
    #expect(try queue.resend([dead[1].number, 999], now: now + .hours(1)) == 1)
    let again = try queue.due(for: "x", now: now + .hours(1), limit: 10)
    #expect(again.map(\.id) == ["b"] && again[0].created == now + .hours(1) && again[0].attempts == 0)
    #expect(try queue.resend([again[0].number], now: now) == 0, "a waiting message was counted")
    try queue.expire(before: now)
    #expect(try queue.counts().dead == 2)
    #expect(try queue.resend(nil, now: now) == 2)
    try queue.bury(dead[0].number, reason: "r", now: now)
    try queue.expire(before: now + .milliseconds(1))
    let counts = try queue.counts()
    #expect(counts.waiting == 2 && counts.dead == 0)
  }

  @Test(arguments: [false, true])
  func messagesForFormerReceiversAreDeadLetters(isFile: Bool) throws {
    let queue = try queue(isFile)
    try queue.add([event("a")], to: ["x", "y", "z"], marks: [], now: now)
    try queue.buryOthers(than: ["y", "q"], now: now)
    #expect(try queue.deadLetters(after: 0, limit: 10).map(\.receiver) == ["x", "z"])
    try queue.buryOthers(than: [], now: now)
    #expect(try queue.counts().waiting == 0)
  }

  @Test(arguments: [false, true])
  func theOldestMessagesBeyondTheLimitAreDeadLetters(isFile: Bool) throws {
    let queue = try queue(isFile)
    let many = (0..<WebhookLimits.maximumWaiting).map { event("\($0)") }
    try queue.add(many, to: ["x"], marks: [], now: now)
    #expect(try queue.counts().dead == 0)
    try queue.add([event("new"), event("newer")], to: ["x"], marks: [], now: now)
    let counts = try queue.counts()
    #expect(counts.waiting == WebhookLimits.maximumWaiting && counts.dead == 2)
    #expect(try queue.deadLetters(after: 0, limit: 5).map(\.id) == ["0", "1"])
  }

  /// Queued messages are on the disk.
  @Test func aFileKeepsMessagesAndMarks() throws {
    do {
      let queue = try queue(true)
      try queue.add([event("a")], to: ["x"], marks: [WebhookMark("m", former: nil, value: 7)], now: now)
    }
    let queue = try queue(true)
    #expect(try queue.due(for: "x", now: now, limit: 10).map(\.id) == ["a"])
    #expect(try queue.mark("m") == 7)
  }

  /// The file answers as the queue in memory does.
  @Test(arguments: UInt64(1)...4)
  func aFileAnswersAlike(_ seed: UInt64) throws {
    var comparison = WebhookComparison(try queue(true), seed: seed)
    comparison.run()
    #expect(comparison.differences.isEmpty, "\(comparison.differences.prefix(3))")
  }

  /// An event is queued with its mark: where the mark has changed, the event is there already.
  @Test(arguments: [false, true])
  func marksKeepEventsFromBeingMadeTwice(isFile: Bool) throws {
    let queue = try queue(isFile)
    func add(_ id: String, former: Int64?, value: Int64) throws -> [String] {
      var marked = event(id)
      marked.mark = "bin/hall"
      try queue.add(
        [marked, event(id + "-own")], to: ["x"], marks: [WebhookMark("bin/hall", former: former, value: value)],
        now: now)
      return try queue.due(for: "x", now: now, limit: 99).map(\.id)
    }
    #expect(try add("a", former: nil, value: 1) == ["a", "a-own"])
    #expect(try add("b", former: nil, value: 1) == ["a", "a-own", "b-own"])
    #expect(try add("c", former: 1, value: 2).contains("c"))
    #expect(try !add("d", former: 1, value: 3).contains("d"))
    #expect(try queue.mark("bin/hall") == 2)
  }

  /// Nothing of an erased device stays, and of a former holder nothing of their time.
  @Test(arguments: [false, true])
  func messagesAreErasedWithTheirDevice(isFile: Bool) throws {
    let queue = try queue(isFile)
    let device = try #require(DeviceID("phone-of-ada"))
    for (index, id) in ["old", "new"].enumerated() {
      var named = event(id)
      named.device = device
      named.body = Array(#"{"data":{"device":"phone-of-ada"}}"#.utf8)
      try queue.add([named, event(id + "-other")], to: ["x", "y"], marks: [], now: now + .hours(Int64(index)))
    }
    let dead = try queue.due(for: "y", now: now + .days(1), limit: 9)
    for delivery in dead { try queue.bury(delivery.number, reason: "r", now: now) }
    let erasure = WebhookErasure(queue)
    try erasure.forget(device, .holders(before: now + .hours(1)), at: now)
    #expect(try queue.due(for: "x", now: now + .days(1), limit: 9).map(\.id) == ["old-other", "new", "new-other"])
    try erasure.forget(device, .device, at: now)
    #expect(try queue.due(for: "x", now: now + .days(1), limit: 9).map(\.id) == ["old-other", "new-other"])
    #expect(try queue.deadLetters(after: 0, limit: 9).map(\.id) == ["old-other", "new-other"])
    guard isFile else { return }
    for suffix in ["", "-wal"] {
      let bytes = try Data(contentsOf: URL(fileURLWithPath: scratch.path("webhooks.sqlite") + suffix))
      #expect(bytes.range(of: Data("phone-of-ada".utf8)) == nil, "the file\(suffix) has the name")
    }
  }

  /// A file of the version before has messages that name devices; they are found as well.
  @Test func aFormerFileKnowsItsDevices() throws {
    let path = scratch.path("webhooks.sqlite")
    do {
      let connection = try Connection(path: path, mode: .create, timeout: 1_000)
      try Migrations(Array(SQLiteWebhookQueue.versions.versions.prefix(1))).apply(to: connection)
      for (kind, body) in [
        ("cordon.devices.silent", #"{"data":{"device":"phone-of-ada"}}"#), ("cordon.devices.silent", "no JSON"),
        ("cordon.devices.silent", #"{"data":{"devices":5}}"#), ("cordon.server.started", "{}"),
      ] {
        try connection.execute(
          """
          INSERT INTO delivery (receiver, id, kind, created, next, body)
          VALUES ('x', 'i', '\(kind)', 0, 0, CAST('\(body)' AS BLOB))
          """)
      }
    }
    let queue = try queue(true)
    #expect(try queue.due(for: "x", now: now, limit: 9).count == 4)
    try queue.forget(try #require(DeviceID("phone-of-ada")), before: nil)
    #expect(try queue.due(for: "x", now: now, limit: 9).map(\.number) == [2, 3, 4])
  }

  @Test func aFileThatIsNoQueueIsAFault() throws {
    try Data(repeating: 0x41, count: 5_000).write(to: URL(fileURLWithPath: scratch.path("webhooks.sqlite")))
    #expect(throws: WebhookQueueFault.self) { try queue(true) }
  }
}
