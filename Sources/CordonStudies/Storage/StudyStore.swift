package import CordonCore

/// An action of a researcher, for the audit log.
package struct StudyAudit: Hashable, Sendable {
  /// The number, from 1.
  package var number: Int64 = 0
  /// When.
  package var time: Instant
  /// The study; empty for all.
  package var study: String
  /// The pseudonym of the operator, `command`, or `participant`.
  package var actor: String
  /// The action, such as `export locations`.
  package var action: String
  /// The reason that was given; empty without one.
  package var reason: String

  /// Creates an entry.
  package init(time: Instant, study: String, actor: String, action: String, reason: String = "") {
    self.time = time
    self.study = study
    self.actor = actor
    self.action = action
    self.reason = reason
  }
}

/// Studies, participants under pseudonyms, and their data. A store belongs to one thread at a time.
///
/// Every call may throw ``StudyError/Code/storage``. Writes outside of ``transaction(_:)`` are on the disk when they return.
package protocol StudyStore: AnyObject {
  /// Does all of some work, or nothing. Transactions of other processes wait.
  func transaction<T>(_ body: () throws(StudyError) -> T) throws(StudyError) -> T

  /// Writes a study; one of the same code is replaced.
  func save(_ study: Study) throws(StudyError)
  /// All studies, by code.
  func studies() throws(StudyError) -> [Study]
  /// Deletes a study with all that belongs to it.
  func remove(_ study: StudyCode) throws(StudyError)

  /// Writes an invitation; one of the same hash is replaced.
  func save(_ invitation: Invitation) throws(StudyError)
  /// Returns the invitation of a hash.
  func invitation(_ hash: String) throws(StudyError) -> Invitation?

  /// Writes a participant; one of the same pseudonym is replaced.
  func save(_ participant: Participant) throws(StudyError)
  /// The participants of a study, by pseudonym.
  func participants(of study: StudyCode) throws(StudyError) -> [Participant]
  /// Returns the participant of a pseudonym.
  func participant(_ id: ParticipantID) throws(StudyError) -> Participant?
  /// Returns the participant of a key's hash.
  func participant(keyHash: String) throws(StudyError) -> Participant?

  /// Adds events; known identifiers of the same participant add nothing. Returns how many were new.
  func add(_ events: [StudyEvent]) throws(StudyError) -> Int
  /// The events of a participant, by time, arrival and identifier.
  func events(of participant: ParticipantID) throws(StudyError) -> [StudyEvent]
  /// Adds locations; known identifiers of the same participant add nothing. Returns how many were new.
  func add(_ locations: [StudyLocation]) throws(StudyError) -> Int
  /// The locations of a participant from one time until before another, by time and identifier.
  func locations(of participant: ParticipantID, from: Instant, to: Instant) throws(StudyError) -> [StudyLocation]

  /// Writes a new reminder; returns whether its key was new.
  func insert(_ reminder: Reminder) throws(StudyError) -> Bool
  /// Changes time, result and attempts of a reminder that still has a number of attempts; returns whether it had.
  func update(_ reminder: Reminder, attempts: Int64) throws(StudyError) -> Bool
  /// The reminders to a participant, by time and key.
  func reminders(to participant: ParticipantID) throws(StudyError) -> [Reminder]

  /// Appends an entry to a ledger.
  /// - Throws: ``StudyError/Code/conflict`` when its number exists already, its account and period in an entry of the same study, or
  ///   its nonce in one of any study.
  func append(_ entry: LedgerEntry) throws(StudyError)
  /// The ledger of a study, in order.
  func ledger(of study: StudyCode) throws(StudyError) -> [LedgerEntry]

  /// Adds an entry to the audit log.
  func add(_ audit: StudyAudit) throws(StudyError)
  /// The entries about a study, latest first.
  func audit(of study: StudyCode, limit: Int) throws(StudyError) -> [StudyAudit]

  /// Deletes a participant with events, locations and reminders. The ledger keeps the account, which then belongs to nobody.
  func erase(_ participant: ParticipantID) throws(StudyError)
  /// Removes what erased rows left in files. Called after the transaction of an erasure.
  func finishErasure() throws(StudyError)
}
