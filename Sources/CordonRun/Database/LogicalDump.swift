import CordonCore
import GRDB
import GRDBSQLite

/// The contents of a database as one text, independent of the pages of its file.
///
/// Tables are in the order of their names, rows in the order of their keys. docs/reference/run-folder.md defines the
/// form, so that the hash can be computed with SQLite and a few lines of another language.
enum LogicalDump {
  /// Returns the SHA-256 of the dump, 64 hexadecimal digits.
  static func hash(of db: Database) throws -> String {
    var dump = DumpText()
    let tables = try String.fetchAll(
      db,
      sql:
        "SELECT name FROM sqlite_schema WHERE type = 'table' AND name NOT LIKE 'sqlite\\_%' ESCAPE '\\' ORDER BY name")
    for table in tables {
      let columns = try db.columns(in: table).map(\.name)
      let key = try db.primaryKey(table).columns
      dump.beginTable(table, columns: columns)
      let list = columns.map(\.quotedDatabaseIdentifier).joined(separator: ", ")
      let order = key.map(\.quotedDatabaseIdentifier).joined(separator: ", ")
      let statement = try db.makeStatement(
        sql: "SELECT \(list) FROM \(table.quotedDatabaseIdentifier) ORDER BY \(order)")
      let handle = statement.sqliteStatement
      var code = sqlite3_step(handle)
      while code == SQLITE_ROW {
        for column in 0..<Int32(columns.count) { append(handle, column, to: &dump) }
        dump.endRow()
        code = sqlite3_step(handle)
      }
      sqlite3_reset(handle)
      guard code == SQLITE_DONE else { throw DatabaseError(resultCode: ResultCode(rawValue: code)) }
    }
    return dump.hash()
  }

  private static func append(_ row: SQLiteStatement, _ column: Int32, to dump: inout DumpText) {
    dump.beginCell(isFirst: column == 0)
    switch sqlite3_column_type(row, column) {
    case SQLITE_INTEGER: dump.integer(sqlite3_column_int64(row, column))
    case SQLITE_FLOAT: dump.real(sqlite3_column_double(row, column))
    case SQLITE_TEXT: dump.text(bytes(row, column, start: sqlite3_column_text(row, column)))
    case SQLITE_BLOB: dump.blob(bytes(row, column, start: sqlite3_column_blob(row, column)))
    default: dump.null()
    }
  }

  private static func bytes(
    _ row: SQLiteStatement, _ column: Int32, start: UnsafeRawPointer?
  ) -> UnsafeRawBufferPointer {
    UnsafeRawBufferPointer(start: start, count: start == nil ? 0 : Int(sqlite3_column_bytes(row, column)))
  }
}
