package import CordonCore
package import CordonIngest

/// Cases in the database of the positions, so that all servers show the same.
package final class PostgresCaseStore: CaseStore {
  private let link: PostgresLink

  /// A store; it is connected at its first use.
  /// - Parameter patience: the maximum time for an answer of the database.
  package init(_ address: PostgresAddress, patience: Duration = .seconds(15)) {
    link = PostgresLink(address, patience: patience)
  }

  // MARK: Cases

  private static let fields =
    "number, venue, label, device, onset, since, until, threshold, wall_percent, note, created, creator, closed, "
    + "holder"

  /// See ``CaseStore/save(_:)-(CaseRecord)``.
  package func save(_ record: CaseRecord) throws(StoreFault) -> Int64 {
    guard record.number == 0 else {
      try link.run(
        """
        UPDATE case_file SET label = $1, onset = $2, since = $3, until = $4, threshold = $5, wall_percent = $6, note = $7,
          closed = $8 WHERE number = $9
        """,
        [
          .text(record.label), .optionalInt(record.onset?.milliseconds), .int(record.from.milliseconds),
          .int(record.to.milliseconds), .int(record.thresholdMinutes), .int(record.wallPercent), .text(record.note),
          .optionalInt(record.closed?.milliseconds), .int(record.number),
        ])
      return record.number
    }
    return try link.run(
      """
      \(PostgresConsole.number("case")) INSERT INTO case_file (\(Self.fields))
      SELECT last, $1, $2, $3, $4::bigint, $5, $6, $7, $8, $9, $10, $11, $12::bigint, $13 FROM n RETURNING number
      """,
      [
        .text(record.venue.rawValue), .text(record.label), .text(record.device.rawValue),
        .optionalInt(record.onset?.milliseconds), .int(record.from.milliseconds), .int(record.to.milliseconds),
        .int(record.thresholdMinutes), .int(record.wallPercent), .text(record.note), .int(record.created.milliseconds),
        .text(record.creator), .optionalInt(record.closed?.milliseconds), .int(record.holder.milliseconds),
      ]
    ).int(0, 0)
  }

  /// See ``CaseStore/record(_:)``.
  package func record(_ number: Int64) throws(StoreFault) -> CaseRecord? {
    let rows = try link.run("SELECT \(Self.fields) FROM case_file WHERE number = $1", [.int(number)])
    return rows.count > 0 ? Self.record(rows, 0) : nil
  }

  /// See ``CaseStore/records(of:)``.
  package func records(of venue: VenueID) throws(StoreFault) -> [CaseRecord] {
    let rows = try link.run(
      "SELECT \(Self.fields) FROM case_file WHERE venue = $1 ORDER BY number DESC", [.text(venue.rawValue)])
    return rows.indices.compactMap { Self.record(rows, $0) }
  }

  private static func record(_ rows: PostgresRows, _ row: Int) -> CaseRecord? {
    guard let venue = VenueID(rows.text(row, 1)), let device = DeviceID(rows.text(row, 3)) else { return nil }
    return CaseRecord(
      number: rows.int(row, 0), venue: venue, label: rows.text(row, 2), device: device,
      onset: rows.optionalInt(row, 4).map(Instant.init(milliseconds:)), from: Instant(milliseconds: rows.int(row, 5)),
      to: Instant(milliseconds: rows.int(row, 6)), thresholdMinutes: rows.int(row, 7), wallPercent: rows.int(row, 8),
      note: rows.text(row, 9), created: Instant(milliseconds: rows.int(row, 10)), creator: rows.text(row, 11),
      closed: rows.optionalInt(row, 12).map(Instant.init(milliseconds:)),
      holder: Instant(milliseconds: rows.int(row, 13)))
  }

  /// See ``CaseStore/remove(_:)``.
  package func remove(_ number: Int64) throws(StoreFault) {
    try link.run("DELETE FROM case_file WHERE number = $1", [.int(number)])
  }

  // MARK: Devices to notify

  /// See ``CaseStore/save(_:of:)``.
  package func save(_ contact: CaseContact, of number: Int64) throws(StoreFault) {
    try link.run(
      """
      INSERT INTO case_contact (case_file, device, status, note, changed, operator, holder)
      VALUES ($1, $2, $3, $4, $5, $6, $7)
      ON CONFLICT (case_file, device, holder) DO UPDATE SET status = $3, note = $4, changed = $5, operator = $6
      """,
      [
        .int(number), .text(contact.device.rawValue), .text(contact.status.rawValue), .text(contact.note),
        .int(contact.changed.milliseconds), .text(contact.operator), .int(contact.holder.milliseconds),
      ])
  }

  /// See ``CaseStore/contacts(of:)``.
  package func contacts(of number: Int64) throws(StoreFault) -> [CaseContact] {
    let rows = try link.run(
      """
      SELECT device, status, note, changed, operator, holder FROM case_contact WHERE case_file = $1
      ORDER BY device, holder
      """, [.int(number)])
    return rows.indices.compactMap { row in
      guard let device = DeviceID(rows.text(row, 0)), let status = CaseContact.Status(rawValue: rows.text(row, 1))
      else { return nil }
      return CaseContact(
        device: device, status: status, note: rows.text(row, 2), changed: Instant(milliseconds: rows.int(row, 3)),
        operator: rows.text(row, 4), holder: Instant(milliseconds: rows.int(row, 5)))
    }
  }

  // MARK: Notices

  private static let noticeFields =
    "number, case_file, device, exposed, template, advice, created, expires, delivered, acknowledged, holder"

  /// See ``CaseStore/save(_:)-(CaseNotice)``.
  package func save(_ notice: CaseNotice) throws(StoreFault) -> Int64 {
    guard notice.number == 0 else {
      try link.run(
        "UPDATE notice SET delivered = $1, acknowledged = $2 WHERE number = $3",
        [
          .optionalInt(notice.delivered?.milliseconds), .optionalInt(notice.acknowledged?.milliseconds),
          .int(notice.number),
        ])
      return notice.number
    }
    let key: [PostgresParameter] = [
      .int(notice.caseNumber), .text(notice.device.rawValue), .int(notice.exposed.milliseconds),
      .int(notice.holder.milliseconds),
    ]
    let selection =
      "SELECT number FROM notice WHERE case_file = $1 AND device = $2 AND exposed = $3 AND holder = $4"
    let known = try link.run(selection, key)
    if known.count > 0 { return known.int(0, 0) }
    let rows = try link.run(
      """
      \(PostgresConsole.number("notice"))
      INSERT INTO notice (number, case_file, device, exposed, holder, template, advice, created, expires)
      SELECT last, $1, $2, $3, $4, $5, $6, $7, $8 FROM n ON CONFLICT DO NOTHING RETURNING number
      """,
      key + [
        .text(notice.template), .text(notice.advice), .int(notice.created.milliseconds),
        .int(notice.expires.milliseconds),
      ])
    // Another server was faster.
    return rows.count > 0 ? rows.int(0, 0) : try link.run(selection, key).int(0, 0)
  }

  /// See ``CaseStore/notices(of:)``.
  package func notices(of number: Int64) throws(StoreFault) -> [CaseNotice] {
    Self.notices(
      try link.run("SELECT \(Self.noticeFields) FROM notice WHERE case_file = $1 ORDER BY number", [.int(number)]))
  }

  /// See ``CaseStore/notices(to:now:)``.
  package func notices(to device: DeviceID, now: Instant) throws(StoreFault) -> [CaseNotice] {
    Self.notices(
      try link.run(
        "SELECT \(Self.noticeFields) FROM notice WHERE device = $1 AND expires > $2 ORDER BY number",
        [.text(device.rawValue), .int(now.milliseconds)]))
  }

  private static func notices(_ rows: PostgresRows) -> [CaseNotice] {
    rows.indices.compactMap { row in
      guard let device = DeviceID(rows.text(row, 2)) else { return nil }
      return CaseNotice(
        number: rows.int(row, 0), caseNumber: rows.int(row, 1), device: device,
        exposed: Instant(milliseconds: rows.int(row, 3)), template: rows.text(row, 4), advice: rows.text(row, 5),
        created: Instant(milliseconds: rows.int(row, 6)), expires: Instant(milliseconds: rows.int(row, 7)),
        delivered: rows.optionalInt(row, 8).map(Instant.init(milliseconds:)),
        acknowledged: rows.optionalInt(row, 9).map(Instant.init(milliseconds:)),
        holder: Instant(milliseconds: rows.int(row, 10)))
    }
  }

  // MARK: Deletion

  /// See ``CaseStore/forget(_:_:)``.
  package func forget(_ device: DeviceID, _ end: DeviceEnd) throws(StoreFault) {
    try link.run(
      """
      WITH cases AS (DELETE FROM case_file WHERE device = $1 AND holder < $2 AND created <= $3),
        contacts AS (DELETE FROM case_contact WHERE device = $1 AND holder < $2 AND changed <= $3)
      DELETE FROM notice WHERE device = $1 AND holder < $2 AND created <= $3
      """, [.text(device.rawValue), .int(end.limits.before), .int(end.limits.receivedUntil)])
  }

  /// See ``CaseStore/expire(before:)``.
  package func expire(before time: Instant) throws(StoreFault) -> Int {
    let count = try link.run("DELETE FROM case_file WHERE closed < $1", [.int(time.milliseconds)]).changes
    try link.run("DELETE FROM notice WHERE expires < $1", [.int(time.milliseconds)])
    return count
  }
}
