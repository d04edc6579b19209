import GRDB
import GRDBSQLite

/// A prepared INSERT statement that is bound column by column.
///
/// GRDB's own arguments box every value, which costs more than SQLite's work on rows as small as these. The values
/// therefore go directly to the statement.
struct RowWriter: RowSink {
  private let statement: Statement
  private let handle: SQLiteStatement
  private let database: Database

  /// Prepares the statement.
  ///
  /// - Parameter columns: the columns of `table` in the order of their binding, from 1.
  init(_ database: Database, table: String, columns: String) throws {
    let count = columns.split(separator: ",").count
    let marks = Array(repeating: "?", count: count).joined(separator: ", ")
    statement = try database.makeStatement(sql: "INSERT INTO \(table) (\(columns)) VALUES (\(marks))")
    handle = statement.sqliteStatement
    self.database = database
  }

  func bind(_ column: Int32, _ value: Int64) { sqlite3_bind_int64(handle, column, value) }

  /// Binds a number; a negative zero is stored as zero, as SQLite returns it from most columns.
  func bind(_ column: Int32, _ value: Double) { sqlite3_bind_double(handle, column, value + 0) }

  func bindNull(_ column: Int32) { sqlite3_bind_null(handle, column) }

  func bind(_ column: Int32, _ text: String) {
    var text = text
    text.withUTF8 { utf8 in
      utf8.withMemoryRebound(to: CChar.self) { characters in
        // An empty text has no address, and SQLite treats a missing address as NULL.
        if let start = characters.baseAddress {
          _ = sqlite3_bind_text(handle, column, start, Int32(characters.count), copied)
        } else {
          _ = sqlite3_bind_text(handle, column, "", 0, copied)
        }
      }
    }
  }

  func bind(_ column: Int32, high: UInt64, low: UInt64) {
    withUnsafeBytes(of: (high.bigEndian, low.bigEndian)) { bytes in
      _ = sqlite3_bind_blob(handle, column, bytes.baseAddress, 16, copied)
    }
  }

  func insert() throws {
    let code = sqlite3_step(handle)
    let message = code == SQLITE_DONE ? nil : String(cString: sqlite3_errmsg(database.sqliteConnection))
    sqlite3_reset(handle)
    guard code == SQLITE_DONE else { throw DatabaseError(resultCode: ResultCode(rawValue: code), message: message) }
  }
}

/// Makes SQLite copy the bytes before the call returns.
private let copied = unsafeBitCast(-1 as Int, to: sqlite3_destructor_type.self)
