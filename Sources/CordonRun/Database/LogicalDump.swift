import CordonCore
import GRDB
import GRDBSQLite

/// The contents of a database as one text, whatever the pages of its file look like.
///
/// Tables come in the order of their names, rows in the order of their keys. docs/run-folder.md
/// gives the form, so that anybody can compute the hash with SQLite and a few lines of another language.
enum LogicalDump {
  /// SHA-256 of the dump, 64 hexadecimal digits.
  static func hash(of db: Database) throws -> String {
    var digest = SHA256()
    var buffer: [UInt8] = []
    buffer.reserveCapacity(1 << 17)
    let tables = try String.fetchAll(
      db,
      sql:
        "SELECT name FROM sqlite_schema WHERE type = 'table' AND name NOT LIKE 'sqlite\\_%' ESCAPE '\\' ORDER BY name")
    for table in tables {
      let columns = try db.columns(in: table).map(\.name)
      let key = try db.primaryKey(table).columns
      buffer.append(text: "\(table)(\(columns.joined(separator: ",")))\n")
      let list = columns.map(\.quotedDatabaseIdentifier).joined(separator: ", ")
      let order = key.map(\.quotedDatabaseIdentifier).joined(separator: ", ")
      let statement = try db.makeStatement(
        sql: "SELECT \(list) FROM \(table.quotedDatabaseIdentifier) ORDER BY \(order)")
      let handle = statement.sqliteStatement
      var code = sqlite3_step(handle)
      while code == SQLITE_ROW {
        for column in 0..<Int32(columns.count) { append(handle, column, to: &buffer) }
        buffer.append(UInt8(ascii: "\n"))
        if buffer.count > 1 << 16 {
          digest.update(buffer)
          buffer.removeAll(keepingCapacity: true)
        }
        code = sqlite3_step(handle)
      }
      sqlite3_reset(handle)
      guard code == SQLITE_DONE else { throw DatabaseError(resultCode: ResultCode(rawValue: code)) }
    }
    digest.update(buffer)
    return digest.finalizeHex()
  }

  private static func append(_ row: SQLiteStatement, _ column: Int32, to buffer: inout [UInt8]) {
    if column > 0 { buffer.append(UInt8(ascii: "\t")) }
    switch sqlite3_column_type(row, column) {
    case SQLITE_INTEGER:
      buffer.append(UInt8(ascii: "i"))
      buffer.append(integer: sqlite3_column_int64(row, column))
    case SQLITE_FLOAT:
      buffer.append(UInt8(ascii: "r"))
      append(hexadecimal: sqlite3_column_double(row, column).bitPattern, to: &buffer)
    case SQLITE_TEXT:
      appendBytes(row, column, tag: UInt8(ascii: "t"), start: sqlite3_column_text(row, column), to: &buffer)
    case SQLITE_BLOB:
      appendBytes(row, column, tag: UInt8(ascii: "b"), start: sqlite3_column_blob(row, column), to: &buffer)
    default:
      buffer.append(UInt8(ascii: "n"))
    }
  }

  private static func appendBytes(
    _ row: SQLiteStatement, _ column: Int32, tag: UInt8, start: UnsafeRawPointer?, to buffer: inout [UInt8]
  ) {
    let count = Int(sqlite3_column_bytes(row, column))
    buffer.append(tag)
    buffer.append(integer: Int64(count))
    buffer.append(UInt8(ascii: ":"))
    buffer.append(contentsOf: UnsafeRawBufferPointer(start: start, count: start == nil ? 0 : count))
  }

  private static func append(hexadecimal value: UInt64, to buffer: inout [UInt8]) {
    for shift in stride(from: UInt64(60), through: 0, by: -4) {
      let digit = UInt8(truncatingIfNeeded: value >> shift) & 15
      buffer.append(digit < 10 ? UInt8(ascii: "0") + digit : UInt8(ascii: "a") - 10 + digit)
    }
  }
}
