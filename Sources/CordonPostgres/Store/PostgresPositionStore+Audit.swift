package import CordonCore
package import CordonIngest

extension PostgresPositionStore {
  /// See ``PositionStore/note(endOf:at:)``.
  package func note(endOf name: String, at time: Instant) throws(StoreFault) {
    try note { $0.note(endOf: name, at: time) }
  }

  /// See ``PositionStore/save(_:)-(AuditEntry)``.
  @discardableResult
  package func save(_ entry: AuditEntry) throws(StoreFault) -> Int64 {
    let number = try nextNumber("audit")
    try post(
      """
      INSERT INTO audit (number, time, operator, role, action, venue, device, reason)
      VALUES ($1, $2, $3, $4, $5, $6, $7, $8)
      """,
      [
        .int(number), .int(entry.time.milliseconds), .text(entry.operator), .text(entry.role), .text(entry.action),
        .optionalText(entry.venue), .optionalInt(entry.device), .text(entry.reason),
      ])
    if isRecording {
      let device = try entry.device.flatMap { (number) throws(StoreFault) in try deviceID(number) }
      try note { $0.note(entry, at: device) }
    }
    return number
  }

  /// See ``PositionStore/countAccess(_:at:)``.
  package func countAccess(_ number: Int64, at time: Instant) throws(StoreFault) -> Bool {
    try run(
      "UPDATE audit SET count = count + 1, last = $1 WHERE number = $2", [.int(time.milliseconds), .int(number)]
    ).changes > 0
  }

  private static let fields = "number, time, operator, role, action, venue, device, reason, count, last"

  private func entries(_ sql: String, _ parameters: [PostgresParameter]) throws(StoreFault) -> [AuditEntry] {
    let rows = try run("SELECT \(Self.fields) FROM audit \(sql)", parameters)
    return rows.indices.map { row in
      var entry = AuditEntry(
        time: Instant(milliseconds: rows.int(row, 1)), operator: rows.text(row, 2), role: rows.text(row, 3),
        action: rows.text(row, 4), venue: rows.optionalText(row, 5), device: rows.optionalInt(row, 6),
        reason: rows.text(row, 7))
      entry.number = rows.int(row, 0)
      entry.count = rows.int(row, 8)
      entry.last = rows.optionalInt(row, 9).map(Instant.init(milliseconds:)) ?? entry.time
      return entry
    }
  }

  /// See ``PositionStore/audit(device:before:limit:)``.
  package func audit(device: Int64?, before: Int64?, limit: Int) throws(StoreFault) -> [AuditEntry] {
    try entries(
      """
      WHERE ($1::bigint IS NULL OR device = $1) AND ($2::bigint IS NULL OR number < $2) ORDER BY number DESC LIMIT $3
      """, [.optionalInt(device), .optionalInt(before), .int(Int64(limit))])
  }

  /// See ``PositionStore/accesses(to:limit:)``.
  package func accesses(to device: StoredDevice, limit: Int) throws(StoreFault) -> [AuditEntry] {
    try entries(
      """
      WHERE device = $1 OR (device IS NULL AND venue = $2 AND time >= $3 AND action IN ($4, $5))
      ORDER BY number DESC LIMIT $6
      """,
      [
        .int(device.number), .text(device.venue.rawValue), .int(device.created.milliseconds),
        .text(AuditEntry.actionsOnMany[0]), .text(AuditEntry.actionsOnMany[1]), .int(Int64(limit)),
      ])
  }
}
