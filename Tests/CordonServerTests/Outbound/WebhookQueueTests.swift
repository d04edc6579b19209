import CordonCore
import CordonTestSupport
import Foundation
import Testing

@testable import CordonServer

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
    try queue.add([event("a"), event("b")], to: ["x", "y"], marks: ["m": 5], now: now)
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
    try queue.add([event("a"), event("b"), event("c")], to: ["x"], marks: [:], now: now)
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
    try queue.add([event("a")], to: ["x", "y", "z"], marks: [:], now: now)
    try queue.buryOthers(than: ["y", "q"], now: now)
    #expect(try queue.deadLetters(after: 0, limit: 10).map(\.receiver) == ["x", "z"])
    try queue.buryOthers(than: [], now: now)
    #expect(try queue.counts().waiting == 0)
  }

  @Test(arguments: [false, true])
  func theOldestMessagesBeyondTheLimitAreDeadLetters(isFile: Bool) throws {
    let queue = try queue(isFile)
    let many = (0..<WebhookLimits.maximumWaiting).map { event("\($0)") }
    try queue.add(many, to: ["x"], marks: [:], now: now)
    #expect(try queue.counts().dead == 0)
    try queue.add([event("new"), event("newer")], to: ["x"], marks: [:], now: now)
    let counts = try queue.counts()
    #expect(counts.waiting == WebhookLimits.maximumWaiting && counts.dead == 2)
    #expect(try queue.deadLetters(after: 0, limit: 5).map(\.id) == ["0", "1"])
  }

  /// Queued messages are on the disk.
  @Test func aFileKeepsMessagesAndMarks() throws {
    do {
      let queue = try queue(true)
      try queue.add([event("a")], to: ["x"], marks: ["m": 7], now: now)
    }
    let queue = try queue(true)
    #expect(try queue.due(for: "x", now: now, limit: 10).map(\.id) == ["a"])
    #expect(try queue.mark("m") == 7)
  }

  @Test func aFileThatIsNoQueueIsAFault() throws {
    try Data(repeating: 0x41, count: 5_000).write(to: URL(fileURLWithPath: scratch.path("webhooks.sqlite")))
    #expect(throws: WebhookQueueFault.self) { try queue(true) }
  }
}
