package import CordonCore

/// A queue in memory, for tests and comparisons.
package final class MemoryWebhookQueue: WebhookQueue {
  private struct Entry {
    var delivery: WebhookDelivery
    var next: Instant
    var died: Instant?
    var device: DeviceID?
  }

  private var entries: [Entry] = []
  private var marks: [String: Int64] = [:]
  private var pauses: [String: WebhookPause] = [:]
  private var last: Int64 = 0

  /// The tasks that another server has.
  package var elsewhere: Set<String> = []

  /// An empty queue.
  package init() {}

  private func change(_ number: Int64, _ body: (inout Entry) -> Void) {
    guard let index = entries.firstIndex(where: { $0.delivery.number == number }) else { return }
    body(&entries[index])
  }

  package func claim(_ task: String) throws(WebhookQueueFault) -> Bool { !elsewhere.contains(task) }

  package func leave() {}

  package func pause(of receiver: String) throws(WebhookQueueFault) -> WebhookPause? { pauses[receiver] }

  package func set(_ pause: WebhookPause?, of receiver: String) throws(WebhookQueueFault) { pauses[receiver] = pause }

  package func add(
    _ events: [QueuedEvent], to receivers: [String], marks: [WebhookMark], now: Instant
  ) throws(WebhookQueueFault) {
    let set = marks.filter { self.marks[$0.name] == $0.former }
    for mark in set { self.marks[mark.name] = mark.value }
    let names = Set(set.map(\.name))
    for event in events where event.mark.map(names.contains) ?? true {
      for receiver in receivers {
        last += 1
        let delivery = WebhookDelivery(
          number: last, receiver: receiver, id: event.id, kind: event.kind, created: now, attempts: 0, reason: nil,
          body: event.body)
        entries.append(Entry(delivery: delivery, next: now, device: event.device))
      }
    }
    for receiver in receivers {
      let waiting = entries.filter { $0.delivery.receiver == receiver && $0.died == nil }.map(\.delivery.number)
      for number in waiting.dropLast(WebhookLimits.maximumWaiting) {
        change(number) {
          $0.died = now
          $0.delivery.reason = WebhookDelivery.overflow
        }
      }
    }
  }

  package func mark(_ name: String) throws(WebhookQueueFault) -> Int64? { marks[name] }

  package func due(for receiver: String, now: Instant, limit: Int) throws(WebhookQueueFault) -> [WebhookDelivery] {
    entries.filter { $0.died == nil && $0.delivery.receiver == receiver && $0.next <= now }.prefix(limit).map(
      \.delivery)
  }

  package func complete(_ number: Int64) throws(WebhookQueueFault) {
    entries.removeAll { $0.delivery.number == number }
  }

  package func delay(_ number: Int64, until: Instant, reason: String) throws(WebhookQueueFault) {
    change(number) {
      $0.delivery.attempts += 1
      $0.delivery.reason = reason
      $0.next = until
    }
  }

  package func bury(_ number: Int64, reason: String, now: Instant) throws(WebhookQueueFault) {
    change(number) {
      $0.delivery.attempts += 1
      $0.delivery.reason = reason
      $0.died = now
    }
  }

  package func buryOthers(than receivers: [String], now: Instant) throws(WebhookQueueFault) {
    for entry in entries where entry.died == nil && !receivers.contains(entry.delivery.receiver) {
      change(entry.delivery.number) {
        $0.delivery.reason = WebhookDelivery.noReceiver
        $0.died = now
      }
    }
  }

  package func deadLetters(after number: Int64, limit: Int) throws(WebhookQueueFault) -> [WebhookDelivery] {
    entries.filter { $0.died != nil && $0.delivery.number > number }.prefix(limit).map(\.delivery)
  }

  package func resend(_ numbers: [Int64]?, now: Instant) throws(WebhookQueueFault) -> Int {
    var count = 0
    for entry in entries where entry.died != nil && numbers?.contains(entry.delivery.number) ?? true {
      count += 1
      change(entry.delivery.number) {
        $0.died = nil
        $0.next = now
        $0.delivery.created = now
        $0.delivery.attempts = 0
      }
    }
    return count
  }

  package func expire(before: Instant) throws(WebhookQueueFault) {
    entries.removeAll { entry in entry.died.map { $0 < before } ?? false }
    let dead = entries.filter { $0.died != nil }.map(\.delivery.number)
    let removed = Set(dead.dropLast(WebhookLimits.maximumDead))
    entries.removeAll { removed.contains($0.delivery.number) }
    marks = marks.filter { !$0.key.hasPrefix(WebhookLimits.alertMarks) || $0.value >= before.milliseconds }
  }

  package func forget(_ device: DeviceID, before: Instant?) throws(WebhookQueueFault) {
    entries.removeAll { entry in
      entry.device == device && before.map { entry.delivery.created < $0 } ?? true
    }
  }

  package func counts() throws(WebhookQueueFault) -> (waiting: Int, dead: Int) {
    let dead = entries.count { $0.died != nil }
    return (entries.count - dead, dead)
  }
}
