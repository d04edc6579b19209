import CordonCore

@testable import CordonStudies

/// A store in memory whose calls fail now and then: before their effect, or after it, as when a process ends in between.
final class FaultyStudyStore: StudyStore {
  let base = MemoryStudyStore()
  /// The probability that a call fails.
  var chance = 0.0
  private var random: RandomStream

  init(seed: UInt64) { random = RandomStream(seed: seed, stream: 77) }

  private func write<T>(_ body: () throws(StudyError) -> T) throws(StudyError) -> T {
    let fails = chance > 0 && random.nextUnit() < chance
    let isLate = fails && random.nextUnit() < 0.5
    if fails, !isLate { throw StudyError(.storage, "fault before") }
    let value = try body()
    if isLate { throw StudyError(.storage, "fault after") }
    return value
  }

  func transaction<T>(_ body: () throws(StudyError) -> T) throws(StudyError) -> T {
    try write { () throws(StudyError) in try base.transaction(body) }
  }

  func save(_ study: Study) throws(StudyError) { try write { () throws(StudyError) in try base.save(study) } }
  func studies() throws(StudyError) -> [Study] { try base.studies() }
  func remove(_ study: StudyCode) throws(StudyError) { try base.remove(study) }
  func save(_ invitation: Invitation) throws(StudyError) {
    try write { () throws(StudyError) in try base.save(invitation) }
  }
  func invitation(_ hash: String) throws(StudyError) -> Invitation? { try base.invitation(hash) }
  func save(_ participant: Participant) throws(StudyError) {
    try write { () throws(StudyError) in try base.save(participant) }
  }
  func participants(of study: StudyCode) throws(StudyError) -> [Participant] { try base.participants(of: study) }
  func participant(_ id: ParticipantID) throws(StudyError) -> Participant? { try base.participant(id) }
  func participant(keyHash: String) throws(StudyError) -> Participant? { try base.participant(keyHash: keyHash) }
  func add(_ events: [StudyEvent]) throws(StudyError) -> Int {
    try write { () throws(StudyError) in try base.add(events) }
  }
  func events(of participant: ParticipantID) throws(StudyError) -> [StudyEvent] { try base.events(of: participant) }
  func add(_ locations: [StudyLocation]) throws(StudyError) -> Int {
    try write { () throws(StudyError) in try base.add(locations) }
  }
  func locations(of participant: ParticipantID, from: Instant, to: Instant) throws(StudyError) -> [StudyLocation] {
    try base.locations(of: participant, from: from, to: to)
  }
  func insert(_ reminder: Reminder) throws(StudyError) -> Bool {
    try write { () throws(StudyError) in try base.insert(reminder) }
  }
  func update(_ reminder: Reminder, attempts: Int64) throws(StudyError) -> Bool {
    try write { () throws(StudyError) in try base.update(reminder, attempts: attempts) }
  }
  func reminders(to participant: ParticipantID) throws(StudyError) -> [Reminder] {
    try base.reminders(to: participant)
  }
  func append(_ entry: LedgerEntry) throws(StudyError) {
    try write { () throws(StudyError) in try base.append(entry) }
  }
  func ledger(of study: StudyCode) throws(StudyError) -> [LedgerEntry] { try base.ledger(of: study) }
  func add(_ audit: StudyAudit) throws(StudyError) { try write { () throws(StudyError) in try base.add(audit) } }
  func audit(of study: StudyCode, limit: Int) throws(StudyError) -> [StudyAudit] {
    try base.audit(of: study, limit: limit)
  }
  func erase(_ participant: ParticipantID) throws(StudyError) {
    try write { () throws(StudyError) in try base.erase(participant) }
  }
  func finishErasure() throws(StudyError) {}
}
