internal import CSQLite

/// A connection to a SQLite file with its prepared statements. It belongs to one thread at a time.
package final class Connection {
  /// How a file is opened.
  package enum Mode: Hashable, Sendable {
    case readOnly
    /// The file must exist.
    case readWrite
    /// A file that does not exist is created.
    case create
  }

  /// SQLite's connection.
  package let handle: OpaquePointer
  private var statements: [String: PreparedStatement] = [:]
  private let hook = StepHook()
  private var isOpen = true

  /// Opens a file.
  /// - Parameters:
  ///   - path: the path of the file.
  ///   - mode: how the file is opened.
  ///   - layer: the name of a registered file layer (VFS) of SQLite; `nil` for the default one.
  ///   - timeout: for how many milliseconds statements wait for other connections.
  package init(path: String, mode: Mode, layer: String? = nil, timeout: Int32) throws(SQLiteFault) {
    let access =
      switch mode {
      case .readOnly: SQLITE_OPEN_READONLY
      case .readWrite: SQLITE_OPEN_READWRITE
      case .create: SQLITE_OPEN_READWRITE | SQLITE_OPEN_CREATE
      }
    var handle: OpaquePointer?
    let code = sqlite3_open_v2(path, &handle, access | SQLITE_OPEN_NOMUTEX, layer)
    guard code == SQLITE_OK, let handle else {
      sqlite3_close_v2(handle)
      throw SQLiteFault(code, "\(path): cannot be opened")
    }
    self.handle = handle
    sqlite3_extended_result_codes(handle, 1)
    sqlite3_busy_timeout(handle, timeout)
  }

  deinit { close() }

  /// Closes the connection before it is released. Nothing of it may be used afterwards.
  package func close() {
    guard isOpen else { return }
    isOpen = false
    // Statements must be finalized before their connection is closed.
    statements.removeAll()
    sqlite3_close_v2(handle)
  }

  /// Returns a statement that is prepared once and kept.
  package func prepare(_ sql: String) throws(SQLiteFault) -> PreparedStatement {
    if let statement = statements[sql] { return statement }
    let statement = try prepareOnce(sql)
    statements[sql] = statement
    return statement
  }

  /// Returns a statement that is not kept.
  package func prepareOnce(_ sql: String) throws(SQLiteFault) -> PreparedStatement {
    try PreparedStatement(handle, sql, hook: hook)
  }

  /// Runs several statements without parameters and results.
  package func execute(_ script: String) throws(SQLiteFault) {
    let code = sqlite3_exec(handle, script, nil, nil, nil)
    guard code == SQLITE_OK else { throw SQLiteFault(code, of: handle, in: script) }
  }

  /// Copies everything into another database, as it is at one moment.
  package func copy(into other: Connection) throws(SQLiteFault) {
    guard let backup = sqlite3_backup_init(other.handle, "main", handle, "main") else {
      throw SQLiteFault(sqlite3_errcode(other.handle), of: other.handle, in: "copy")
    }
    let code = sqlite3_backup_step(backup, -1)
    sqlite3_backup_finish(backup)
    guard code == SQLITE_DONE else { throw SQLiteFault(code, of: other.handle, in: "copy") }
  }

  /// The number of rows that the last statement changed.
  package var changes: Int { Int(sqlite3_changes(handle)) }
  /// The number of the last inserted row.
  package var lastInsertNumber: Int64 { sqlite3_last_insert_rowid(handle) }
  /// Whether a transaction is open.
  package var isInTransaction: Bool { sqlite3_get_autocommit(handle) == 0 }

  /// Rolls back the open transaction, if there is one. SQLite has already done so after some errors.
  package func rollBack() {
    if isInTransaction { sqlite3_exec(handle, "ROLLBACK", nil, nil, nil) }
  }

  /// Called again and again while a statement runs: `true` ends it with ``SQLiteFault/Kind/interrupted``.
  package var interruption: (() -> Bool)? {
    didSet {
      guard interruption != nil else { return sqlite3_progress_handler(handle, 0, nil, nil) }
      sqlite3_progress_handler(
        handle, 20_000,
        { context in
          guard let context else { return 0 }
          let connection = Unmanaged<Connection>.fromOpaque(context).takeUnretainedValue()
          return connection.interruption?() == true ? 1 : 0
        }, Unmanaged.passUnretained(self).toOpaque())
    }
  }

  /// For tests: called before every step of every statement; `true` fails the statement there.
  package var refusal: ((_ sql: String) -> Bool)? {
    get { hook.isRefused }
    set { hook.isRefused = newValue }
  }
}
