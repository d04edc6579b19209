internal import CCleanPages
internal import CordonCore
internal import CordonSQLite
internal import CordonSupport

/// A store in one SQLite file; `:memory:` keeps it in memory. Deleted rows are overwritten, also their copies in the free space of
/// pages that SQLite rearranged.
package final class SQLiteStudyStore: StudyStore {
  let connection: Connection
  private var depth = 0

  /// Opens a file, and makes it if it is not there.
  package init(path: String) throws(StudyError) {
    guard let layer = cordon_clean_pages_layer(nil) else { throw StudyError(.storage, "\(path): no file layer") }
    do throws(SQLiteFault) {
      connection = try Connection(
        storeAt: path, layer: String(cString: layer), timeout: 10_000,
        settings: """
          PRAGMA journal_mode = WAL; PRAGMA synchronous = FULL; PRAGMA secure_delete = ON; PRAGMA foreign_keys = ON;
          PRAGMA temp_store = MEMORY
          """, tables: StudySchema.migrations)
    } catch {
      throw StudyError(.storage, error.description)
    }
    // A process that ended between an erasure and this left the rows in the log. Without room the next one does it.
    try? emptyLog()
  }

  /// For tests: called before every step of every statement; `true` fails the statement there.
  package var refusal: ((_ sql: String) -> Bool)? {
    get { connection.refusal }
    set { connection.refusal = newValue }
  }

  package func transaction<T>(_ body: () throws(StudyError) -> T) throws(StudyError) -> T {
    guard depth == 0 else { return try body() }
    try script("BEGIN IMMEDIATE")
    depth = 1
    defer { depth = 0 }
    do throws(StudyError) {
      let value = try body()
      try script("COMMIT")
      return value
    } catch {
      connection.rollBack()
      throw error
    }
  }

  // MARK: Words of the statements below

  func script(_ sql: String) throws(StudyError) {
    do throws(SQLiteFault) {
      try connection.execute(sql)
    } catch {
      throw StudyError(.storage, error.description)
    }
  }

  func rows<T>(
    _ sql: String, _ bind: (PreparedStatement) -> Void = { _ in }, _ read: (PreparedStatement) -> T?
  ) throws(StudyError) -> [T] {
    do throws(SQLiteFault) {
      return try connection.values(sql, bind, read)
    } catch {
      throw StudyError(.storage, error.description)
    }
  }

  @discardableResult
  func run(_ sql: String, _ bind: (PreparedStatement) -> Void) throws(StudyError) -> Int {
    do throws(SQLiteFault) {
      return try connection.change(sql, bind)
    } catch {
      // A unique index refuses what exists already.
      throw StudyError(error.code & 0xff == 19 ? .conflict : .storage, error.description)
    }
  }

  // MARK: Studies and invitations

  package func save(_ study: Study) throws(StudyError) {
    try run("INSERT OR REPLACE INTO study VALUES (?, ?, ?, ?, ?, ?)") { row in
      row.bind(1, study.code.rawValue)
      row.bind(2, study.title)
      row.bind(3, study.state.rawValue)
      row.bind(4, study.begins.milliseconds)
      row.bind(5, study.ends.milliseconds)
      row.bind(6, Array(study.json.text().utf8))
    }
  }

  package func studies() throws(StudyError) -> [Study] {
    let documents = try rows("SELECT document FROM study ORDER BY code") { $0.blob(0) }
    return try documents.map { document throws(StudyError) in try Study(document) }
  }

  package func remove(_ study: StudyCode) throws(StudyError) {
    try transaction { () throws(StudyError) in
      for table in ["participant", "invitation", "ledger"] {
        try run("DELETE FROM \(table) WHERE study = ?") { $0.bind(1, study.rawValue) }
      }
      try run("DELETE FROM study WHERE code = ?") { $0.bind(1, study.rawValue) }
    }
    try emptyLog()
  }

  package func save(_ invitation: Invitation) throws(StudyError) {
    try run("INSERT OR REPLACE INTO invitation VALUES (?, ?, ?, ?)") { row in
      row.bind(1, invitation.hash)
      row.bind(2, invitation.study.rawValue)
      row.bind(3, invitation.expires.milliseconds)
      row.bind(4, Int64(invitation.left))
    }
  }

  package func invitation(_ hash: String) throws(StudyError) -> Invitation? {
    try rows("SELECT study, expires, remaining FROM invitation WHERE hash = ?", { $0.bind(1, hash) }) { row in
      StudyCode(row.text(0)).map {
        Invitation(hash: hash, study: $0, expires: Instant(milliseconds: row.int(1)), left: Int(row.int(2)))
      }
    }.first
  }

  // MARK: Audit

  package func add(_ audit: StudyAudit) throws(StudyError) {
    try run("INSERT INTO audit (time, study, actor, action, reason) VALUES (?, ?, ?, ?, ?)") { row in
      row.bind(1, audit.time.milliseconds)
      row.bind(2, audit.study)
      row.bind(3, audit.actor)
      row.bind(4, audit.action)
      row.bind(5, audit.reason)
    }
  }

  package func audit(of study: StudyCode, limit: Int) throws(StudyError) -> [StudyAudit] {
    try rows(
      "SELECT number, time, actor, action, reason FROM audit WHERE study = ? ORDER BY number DESC LIMIT ?",
      { row in
        row.bind(1, study.rawValue)
        row.bind(2, Int64(limit))
      }
    ) { row in
      var entry = StudyAudit(
        time: Instant(milliseconds: row.int(1)), study: study.rawValue, actor: row.text(2), action: row.text(3),
        reason: row.text(4))
      entry.number = row.int(0)
      return entry
    }
  }

  package func finishErasure() throws(StudyError) { try emptyLog() }

  /// Leaves nothing of what was deleted in the write-ahead log.
  func emptyLog() throws(StudyError) {
    guard depth == 0 else { return }
    _ = try rows("PRAGMA wal_checkpoint(TRUNCATE)") { $0.int(0) }
    // Pages in memory were not cleared on their way to the file: the next write to one would bring its copies into the log.
    _ = try rows("PRAGMA shrink_memory") { $0.int(0) }
  }
}
