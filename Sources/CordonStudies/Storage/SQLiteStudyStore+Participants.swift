package import CordonCore
internal import CordonSQLite

extension SQLiteStudyStore {
  // MARK: Participants

  package func save(_ participant: Participant) throws(StudyError) {
    try run(
      """
      INSERT INTO participant (id, study, account, keyHash, enrolled, consent, utcOffset, language, reminderInterval, leftAt)
      VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?)
      ON CONFLICT (id) DO UPDATE SET keyHash = excluded.keyHash, consent = excluded.consent, utcOffset = excluded.utcOffset,
        language = excluded.language, reminderInterval = excluded.reminderInterval, leftAt = excluded.leftAt
      """
    ) { row in
      row.bind(1, participant.id.rawValue)
      row.bind(2, participant.study.rawValue)
      row.bind(3, participant.account)
      row.bind(4, participant.keyHash)
      row.bind(5, participant.enrolled.milliseconds)
      row.bind(6, Int64(participant.consent))
      row.bind(7, participant.offset.milliseconds)
      row.bind(8, participant.language)
      row.bind(9, participant.reminderInterval?.milliseconds)
      row.bind(10, participant.left?.milliseconds)
    }
  }

  private static let fields =
    "id, study, account, keyHash, enrolled, consent, utcOffset, language, reminderInterval, leftAt"

  private static func participant(_ row: PreparedStatement) -> Participant? {
    guard let id = ParticipantID(row.text(0)), let study = StudyCode(row.text(1)) else { return nil }
    var participant = Participant(
      id: id, study: study, account: row.text(2), keyHash: row.text(3), enrolled: Instant(milliseconds: row.int(4)),
      consent: Int(row.int(5)), offset: .milliseconds(row.int(6)), language: row.text(7))
    participant.reminderInterval = row.optionalInt(8).map(TimeSpan.milliseconds)
    participant.left = row.optionalInt(9).map(Instant.init(milliseconds:))
    return participant
  }

  package func participants(of study: StudyCode) throws(StudyError) -> [Participant] {
    try rows(
      "SELECT \(Self.fields) FROM participant WHERE study = ? ORDER BY id", { $0.bind(1, study.rawValue) },
      Self.participant)
  }

  package func participant(_ id: ParticipantID) throws(StudyError) -> Participant? {
    try rows("SELECT \(Self.fields) FROM participant WHERE id = ?", { $0.bind(1, id.rawValue) }, Self.participant).first
  }

  package func participant(keyHash: String) throws(StudyError) -> Participant? {
    try rows("SELECT \(Self.fields) FROM participant WHERE keyHash = ?", { $0.bind(1, keyHash) }, Self.participant)
      .first
  }

  private func number(_ id: ParticipantID) throws(StudyError) -> Int64 {
    let numbers = try rows("SELECT number FROM participant WHERE id = ?", { $0.bind(1, id.rawValue) }) { $0.int(0) }
    guard let number = numbers.first else { throw StudyError(.noSuchParticipant, "no such participant") }
    return number
  }

  package func erase(_ participant: ParticipantID) throws(StudyError) {
    try run("DELETE FROM participant WHERE id = ?") { $0.bind(1, participant.rawValue) }
  }

  // MARK: Events

  package func add(_ events: [StudyEvent]) throws(StudyError) -> Int {
    var count = 0
    try transaction { () throws(StudyError) in
      for event in events {
        let number = try number(event.participant)
        count += try run("INSERT OR IGNORE INTO event VALUES (?, ?, ?, ?, ?, ?, ?)") { row in
          row.bind(1, number)
          row.bind(2, event.id.description)
          row.bind(3, event.time.milliseconds)
          row.bind(4, event.received.milliseconds)
          row.bind(5, event.kind.rawValue)
          row.bind(6, event.permission?.rawValue)
          row.bind(7, event.value)
        }
      }
    }
    return count
  }

  package func events(of participant: ParticipantID) throws(StudyError) -> [StudyEvent] {
    try rows(
      """
      SELECT e.id, e.time, e.received, e.kind, e.permission, e.value FROM event e
      JOIN participant p ON p.number = e.participant WHERE p.id = ? ORDER BY e.time, e.received, e.id
      """, { $0.bind(1, participant.rawValue) }
    ) { row in
      guard let id = FixID(row.text(0)), let kind = StudyEvent.Kind(rawValue: row.text(3)) else { return nil }
      return StudyEvent(
        id: id, participant: participant, time: Instant(milliseconds: row.int(1)),
        received: Instant(milliseconds: row.int(2)), kind: kind,
        permission: row.optionalText(4).flatMap(StudyEvent.Permission.init), value: row.optionalInt(5))
    }
  }

  // MARK: Locations

