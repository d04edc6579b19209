package import CordonCore
package import CordonSupport

extension StudyService {
  // MARK: What participants see

  /// Returns what the participant's page shows: progress, days left, permissions, rewards, settings.
  package func progress(of participant: Participant, now: Instant) throws(StudyError) -> JSONValue {
    let study = try study(participant.study)
    let state = try state(of: participant)
    let quality = try presence(of: participant, study, now: now)
    let identity = try vault.identity(of: participant.id)
    let length = max((study.ends - study.begins).milliseconds, 1)
    let passed = min(max((now - study.begins).milliseconds, 0), length)
    let daysLeft = max((study.ends - now).milliseconds, 0) / 86_400_000
    let needed = study.reminders.permissions
    let permissions = StudyEvent.Permission.allCases.map { permission -> JSONValue in
      let isLost = state.losses.contains { $0.permission == permission }
      return [
        "permission": .string(permission.rawValue), "is_needed": .bool(needed.contains(permission)),
        "state": .string(isLost ? "lost" : state.granted.contains(permission) ? "given" : "unknown"),
      ]
    }
    return [
      "schema": "cordon.study-progress/1", "study": .string(study.code.rawValue), "title": .string(study.title),
      "state": .string(state.phase.rawValue), "begins": .integer(study.begins.milliseconds),
      "ends": .integer(study.ends.milliseconds), "progress": JSONValue(Double(passed * 1_000 / length) / 1_000),
      "days_left": .integer(daysLeft), "enrolled": .integer(participant.enrolled.milliseconds),
      "consent": .integer(Int64(participant.consent)),
      "consent_current": .integer(Int64(study.consent?.version ?? 0)),
      "consent_text": .string(
        study.consents.first { $0.version == participant.consent }?.text(in: participant.language) ?? ""),
      "purposes": .array(study.purposes.map(JSONValue.string)),
      "retention_days": .integer(study.retention.milliseconds / 86_400_000), "permissions": .array(permissions),
      "days": .array(
        quality.days.map { day in
          [
            "date": .string(day.name), "valid_minutes": .integer(day.valid / 60_000),
            "expected_minutes": .integer(day.expected / 60_000), "positions": .integer(Int64(day.fixes)),
            "distance_m": .integer(Int64(day.distance.rounded())),
          ]
        }), "rewards": try rewards(of: participant, study),
      "settings": [
        "reminder_interval_hours": JSONValue(participant.reminderInterval.map { Int($0.milliseconds / 3_600_000) }),
        "language": .string(participant.language), "has_payment": .bool(identity?.payment != nil),
        "has_push": .bool(identity?.pushToken != nil), "has_name": .bool(identity?.name != nil),
        "has_email": .bool(identity?.email != nil),
      ],
    ]
  }

  private func rewards(of participant: Participant, _ study: Study) throws(StudyError) -> JSONValue {
    guard let rules = study.rewards else { return .null }
    let book = try LedgerBook(verifying: store.ledger(of: study.code))
    let account = book.account(participant.account)
    return [
      "currency": .string(rules.currency), "units_per_credit": .integer(rules.unitsPerCredit),
      "minutes_per_credit": .integer(rules.minutesPerCredit), "minimum_payout": .integer(rules.minimumPayout),
      "earned": .integer(account.earned), "balance": .integer(account.balance), "paid": .integer(account.paid),
      "pending": .integer(account.pending),
      "payouts": .array(book.payouts.filter { $0.account == participant.account }.map(Self.describe)),
    ]
  }

  /// A payout as pages show it. Its account is not named.
  package static func describe(_ payout: LedgerBook.Payout) -> JSONValue {
    [
      "payout": .integer(payout.number), "credits": .integer(payout.credits), "amount": .integer(payout.amount),
      "state": .string(payout.state.rawValue), "time": .integer(payout.time.milliseconds),
    ]
  }

