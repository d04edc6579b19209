import CordonCore
package import CordonIngest
import CordonTestSupport

/// The conformance test of queues of webhooks: two receive the same calls, and must give the same answers.
///
/// One is in memory, which is simple enough to be read. Numbers of messages may differ; messages are compared by their order.
package struct WebhookComparison {
  private let queues: [any WebhookQueue]
  private var random: RandomStream
  private var events = 0
  /// The calls that were answered differently; empty when the queues agree.
  package private(set) var differences: [String] = []

  /// An empty queue that nobody else uses.
  /// - Parameter seed: the seed of the calls.
  package init(_ queue: any WebhookQueue, seed: UInt64) {
    queues = [MemoryWebhookQueue(), queue]
    random = RandomStream(seed: seed, stream: 0x33)
  }

  private static let receivers = ["https://example.org/a", "https://example.org/b", "https://example.org/c"]
  private static let devices = (0..<3).compactMap { DeviceID("phone-\($0)") }
  private static let marks = ["bin/hall", "bin/annex", "alert/1/raised", "silence"]

  private mutating func below(_ bound: Int) -> Int { random.nextIndex(below: bound) }

  private mutating func ask<T>(_ what: String, _ query: (any WebhookQueue) throws -> T) {
    let answers = queues.map { queue in
      do { return String(describing: try query(queue)) } catch { return "\(error)" }
    }
    if answers[0] != answers[1] { differences.append("\(what): \(answers[0]) is not \(answers[1])") }
  }

  /// The contents of messages, without their numbers.
  private static func text(_ list: [WebhookDelivery]) -> [String] {
    list.map { "\($0.receiver) \($0.id) \($0.kind) \($0.created) \($0.attempts) \($0.reason ?? "-") \($0.body)" }
  }

  /// Makes calls at random.
  package mutating func run(steps: Int = 250) {
    var now = Instant.testStart
    for step in 0..<steps {
      now = now + .seconds(Int64(below(60)))
      write(now)
      if step % 5 == 0 { read(now) }
    }
    read(now + .days(30))
  }

  private mutating func write(_ now: Instant) {
    let receiver = Self.receivers[below(3)]
    switch below(9) {
    case 0, 1, 2: add(now)
    case 3:
      let place = below(4)
      ask("complete") { queue in
        let due = try queue.due(for: receiver, now: now, limit: 9)
        if place < due.count { try queue.complete(due[place].number) }
      }
    case 4:
      let (place, wait) = (below(4), TimeSpan.seconds(Int64(below(300))))
      ask("delay") { queue in
        let due = try queue.due(for: receiver, now: now, limit: 9)
        if place < due.count { try queue.delay(due[place].number, until: now + wait, reason: "it's 500") }
      }
    case 5:
      let place = below(4)
      ask("bury") { queue in
        let due = try queue.due(for: receiver, now: now, limit: 9)
        if place < due.count { try queue.bury(due[place].number, reason: "status 410", now: now) }
      }
    case 6:
      let place = below(6)
      ask("resend") { queue in
        let dead = try queue.deadLetters(after: 0, limit: 9)
        // Neither a waiting message nor an unknown number is a dead letter.
        let waiting = try queue.due(for: receiver, now: now, limit: 1).map(\.number)
        return try queue.resend(place == 5 ? nil : dead.dropFirst(place).map(\.number) + waiting + [999_999], now: now)
      }
    case 7:
      let (device, limit) = (Self.devices[below(3)], below(2) == 0 ? nil : now - .minutes(Int64(below(30))))
      ask("forget") { try $0.forget(device, before: limit) }
    default:
      let pause = below(3) == 0 ? nil : WebhookPause(failures: below(9), until: now + .minutes(1))
      ask("pause") { try $0.set(pause, of: receiver) }
      let limit = now - .minutes(Int64(5 + below(60)))
      ask("expire") { try $0.expire(before: limit) }
    }
  }

  private mutating func add(_ now: Instant) {
    var list: [QueuedEvent] = []
    for _ in 0..<below(4) {
      events += 1
      list.append(
        QueuedEvent(
          id: "evt_\(events)", kind: "kind \(below(3))", body: below(5) == 0 ? [] : Array("it's \u{0} \(events)".utf8),
          device: below(3) == 0 ? Self.devices[below(3)] : nil, mark: below(2) == 0 ? Self.marks[below(4)] : nil))
    }
    let value = now.milliseconds
    var names: [String] = []
    for mark in Self.marks where below(2) == 0 { names.append(mark) }
    let outdated = below(4) == 0
    let receivers = Array(Self.receivers.prefix(below(4)))
    ask("add") { queue in
      let marks = try names.map {
        WebhookMark($0, former: try outdated ? 5 : queue.mark($0), value: value)
      }
      try queue.add(list, to: receivers, marks: marks, now: now)
    }
  }

  private mutating func read(_ now: Instant) {
    for receiver in Self.receivers {
      ask("due") { Self.text(try $0.due(for: receiver, now: now, limit: 5)) }
      ask("pause") { try $0.pause(of: receiver) as Any }
    }
    ask("dead") { Self.text(try $0.deadLetters(after: 0, limit: 100)) }
    ask("counts") { try $0.counts() }
    for mark in Self.marks { ask(mark) { try $0.mark(mark) as Any } }
  }
}
