package import CordonCore
internal import CordonSupport

/// A reminder to a participant that permissions are missing, and what became of it.
package struct Reminder: Hashable, Sendable {
  /// What became of it.
  package enum Result: String, Hashable, Sendable, CaseIterable {
    /// It is written down, and not known to have been sent.
    case planned
    /// The service of the phone took it.
    case sent
    /// The service could not take it at present.
    case failed
    /// The phone has no address any more; nothing is sent until it reports a new one.
    case gone
  }

  /// The key: the same for the same participant, loss and number, so that it exists once.
  package var key: String
  /// The participant.
  package var participant: ParticipantID
  /// When it was planned, or tried last.
  package var time: Instant
  /// The start of the loss that it is about.
  package var loss: Instant
  /// The permissions that are missing.
  package var permissions: [StudyEvent.Permission]
  /// What became of it.
  package var result: Result
  /// How often it was sent or tried.
  package var attempts: Int64

  /// Creates a planned reminder.
  /// - Parameter number: counted from 0 within the loss.
  package init(
    participant: ParticipantID, time: Instant, loss: Instant, permissions: [StudyEvent.Permission], number: Int
  ) {
    self.init(
      key: String(
        SHA256.hexDigest(of: Array("\(participant) \(loss.milliseconds) \(number)".utf8)).prefix(32)),
      participant: participant, time: time, loss: loss, permissions: permissions, result: .planned, attempts: 0)
  }

  init(
    key: String, participant: ParticipantID, time: Instant, loss: Instant, permissions: [StudyEvent.Permission],
    result: Result, attempts: Int64
  ) {
    self.key = key
    self.participant = participant
    self.time = time
    self.loss = loss
    self.permissions = permissions
    self.result = result
    self.attempts = attempts
  }
}

/// Decides whether a participant is reminded now. It has no clock and no store.
package struct ReminderPlanner: Sendable {
  /// The decision about a participant.
  package enum Decision: Hashable, Sendable {
    /// Write the reminder down and send it.
    case send(Reminder)
    /// Send a reminder again that was planned or failed.
    case sendAgain(Reminder)
    /// Nothing before a time.
    case wait(until: Instant, Reason)
    /// Nothing as long as nothing changes.
    case nothing(Reason)
  }

  /// The reason for sending nothing.
  package enum Reason: String, Hashable, Sendable, CaseIterable {
    /// No permission is missing.
    case complete
    /// The participant paused, stopped or left.
    case notActive = "not-active"
    /// A loss is only a short time ago.
    case patience
    /// The last reminder is only a short time ago.
    case interval
    /// It is night.
    case quiet
    /// The most reminders of a day were sent.
    case dayFull = "day-full"
    /// The most reminders of this loss were sent.
    case lossFull = "loss-full"
    /// The phone has no address.
    case noAddress = "no-address"
  }

  /// The time after which a reminder is tried again that was planned or failed.
  package static let retryAfter = TimeSpan.minutes(10)
  /// How often one reminder is tried.
  package static let maximumAttempts: Int64 = 5

  private let rules: ReminderRules

  /// Creates a planner.
  package init(_ rules: ReminderRules) { self.rules = rules }

  /// Decides about a participant.
  /// - Parameters:
  ///   - participant: the participant.
  ///   - state: what their events say.
  ///   - reminders: all reminders to the participant.
  ///   - hasAddress: whether messages can reach the phone.
  ///   - now: the present time.
  package func decision(
    _ participant: Participant, _ state: ParticipantState, _ reminders: [Reminder], hasAddress: Bool, now: Instant
  ) -> Decision {
    guard state.phase == .active || state.phase == .stopped || state.phase == .enrolled else {
      return .nothing(.notActive)
    }
    let losses = state.losses.filter { rules.permissions.contains($0.permission) }
    guard let loss = losses.map(\.since).max() else { return .nothing(.complete) }
    guard hasAddress else { return .nothing(.noAddress) }
    let interval = max(participant.reminderInterval ?? rules.interval, .hours(1))
    let ofLoss = reminders.filter { $0.loss == loss }
    if let end = rules.quietEnd(at: now, offset: state.offset) { return .wait(until: end, .quiet) }
    if let open = reminders.last(where: { $0.loss == loss && ($0.result == .planned || $0.result == .failed) }),
      open.attempts < Self.maximumAttempts
    {
      let due = open.time + .milliseconds(Self.retryAfter.milliseconds * max(open.attempts, 1))
      return now < due ? .wait(until: due, .interval) : .sendAgain(open)
    }
    guard ofLoss.count < Int(rules.maximumPerLoss) else { return .nothing(.lossFull) }
    if now < loss + rules.patience { return .wait(until: loss + rules.patience, .patience) }
    if let last = reminders.map(\.time).max(), now < last + interval {
      return .wait(until: last + interval, .interval)
    }
    let ofDay = reminders.map(\.time).filter { $0 > now - .days(1) }.sorted()
    if ofDay.count >= Int(rules.maximumPerDay), let first = ofDay.first {
      return .wait(until: first + .days(1), .dayFull)
    }
    return .send(
      Reminder(
        participant: participant.id, time: now, loss: loss, permissions: losses.map(\.permission), number: ofLoss.count)
    )
  }
}