  /// Maximum number of positions that a participant looks at at once.
  private static let shownLocations = 2_000

  /// Returns the latest positions of a participant, oldest first.
  package func latestLocations(of participant: Participant) throws(StudyError) -> [StudyLocation] {
    let study = try study(participant.study)
    return try store.locations(of: participant.id, from: study.begins, to: study.ends).suffix(Self.shownLocations)
  }

  /// Returns all that is stored about a participant, for themselves: a copy under article 15 of the GDPR.
  package func copy(of participant: Participant, now: Instant) throws(StudyError) -> JSONValue {
    let identity = try vault.identity(of: participant.id) ?? Identity()
    let study = try study(participant.study)
    let ledger = try store.ledger(of: participant.study).filter { $0.account == participant.account }
    return [
      "schema": "cordon.study-copy/1", "participant": .string(participant.id.rawValue),
      "study": .string(participant.study.rawValue), "created": .integer(now.milliseconds),
      "enrolled": .integer(participant.enrolled.milliseconds), "consent": .integer(Int64(participant.consent)),
      "left": JSONValue(participant.left.map { Int($0.milliseconds) }),
      "identity": [
        "name": JSONValue(identity.name), "email": JSONValue(identity.email),
        "push_service": JSONValue(identity.pushService), "push_token": JSONValue(identity.pushToken),
        "payment": JSONValue(identity.payment),
      ],
      "events": .array(
        try store.events(of: participant.id).map { event in
          [
            "id": .string(event.id.description), "time": .integer(event.time.milliseconds),
            "type": .string(event.kind.rawValue), "permission": JSONValue(event.permission?.rawValue),
            "value": JSONValue(event.value.map { Int($0) }),
          ]
        }),
      "locations": .array(
        try store.locations(of: participant.id, from: study.begins, to: study.ends).map(Self.describe)),
      "reminders": .array(
        try store.reminders(to: participant.id).map { reminder in
          [
            "time": .integer(reminder.time.milliseconds), "result": .string(reminder.result.rawValue),
            "permissions": .array(reminder.permissions.map { .string($0.rawValue) }),
          ]
        }),
      "ledger": .array(
        ledger.map { entry in
          [
            "time": .integer(entry.time.milliseconds), "kind": .string(entry.kind.rawValue),
            "period": .string(entry.period), "credits": .integer(entry.credits), "amount": .integer(entry.amount),
          ]
        }),
    ]
  }

  private static func describe(_ location: StudyLocation) -> JSONValue {
    [
      "id": .string(location.id.description), "time": .integer(location.time.milliseconds),
      "lon": .number(location.coordinate.longitude), "lat": .number(location.coordinate.latitude),
      "accuracy": JSONValue(location.accuracy), "altitude": JSONValue(location.altitude),
      "activity": .string(location.activity.rawValue), "battery": JSONValue(location.battery.map { Int($0) }),
      "odometer": JSONValue(location.odometer), "quality": .string(location.quality.rawValue),
    ]
  }

  // MARK: What researchers see

  /// Returns the participants of a study under their pseudonyms. Identities are not among it.
  package func participants(of code: StudyCode) throws(StudyError) -> JSONValue {
    var list: [JSONValue] = []
    for participant in try store.participants(of: code) {
      let state = try state(of: participant)
      let reminders = try store.reminders(to: participant.id)
      list.append([
        "participant": .string(participant.id.rawValue), "state": .string(state.phase.rawValue),
        "enrolled": .integer(participant.enrolled.milliseconds), "consent": .integer(Int64(participant.consent)),
        "left": JSONValue(participant.left.map { Int($0.milliseconds) }),
        "missing": .array(state.losses.map { .string($0.permission.rawValue) }),
        "reminders": .integer(Int64(reminders.count)),
        "reminders_failed": .integer(Int64(reminders.count { $0.result == .failed || $0.result == .gone })),
      ])
    }
    return ["schema": "cordon.study-participants/1", "participants": .array(list)]
  }

