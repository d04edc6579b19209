import CordonMonitoring
import GRDBSQLite

/// A prepared statement, bound and stepped without boxing, which determines the store's throughput.
final class Statement {
  private let handle: OpaquePointer
  private let connection: OpaquePointer
  private let sql: String
  private let watch: StatementWatch

  init(_ connection: OpaquePointer, _ sql: String, _ watch: StatementWatch) throws(StoreError) {
    var handle: OpaquePointer?
    let code = sqlite3_prepare_v3(connection, sql, -1, UInt32(SQLITE_PREPARE_PERSISTENT), &handle, nil)
    guard code == SQLITE_OK, let handle else { throw Statement.error(connection, code, sql) }
    self.handle = handle
    self.connection = connection
    self.sql = sql
    self.watch = watch
  }

  deinit { sqlite3_finalize(handle) }

  func bind(_ index: Int32, _ value: Int64) { sqlite3_bind_int64(handle, index, value) }

  func bind(_ index: Int32, _ value: Int64?) {
    if let value { sqlite3_bind_int64(handle, index, value) } else { sqlite3_bind_null(handle, index) }
  }

  func bind(_ index: Int32, _ value: Double) { sqlite3_bind_double(handle, index, value) }

  func bind(_ index: Int32, _ value: String?) {
    guard var text = value else {
      sqlite3_bind_null(handle, index)
      return
    }
    text.withUTF8 { bytes in
      bytes.withMemoryRebound(to: CChar.self) {
        // An empty text is not NULL.
        if let start = $0.baseAddress {
          _ = sqlite3_bind_text(handle, index, start, Int32($0.count), Statement.copied)
        } else {
          _ = sqlite3_bind_text(handle, index, "", 0, Statement.copied)
        }
      }
    }
  }

  func bind(_ index: Int32, _ value: [UInt8]) {
    value.withUnsafeBytes { bytes in
      // An empty blob is not NULL.
      if bytes.isEmpty {
        sqlite3_bind_zeroblob(handle, index, 0)
      } else {
        _ = sqlite3_bind_blob(handle, index, bytes.baseAddress, Int32(bytes.count), Statement.copied)
      }
    }
  }

  func bindNull(_ index: Int32) { sqlite3_bind_null(handle, index) }

  /// Runs the statement to its end, and returns the number of changed rows.
  @discardableResult
  func run() throws(StoreError) -> Int {
    while try step() {}
    return Int(sqlite3_changes(connection))
  }

  /// Moves to the next row. After the last row, and after an error, the statement can be bound again.
  func step() throws(StoreError) -> Bool {
    if let before = watch.before { try before(sql) }
    let code = sqlite3_step(handle)
    if code == SQLITE_ROW { return true }
    let error = code == SQLITE_DONE ? nil : Statement.error(connection, code, sql)
    sqlite3_reset(handle)
    if let error { throw error }
    return false
  }

  /// Ends a statement whose rows were not all read.
  func reset() { sqlite3_reset(handle) }

  func int(_ column: Int32) -> Int64 { sqlite3_column_int64(handle, column) }

  func double(_ column: Int32) -> Double { sqlite3_column_double(handle, column) }

  func optionalInt(_ column: Int32) -> Int64? {
    sqlite3_column_type(handle, column) == SQLITE_NULL ? nil : sqlite3_column_int64(handle, column)
  }

  func text(_ column: Int32) -> String? {
    guard let bytes = sqlite3_column_text(handle, column) else { return nil }
    let count = Int(sqlite3_column_bytes(handle, column))
    return String(decoding: UnsafeBufferPointer(start: bytes, count: count), as: UTF8.self)
  }

  func isBlob(_ column: Int32) -> Bool { sqlite3_column_type(handle, column) == SQLITE_BLOB }

  func blob(_ column: Int32) -> [UInt8] {
    guard let bytes = sqlite3_column_blob(handle, column) else { return [] }
    return Array(UnsafeRawBufferPointer(start: bytes, count: Int(sqlite3_column_bytes(handle, column))))
  }

  static func error(_ connection: OpaquePointer, _ code: Int32, _ sql: String) -> StoreError {
    let message = String(cString: sqlite3_errmsg(connection))
    let kind: StoreError.Kind =
      switch code & 0xff {
      case SQLITE_FULL: .full
      case SQLITE_CORRUPT, SQLITE_NOTADB: .corrupt
      default: .failed
      }
    return StoreError(kind, "\(message) (SQLite \(code)) in: \(sql.prefix(60))")
  }

  /// SQLITE_TRANSIENT, which is a cast in the C header that Swift does not import.
  private static let copied = unsafeBitCast(-1, to: sqlite3_destructor_type.self)
}

/// A hook for tests before every statement, for example to end the process there.
final class StatementWatch {
  var before: ((_ sql: String) throws(StoreError) -> Void)?
}
