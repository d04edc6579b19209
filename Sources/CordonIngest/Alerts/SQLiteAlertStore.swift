package import CordonCore
internal import CordonSQLite

/// Rules and alerts in a SQLite file of their own.
package final class SQLiteAlertStore: AlertStore {
  private let connection: Connection

  /// Opens a file, and makes it if it is not there.
  package init(path: String) throws(StoreFault) {
    connection = try Connection(path: path, vfs: nil, isReadOnly: false)
    _ = try connection.setting("PRAGMA journal_mode = WAL")
    try connection.script(
      """
      PRAGMA secure_delete = ON;
      PRAGMA foreign_keys = ON;
      PRAGMA temp_store = MEMORY;
      CREATE TABLE IF NOT EXISTS alertRule (
        number INTEGER PRIMARY KEY AUTOINCREMENT, venue TEXT NOT NULL, kind TEXT NOT NULL, name TEXT NOT NULL,
        space TEXT, floor INTEGER, device TEXT, threshold INTEGER NOT NULL, lasting INTEGER NOT NULL, isOn INTEGER NOT NULL,
        holder INTEGER, created INTEGER
      );
      CREATE TABLE IF NOT EXISTS alert (
        number INTEGER PRIMARY KEY AUTOINCREMENT, rule INTEGER NOT NULL REFERENCES alertRule ON DELETE CASCADE,
        began INTEGER NOT NULL, raised INTEGER NOT NULL, ended INTEGER, peak INTEGER NOT NULL, space TEXT, acknowledged TEXT
      );
      CREATE INDEX IF NOT EXISTS alertOfRule ON alert (rule, number);
      CREATE INDEX IF NOT EXISTS openAlert ON alert (number) WHERE ended IS NULL;
      CREATE TABLE IF NOT EXISTS alertSent (
        number INTEGER PRIMARY KEY REFERENCES alert ON DELETE CASCADE, sent INTEGER, endSent INTEGER
      );
      """)
    try bringHolders()
    // A loss of power after an erasure may bring the log back. Without room the next deletion empties it.
    try? emptyLog()
  }

  /// Leaves nothing of what was deleted in the write-ahead log.
  private func emptyLog() throws(StoreFault) { _ = try connection.int("PRAGMA wal_checkpoint(TRUNCATE)") }

  /// Adds what tables of a version without holders lack.
  private func bringHolders() throws(StoreFault) {
    let columns = "SELECT count(*) FROM pragma_table_info('alertRule') WHERE name = 'holder'"
    guard try connection.int(columns) == 0 else { return }
    try connection.script("BEGIN IMMEDIATE")
    do throws(StoreFault) {
      // Another program may have been faster.
      if try connection.int(columns) == 0 {
        try connection.script(
          "ALTER TABLE alertRule ADD COLUMN holder INTEGER; ALTER TABLE alertRule ADD COLUMN created INTEGER")
      }
      try connection.script("COMMIT")
    } catch {
      connection.rollBack()
      throw error
    }
  }

  private static let ruleFields =
    "number, venue, kind, name, space, floor, device, threshold, lasting, isOn, holder, created"
  private static let alertFields = "number, rule, began, raised, ended, peak, space, acknowledged"
  private static let sentFields = "sent, endSent"

  /// See ``AlertStore/save(_:)-(AlertRule)``.
  package func save(_ rule: AlertRule) throws(StoreFault) -> Int64 {
    guard rule.number == 0 else {
      let update = try connection.statement(
        "UPDATE alertRule SET name = ?, threshold = ?, lasting = ?, isOn = ?, holder = ? WHERE number = ?")
      update.bind(1, rule.name)
      update.bind(2, rule.threshold)
      update.bind(3, rule.lasting)
      update.bind(4, rule.isOn ? 1 : 0 as Int64)
      update.bind(5, rule.holder?.milliseconds)
      update.bind(6, rule.number)
      try update.run()
      return rule.number
    }
    let statement = try connection.statement(
      "INSERT INTO alertRule (\(Self.ruleFields)) VALUES (NULL, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)")
    statement.bind(1, rule.venue.rawValue)
    statement.bind(2, rule.kind.rawValue)
    statement.bind(3, rule.name)
    statement.bind(4, rule.space?.rawValue)
    statement.bind(5, rule.floor.map { Int64($0.thousandths) })
    statement.bind(6, rule.device?.rawValue)
    statement.bind(7, rule.threshold)
    statement.bind(8, rule.lasting)
    statement.bind(9, rule.isOn ? 1 : 0 as Int64)
    statement.bind(10, rule.holder?.milliseconds)
    statement.bind(11, rule.created?.milliseconds)
    try statement.run()
    return try connection.int("SELECT last_insert_rowid()")
  }

  /// See ``AlertStore/rules()``.
  package func rules() throws(StoreFault) -> [AlertRule] {
    let row = try connection.statement("SELECT \(Self.ruleFields) FROM alertRule ORDER BY number")
    var list: [AlertRule] = []
    while try row.step() {
      guard let venue = VenueID(row.text(1)), let kind = AlertRule.Kind(rawValue: row.text(2)) else { continue }
      list.append(
        AlertRule(
          number: row.int(0), venue: venue, kind: kind, name: row.text(3),
          space: row.optionalText(4).flatMap { SpaceID($0) },
          floor: row.optionalInt(5).map { FloorOrdinal(thousandths: Int32(truncatingIfNeeded: $0)) },
          device: row.optionalText(6).flatMap { DeviceID($0) }, threshold: row.int(7), lasting: row.int(8),
          isOn: row.int(9) != 0, holder: row.optionalInt(10).map(Instant.init(milliseconds:)),
          created: row.optionalInt(11).map(Instant.init(milliseconds:))))
    }
    return list
  }

  /// See ``AlertStore/remove(rule:)``.
  package func remove(rule number: Int64) throws(StoreFault) {
    let statement = try connection.statement("DELETE FROM alertRule WHERE number = ?")
    statement.bind(1, number)
    try statement.run()
  }

  /// See ``AlertStore/save(_:)-(Alert)``.
  package func save(_ alert: Alert) throws(StoreFault) -> Int64 {
    guard alert.number == 0 else {
      let update = try connection.statement(
        "UPDATE alert SET ended = ?, peak = ?, space = ?, acknowledged = ? WHERE number = ?")
      update.bind(1, alert.ended?.milliseconds)
      update.bind(2, alert.peak)
      update.bind(3, alert.space?.rawValue)
      update.bind(4, alert.acknowledged)
      update.bind(5, alert.number)
      try update.run()
      if alert.sent != nil || alert.endSent != nil {
        let sent = try connection.statement("INSERT OR REPLACE INTO alertSent VALUES (?, ?, ?)")
        sent.bind(1, alert.number)
        sent.bind(2, alert.sent?.milliseconds)
        sent.bind(3, alert.endSent?.milliseconds)
        try sent.run()
      }
      return alert.number
    }
    let statement = try connection.statement(
      "INSERT INTO alert (\(Self.alertFields)) VALUES (NULL, ?, ?, ?, ?, ?, ?, ?)")
    statement.bind(1, alert.rule)
    statement.bind(2, alert.began.milliseconds)
    statement.bind(3, alert.raised.milliseconds)
    statement.bind(4, alert.ended?.milliseconds)
    statement.bind(5, alert.peak)
    statement.bind(6, alert.space?.rawValue)
    statement.bind(7, alert.acknowledged)
    try statement.run()
    return try connection.int("SELECT last_insert_rowid()")
  }

  /// See ``AlertStore/alerts(of:limit:)``.
  package func alerts(of rule: Int64, limit: Int) throws(StoreFault) -> [Alert] {
    let row = try connection.statement(
      """
      SELECT \(Self.alertFields), \(Self.sentFields) FROM alert LEFT JOIN alertSent USING (number)
      WHERE rule = ? ORDER BY number DESC LIMIT ?
      """)
    row.bind(1, rule)
    row.bind(2, Int64(limit))
    return try Self.alerts(row)
  }

  /// See ``AlertStore/openAlerts()``.
  package func openAlerts() throws(StoreFault) -> [Alert] {
    try Self.alerts(
      try connection.statement(
        """
        SELECT \(Self.alertFields), \(Self.sentFields) FROM alert LEFT JOIN alertSent USING (number)
        WHERE ended IS NULL ORDER BY number
        """))
  }

  private static func alerts(_ row: PreparedStatement) throws(StoreFault) -> [Alert] {
    var list: [Alert] = []
    while try row.step() {
      list.append(
        Alert(
          number: row.int(0), rule: row.int(1), began: Instant(milliseconds: row.int(2)),
          raised: Instant(milliseconds: row.int(3)), ended: row.optionalInt(4).map(Instant.init(milliseconds:)),
          peak: row.int(5), space: row.optionalText(6).flatMap { SpaceID($0) }, acknowledged: row.optionalText(7),
          sent: row.optionalInt(8).map(Instant.init(milliseconds:)),
          endSent: row.optionalInt(9).map(Instant.init(milliseconds:))))
    }
    return list
  }

  /// See ``AlertStore/forget(_:_:)``.
  package func forget(_ device: DeviceID, _ end: DeviceEnd) throws(StoreFault) {
    let statement = try connection.statement(
      "DELETE FROM alertRule WHERE device = ? AND coalesce(holder, 0) < ? AND coalesce(created, 0) <= ?")
    statement.bind(1, device.rawValue)
    statement.bind(2, end.limits.before)
    statement.bind(3, end.limits.receivedUntil)
    try statement.run()
    // Also without rules: an earlier attempt may have ended before the log was emptied.
    try emptyLog()
  }

  /// See ``AlertStore/expire(before:)``.
  package func expire(before time: Instant) throws(StoreFault) {
    let statement = try connection.statement("DELETE FROM alert WHERE ended < ?")
    statement.bind(1, time.milliseconds)
    try statement.run()
    try emptyLog()
  }
}
