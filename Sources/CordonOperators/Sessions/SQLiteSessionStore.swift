package import CordonCore
internal import CordonSQLite

/// Sessions, used codes and events in one SQLite file.
package final class SQLiteSessionStore: SessionStore {
  private let connection: Connection

  private static let migrations = Migrations([
    .init(
      "sessions",
      """
      CREATE TABLE session (
        number INTEGER PRIMARY KEY AUTOINCREMENT, tokenHash BLOB NOT NULL UNIQUE, operator TEXT NOT NULL,
        method TEXT NOT NULL, created INTEGER NOT NULL, lastSeen INTEGER NOT NULL, confirmed INTEGER NOT NULL,
        sealedToken BLOB
      );
      CREATE INDEX sessionByOperator ON session (operator);
      CREATE TABLE usedCode (operator TEXT PRIMARY KEY, counter INTEGER NOT NULL) WITHOUT ROWID;
      CREATE TABLE event (
        number INTEGER PRIMARY KEY AUTOINCREMENT, time INTEGER NOT NULL, operator TEXT NOT NULL, action TEXT NOT NULL,
        subject TEXT
      );
      """),
    .init(
      "attempts",
      """
      CREATE TABLE attempt (key BLOB PRIMARY KEY, value BLOB NOT NULL, created INTEGER NOT NULL) WITHOUT ROWID;
      """),
  ])

  /// Opens a file; it is made when it is not there. `:memory:` is one that lasts as long as the object.
  package init(path: String) throws(SessionStoreFault) {
    do throws(SQLiteFault) {
      connection = try Connection(
        storeAt: path, timeout: 5_000,
        settings: "PRAGMA journal_mode = WAL; PRAGMA secure_delete = ON; PRAGMA synchronous = NORMAL",
        tables: Self.migrations)
    } catch {
      throw SessionStoreFault(description: error.description)
    }
  }

  private func rows<T>(
    _ sql: String, _ bind: (PreparedStatement) -> Void, _ read: (PreparedStatement) -> T?
  ) throws(SessionStoreFault) -> [T] {
    do throws(SQLiteFault) {
      return try connection.values(sql, bind, read)
    } catch {
      throw SessionStoreFault(description: error.description)
    }
  }

  @discardableResult
  private func run(_ sql: String, _ bind: (PreparedStatement) -> Void) throws(SessionStoreFault) -> Int {
    do throws(SQLiteFault) {
      return try connection.change(sql, bind)
    } catch {
      throw SessionStoreFault(description: error.description)
    }
  }

  private static let columns = "number, tokenHash, operator, method, created, lastSeen, confirmed, sealedToken"

  private static func readSession(_ row: PreparedStatement) -> OperatorSession? {
    // A method of a later version is none of this one.
    guard let method = OperatorSession.Method(rawValue: row.text(3)) else { return nil }
    var session = OperatorSession(
      tokenHash: row.blob(1), operator: row.text(2), method: method, now: Instant(milliseconds: row.int(4)),
      sealedToken: row.optionalBlob(7))
    session.number = row.int(0)
    session.lastSeen = Instant(milliseconds: row.int(5))
    session.confirmed = Instant(milliseconds: row.int(6))
    return session
  }

  package func session(_ tokenHash: [UInt8]) throws(SessionStoreFault) -> OperatorSession? {
    try rows(
      "SELECT \(Self.columns) FROM session WHERE tokenHash = ?", { $0.bind(1, tokenHash) }, Self.readSession
    ).first
  }

  package func sessions(of operator: String) throws(SessionStoreFault) -> [OperatorSession] {
    try rows(
      "SELECT \(Self.columns) FROM session WHERE operator = ? ORDER BY number DESC", { $0.bind(1, `operator`) },
      Self.readSession)
  }

  package func save(_ session: OperatorSession) throws(SessionStoreFault) -> Int64 {
    let number: Int64? = session.number == 0 ? nil : session.number
    try run("INSERT OR REPLACE INTO session (\(Self.columns)) VALUES (?, ?, ?, ?, ?, ?, ?, ?)") { row in
      row.bind(1, number)
      row.bind(2, session.tokenHash)
      row.bind(3, session.operator)
      row.bind(4, session.method.rawValue)
      row.bind(5, session.created.milliseconds)
      row.bind(6, session.lastSeen.milliseconds)
      row.bind(7, session.confirmed.milliseconds)
      row.bind(8, session.sealedToken)
    }
    return session.number == 0 ? connection.lastInsertNumber : session.number
  }

  package func removeSession(_ number: Int64) throws(SessionStoreFault) -> Bool {
    try run("DELETE FROM session WHERE number = ?") { $0.bind(1, number) } > 0
  }

  package func removeSessions(createdBefore: Instant, lastSeenBefore: Instant) throws(SessionStoreFault) {
    try run("DELETE FROM session WHERE created < ? OR lastSeen < ?") {
      $0.bind(1, createdBefore.milliseconds)
      $0.bind(2, lastSeenBefore.milliseconds)
    }
  }

  package func useCode(_ counter: Int64, of operator: String) throws(SessionStoreFault) -> Bool {
    try run(
      """
      INSERT INTO usedCode (operator, counter) VALUES (?, ?)
      ON CONFLICT (operator) DO UPDATE SET counter = excluded.counter WHERE excluded.counter > counter
      """
    ) {
      $0.bind(1, `operator`)
      $0.bind(2, counter)
    } > 0
  }

  package func save(_ attempt: PendingSignIn, maximum: Int) throws(SessionStoreFault) -> Bool {
    try run(
      "INSERT INTO attempt (key, value, created) SELECT ?, ?, ? WHERE (SELECT count(*) FROM attempt) < ?"
    ) {
      $0.bind(1, attempt.key)
      $0.bind(2, attempt.value)
      $0.bind(3, attempt.created.milliseconds)
      $0.bind(4, Int64(maximum))
    } > 0
  }

  package func takeAttempt(_ key: [UInt8]) throws(SessionStoreFault) -> PendingSignIn? {
    try rows(
      "DELETE FROM attempt WHERE key = ? RETURNING key, value, created", { $0.bind(1, key) },
      { PendingSignIn(key: $0.blob(0), value: $0.blob(1), created: Instant(milliseconds: $0.int(2))) }
    ).first
  }

  package func removeAttempts(createdBefore: Instant) throws(SessionStoreFault) {
    try run("DELETE FROM attempt WHERE created < ?") { $0.bind(1, createdBefore.milliseconds) }
  }

  package func forget(_ operator: String) throws(SessionStoreFault) {
    try run("DELETE FROM session WHERE operator = ?") { $0.bind(1, `operator`) }
    try run("DELETE FROM usedCode WHERE operator = ?") { $0.bind(1, `operator`) }
  }

  package func save(_ event: AccountEvent) throws(SessionStoreFault) {
    try run("INSERT INTO event (time, operator, action, subject) VALUES (?, ?, ?, ?)") {
      $0.bind(1, event.time.milliseconds)
      $0.bind(2, event.operator)
      $0.bind(3, event.action.rawValue)
      $0.bind(4, event.subject)
    }
  }

  package func events(before: Int64?, limit: Int) throws(SessionStoreFault) -> [AccountEvent] {
    let end: Int64 = before ?? .max
    return try rows(
      "SELECT number, time, operator, action, subject FROM event WHERE number < ? ORDER BY number DESC LIMIT ?",
      { row in
        row.bind(1, end)
        row.bind(2, Int64(limit))
      },
      { row in
        guard let action = AccountEvent.Action(rawValue: row.text(3)) else { return nil }
        var event = AccountEvent(
          time: Instant(milliseconds: row.int(1)), operator: row.text(2), action: action, subject: row.optionalText(4))
        event.number = row.int(0)
        return event
      })
  }

  package func removeEvents(before: Instant) throws(SessionStoreFault) {
    try run("DELETE FROM event WHERE time < ?") { $0.bind(1, before.milliseconds) }
  }
}
