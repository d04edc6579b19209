package import CordonCore

/// Studies over a store and a vault: enrolment, data, reminders, rewards, quality, erasure. It has no clock and no sockets.
///
/// It belongs to one thread at a time. Each call is one transaction of the store.
package final class StudyService {
  /// The store of studies and their data.
  package let store: any StudyStore
  /// The vault of identities.
  package let vault: any IdentityVault
  let random: StudyRandom

  /// Creates a service.
  package init(store: any StudyStore, vault: any IdentityVault, random: StudyRandom = .system) {
    self.store = store
    self.vault = vault
    self.random = random
  }

  // MARK: Studies

  /// Returns the study of a code.
  package func study(_ code: StudyCode) throws(StudyError) -> Study {
    guard let study = try store.studies().first(where: { $0.code == code }) else {
      throw StudyError(.noSuchStudy, "no such study")
    }
    return study
  }

  /// Adds a study, or changes it. A consent text to which people agreed is never changed: a later version is added.
  package func save(_ study: Study, by actor: String, now: Instant) throws(StudyError) {
    try store.transaction { () throws(StudyError) in
      if let former = try store.studies().first(where: { $0.code == study.code }), former.state != .draft {
        guard study.state != .draft else {
          throw StudyError(.badField, "a study that was open cannot become a draft again", field: "state")
        }
        guard study.consents.starts(with: former.consents) else {
          throw StudyError(
            .badField, "versions that people agreed to stay as they are; add a later one", field: "consents")
        }
      }
      try store.save(study)
      try store.add(StudyAudit(time: now, study: study.code.rawValue, actor: actor, action: "save study"))
    }
  }

  /// Makes an invitation and returns its code, which is shown once.
  /// - Parameter uses: how many people it admits.
  package func invite(
    to code: StudyCode, uses: Int, lasting: TimeSpan, by actor: String, now: Instant
  ) throws(StudyError) -> String {
    _ = try study(code)
    let secret = random.text(16)
    try store.transaction { () throws(StudyError) in
      try store.save(
        Invitation(
          hash: StudyRandom.hash("invitation \(secret)"), study: code, expires: now + lasting, left: max(uses, 1)))
      try store.add(
        StudyAudit(time: now, study: code.rawValue, actor: actor, action: "invite \(max(uses, 1))"))
    }
    return secret
  }

  // MARK: Participants

  /// Returns the participant whose phone or browser has a key.
  package func participant(key: String) throws(StudyError) -> Participant {
    guard let found = try store.participant(keyHash: StudyRandom.hash("participant \(key)")) else {
      throw StudyError(.noSuchParticipant, "the key is not that of a participant")
    }
    return found
  }

  /// Returns what the events of a participant say.
  package func state(of participant: Participant) throws(StudyError) -> ParticipantState {
    ParticipantState(participant, try store.events(of: participant.id))
  }

  /// Deletes data after the retention of their studies, and what interrupted erasures left in files; returns the codes of the studies
  /// whose data went.
  package func expire(now: Instant) throws(StudyError) -> [StudyCode] {
    var gone: [StudyCode] = []
    for study in try store.studies() where study.expires < now {
      let participants = try store.participants(of: study.code)
      guard !participants.isEmpty else { continue }
      for participant in participants { try erase(participant, by: "retention", now: now) }
      gone.append(study.code)
    }
    try vault.finishErasure()
    try store.finishErasure()
    return gone
  }
}