  /// Returns the state of a study's ledger: sums and payouts. The whole chain is verified.
  package func ledger(of code: StudyCode) throws(StudyError) -> JSONValue {
    let entries = try store.ledger(of: code)
    let book = try LedgerBook(verifying: entries)
    let rules = try study(code).rewards
    func credits(_ kind: LedgerEntry.Kind) -> JSONValue {
      .integer(entries.filter { $0.kind == kind }.reduce(0) { $0 + $1.credits })
    }
    return [
      "schema": "cordon.study-ledger/1", "entries": .integer(Int64(entries.count)), "is_verified": true,
      "last_hash": .string(book.last?.hash ?? LedgerEntry.origin), "currency": JSONValue(rules?.currency),
      "earned": credits(.earned), "settled": credits(.settled), "forfeited": credits(.forfeited),
      "committed": .integer(book.committed), "budget": JSONValue(rules.map { Int($0.budget) }),
      "payouts": .array(
        book.payouts.map { payout in
          guard case .object(let members) = Self.describe(payout) else { return .null }
          return .object(members + [JSONValue.Member("delay", JSONValue(payout.delay))])
        }),
    ]
  }

  /// The tables of an export.
  package enum ExportTable: String, Hashable, Sendable, CaseIterable {
    case locations, events, quality, ledger
  }

  /// Returns a table of a study as CSV, under pseudonyms. Each export is in the audit log with its reason.
  package func export(
    _ table: ExportTable, of code: StudyCode, by actor: String, reason: String, now: Instant
  ) throws(StudyError) -> String {
    try store.add(
      StudyAudit(
        time: now, study: code.rawValue, actor: actor, action: "export \(table.rawValue)",
        reason: String(reason.prefix(500))))
    switch table {
    case .quality: return try quality(of: code, now: now).csv
    case .locations: return try locationsCSV(code)
    case .events: return try eventsCSV(code)
    case .ledger:
      var text = "sequence,time,kind,account,period,payout,credits,amount,previous,hash\r\n"
      for entry in try store.ledger(of: code) {
        text +=
          [
            // With a nonce anyone finds the receiver's address on a public chain.
            String(entry.sequence), entry.time.rfc3339, entry.kind.rawValue, entry.account,
            entry.kind == .signed ? "" : entry.period,
            String(entry.payout), String(entry.credits), String(entry.amount), entry.previous, entry.hash,
          ].joined(separator: ",") + "\r\n"
      }
      return text
    }
  }

  private func locationsCSV(_ code: StudyCode) throws(StudyError) -> String {
    let study = try study(code)
    var text = "participant,id,time,lon,lat,accuracy_m,altitude_m,activity,battery_percent,odometer_m,quality\r\n"
    func number(_ value: Double?) -> String { value.map { JSONValue.number($0).text() } ?? "" }
    for participant in try store.participants(of: code) {
      for location in try store.locations(of: participant.id, from: study.begins, to: study.ends) {
        text +=
          [
            participant.id.rawValue, location.id.description, location.time.rfc3339,
            number(location.coordinate.longitude), number(location.coordinate.latitude), number(location.accuracy),
            number(location.altitude), location.activity.rawValue, location.battery.map(String.init) ?? "",
            number(location.odometer), location.quality.rawValue,
          ].joined(separator: ",") + "\r\n"
      }
    }
    return text
  }

  private func eventsCSV(_ code: StudyCode) throws(StudyError) -> String {
    var text = "participant,id,time,received,type,permission,value\r\n"
    for participant in try store.participants(of: code) {
      for event in try store.events(of: participant.id) {
        text +=
          [
            participant.id.rawValue, event.id.description, event.time.rfc3339, event.received.rfc3339,
            event.kind.rawValue, event.permission?.rawValue ?? "", event.value.map(String.init) ?? "",
          ].joined(separator: ",") + "\r\n"
      }
    }
    return text
  }
}
