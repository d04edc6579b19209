internal import CCleanPages
internal import GRDBSQLite

/// A connection to a SQLite file with its prepared statements. Belongs to one thread at a time.
final class Connection {
  let handle: OpaquePointer
  private var named: [String: Row] = [:]

  /// Whatever is written goes through a layer that leaves no copies of rows in the free space of pages.
  /// - Parameter vfs: the name of a registered file layer of SQLite, below that; `nil` for the usual one.
  init(path: String, vfs: String?, isReadOnly: Bool) throws(StoreFault) {
    guard let layer = cordon_clean_pages_layer(vfs) else {
      throw StoreFault(.failed, "\(path): there is no file layer \(vfs ?? "")")
    }
    var handle: OpaquePointer?
    let flags = (isReadOnly ? SQLITE_OPEN_READONLY : SQLITE_OPEN_READWRITE | SQLITE_OPEN_CREATE) | SQLITE_OPEN_NOMUTEX
    let code = sqlite3_open_v2(path, &handle, flags, layer)
    guard code == SQLITE_OK, let handle else {
      sqlite3_close_v2(handle)
      throw StoreFault(.failed, "\(path): cannot be opened (SQLite \(code))")
    }
    self.handle = handle
    sqlite3_extended_result_codes(handle, 1)
    sqlite3_busy_timeout(handle, 5_000)
  }

  deinit {
    named.removeAll()
    sqlite3_close_v2(handle)
  }

  /// Asked again and again while a statement runs: `true` breaks it off with ``StoreFault/Kind/interrupted``.
  var interruption: (() -> Bool)? {
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

  /// A statement, prepared once.
  func row(_ sql: String) throws(StoreFault) -> Row {
    if let row = named[sql] { return row }
    let row = try Row(handle, sql)
    named[sql] = row
    return row
  }

  /// Runs several statements without values.
  func script(_ sql: String) throws(StoreFault) {
    let code = sqlite3_exec(handle, sql, nil, nil, nil)
    guard code == SQLITE_OK else { throw Row.fault(handle, code, sql) }
  }

  func run(_ sql: String) throws(StoreFault) { try row(sql).run() }

  /// The first value of the first row.
  func int(_ sql: String) throws(StoreFault) -> Int64 {
    let row = try row(sql)
    defer { row.reset() }
    return try row.step() ? row.int(0) : 0
  }

  /// The first value of the first row of a setting; its statement is not kept.
  func setting(_ sql: String) throws(StoreFault) -> String {
    let row = try Row(handle, sql)
    defer { row.reset() }
    return try row.step() ? row.text(0) : ""
  }

  /// Copies everything to another file, as it is at one moment; the copy has no log beside it.
  @discardableResult
  func copy(to path: String) throws(StoreFault) -> Connection {
    let copy = try Connection(path: path, vfs: nil, isReadOnly: false)
    guard let backup = sqlite3_backup_init(copy.handle, "main", handle, "main") else {
      throw Row.fault(copy.handle, sqlite3_errcode(copy.handle), "copy to \(path)")
    }
    let code = sqlite3_backup_step(backup, -1)
    sqlite3_backup_finish(backup)
    guard code == SQLITE_DONE else { throw Row.fault(copy.handle, code, "copy to \(path)") }
    try copy.script("PRAGMA journal_mode = DELETE")
    return copy
  }

  var changes: Int { Int(sqlite3_changes(handle)) }
  var lastInsertNumber: Int64 { sqlite3_last_insert_rowid(handle) }
  var isInTransaction: Bool { sqlite3_get_autocommit(handle) == 0 }
}

/// A prepared statement, bound and stepped without boxing.
final class Row {
  private let statement: OpaquePointer
  private let connection: OpaquePointer
  private let sql: String

  init(_ connection: OpaquePointer, _ sql: String) throws(StoreFault) {
    var statement: OpaquePointer?
    let code = sqlite3_prepare_v3(connection, sql, -1, UInt32(SQLITE_PREPARE_PERSISTENT), &statement, nil)
    guard code == SQLITE_OK, let statement else { throw Row.fault(connection, code, sql) }
    self.statement = statement
    self.connection = connection
    self.sql = sql
  }

  deinit { sqlite3_finalize(statement) }

  @inline(__always)
  func bind(_ index: Int32, _ value: Int64) { sqlite3_bind_int64(statement, index, value) }

