import CCleanPages
package import CordonCore
package import CordonIngest
import CordonSQLite

/// Forms, keys and records in a SQLite file of their own.
///
/// It is written through a file layer that leaves no copies of rows in the free space of pages, so that erased records are gone.
package final class SQLiteFormStore: FormStore {
  private let connection: Connection

  private static let migrations = Migrations([
    .init(
      "forms",
      """
      CREATE TABLE form (
        form TEXT NOT NULL, version INTEGER NOT NULL, venue TEXT NOT NULL, isForDevices INTEGER NOT NULL,
        created INTEGER NOT NULL, creator TEXT NOT NULL, document BLOB NOT NULL, PRIMARY KEY (form, version)
      ) WITHOUT ROWID;
      CREATE TABLE formKey (
        number INTEGER PRIMARY KEY AUTOINCREMENT, form TEXT NOT NULL, label TEXT NOT NULL, hash BLOB NOT NULL UNIQUE,
        created INTEGER NOT NULL, creator TEXT NOT NULL
      );
      CREATE TABLE entry (
        sequence INTEGER PRIMARY KEY AUTOINCREMENT, form TEXT NOT NULL, record TEXT NOT NULL, id TEXT UNIQUE,
        device TEXT NOT NULL, received INTEGER NOT NULL, body BLOB NOT NULL
      );
      CREATE INDEX entryOfForm ON entry (form, sequence);
      CREATE INDEX entryOfRecord ON entry (record, received);
      CREATE INDEX entryOfDevice ON entry (device) WHERE device <> '';
      """),
    // The beginning of the time of the holder who sent an entry; NULL for collectors, and for all entries from before.
    .init("holders", "ALTER TABLE entry ADD COLUMN holder INTEGER"),
    .init("check-in", "ALTER TABLE form ADD COLUMN isAtCheckIn INTEGER NOT NULL DEFAULT 0"),
  ])

  /// Opens a file, and makes it if it is not there. `:memory:` is one that lasts as long as the object.
  package init(path: String) throws(StoreFault) {
    guard let layer = cordon_clean_pages_layer(nil) else { throw StoreFault(.failed, "\(path): no file layer") }
    do throws(SQLiteFault) {
      connection = try Connection(
        storeAt: path, layer: String(cString: layer), timeout: 5_000,
        settings:
          "PRAGMA journal_mode = WAL; PRAGMA secure_delete = ON; PRAGMA synchronous = FULL; PRAGMA temp_store = MEMORY",
        tables: Self.migrations)
    } catch {
      throw StoreFault(.failed, error.description)
    }
    // A process that ended between an erasure and its scrub left the rows in the log. Without room the next scrub does it.
    try? scrub()
  }

  private func rows<T>(
    _ sql: String, _ bind: (PreparedStatement) -> Void, _ read: (PreparedStatement) -> T?
  ) throws(StoreFault) -> [T] {
    do throws(SQLiteFault) {
      return try connection.values(sql, bind, read)
    } catch {
      throw StoreFault(error)
    }
  }

  @discardableResult
  private func run(_ sql: String, _ bind: (PreparedStatement) -> Void = { _ in }) throws(StoreFault) -> Int {
    do throws(SQLiteFault) {
      return try connection.change(sql, bind)
    } catch {
      throw StoreFault(error)
    }
  }

  package func transaction<T>(_ body: () throws(StoreFault) -> T) throws(StoreFault) -> T {
    try run("BEGIN IMMEDIATE")
    do throws(StoreFault) {
      let value = try body()
      try run("COMMIT")
      return value
    } catch {
      connection.rollBack()
      throw error
    }
  }

  // MARK: Forms and keys

  private static let formFields = "form, version, venue, isForDevices, created, creator, document, isAtCheckIn"

  package func forms() throws(StoreFault) -> [StoredForm] {
    try rows(
      "SELECT \(Self.formFields) FROM form ORDER BY form, version",
      { _ in }
    ) { row in
      VenueID(row.text(2)).map { venue in
        StoredForm(
          form: row.text(0), version: Int(row.int(1)), venue: venue, isForDevices: row.int(3) != 0,
          isAtCheckIn: row.int(7) != 0, created: Instant(milliseconds: row.int(4)), creator: row.text(5),
          document: row.blob(6))
      }
    }
  }

  package func save(_ form: StoredForm) throws(StoreFault) {
    try run("INSERT OR REPLACE INTO form (\(Self.formFields)) VALUES (?, ?, ?, ?, ?, ?, ?, ?)") {
      $0.bind(1, form.form)
      $0.bind(2, Int64(form.version))
      $0.bind(3, form.venue.rawValue)
      $0.bind(4, form.isForDevices ? 1 : 0 as Int64)
      $0.bind(5, form.created.milliseconds)
      $0.bind(6, form.creator)
      $0.bind(7, form.document)
      $0.bind(8, form.isAtCheckIn ? 1 : 0 as Int64)
    }
  }

  private static let keyFields = "number, form, label, hash, created, creator"

  private static func key(_ row: PreparedStatement) -> FormKey {
    var key = FormKey(
      form: row.text(1), label: row.text(2), hash: row.blob(3), created: Instant(milliseconds: row.int(4)),
      creator: row.text(5))
    key.number = row.int(0)
    return key
  }

  package func keys(of form: String) throws(StoreFault) -> [FormKey] {
    try rows(
      "SELECT \(Self.keyFields) FROM formKey WHERE form = ? ORDER BY number", { $0.bind(1, form) }, Self.key)
  }

  package func key(_ hash: [UInt8]) throws(StoreFault) -> FormKey? {
    try rows("SELECT \(Self.keyFields) FROM formKey WHERE hash = ?", { $0.bind(1, hash) }, Self.key).first
  }

  package func save(_ key: FormKey) throws(StoreFault) -> Int64 {
    try run("INSERT INTO formKey (\(Self.keyFields)) VALUES (NULL, ?, ?, ?, ?, ?)") {
      $0.bind(1, key.form)
      $0.bind(2, key.label)
      $0.bind(3, key.hash)
      $0.bind(4, key.created.milliseconds)
      $0.bind(5, key.creator)
    }
    return try rows("SELECT last_insert_rowid()", { _ in }, { $0.int(0) }).first ?? 0
  }

  package func remove(key number: Int64, of form: String) throws(StoreFault) -> Bool {
    try run("DELETE FROM formKey WHERE number = ? AND form = ?") {
      $0.bind(1, number)
      $0.bind(2, form)
    } > 0
  }

  // MARK: Records

  private static let entryFields = "sequence, form, record, id, device, received, body, holder"

  private static func entry(_ row: PreparedStatement) -> FormEntry {
    var entry = FormEntry(
      form: row.text(1), record: row.text(2), id: row.optionalText(3), device: row.text(4),
      holder: row.optionalInt(7).map(Instant.init(milliseconds:)), received: Instant(milliseconds: row.int(5)),
      body: row.blob(6))
    entry.sequence = row.int(0)
    return entry
  }

  package func add(_ entry: FormEntry) throws(StoreFault) -> Bool {
    try run("INSERT OR IGNORE INTO entry (\(Self.entryFields)) VALUES (NULL, ?, ?, ?, ?, ?, ?, ?)") {
      $0.bind(1, entry.form)
      $0.bind(2, entry.record)
      $0.bind(3, entry.id)
      $0.bind(4, entry.device)
      $0.bind(5, entry.received.milliseconds)
      $0.bind(6, entry.body)
      $0.bind(7, entry.holder?.milliseconds)
    } > 0
  }

  package func entries(
    of form: String, after sequence: Int64, limit: Int, owner: FormOwner?, without: String?
  ) throws(StoreFault) -> [FormEntry] {
    var conditions = "form = ? AND sequence > ?"
    if owner != nil { conditions += " AND device = ?4 AND coalesce(holder, 0) = ?6" }
    if without != nil { conditions += " AND (id IS NULL OR device <> ?5)" }
    return try rows(
      "SELECT \(Self.entryFields) FROM entry WHERE \(conditions) ORDER BY sequence LIMIT ?3",
      {
        $0.bind(1, form)
        $0.bind(2, sequence)
        $0.bind(3, Int64(limit))
        if let without { $0.bind(5, without) }
        if let owner {
          $0.bind(4, owner.device)
          $0.bind(6, owner.since.milliseconds)
        }
      }, Self.entry)
  }

  package func lastSequence() throws(StoreFault) -> Int64 {
    try rows("SELECT coalesce(max(sequence), 0) FROM entry", { _ in }, { $0.int(0) }).first ?? 0
  }

  package func history(of record: String) throws(StoreFault) -> [FormEntry] {
    try rows(
      "SELECT \(Self.entryFields) FROM entry WHERE record = ? ORDER BY sequence", { $0.bind(1, record) }, Self.entry)
  }

  package func records(of form: String, after record: String, limit: Int) throws(StoreFault) -> [String] {
    try rows(
      """
      SELECT DISTINCT record FROM entry WHERE form = ? AND record > ? AND id IS NOT NULL ORDER BY record LIMIT ?
      """,
      {
        $0.bind(1, form)
        $0.bind(2, record)
        $0.bind(3, Int64(limit))
      }, { $0.text(0) })
  }

  package func records(of device: String) throws(StoreFault) -> [String] {
    try rows(
      "SELECT DISTINCT record FROM entry WHERE device = ? AND id IS NOT NULL ORDER BY record", { $0.bind(1, device) },
      { $0.text(0) })
  }

  package func devices() throws(StoreFault) -> [String] {
    try rows("SELECT DISTINCT device FROM entry WHERE device <> '' ORDER BY device", { _ in }, { $0.text(0) })
  }

  package func claim(_ id: String, since: Instant) throws(StoreFault) {
    try run("UPDATE entry SET holder = ? WHERE id = ? AND holder IS NULL") {
      $0.bind(1, since.milliseconds)
      $0.bind(2, id)
    }
  }

  package func erasures(naming device: String) throws(StoreFault) -> [FormEntry] {
    try rows(
      "SELECT \(Self.entryFields) FROM entry WHERE device = ? AND id IS NULL ORDER BY sequence",
      { $0.bind(1, device) }, Self.entry)
  }

  package func blank(_ sequence: Int64) throws(StoreFault) {
    try run("UPDATE entry SET device = '' WHERE sequence = ? AND id IS NULL") { $0.bind(1, sequence) }
  }

  package func records(receivedBefore time: Instant, limit: Int) throws(StoreFault) -> [String] {
    try rows(
      """
      SELECT record FROM entry WHERE id IS NOT NULL GROUP BY record HAVING max(received) < ? ORDER BY record LIMIT ?
      """,
      {
        $0.bind(1, time.milliseconds)
        $0.bind(2, Int64(limit))
      }, { $0.text(0) })
  }

  package func erase(_ record: String, form: String, owner: FormOwner?, at time: Instant) throws(StoreFault) {
    try run("DELETE FROM entry WHERE record = ?") { $0.bind(1, record) }
    _ = try add(
      FormEntry(
        form: form, record: record, id: nil, device: owner?.device ?? "", holder: owner?.since, received: time, body: []
      ))
  }

  package func scrub() throws(StoreFault) {
    _ = try rows("PRAGMA wal_checkpoint(TRUNCATE)", { _ in }, { $0.int(0) })
    // Pages in memory were not cleared on their way to the file: the next write to one would bring its copies into the log.
    _ = try rows("PRAGMA shrink_memory", { _ in }, { $0.int(0) })
  }
}
