import CSQLite

/// A prepared statement, bound and stepped without boxing of values.
///
/// See docs/explanation/decisions/0007-one-sqlite-layer.md. A statement belongs to one thread at a time, like its connection, and must
/// be released before its connection is closed.
package final class PreparedStatement {
  @usableFromInline package let handle: OpaquePointer
  private let connection: OpaquePointer
  /// The text of the statement.
  package let sql: String
  private let hook: StepHook?

  /// Prepares a statement.
  /// - Parameters:
  ///   - connection: an open connection of SQLite.
  ///   - sql: one statement.
  package convenience init(_ connection: OpaquePointer, _ sql: String) throws(SQLiteFault) {
    try self.init(connection, sql, hook: nil)
  }

  init(_ connection: OpaquePointer, _ sql: String, hook: StepHook?) throws(SQLiteFault) {
    var handle: OpaquePointer?
    let code = sqlite3_prepare_v3(connection, sql, -1, UInt32(SQLITE_PREPARE_PERSISTENT), &handle, nil)
    guard code == SQLITE_OK, let handle else { throw SQLiteFault(code, of: connection, in: sql) }
    self.handle = handle
    self.connection = connection
    self.sql = sql
    self.hook = hook
  }

  deinit { sqlite3_finalize(handle) }

  // MARK: Parameters, numbered from 1

  @inlinable
  package func bind(_ index: Int32, _ value: Int64) { sqlite3_bind_int64(handle, index, value) }

  @inlinable
  package func bind(_ index: Int32, _ value: Int64?) {
    if let value { sqlite3_bind_int64(handle, index, value) } else { sqlite3_bind_null(handle, index) }
  }

  @inlinable
  package func bind(_ index: Int32, _ value: Double) { sqlite3_bind_double(handle, index, value) }

  @inlinable
  package func bindNull(_ index: Int32) { sqlite3_bind_null(handle, index) }

  /// Binds a text; an empty text is not NULL.
  package func bind(_ index: Int32, _ value: String?) {
    guard var text = value else { return bindNull(index) }
    text.withUTF8 { bytes in
      bytes.withMemoryRebound(to: CChar.self) {
        // An empty text has no address, and SQLite treats a missing address as NULL.
        if let start = $0.baseAddress {
          _ = sqlite3_bind_text(handle, index, start, Int32($0.count), PreparedStatement.copied)
        } else {
          _ = sqlite3_bind_text(handle, index, "", 0, PreparedStatement.copied)
        }
      }
    }
  }

  /// Binds a blob; an empty blob is not NULL.
  package func bind(_ index: Int32, _ value: [UInt8]?) {
    guard let value else { return bindNull(index) }
    value.withUnsafeBytes { bind(index, bytes: $0) }
  }

  /// Binds a copy of bytes as a blob; no bytes are not NULL.
  package func bind(_ index: Int32, bytes: UnsafeRawBufferPointer) {
    if bytes.isEmpty {
      sqlite3_bind_zeroblob(handle, index, 0)
    } else {
      _ = sqlite3_bind_blob(handle, index, bytes.baseAddress, Int32(bytes.count), PreparedStatement.copied)
    }
  }

  /// Binds a column of the current row of another statement as it is.
  package func bind(_ index: Int32, _ row: PreparedStatement, _ column: Int32) {
    sqlite3_bind_value(handle, index, sqlite3_column_value(row.handle, column))
  }

  // MARK: Rows

  /// Moves to the next row. After the last row, and after an error, the statement can be bound again.
  ///
  /// - Returns: whether there is a row.
  package func advance() throws(SQLiteFault) -> Bool {
    if let isRefused = hook?.isRefused, isRefused(sql) {
      throw SQLiteFault(SQLITE_ABORT, "refused", in: sql)
    }
    let code = sqlite3_step(handle)
    if code == SQLITE_ROW { return true }
    let fault = code == SQLITE_DONE ? nil : SQLiteFault(code, of: connection, in: sql)
    sqlite3_reset(handle)
    if let fault { throw fault }
    return false
  }

  /// Runs the statement to its end.
  ///
  /// - Returns: the number of changed rows.
  @discardableResult
  package func finish() throws(SQLiteFault) -> Int {
    while try advance() {}
    return Int(sqlite3_changes(connection))
  }

  /// Ends a statement whose rows were not all read.
  package func reset() { sqlite3_reset(handle) }

  // MARK: Columns of the current row, numbered from 0

  /// The number of columns of the result.
  package var columnCount: Int32 { sqlite3_column_count(handle) }

  /// The type of a value.
  package enum ColumnType {
    case integer, real, text, blob, null
  }

  package func columnType(_ column: Int32) -> ColumnType {
    switch sqlite3_column_type(handle, column) {
    case SQLITE_INTEGER: .integer
    case SQLITE_FLOAT: .real
    case SQLITE_TEXT: .text
    case SQLITE_BLOB: .blob
    default: .null
    }
  }

  @inlinable
  package func int(_ column: Int32) -> Int64 { sqlite3_column_int64(handle, column) }

  @inlinable
  package func double(_ column: Int32) -> Double { sqlite3_column_double(handle, column) }

  @inlinable
  package func optionalInt(_ column: Int32) -> Int64? {
    sqlite3_column_type(handle, column) == SQLITE_NULL ? nil : sqlite3_column_int64(handle, column)
  }

  /// Returns a text; `nil` for NULL.
  package func optionalText(_ column: Int32) -> String? {
    guard let bytes = sqlite3_column_text(handle, column) else { return nil }
    let count = Int(sqlite3_column_bytes(handle, column))
    return String(decoding: UnsafeBufferPointer(start: bytes, count: count), as: UTF8.self)
  }

  /// Returns a text; empty for NULL.
  package func text(_ column: Int32) -> String { optionalText(column) ?? "" }

  /// Returns a blob; `nil` for NULL.
  package func optionalBlob(_ column: Int32) -> [UInt8]? {
    guard sqlite3_column_type(handle, column) != SQLITE_NULL else { return nil }
    return blob(column)
  }

  /// Returns a blob; empty for NULL.
  package func blob(_ column: Int32) -> [UInt8] { withBlob(column) { Array($0) } }

  /// Calls a closure with the bytes of a blob. They are valid until the statement moves on.
  package func withBlob<T>(_ column: Int32, _ body: (UnsafeRawBufferPointer) -> T) -> T {
    let start = sqlite3_column_blob(handle, column)
    return body(
      UnsafeRawBufferPointer(start: start, count: start == nil ? 0 : Int(sqlite3_column_bytes(handle, column))))
  }

  /// Calls a closure with the UTF-8 bytes of a text. They are valid until the statement moves on.
  package func withText<T>(_ column: Int32, _ body: (UnsafeRawBufferPointer) -> T) -> T {
    let start = sqlite3_column_text(handle, column)
    return body(
      UnsafeRawBufferPointer(start: start, count: start == nil ? 0 : Int(sqlite3_column_bytes(handle, column))))
  }

  /// SQLITE_TRANSIENT, which is a cast in the C header that Swift does not import.
  private static let copied = unsafeBitCast(-1, to: sqlite3_destructor_type.self)
}

/// Lets tests fail statements, for example to end a process there.
final class StepHook {
  var isRefused: ((_ sql: String) -> Bool)?
}