  @inline(__always)
  func bind(_ index: Int32, _ value: Int64?) {
    if let value { sqlite3_bind_int64(statement, index, value) } else { sqlite3_bind_null(statement, index) }
  }

  func bind(_ index: Int32, _ value: Double) { sqlite3_bind_double(statement, index, value) }

  func bind(_ index: Int32, _ value: String?) {
    guard var text = value else {
      sqlite3_bind_null(statement, index)
      return
    }
    text.withUTF8 { bytes in
      bytes.withMemoryRebound(to: CChar.self) {
        // Empty text is not NULL.
        if let start = $0.baseAddress {
          _ = sqlite3_bind_text(statement, index, start, Int32($0.count), Row.copied)
        } else {
          _ = sqlite3_bind_text(statement, index, "", 0, Row.copied)
        }
      }
    }
  }

  func bind(_ index: Int32, _ value: [UInt8]?) {
    guard let value else {
      sqlite3_bind_null(statement, index)
      return
    }
    value.withUnsafeBytes { bytes in
      if bytes.isEmpty {
        sqlite3_bind_zeroblob(statement, index, 0)
      } else {
        _ = sqlite3_bind_blob(statement, index, bytes.baseAddress, Int32(bytes.count), Row.copied)
      }
    }
  }

  /// Binds a column of another statement's row as it is.
  func bind(_ index: Int32, _ row: Row, _ column: Int32) {
    sqlite3_bind_value(statement, index, sqlite3_column_value(row.statement, column))
  }

  /// Runs to the end; answers how many rows were changed.
  @discardableResult
  func run() throws(StoreFault) -> Int {
    while try step() {}
    return Int(sqlite3_changes(connection))
  }

  /// Moves to the next row. After the last, and after an error, the statement is ready to be bound again.
  @inline(__always)
  func step() throws(StoreFault) -> Bool {
    let code = sqlite3_step(statement)
    if code == SQLITE_ROW { return true }
    let fault = code == SQLITE_DONE ? nil : Row.fault(connection, code, sql)
    sqlite3_reset(statement)
    if let fault { throw fault }
    return false
  }

  /// Ends a statement whose rows were not all read.
  func reset() { sqlite3_reset(statement) }

  @inline(__always)
  func int(_ column: Int32) -> Int64 { sqlite3_column_int64(statement, column) }

  func double(_ column: Int32) -> Double { sqlite3_column_double(statement, column) }

  @inline(__always)
  func optionalInt(_ column: Int32) -> Int64? {
    sqlite3_column_type(statement, column) == SQLITE_NULL ? nil : sqlite3_column_int64(statement, column)
  }

  func optionalText(_ column: Int32) -> String? {
    guard let bytes = sqlite3_column_text(statement, column) else { return nil }
    let count = Int(sqlite3_column_bytes(statement, column))
    return String(decoding: UnsafeBufferPointer(start: bytes, count: count), as: UTF8.self)
  }

  func text(_ column: Int32) -> String { optionalText(column) ?? "" }

  func optionalBlob(_ column: Int32) -> [UInt8]? {
    guard sqlite3_column_type(statement, column) != SQLITE_NULL else { return nil }
    guard let bytes = sqlite3_column_blob(statement, column) else { return [] }
    return Array(UnsafeRawBufferPointer(start: bytes, count: Int(sqlite3_column_bytes(statement, column))))
  }

  static func fault(_ connection: OpaquePointer, _ code: Int32, _ sql: String) -> StoreFault {
    let message = String(cString: sqlite3_errmsg(connection))
    let kind: StoreFault.Kind =
      switch code & 0xff {
      // A file layer that cannot write says so in several ways; none of them is the client's fault.
      case SQLITE_FULL, SQLITE_IOERR, SQLITE_CANTOPEN, SQLITE_READONLY: .full
      case SQLITE_BUSY, SQLITE_LOCKED: .busy
      case SQLITE_CORRUPT, SQLITE_NOTADB: .corrupt
      case SQLITE_INTERRUPT: .interrupted
      default: .failed
      }
    return StoreFault(kind, "\(message) (SQLite \(code)) in: \(sql.prefix(80))")
  }

  /// SQLITE_TRANSIENT, which the C header spells as a cast that Swift does not import.
  private static let copied = unsafeBitCast(-1, to: sqlite3_destructor_type.self)
}
