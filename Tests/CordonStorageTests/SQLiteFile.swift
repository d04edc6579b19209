import CordonSQLite

/// Reads and changes a store's file directly.
enum SQLiteFile {
  static func execute(_ path: String, _ sql: String) throws {
    let connection = try Connection(path: path, mode: .create, timeout: 1_000)
    defer { connection.close() }
    try connection.execute(sql)
  }

  static func row(_ path: String, _ sql: String) throws -> [String] {
    let connection = try Connection(path: path, mode: .readWrite, timeout: 1_000)
    defer { connection.close() }
    let row = try connection.prepareOnce(sql)
    guard try row.advance() else { return [] }
    var values: [String] = []
    for column in 0..<row.columnCount {
      switch row.columnType(column) {
      case .null: values.append("null")
      case .integer: values.append("\(row.int(column))")
      case .real: values.append("\(row.double(column))")
      case .text: values.append(row.text(column))
      case .blob: values.append("\(row.blob(column).count) bytes")
      }
    }
    return values
  }
}
