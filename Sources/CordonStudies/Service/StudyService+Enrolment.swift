package import CordonCore

/// The request of a person to enrol.
package struct EnrolmentRequest: Hashable, Sendable {
  /// The study.
  package var study: StudyCode
  /// The invitation; `nil` where the study's code is enough.
  package var invitation: String?
  /// The version of the consent text that the person agreed to.
  package var consent: Int
  /// The time from UTC to the local clock.
  package var offset: TimeSpan
  /// The language of messages.
  package var language: String
  /// Name and addresses that the person gave; they go to the vault alone.
  package var identity: Identity

  /// Creates a request.
  package init(
    study: StudyCode, invitation: String? = nil, consent: Int, offset: TimeSpan = .zero, language: String = "en",
    identity: Identity = Identity()
  ) {
    self.study = study
    self.invitation = invitation
    self.consent = consent
    self.offset = offset
    self.language = language
    self.identity = identity
  }

  /// Reads the body of a request.
  package init(_ fields: StudyFields) throws(StudyError) {
    try fields.only(["study", "invitation", "consent", "utc_offset_minutes", "language", "identity"])
    guard let study = StudyCode(try fields.text("study", 1...64)) else {
      throw StudyError(.noSuchStudy, "no such study", field: "study")
    }
    self.init(
      study: study, invitation: try fields.optionalText("invitation", 0...64),
      consent: Int(try fields.integer("consent", 1...10_000)),
      offset: .minutes(try fields.optionalInteger("utc_offset_minutes", -1_440...1_440) ?? 0),
      language: try fields.optionalText("language", 2...8) ?? "en")
    if invitation?.isEmpty == true { invitation = nil }
    if let entry = try fields.optionalObject("identity") { identity = try Identity(entry) }
  }
}

extension Identity {
  /// The services of push messages.
  package static let pushServices = ["apns", "fcm", "file"]

  /// Reads the members of a request. An empty text is none.
  package init(_ fields: StudyFields) throws(StudyError) {
    try fields.only(["name", "email", "push_service", "push_token", "payment"])
    func text(_ name: String, _ limit: Int) throws(StudyError) -> String? {
      let text = try fields.optionalText(name, 0...limit)
      return text?.isEmpty == true ? nil : text
    }
    self.init(
      name: try text("name", 200), email: try text("email", 254), pushService: try text("push_service", 8),
      pushToken: try text("push_token", 4_096), payment: try text("payment", 200))
    guard pushService.map(Self.pushServices.contains) ?? true else {
      throw StudyError(.badField, "one of apns, fcm, file", field: fields.place("push_service"))
    }
  }
}

extension StudyService {
  /// A participant who just enrolled, and the key that is shown to them alone.
  package struct Enrolled: Hashable, Sendable {
    /// The participant.
    package var participant: Participant
    /// The key with which the phone or browser signs in.
    package var key: String
  }

  /// Returns the study that a person can enrol in, for the page that asks for consent.
  package func offer(_ code: StudyCode, now: Instant) throws(StudyError) -> Study {
    let study = try study(code)
    guard study.state == .open, now >= study.begins, now < study.ends, study.consent != nil else {
      throw StudyError(.notOpen, "the study takes nobody in at present")
    }
    return study
  }

  /// Enrols a person: under a new pseudonym, with the identity in the vault.
  ///
  /// The identity is written first: a crash leaves at most a row of the vault that belongs to nobody, and never a participant
  /// whose consent is not known.
  package func enrol(_ request: EnrolmentRequest, now: Instant) throws(StudyError) -> Enrolled {
    let study = try offer(request.study, now: now)
    guard request.consent == study.consent?.version else {
      throw StudyError(
        .consentOutdated, "another version of the consent text is valid; read it again", field: "consent")
    }
    let key = random.text(52)
    let participant = Participant(
      id: ParticipantID(random), study: study.code, account: "a-" + random.text(16),
      keyHash: StudyRandom.hash("participant \(key)"), enrolled: now, consent: request.consent, offset: request.offset,
      language: request.language)
    // Strangers with wrong invitations make no work for the vault.
    _ = try admission(request, to: study, now: now)
    try vault.save(request.identity, of: participant.id)
    do throws(StudyError) {
      try store.transaction { () throws(StudyError) in
        if var invitation = try admission(request, to: study, now: now) {
          invitation.left -= 1
          try store.save(invitation)
        }
        try store.save(participant)
        _ = try store.add([
          event(.enrolled, participant, value: Int64(request.consent), now: now),
          event(.consentGiven, participant, value: Int64(request.consent), now: now),
        ])
      }
    } catch {
      try vault.erase(participant.id)
      throw error
    }
    return Enrolled(participant: participant, key: key)
  }

