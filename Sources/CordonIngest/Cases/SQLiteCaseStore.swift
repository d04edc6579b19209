package import CordonCore
internal import CordonSQLite

/// Cases in a SQLite file of their own; `:memory:` keeps them in memory. Deleted rows are overwritten.
package final class SQLiteCaseStore: CaseStore {
  private let connection: Connection

  /// Opens a file, and makes it if it is not there.
  package init(path: String) throws(StoreFault) {
    connection = try Connection(path: path, vfs: nil, isReadOnly: false)
    _ = try connection.setting("PRAGMA journal_mode = WAL")
    try connection.script(
      """
      PRAGMA synchronous = FULL;
      PRAGMA secure_delete = ON;
      PRAGMA foreign_keys = ON;
      PRAGMA temp_store = MEMORY;
      CREATE TABLE IF NOT EXISTS caseFile (
        number INTEGER PRIMARY KEY AUTOINCREMENT, venue TEXT NOT NULL, label TEXT NOT NULL, device TEXT NOT NULL,
        onset INTEGER, since INTEGER NOT NULL, until INTEGER NOT NULL, threshold INTEGER NOT NULL,
        wallPercent INTEGER NOT NULL, note TEXT NOT NULL, created INTEGER NOT NULL, creator TEXT NOT NULL, closed INTEGER,
        holder INTEGER NOT NULL DEFAULT 0
      );
      CREATE TABLE IF NOT EXISTS caseContact \(Self.contactColumns);
      CREATE TABLE IF NOT EXISTS notice \(Self.noticeColumns);
      """)
    try bringHolders()
    try connection.script("CREATE INDEX IF NOT EXISTS noticeDevice ON notice (device)")
    // A loss of power after an erasure may bring the log back. Without room the next deletion empties it.
    try? emptyLog()
  }

  private static let contactColumns = """
    (
      caseFile INTEGER NOT NULL REFERENCES caseFile ON DELETE CASCADE, device TEXT NOT NULL, status TEXT NOT NULL,
      note TEXT NOT NULL, changed INTEGER NOT NULL, operator TEXT NOT NULL, holder INTEGER NOT NULL DEFAULT 0,
      PRIMARY KEY (caseFile, device, holder)
    ) WITHOUT ROWID
    """
  private static let noticeColumns = """
    (
      number INTEGER PRIMARY KEY AUTOINCREMENT, caseFile INTEGER NOT NULL REFERENCES caseFile ON DELETE CASCADE,
      device TEXT NOT NULL, exposed INTEGER NOT NULL, template TEXT NOT NULL, advice TEXT NOT NULL,
      created INTEGER NOT NULL, expires INTEGER NOT NULL, delivered INTEGER, acknowledged INTEGER,
      holder INTEGER NOT NULL DEFAULT 0, UNIQUE (caseFile, device, holder, exposed)
    )
    """

  /// Brings tables of a version without holders to the present one: what was made in the time of a holder is about that holder.
  private func bringHolders() throws(StoreFault) {
    let columns = "SELECT count(*) FROM pragma_table_info('caseFile') WHERE name = 'holder'"
    guard try connection.int(columns) == 0 else { return }
    try connection.script("BEGIN IMMEDIATE")
    do throws(StoreFault) {
      // Another program may have been faster.
      if try connection.int(columns) == 0 {
        try connection.script(
          """
          ALTER TABLE caseFile ADD COLUMN holder INTEGER NOT NULL DEFAULT 0;
          UPDATE caseFile SET holder = created;
          CREATE TABLE newContact \(Self.contactColumns);
          INSERT INTO newContact SELECT caseFile, device, status, note, changed, operator, changed FROM caseContact;
          DROP TABLE caseContact;
          ALTER TABLE newContact RENAME TO caseContact;
          CREATE TABLE newNotice \(Self.noticeColumns);
          INSERT INTO sqlite_sequence (name, seq) SELECT 'newNotice', seq FROM sqlite_sequence WHERE name = 'notice';
          INSERT INTO newNotice SELECT number, caseFile, device, exposed, template, advice, created, expires, delivered,
            acknowledged, created FROM notice;
          DROP TABLE notice;
          ALTER TABLE newNotice RENAME TO notice;
          """)
      }
      try connection.script("COMMIT")
    } catch {
      connection.rollBack()
      throw error
    }
  }

  // MARK: Cases

  private static let fields =
    "number, venue, label, device, onset, since, until, threshold, wallPercent, note, created, creator, closed, holder"

  /// See ``CaseStore/save(_:)-(CaseRecord)``.
  package func save(_ record: CaseRecord) throws(StoreFault) -> Int64 {
    let statement = try connection.statement(
      "INSERT OR REPLACE INTO caseFile (\(Self.fields)) VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)")
    let update = try connection.statement(
      """
      UPDATE caseFile SET label = ?, onset = ?, since = ?, until = ?, threshold = ?, wallPercent = ?, note = ?, closed = ?
      WHERE number = ?
      """)
    guard record.number == 0 else {
      update.bind(1, record.label)
      update.bind(2, record.onset?.milliseconds)
      update.bind(3, record.from.milliseconds)
      update.bind(4, record.to.milliseconds)
      update.bind(5, record.thresholdMinutes)
      update.bind(6, record.wallPercent)
      update.bind(7, record.note)
      update.bind(8, record.closed?.milliseconds)
      update.bind(9, record.number)
      try update.run()
      return record.number
    }
    statement.bindNull(1)
    statement.bind(2, record.venue.rawValue)
    statement.bind(3, record.label)
    statement.bind(4, record.device.rawValue)
    statement.bind(5, record.onset?.milliseconds)
    statement.bind(6, record.from.milliseconds)
    statement.bind(7, record.to.milliseconds)
    statement.bind(8, record.thresholdMinutes)
    statement.bind(9, record.wallPercent)
    statement.bind(10, record.note)
    statement.bind(11, record.created.milliseconds)
    statement.bind(12, record.creator)
    statement.bind(13, record.closed?.milliseconds)
    statement.bind(14, record.holder.milliseconds)
    try statement.run()
    return try connection.int("SELECT last_insert_rowid()")
  }

  /// See ``CaseStore/record(_:)``.
  package func record(_ number: Int64) throws(StoreFault) -> CaseRecord? {
    let statement = try connection.statement("SELECT \(Self.fields) FROM caseFile WHERE number = ?")
    statement.bind(1, number)
    defer { statement.reset() }
    return try statement.step() ? Self.record(statement) : nil
  }

  /// See ``CaseStore/records(of:)``.
  package func records(of venue: VenueID) throws(StoreFault) -> [CaseRecord] {
    let statement = try connection.statement(
      "SELECT \(Self.fields) FROM caseFile WHERE venue = ? ORDER BY number DESC")
    statement.bind(1, venue.rawValue)
    var list: [CaseRecord] = []
    while try statement.step() { if let record = Self.record(statement) { list.append(record) } }
    return list
  }

  private static func record(_ row: PreparedStatement) -> CaseRecord? {
    guard let venue = VenueID(row.text(1)), let device = DeviceID(row.text(3)) else { return nil }
    return CaseRecord(
      number: row.int(0), venue: venue, label: row.text(2), device: device,
      onset: row.optionalInt(4).map(Instant.init(milliseconds:)), from: Instant(milliseconds: row.int(5)),
      to: Instant(milliseconds: row.int(6)), thresholdMinutes: row.int(7), wallPercent: row.int(8), note: row.text(9),
      created: Instant(milliseconds: row.int(10)), creator: row.text(11),
      closed: row.optionalInt(12).map(Instant.init(milliseconds:)), holder: Instant(milliseconds: row.int(13)))
  }

  /// See ``CaseStore/remove(_:)``.
  package func remove(_ number: Int64) throws(StoreFault) {
    let statement = try connection.statement("DELETE FROM caseFile WHERE number = ?")
    statement.bind(1, number)
    try statement.run()
  }

  // MARK: Devices to notify

  /// See ``CaseStore/save(_:of:)``.
  package func save(_ contact: CaseContact, of number: Int64) throws(StoreFault) {
    let statement = try connection.statement("INSERT OR REPLACE INTO caseContact VALUES (?, ?, ?, ?, ?, ?, ?)")
    statement.bind(1, number)
    statement.bind(2, contact.device.rawValue)
    statement.bind(3, contact.status.rawValue)
    statement.bind(4, contact.note)
    statement.bind(5, contact.changed.milliseconds)
    statement.bind(6, contact.operator)
    statement.bind(7, contact.holder.milliseconds)
    try statement.run()
  }

  /// See ``CaseStore/contacts(of:)``.
  package func contacts(of number: Int64) throws(StoreFault) -> [CaseContact] {
    let statement = try connection.statement(
      """
      SELECT device, status, note, changed, operator, holder FROM caseContact WHERE caseFile = ? ORDER BY device, holder
      """)
    statement.bind(1, number)
    var list: [CaseContact] = []
    while try statement.step() {
      guard let device = DeviceID(statement.text(0)), let status = CaseContact.Status(rawValue: statement.text(1))
      else {
        continue
      }
      list.append(
        CaseContact(
          device: device, status: status, note: statement.text(2), changed: Instant(milliseconds: statement.int(3)),
          operator: statement.text(4), holder: Instant(milliseconds: statement.int(5))))
    }
    return list
  }

  // MARK: Notices

  /// See ``CaseStore/save(_:)-(CaseNotice)``.
  package func save(_ notice: CaseNotice) throws(StoreFault) -> Int64 {
    let update = try connection.statement("UPDATE notice SET delivered = ?, acknowledged = ? WHERE number = ?")
    guard notice.number == 0 else {
      update.bind(1, notice.delivered?.milliseconds)
      update.bind(2, notice.acknowledged?.milliseconds)
      update.bind(3, notice.number)
      try update.run()
      return notice.number
    }
    // An insertion that is ignored would use up a number all the same.
    let known = try connection.statement(
      "SELECT number FROM notice WHERE caseFile = ? AND device = ? AND exposed = ? AND holder = ?")
    known.bind(1, notice.caseNumber)
    known.bind(2, notice.device.rawValue)
    known.bind(3, notice.exposed.milliseconds)
    known.bind(4, notice.holder.milliseconds)
    defer { known.reset() }
    if try known.step() { return known.int(0) }
    let statement = try connection.statement(
      """
      INSERT INTO notice (caseFile, device, exposed, template, advice, created, expires, holder)
      VALUES (?, ?, ?, ?, ?, ?, ?, ?)
      """)
    statement.bind(1, notice.caseNumber)
    statement.bind(2, notice.device.rawValue)
    statement.bind(3, notice.exposed.milliseconds)
    statement.bind(4, notice.template)
    statement.bind(5, notice.advice)
    statement.bind(6, notice.created.milliseconds)
    statement.bind(7, notice.expires.milliseconds)
    statement.bind(8, notice.holder.milliseconds)
    try statement.run()
    return try connection.int("SELECT last_insert_rowid()")
  }

  private static let noticeFields =
    "number, caseFile, device, exposed, template, advice, created, expires, delivered, acknowledged, holder"

  /// See ``CaseStore/notices(of:)``.
  package func notices(of number: Int64) throws(StoreFault) -> [CaseNotice] {
    let statement = try connection.statement(
      "SELECT \(Self.noticeFields) FROM notice WHERE caseFile = ? ORDER BY number")
    statement.bind(1, number)
    return try Self.notices(statement)
  }

  /// See ``CaseStore/notices(to:now:)``.
  package func notices(to device: DeviceID, now: Instant) throws(StoreFault) -> [CaseNotice] {
    let statement = try connection.statement(
      "SELECT \(Self.noticeFields) FROM notice WHERE device = ? AND expires > ? ORDER BY number")
    statement.bind(1, device.rawValue)
    statement.bind(2, now.milliseconds)
    return try Self.notices(statement)
  }

  private static func notices(_ row: PreparedStatement) throws(StoreFault) -> [CaseNotice] {
    var list: [CaseNotice] = []
    while try row.step() {
      guard let device = DeviceID(row.text(2)) else { continue }
      list.append(
        CaseNotice(
          number: row.int(0), caseNumber: row.int(1), device: device, exposed: Instant(milliseconds: row.int(3)),
          template: row.text(4), advice: row.text(5), created: Instant(milliseconds: row.int(6)),
          expires: Instant(milliseconds: row.int(7)), delivered: row.optionalInt(8).map(Instant.init(milliseconds:)),
          acknowledged: row.optionalInt(9).map(Instant.init(milliseconds:)), holder: Instant(milliseconds: row.int(10)))
      )
    }
    return list
  }

  // MARK: Deletion

  /// See ``CaseStore/forget(_:_:)``.
  package func forget(_ device: DeviceID, _ end: DeviceEnd) throws(StoreFault) {
    for (table, made) in [("caseFile", "created"), ("caseContact", "changed"), ("notice", "created")] {
      let statement = try connection.statement(
        "DELETE FROM \(table) WHERE device = ? AND holder < ? AND \(made) <= ?")
      statement.bind(1, device.rawValue)
      statement.bind(2, end.limits.before)
      statement.bind(3, end.limits.receivedUntil)
      try statement.run()
    }
    try emptyLog()
  }

  /// See ``CaseStore/expire(before:)``.
  package func expire(before time: Instant) throws(StoreFault) -> Int {
    let cases = try connection.statement("DELETE FROM caseFile WHERE closed < ?")
    cases.bind(1, time.milliseconds)
    let count = try cases.run()
    let notices = try connection.statement("DELETE FROM notice WHERE expires < ?")
    notices.bind(1, time.milliseconds)
    try notices.run()
    try emptyLog()
    return count
  }

  /// Leaves nothing of what was deleted in the write-ahead log.
  private func emptyLog() throws(StoreFault) { _ = try connection.int("PRAGMA wal_checkpoint(TRUNCATE)") }
}
