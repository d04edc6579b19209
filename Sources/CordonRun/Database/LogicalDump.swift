import CordonCore
import CordonSQLite

/// The contents of a database as one text, independent of the pages of its file.
///
/// Tables are in the order of their names, rows in the order of their keys. docs/reference/run-folder.md defines the
/// form, so that the hash can be computed with SQLite and a few lines of another language.
enum LogicalDump {
  /// Returns the SHA-256 of the dump, 64 hexadecimal digits.
  static func hash(of database: Connection) throws(SQLiteFault) -> String {
    var dump = DumpText()
    let tables = try database.prepareOnce(
      "SELECT name FROM sqlite_schema WHERE type = 'table' AND name NOT LIKE 'sqlite\\_%' ESCAPE '\\' ORDER BY name")
    while try tables.advance() { try append(tables.text(0), of: database, to: &dump) }
    return dump.hash()
  }

  private static func append(
    _ table: String, of database: Connection, to dump: inout DumpText
  ) throws(SQLiteFault) {
    let information = try database.prepareOnce("SELECT name, pk FROM pragma_table_info(?) ORDER BY cid")
    information.bind(1, table)
    var columns: [String] = []
    var key: [(place: Int64, name: String)] = []
    while try information.advance() {
      columns.append(information.text(0))
      if information.int(1) > 0 { key.append((information.int(1), information.text(0))) }
    }
    key.sort { $0.place < $1.place }
    dump.beginTable(table, columns: columns)
    let list = columns.map(quoted).joined(separator: ", ")
    let order = key.isEmpty ? "rowid" : key.map { quoted($0.name) }.joined(separator: ", ")
    let row = try database.prepareOnce("SELECT \(list) FROM \(quoted(table)) ORDER BY \(order)")
    while try row.advance() {
      for column in 0..<Int32(columns.count) { append(row, column, to: &dump) }
      dump.endRow()
    }
  }

  private static func quoted(_ name: String) -> String { "\"" + name.replacing("\"", with: "\"\"") + "\"" }

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
