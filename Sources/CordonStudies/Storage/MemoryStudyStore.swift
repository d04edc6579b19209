package import CordonCore

/// A store in memory, for tests.
package final class MemoryStudyStore: StudyStore {
  private struct State {
    var studies: [StudyCode: Study] = [:]
    var invitations: [String: Invitation] = [:]
    var participants: [ParticipantID: Participant] = [:]
    var events: [ParticipantID: [FixID: StudyEvent]] = [:]
    var locations: [ParticipantID: [FixID: StudyLocation]] = [:]
    var reminders: [String: Reminder] = [:]
    var ledgers: [StudyCode: [LedgerEntry]] = [:]
    var audit: [StudyAudit] = []
  }

  private var state = State()

  /// Creates an empty store.
  package init() {}

  package func transaction<T>(_ body: () throws(StudyError) -> T) throws(StudyError) -> T {
    let before = state
    do throws(StudyError) {
      return try body()
    } catch {
      state = before
      throw error
    }
  }

  package func save(_ study: Study) throws(StudyError) { state.studies[study.code] = study }

  package func studies() throws(StudyError) -> [Study] { state.studies.values.sorted { $0.code < $1.code } }

  package func remove(_ study: StudyCode) throws(StudyError) {
    for participant in try participants(of: study) { try erase(participant.id) }
    state.studies[study] = nil
    state.ledgers[study] = nil
    state.invitations = state.invitations.filter { $0.value.study != study }
  }

  package func save(_ invitation: Invitation) throws(StudyError) { state.invitations[invitation.hash] = invitation }

  package func invitation(_ hash: String) throws(StudyError) -> Invitation? { state.invitations[hash] }

  package func save(_ participant: Participant) throws(StudyError) { state.participants[participant.id] = participant }

  package func participants(of study: StudyCode) throws(StudyError) -> [Participant] {
    state.participants.values.filter { $0.study == study }.sorted { $0.id < $1.id }
  }

  package func participant(_ id: ParticipantID) throws(StudyError) -> Participant? { state.participants[id] }

  package func participant(keyHash: String) throws(StudyError) -> Participant? {
    state.participants.values.first { $0.keyHash == keyHash }
  }

  package func add(_ events: [StudyEvent]) throws(StudyError) -> Int {
    var count = 0
    for event in events where state.events[event.participant]?[event.id] == nil {
      state.events[event.participant, default: [:]][event.id] = event
      count += 1
    }
    return count
  }

  package func events(of participant: ParticipantID) throws(StudyError) -> [StudyEvent] {
    (state.events[participant] ?? [:]).values.sorted(by: StudyEvent.isEarlier)
  }

  package func add(_ locations: [StudyLocation]) throws(StudyError) -> Int {
    var count = 0
    for location in locations where state.locations[location.participant]?[location.id] == nil {
      state.locations[location.participant, default: [:]][location.id] = location
      count += 1
    }
    return count
  }

  package func locations(
    of participant: ParticipantID, from: Instant, to: Instant
  ) throws(StudyError) -> [StudyLocation] {
    (state.locations[participant] ?? [:]).values.filter { $0.time >= from && $0.time < to }
      .sorted { ($0.time, $0.id) < ($1.time, $1.id) }
  }

  package func insert(_ reminder: Reminder) throws(StudyError) -> Bool {
    guard state.reminders[reminder.key] == nil else { return false }
    state.reminders[reminder.key] = reminder
    return true
  }

  package func update(_ reminder: Reminder, attempts: Int64) throws(StudyError) -> Bool {
    guard state.reminders[reminder.key]?.attempts == attempts else { return false }
    state.reminders[reminder.key] = reminder
    return true
  }

  package func reminders(to participant: ParticipantID) throws(StudyError) -> [Reminder] {
    state.reminders.values.filter { $0.participant == participant }.sorted { ($0.time, $0.key) < ($1.time, $1.key) }
  }

  package func append(_ entry: LedgerEntry) throws(StudyError) {
    let ledger = state.ledgers[entry.study] ?? []
    let isDouble =
      switch entry.kind {
      case .earned:
        ledger.contains { $0.kind == .earned && $0.account == entry.account && $0.period == entry.period }
      case .signed:
        state.ledgers.values.contains { $0.contains { $0.kind == .signed && $0.period == entry.period } }
      default: false
      }
    guard entry.sequence == Int64(ledger.count) + 1, !isDouble else {
      throw StudyError(.conflict, "the entry exists already")
    }
    state.ledgers[entry.study] = ledger + [entry]
  }

  package func ledger(of study: StudyCode) throws(StudyError) -> [LedgerEntry] { state.ledgers[study] ?? [] }

  package func add(_ audit: StudyAudit) throws(StudyError) {
    var entry = audit
    entry.number = Int64(state.audit.count) + 1
    state.audit.append(entry)
  }

  package func audit(of study: StudyCode, limit: Int) throws(StudyError) -> [StudyAudit] {
    Array(state.audit.reversed().filter { $0.study == study.rawValue }.prefix(limit))
  }

  package func erase(_ participant: ParticipantID) throws(StudyError) {
    state.participants[participant] = nil
    state.events[participant] = nil
    state.locations[participant] = nil
    state.reminders = state.reminders.filter { $0.value.participant != participant }
  }

  package func finishErasure() throws(StudyError) {}
}
