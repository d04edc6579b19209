package import CordonCore

/// A queue in memory, for tests and comparisons.
package final class MemoryWebhookQueue: WebhookQueue {
  private struct Entry {
    var delivery: WebhookDelivery
    var next: Instant
    var died: Instant?
  }

  private var entries: [Entry] = []
  private var marks: [String: Int64] = [:]
  private var last: Int64 = 0

  /// An empty queue.
  package init() {}

  private func change(_ number: Int64, _ body: (inout Entry) -> Void) {
    guard let index = entries.firstIndex(where: { $0.delivery.number == number }) else { return }
    body(&entries[index])
  }

  package func add(
    _ events: [QueuedEvent], to receivers: [String], marks: [String: Int64], now: Instant
  ) throws(WebhookQueueFault) {
    for event in events {
      for receiver in receivers {
        last += 1
        let delivery = WebhookDelivery(
          number: last, receiver: receiver, id: event.id, kind: event.kind, created: now, attempts: 0, reason: nil,
          body: event.body)
        entries.append(Entry(delivery: delivery, next: now))
      }
    }
    self.marks.merge(marks) { $1 }
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
  }

  package func counts() throws(WebhookQueueFault) -> (waiting: Int, dead: Int) {
    let dead = entries.count { $0.died != nil }
    return (entries.count - dead, dead)
  }
}

extension WebhookDelivery {
  /// The reason of messages beyond the limit of waiting ones.
  static let overflow = "too many messages waited"
  /// The reason of messages for a receiver that the settings do not name any more.
  static let noReceiver = "the receiver is not in the settings"
}
