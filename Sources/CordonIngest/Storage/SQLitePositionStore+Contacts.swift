package import CordonContacts
package import CordonCore
internal import CordonSQLite

extension SQLitePositionStore {
  /// See ``PositionStore/change(contactsOf:removed:added:)``.
  package func change(contactsOf venue: Int64, removed: [Contact], added: [Contact]) throws(StoreFault) {
    let deletion = try connection.statement(
      "DELETE FROM contact WHERE first = ? AND second = ? AND start = ? AND floor = ? AND venue = ?")
    for contact in removed {
      deletion.bind(1, Int64(contact.first))
      deletion.bind(2, Int64(contact.second))
      deletion.bind(3, contact.start)
      deletion.bind(4, Int64(contact.floor))
      deletion.bind(5, venue)
      try deletion.run()
    }
    let insertion = try connection.statement(
      """
      INSERT OR REPLACE INTO contact (first, second, start, floor, end, venue, distance, closest, x, y, separationX,
        separationY, obstructed) VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)
      """)
    for contact in added {
      insertion.bind(1, Int64(contact.first))
      insertion.bind(2, Int64(contact.second))
      insertion.bind(3, contact.start)
      insertion.bind(4, Int64(contact.floor))
      insertion.bind(5, contact.end)
      insertion.bind(6, venue)
      insertion.bind(7, contact.minimumDistance)
      insertion.bind(8, contact.minimumDistanceTime)
      insertion.bind(9, contact.x)
      insertion.bind(10, contact.y)
      insertion.bind(11, Double(contact.separationX))
      insertion.bind(12, Double(contact.separationY))
      insertion.bind(13, contact.obstructed < 0 ? nil : contact.obstructed)
      try insertion.run()
    }
  }

  /// See ``PositionStore/contacts(_:)``.
  package func contacts(_ selection: ContactSelection) throws(StoreFault) -> [Contact] {
    let fields =
      "first, second, floor, start, end, distance, closest, x, y, separationX, separationY, obstructed FROM contact WHERE"
    let condition =
      "start <= ?1 AND end >= ?2 AND end - start >= ?6" + (selection.venue == nil ? "" : " AND venue = ?3")
      + (selection.after == nil ? "" : " AND (start, first, second, floor) > (?7, ?8, ?9, ?10)")
    let sql =
      selection.device == nil
      ? "SELECT \(fields) \(condition) ORDER BY start, first, second, floor LIMIT ?4"
      : """
      SELECT \(fields) first = ?5 AND \(condition) UNION ALL SELECT \(fields) second = ?5 AND \(condition)
      ORDER BY start, first, second, floor LIMIT ?4
      """
    let statement = try connection.statement(sql)
    statement.bind(1, selection.span.upperBound)
    // What starts later ends later: the index is by the end.
    statement.bind(2, max(selection.span.lowerBound, selection.after?.start ?? .min))
    if let venue = selection.venue { statement.bind(3, venue) }
    statement.bind(4, Int64(selection.limit))
    if let device = selection.device { statement.bind(5, device) }
    statement.bind(6, selection.minimumDuration)
    if let after = selection.after {
      statement.bind(7, after.start)
      statement.bind(8, Int64(after.first))
      statement.bind(9, Int64(after.second))
      statement.bind(10, Int64(after.floor))
    }
    var list: [Contact] = []
    while try statement.step() {
      list.append(
        Contact(
          first: Int32(truncatingIfNeeded: statement.int(0)), second: Int32(truncatingIfNeeded: statement.int(1)),
          floor: Int32(truncatingIfNeeded: statement.int(2)), start: statement.int(3), end: statement.int(4),
          minimumDistance: statement.double(5), minimumDistanceTime: statement.int(6), x: statement.double(7),
          y: statement.double(8),
          separationX: Float(statement.double(9)), separationY: Float(statement.double(10)),
          obstructed: statement.optionalInt(11) ?? Contact.wallsNotAsked))
    }
    return list
  }

  /// See ``PositionStore/markUnsettled(venue:device:span:)``.
  package func markUnsettled(venue: Int64, device: Int64, span: ClosedRange<Int64>) throws(StoreFault) {
    let statement = try connection.statement(
      """
      INSERT INTO unsettled (venue, device, first, last) VALUES (?1, ?2, ?3, ?4) ON CONFLICT DO UPDATE
      SET first = min(first, ?3), last = max(last, ?4)
      """)
    statement.bind(1, venue)
    statement.bind(2, device)
    statement.bind(3, span.lowerBound)
    statement.bind(4, span.upperBound)
    try statement.run()
  }

