package import CordonCore

/// A message that waits for one receiver.
package struct WebhookDelivery: Hashable, Sendable {
  /// The number of the delivery in the queue.
  package var number: Int64
  /// The address of the receiver.
  package var receiver: String
  /// The identifier of the event, the same for all receivers and attempts.
  package var id: String
  /// The CloudEvents type of the event.
  package var kind: String
  /// The time at which the event was queued.
  package var created: Instant
  /// The failed attempts.
  package var attempts: Int
  /// The reason of the last failure; `nil` before the first one.
  package var reason: String?
  /// The body.
  package var body: [UInt8]
}

/// An event as it is queued.
package struct QueuedEvent: Hashable, Sendable {
  /// The identifier.
  package var id: String
  /// The CloudEvents type.
  package var kind: String
  /// The body.
  package var body: [UInt8]

  /// An event.
  package init(id: String, kind: String, body: [UInt8]) {
    self.id = id
    self.kind = kind
    self.body = body
  }

  /// A new identifier: 128 random bits.
  package static func randomIdentifier() -> String {
    let words = (0..<2).map { _ in String(UInt64.random(in: .min ... .max), radix: 16) }
    return "evt_" + words.map { String(repeating: "0", count: 16 - $0.count) + $0 }.joined()
  }
}

/// The reason why a queue cannot be read or written.
package struct WebhookQueueFault: Error, Hashable, Sendable, CustomStringConvertible {
  /// The problem; it contains no part of a message.
  package var description: String
}

/// A durable queue of messages, with the dead letters, and marks that say up to where events were made.
///
/// A queue belongs to one thread at a time. Every call is a transaction that is on the disk when it returns.
package protocol WebhookQueue: AnyObject {
  /// Adds events for each receiver, and sets marks, all or nothing. The oldest waiting messages of a receiver beyond
  /// ``WebhookLimits/maximumWaiting`` become dead letters.
  func add(
    _ events: [QueuedEvent], to receivers: [String], marks: [String: Int64], now: Instant
  ) throws(WebhookQueueFault)
  /// The value of a mark; `nil` before it is set.
  func mark(_ name: String) throws(WebhookQueueFault) -> Int64?
  /// The messages of a receiver that are due, oldest first.
  func due(for receiver: String, now: Instant, limit: Int) throws(WebhookQueueFault) -> [WebhookDelivery]
  /// Removes a message that its receiver has taken.
  func complete(_ number: Int64) throws(WebhookQueueFault)
  /// Counts a failed attempt and sets the time of the next one.
  func delay(_ number: Int64, until: Instant, reason: String) throws(WebhookQueueFault)
  /// Makes a message a dead letter.
  func bury(_ number: Int64, reason: String, now: Instant) throws(WebhookQueueFault)
  /// Makes messages for other receivers than the given ones dead letters.
  func buryOthers(than receivers: [String], now: Instant) throws(WebhookQueueFault)
  /// The dead letters after a number, in order.
  func deadLetters(after number: Int64, limit: Int) throws(WebhookQueueFault) -> [WebhookDelivery]
  /// Makes dead letters due again; `nil` for all of them. Returns how many there were.
  func resend(_ numbers: [Int64]?, now: Instant) throws(WebhookQueueFault) -> Int
  /// Deletes dead letters that died before a time, and the oldest ones beyond ``WebhookLimits/maximumDead``.
  func expire(before: Instant) throws(WebhookQueueFault)
  /// The numbers of waiting messages and of dead letters.
  func counts() throws(WebhookQueueFault) -> (waiting: Int, dead: Int)
}

/// The limits of a queue.
package enum WebhookLimits {
  /// The maximum number of waiting messages of a receiver.
  package static let maximumWaiting = 10_000
  /// The maximum number of dead letters.
  package static let maximumDead = 10_000
  /// The time for which dead letters are kept.
  package static let deadRetention = TimeSpan.days(14)
}