  /// Checks that a study has room for a person; returns the invitation that their enrolment uses, if it needs one.
  private func admission(
    _ request: EnrolmentRequest, to study: Study, now: Instant
  ) throws(StudyError) -> Invitation? {
    let present = try store.participants(of: study.code).count { $0.left == nil }
    guard present < study.maximumParticipants else {
      throw StudyError(.studyFull, "the study has all the participants that it wants")
    }
    guard let code = request.invitation else {
      guard study.opensByCode else {
        throw StudyError(.badInvitation, "an invitation is needed", field: "invitation")
      }
      return nil
    }
    guard let invitation = try store.invitation(StudyRandom.hash("invitation \(code)")),
      invitation.study == study.code, invitation.expires > now, invitation.left > 0
    else { throw StudyError(.badInvitation, "the invitation was used or has ended", field: "invitation") }
    return invitation
  }

  func event(
    _ kind: StudyEvent.Kind, _ participant: Participant, value: Int64? = nil, now: Instant
  ) -> StudyEvent {
    let bytes = random.bytes(16)
    let halves = [bytes.prefix(8), bytes.suffix(8)].map { $0.reduce(UInt64(0)) { $0 << 8 | UInt64($1) } }
    return StudyEvent(
      id: FixID(high: halves[0], low: halves[1]), participant: participant.id, time: now, received: now, kind: kind,
      value: value)
  }

  // MARK: Settings, pauses, leaving

  /// Changes what a participant may change: the interval of reminders, the language, and their identity.
  /// - Parameter identity: the new identity; `nil` to leave it.
  package func change(
    _ participant: Participant, reminderInterval: TimeSpan?, language: String, identity: Identity?
  ) throws(StudyError) -> Participant {
    var changed = participant
    changed.reminderInterval = reminderInterval
    changed.language = language
    if let identity { try vault.save(identity, of: participant.id) }
    try store.save(changed)
    return changed
  }

  /// Returns the stored identity of a participant with the named members replaced.
  package func merged(
    _ new: Identity, over participant: Participant, fields names: [String]
  ) throws(StudyError) -> Identity {
    var identity = try vault.identity(of: participant.id) ?? Identity()
    if names.contains("name") { identity.name = new.name }
    if names.contains("email") { identity.email = new.email }
    if names.contains("push_service") { identity.pushService = new.pushService }
    if names.contains("push_token") { identity.pushToken = new.pushToken }
    if names.contains("payment") { identity.payment = new.payment }
    return identity
  }

  /// Pauses, or ends a pause. Positions measured in a pause are refused.
  package func pause(_ participant: Participant, _ isPaused: Bool, now: Instant) throws(StudyError) {
    try checkPresent(participant)
    let phase = try state(of: participant).phase
    guard (phase == .paused) != isPaused else { return }
    _ = try store.add([event(isPaused ? .paused : .resumed, participant, now: now)])
  }

  /// Ends the participation. Data stay for the study as the consent says; nothing new is taken.
  package func leave(_ participant: Participant, now: Instant) throws(StudyError) {
    guard participant.left == nil else { return }
    var changed = participant
    changed.left = now
    try store.transaction { () throws(StudyError) in
      _ = try store.add([event(.left, changed, now: now)])
      try store.save(changed)
    }
  }

  /// Deletes a participant everywhere: identity, events, positions and reminders. In the ledger the account stays, which belongs to
  /// nobody then; its credits end, and a payout that waits is released. One whose transaction is signed may be on its way, and is
  /// carried through.
  package func erase(_ participant: Participant, by actor: String, now: Instant) throws(StudyError) {
    // The vault first: after a crash the rest is deleted by the next call.
    try vault.erase(participant.id)
    try store.transaction { () throws(StudyError) in
      var book = try LedgerBook(verifying: store.ledger(of: participant.study))
      if let payout = book.openPayout(of: participant.account), payout.transfer == nil {
        try append(.released, payout, study: participant.study, "erased while open", to: &book, now: now)
      }
      try forfeit(participant.account, of: participant.study, in: &book, now: now)
      try store.add(StudyAudit(time: now, study: participant.study.rawValue, actor: actor, action: "erase participant"))
      try store.erase(participant.id)
    }
    try store.finishErasure()
  }

  func checkPresent(_ participant: Participant) throws(StudyError) {
    guard participant.left == nil else { throw StudyError(.hasLeft, "the participant has left the study") }
  }
}

extension StudyService {
  /// Writes down that a participant agreed to the valid version of the consent text.
  package func consent(_ participant: Participant, to version: Int, now: Instant) throws(StudyError) {
    try checkPresent(participant)
    guard version == (try study(participant.study)).consent?.version else {
      throw StudyError(
        .consentOutdated, "another version of the consent text is valid; read it again", field: "consent")
    }
    var changed = participant
    changed.consent = version
    try store.transaction { () throws(StudyError) in
      _ = try store.add([event(.consentGiven, changed, value: Int64(version), now: now)])
      try store.save(changed)
    }
  }
}