  package func add(_ locations: [StudyLocation]) throws(StudyError) -> Int {
    var count = 0
    func real(_ row: PreparedStatement, _ index: Int32, _ value: Double?) {
      if let value { row.bind(index, value) } else { row.bindNull(index) }
    }
    try transaction { () throws(StudyError) in
      for location in locations {
        let number = try number(location.participant)
        count += try run("INSERT OR IGNORE INTO location VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)") { row in
          row.bind(1, number)
          row.bind(2, location.time.milliseconds)
          row.bind(3, location.id.description)
          row.bind(4, location.coordinate.longitude)
          row.bind(5, location.coordinate.latitude)
          real(row, 6, location.accuracy)
          real(row, 7, location.altitude)
          row.bind(8, location.activity.rawValue)
          row.bind(9, location.battery)
          real(row, 10, location.odometer)
          row.bind(11, location.isMocked ? 1 : 0 as Int64)
          row.bind(12, location.quality.rawValue)
        }
      }
    }
    return count
  }

  package func locations(
    of participant: ParticipantID, from: Instant, to: Instant
  ) throws(StudyError) -> [StudyLocation] {
    func real(_ row: PreparedStatement, _ column: Int32) -> Double? {
      row.columnType(column) == .null ? nil : row.double(column)
    }
    return try rows(
      """
      SELECT l.id, l.time, l.longitude, l.latitude, l.accuracy, l.altitude, l.activity, l.battery, l.odometer, l.mocked
      FROM location l JOIN participant p ON p.number = l.participant
      WHERE p.id = ? AND l.time >= ? AND l.time < ? ORDER BY l.time, l.id
      """,
      { row in
        row.bind(1, participant.rawValue)
        row.bind(2, from.milliseconds)
        row.bind(3, to.milliseconds)
      }
    ) { row in
      guard let id = FixID(row.text(0)) else { return nil }
      return StudyLocation(
        id: id, participant: participant, time: Instant(milliseconds: row.int(1)),
        coordinate: Coordinate(longitude: row.double(2), latitude: row.double(3)), accuracy: real(row, 4),
        altitude: real(row, 5), activity: StudyLocation.Activity(rawValue: row.text(6)) ?? .unknown,
        battery: row.optionalInt(7), odometer: real(row, 8), isMocked: row.int(9) == 1)
    }
  }

  // MARK: Reminders

  package func insert(_ reminder: Reminder) throws(StudyError) -> Bool {
    let number = try number(reminder.participant)
    return try run("INSERT OR IGNORE INTO reminder VALUES (?, ?, ?, ?, ?, ?, ?)") { row in
      row.bind(1, reminder.key)
      row.bind(2, number)
      row.bind(3, reminder.time.milliseconds)
      row.bind(4, reminder.loss.milliseconds)
      row.bind(5, reminder.permissions.map(\.rawValue).joined(separator: " "))
      row.bind(6, reminder.result.rawValue)
      row.bind(7, reminder.attempts)
    } == 1
  }

  package func update(_ reminder: Reminder, attempts: Int64) throws(StudyError) -> Bool {
    try run("UPDATE reminder SET time = ?, result = ?, attempts = ? WHERE key = ? AND attempts = ?") { row in
      row.bind(1, reminder.time.milliseconds)
      row.bind(2, reminder.result.rawValue)
      row.bind(3, reminder.attempts)
      row.bind(4, reminder.key)
      row.bind(5, attempts)
    } == 1
  }

  package func reminders(to participant: ParticipantID) throws(StudyError) -> [Reminder] {
    try rows(
      """
      SELECT r.key, r.time, r.loss, r.permissions, r.result, r.attempts FROM reminder r
      JOIN participant p ON p.number = r.participant WHERE p.id = ? ORDER BY r.time, r.key
      """, { $0.bind(1, participant.rawValue) }
    ) { row in
      guard let result = Reminder.Result(rawValue: row.text(4)) else { return nil }
      return Reminder(
        key: row.text(0), participant: participant, time: Instant(milliseconds: row.int(1)),
        loss: Instant(milliseconds: row.int(2)),
        permissions: row.text(3).split(separator: " ").compactMap { StudyEvent.Permission(rawValue: String($0)) },
        result: result, attempts: row.int(5))
    }
  }

  // MARK: The ledger

  package func append(_ entry: LedgerEntry) throws(StudyError) {
    try run("INSERT INTO ledger VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)") { row in
      row.bind(1, entry.study.rawValue)
      row.bind(2, entry.sequence)
      row.bind(3, entry.account)
      row.bind(4, entry.kind.rawValue)
      row.bind(5, entry.period)
      row.bind(6, entry.payout)
      row.bind(7, entry.credits)
      row.bind(8, entry.amount)
      row.bind(9, entry.time.milliseconds)
      row.bind(10, entry.reference)
      row.bind(11, entry.previous)
      row.bind(12, entry.hash)
    }
  }

  package func ledger(of study: StudyCode) throws(StudyError) -> [LedgerEntry] {
    try rows("SELECT * FROM ledger WHERE study = ? ORDER BY sequence", { $0.bind(1, study.rawValue) }) { row in
      // An unknown kind is kept as a change, which the verification finds.
      LedgerEntry(
        sequence: row.int(1), study: study, account: row.text(2),
        kind: LedgerEntry.Kind(rawValue: row.text(3)) ?? .forfeited, period: row.text(4), payout: row.int(5),
        credits: row.int(6), amount: row.int(7), time: Instant(milliseconds: row.int(8)), reference: row.text(9),
        previous: row.text(10), hash: row.text(11))
    }
  }
}
