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

  /// Takes the values as they are.
  package init(
    number: Int64, receiver: String, id: String, kind: String, created: Instant, attempts: Int, reason: String?,
    body: [UInt8]
  ) {
    self.number = number
    self.receiver = receiver
    self.id = id
    self.kind = kind
    self.created = created
    self.attempts = attempts
    self.reason = reason
    self.body = body
  }

  /// The reason of messages beyond the limit of waiting ones.
  package static let overflow = "too many messages waited"
  /// The reason of messages for a receiver that the settings do not name any more.
  package static let noReceiver = "the receiver is not in the settings"
}

/// An event as it is queued.
package struct QueuedEvent: Hashable, Sendable {
  /// The identifier.
  package var id: String
  /// The CloudEvents type.
  package var kind: String
  /// The body.
  package var body: [UInt8]
  /// The device that the event concerns, with whose erasure it is removed; `nil` for none.
  package var device: DeviceID?
  /// The name of the mark that is set with the event: where another server has set it, the event is there already. `nil` for an event
  /// that is queued in any case.
  package var mark: String?

  /// An event.
  package init(id: String, kind: String, body: [UInt8], device: DeviceID? = nil, mark: String? = nil) {
    self.id = id
    self.kind = kind
    self.body = body
    self.device = device
    self.mark = mark
  }

  /// A new identifier: 128 random bits.
  package static func randomIdentifier() -> String {
    let words = (0..<2).map { _ in String(UInt64.random(in: .min ... .max), radix: 16) }
    return "evt_" + words.map { String(repeating: "0", count: 16 - $0.count) + $0 }.joined()
  }
}

/// A mark that is to be set: up to where events were made.
package struct WebhookMark: Hashable, Sendable {
  /// The name.
  package var name: String
  /// The value from which the events were made; `nil` for a mark that was not set. A mark with another value is left as it is.
  package var former: Int64?
  /// The new value.
  package var value: Int64

  /// Takes the values as they are.
  package init(_ name: String, former: Int64?, value: Int64) {
    self.name = name
    self.former = former
    self.value = value
  }
}

/// The pause after failures of a receiver.
package struct WebhookPause: Hashable, Sendable {
  /// The failures one after the other.
  package var failures: Int
  /// The time before which the receiver is not called again.
  package var until: Instant

  /// Takes the values as they are.
  package init(failures: Int, until: Instant) {
    self.failures = failures
    self.until = until
  }
}

/// The reason why a queue cannot be read or written.
package struct WebhookQueueFault: Error, Hashable, Sendable, CustomStringConvertible {
  /// The problem; it contains no part of a message.
  package var description: String

  /// Takes the text as it is.
  package init(description: String) { self.description = description }
}

/// A durable queue of messages, with the dead letters, and marks that say up to where events were made.
///
/// A queue belongs to one thread at a time. Every call is a transaction that is on the disk when it returns. Several servers may
/// share a queue; each of them does what it has claimed.
package protocol WebhookQueue: AnyObject {
  /// Claims a task for this server, and keeps other servers from it for ``WebhookLimits/claim``: sending to a receiver, or making
  /// events of venues. The task is free again after that time, unless the server claims it again.
  /// - Returns: `false` while another server has the task. Always `true` for a queue of one server.
  func claim(_ task: String) throws(WebhookQueueFault) -> Bool
  /// Gives the claims of this server up, when it stops.
  func leave()
  /// Adds events for each receiver, and sets marks, all or nothing. Events whose mark has another value than the one before are left
  /// out. The oldest waiting messages of a receiver beyond ``WebhookLimits/maximumWaiting`` become dead letters.
  func add(
    _ events: [QueuedEvent], to receivers: [String], marks: [WebhookMark], now: Instant
  ) throws(WebhookQueueFault)
  /// The value of a mark; `nil` before it is set.
  func mark(_ name: String) throws(WebhookQueueFault) -> Int64?
  /// The pause of a receiver; `nil` after a success. To be read under the claim on the receiver.
  func pause(of receiver: String) throws(WebhookQueueFault) -> WebhookPause?
  /// Sets the pause of a receiver, or ends it.
  func set(_ pause: WebhookPause?, of receiver: String) throws(WebhookQueueFault)
  /// The messages of a receiver that are due, oldest first.
  func due(for receiver: String, now: Instant, limit: Int) throws(WebhookQueueFault) -> [WebhookDelivery]
  /// Removes a message that its receiver has taken.
  func complete(_ number: Int64) throws(WebhookQueueFault)
  /// Counts a failed attempt and sets the time of the next one.
  func delay(_ number: Int64, until: Instant, reason: String) throws(WebhookQueueFault)
  /// Makes a message a dead letter.
  func bury(_ number: Int64, reason: String, now: Instant) throws(WebhookQueueFault)
  /// Makes messages for other receivers than the given ones dead letters. In a queue of several servers it does that for receivers
  /// that no server has named for ``WebhookLimits/unnamed``.
  func buryOthers(than receivers: [String], now: Instant) throws(WebhookQueueFault)
  /// The dead letters after a number, in order.
  func deadLetters(after number: Int64, limit: Int) throws(WebhookQueueFault) -> [WebhookDelivery]
  /// Makes dead letters due again; `nil` for all of them. Returns how many there were.
  func resend(_ numbers: [Int64]?, now: Instant) throws(WebhookQueueFault) -> Int
  /// Deletes dead letters that died before a time, the oldest ones beyond ``WebhookLimits/maximumDead``, and marks of alerts with
  /// earlier values.
  func expire(before: Instant) throws(WebhookQueueFault)
  /// Deletes the messages that concern a device and were queued before a time; `nil` for all of them.
  func forget(_ device: DeviceID, before: Instant?) throws(WebhookQueueFault)
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
  /// The time for which a claim keeps other servers from a task. It is longer than an attempt.
  package static let claim = TimeSpan.seconds(60)
  /// The time after which messages for a receiver that no server names become dead letters.
  package static let unnamed = TimeSpan.hours(3)
  /// The beginning of the names of marks of alerts. Their values are times, in milliseconds since 1970.
  package static let alertMarks = "alert/"
}
