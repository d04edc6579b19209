package import CordonCore

/// A push message to a participant's phone.
package struct PushMessage: Hashable, Sendable {
  /// The service: `apns`, `fcm` or `file`.
  package var service: String
  /// The address of the phone at the service.
  package var token: String
  /// The key: the same for a repetition, so that a phone shows it once.
  package var key: String
  /// The language of the text.
  package var language: String
  /// The missing permissions.
  package var permissions: [StudyEvent.Permission]

  /// Creates a message.
  package init(
    service: String, token: String, key: String, language: String, permissions: [StudyEvent.Permission]
  ) {
    self.service = service
    self.token = token
    self.key = key
    self.language = language
    self.permissions = permissions
  }
}

/// The answer of a push service.
package enum PushResult: String, Hashable, Sendable, CaseIterable {
  /// The service took the message.
  case sent
  /// The service cannot take it at present.
  case failed
  /// The phone has no address any more.
  case gone
}

/// A service of push messages.
package protocol PushPort: Sendable {
  /// Sends a message.
  func send(_ message: PushMessage) async -> PushResult
}

extension StudyService {
  /// A reminder that is written down, and its message.
  package struct DueReminder: Hashable, Sendable {
    /// The reminder as it is written down.
    package var reminder: Reminder
    /// The message to send.
    package var message: PushMessage
  }

  /// Writes down the reminders that are due now in open and closed studies, and returns their messages.
  ///
  /// Two runs at once return each reminder once: its key exists once, and an attempt is counted before it is made.
  package func claimReminders(now: Instant) throws(StudyError) -> [DueReminder] {
    var due: [DueReminder] = []
    for study in try store.studies() where study.state != .draft && now >= study.begins && now < study.ends {
      let planner = ReminderPlanner(study.reminders)
      for participant in try store.participants(of: study.code) where participant.left == nil {
        let claimed: DueReminder? = try store.transaction { () throws(StudyError) in
          let identity = try vault.identity(of: participant.id)
          let decision = planner.decision(
            participant, try state(of: participant), try store.reminders(to: participant.id),
            hasAddress: identity?.pushService != nil && identity?.pushToken != nil, now: now)
          guard let service = identity?.pushService, let token = identity?.pushToken else { return nil }
          var reminder: Reminder
          switch decision {
          case .send(let new):
            guard try store.insert(new) else { return nil }
            reminder = new
          case .sendAgain(let former):
            reminder = former
            // The interval to the next reminder begins with the last attempt.
            reminder.time = now
          case .wait, .nothing: return nil
          }
          reminder.attempts += 1
          guard try store.update(reminder, attempts: reminder.attempts - 1) else { return nil }
          return DueReminder(
            reminder: reminder,
            message: PushMessage(
              service: service, token: token, key: reminder.key, language: participant.language,
              permissions: reminder.permissions))
        }
        if let claimed { due.append(claimed) }
      }
    }
    return due
  }

  /// Writes down what became of a reminder. An address that is gone is removed from the vault.
  package func record(_ result: PushResult, of due: DueReminder) throws(StudyError) {
    var reminder = due.reminder
    reminder.result = result == .sent ? .sent : result == .failed ? .failed : .gone
    _ = try store.update(reminder, attempts: reminder.attempts)
    if result == .gone, var identity = try vault.identity(of: reminder.participant),
      identity.pushToken == due.message.token
    {
      identity.pushToken = nil
      try vault.save(identity, of: reminder.participant)
    }
  }
}