  /// See ``PositionStore/lateSpans(limit:)``.
  package func lateSpans(limit: Int) throws(StoreFault) -> [LateSpan] {
    let statement = try connection.statement(
      "SELECT venue, device, first, last FROM unsettled ORDER BY venue, device LIMIT ?")
    statement.bind(1, Int64(limit))
    var list: [LateSpan] = []
    while try statement.step() {
      list.append(
        LateSpan(
          venue: statement.int(0), device: statement.int(1),
          span: statement.int(2)...max(statement.int(2), statement.int(3))))
    }
    return list
  }

  /// See ``PositionStore/removeLateSpan(_:)``.
  package func removeLateSpan(_ mark: LateSpan) throws(StoreFault) {
    let statement = try connection.statement("DELETE FROM unsettled WHERE venue = ? AND device = ?")
    statement.bind(1, mark.venue)
    statement.bind(2, mark.device)
    try statement.run()
  }

  // MARK: Audit

  /// See ``PositionStore/note(endOf:at:)``.
  package func note(endOf name: String, at time: Instant) throws(StoreFault) { recorder?.note(endOf: name, at: time) }

  /// See ``PositionStore/save(_:)-(AuditEntry)``.
  @discardableResult
  package func save(_ entry: AuditEntry) throws(StoreFault) -> Int64 {
    let statement = try connection.statement(
      "INSERT INTO audit (time, operator, role, action, venue, device, reason) VALUES (?, ?, ?, ?, ?, ?, ?)")
    statement.bind(1, entry.time.milliseconds)
    statement.bind(2, entry.operator)
    statement.bind(3, entry.role)
    statement.bind(4, entry.action)
    statement.bind(5, entry.venue)
    statement.bind(6, entry.device)
    statement.bind(7, entry.reason)
    try statement.run()
    let number = connection.lastInsertNumber
    if recorder != nil {
      let device = try entry.device.flatMap { (number) throws(StoreFault) in try deviceID(number) }
      recorder?.note(entry, at: device)
    }
    return number
  }

  /// See ``PositionStore/countAccess(_:at:)``.
  package func countAccess(_ number: Int64, at time: Instant) throws(StoreFault) -> Bool {
    let statement = try connection.statement("UPDATE audit SET count = count + 1, last = ? WHERE number = ?")
    statement.bind(1, time.milliseconds)
    statement.bind(2, number)
    try statement.run()
    return connection.changes > 0
  }

  private static let auditFields = "number, time, operator, role, action, venue, device, reason, count, last"

  private func auditEntries(_ row: PreparedStatement) throws(StoreFault) -> [AuditEntry] {
    var list: [AuditEntry] = []
    while try row.step() {
      var entry = AuditEntry(
        time: Instant(milliseconds: row.int(1)), operator: row.text(2), role: row.text(3), action: row.text(4),
        venue: row.optionalText(5), device: row.optionalInt(6), reason: row.text(7))
      entry.number = row.int(0)
      entry.count = row.int(8)
      entry.last = row.optionalInt(9).map(Instant.init(milliseconds:)) ?? entry.time
      list.append(entry)
    }
    return list
  }

  /// See ``PositionStore/audit(device:before:limit:)``.
  package func audit(device: Int64?, before: Int64?, limit: Int) throws(StoreFault) -> [AuditEntry] {
    let statement = try connection.statement(
      """
      SELECT \(Self.auditFields) FROM audit
      WHERE (?1 IS NULL OR device = ?1) AND (?2 IS NULL OR number < ?2) ORDER BY number DESC LIMIT ?3
      """)
    statement.bind(1, device)
    statement.bind(2, before)
    statement.bind(3, Int64(limit))
    return try auditEntries(statement)
  }

  /// See ``PositionStore/accesses(to:limit:)``.
  package func accesses(to device: StoredDevice, limit: Int) throws(StoreFault) -> [AuditEntry] {
    let statement = try connection.statement(
      """
      SELECT \(Self.auditFields) FROM audit
      WHERE device = ?1 OR (device IS NULL AND venue = ?2 AND time >= ?3 AND action IN (?4, ?5))
      ORDER BY number DESC LIMIT ?6
      """)
    statement.bind(1, device.number)
    statement.bind(2, device.venue.rawValue)
    statement.bind(3, device.created.milliseconds)
    statement.bind(4, AuditEntry.actionsOnMany[0])
    statement.bind(5, AuditEntry.actionsOnMany[1])
    statement.bind(6, Int64(limit))
    return try auditEntries(statement)
  }

  // MARK: Retention

