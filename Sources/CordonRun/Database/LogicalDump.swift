import CordonCore
import CordonSQLite
import GRDB

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
      let row = try db.prepare("SELECT \(list) FROM \(table.quotedDatabaseIdentifier) ORDER BY \(order)")
      do throws(SQLiteFault) {
        while try row.advance() {
          for column in 0..<Int32(columns.count) { append(row, column, to: &dump) }
          dump.endRow()
        }
      } catch {
        throw DatabaseError(error)
      }
    }
    return dump.hash()
  }

  private static func append(_ row: PreparedStatement, _ column: Int32, to dump: inout DumpText) {
    dump.beginCell(isFirst: column == 0)
    switch row.columnType(column) {
    case .integer: dump.integer(row.int(column))
    case .real: dump.real(row.double(column))
    case .text: row.withText(column) { dump.text($0) }
    case .blob: row.withBlob(column) { dump.blob($0) }
    case .null: dump.null()
    }
  }
}