  /// See ``PositionStore/expire(_:)``.
  package func expire(_ limits: RetentionLimits) throws(StoreFault) -> RetentionReport {
    var report = RetentionReport()
    try recorder?.log.expire(decisions: limits.tombstones, accesses: limits.audit)
    let cutoff = SQLitePositionStore.high(of: limits.positions.milliseconds)
    let due = try connection.statement("SELECT DISTINCT device FROM presence WHERE first < ? ORDER BY device")
    due.bind(1, limits.positions.milliseconds)
    var numbers: [Int64] = []
    while try due.step() { numbers.append(due.int(0)) }
    for device in numbers {
      let room = limits.maximumPositions - Int(report.positions)
      guard room > 0 else {
        report.isPartial = true
        break
      }
      // Where too many are due, only up to the one that is one too many.
      let surplus = try connection.statement(
        "SELECT high FROM position WHERE device = ? AND high < ? ORDER BY high, low LIMIT 1 OFFSET ?")
      surplus.bind(1, device)
      surplus.bind(2, cutoff)
      surplus.bind(3, Int64(room))
      let next = try surplus.step() ? surplus.int(0) : nil
      surplus.reset()
      let deletion = try connection.statement("DELETE FROM position WHERE device = ? AND high < ?")
      deletion.bind(1, device)
      // Some of one millisecond are not parted.
      deletion.bind(2, next.map { $0 + 1 } ?? cutoff)
      report.positions += Int64(try deletion.run())
      if next != nil {
        report.isPartial = true
        break
      }
      let absence = try connection.statement("DELETE FROM presence WHERE device = ? AND last < ?")
      absence.bind(1, device)
      absence.bind(2, limits.positions.milliseconds)
      try absence.run()
      let shortening = try connection.statement("UPDATE presence SET first = ?1 WHERE device = ?2 AND first < ?1")
      shortening.bind(1, limits.positions.milliseconds)
      shortening.bind(2, device)
      try shortening.run()
    }
    for sql in [
      "DELETE FROM viewerCount WHERE start < ?", "DELETE FROM viewerPlace WHERE time < ?",
    ] { _ = try delete(sql, limits.positions.milliseconds) }
    try connection.run(
      """
      DELETE FROM viewerMember WHERE NOT EXISTS (
        SELECT 1 FROM viewerPlace AS p
        WHERE p.venue = viewerMember.venue AND p.floor = viewerMember.floor AND p.space = viewerMember.space)
      """)
    report.contacts = try delete("DELETE FROM contact WHERE end < ?", limits.contacts.milliseconds * 1_000)
    report.others += try delete("DELETE FROM audit WHERE time < ?", limits.audit.milliseconds)
    report.others += try delete("DELETE FROM tombstone WHERE time < ?", limits.tombstones.milliseconds)
    report.others += try delete("DELETE FROM batch WHERE time < ?", limits.batches.milliseconds)
    // A used-up code is not needed to activate the same device again: that is found by what the device says.
    let codes = try connection.statement(
      """
      DELETE FROM inviteCode WHERE expires < ?1 OR (uses >= maximumUses AND created < ?1)
        OR (expires IS NULL AND uses = 0 AND created < ?2)
      """)
    codes.bind(1, limits.invites.milliseconds)
    codes.bind(2, limits.unusedInvites.milliseconds)
    report.others += Int64(try codes.run())
    devices?.removeAll()
    // Devices that were named by somebody who never came back with the secret: they have no rows.
    report.others += try delete(
      """
      DELETE FROM device WHERE pendingSecret IS NOT NULL AND lastSeen < ?
        AND number NOT IN (SELECT device FROM presence)
      """, limits.batches.milliseconds)
    try expireDevices(before: limits.devices, &report)
    return report
  }

  /// The most devices that are forgotten in one transaction.
  package static let maximumSilentDevices = 1_000

  private func expireDevices(before time: Instant, _ report: inout RetentionReport) throws(StoreFault) {
    let silent = try connection.statement(
      """
      SELECT number FROM device WHERE lastSeen < ? AND number NOT IN (SELECT device FROM presence)
        AND NOT EXISTS (SELECT 1 FROM contact WHERE first = device.number)
        AND NOT EXISTS (SELECT 1 FROM contact WHERE second = device.number)
      ORDER BY number LIMIT ?
      """)
    silent.bind(1, time.milliseconds)
    silent.bind(2, Int64(Self.maximumSilentDevices))
    var numbers: [Int64] = []
    while try silent.step() { numbers.append(silent.int(0)) }
    for number in numbers { _ = try erase(device: number) }
    report.devices = Int64(numbers.count)
    if numbers.count == Self.maximumSilentDevices { report.isPartial = true }
  }

  private func delete(_ sql: String, _ limit: Int64) throws(StoreFault) -> Int64 {
    let statement = try connection.statement(sql)
    statement.bind(1, limit)
    return Int64(try statement.run())
  }
}
