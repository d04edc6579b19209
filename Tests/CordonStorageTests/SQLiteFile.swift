import GRDB

/// Reads a store's file directly.
enum SQLiteFile {
  static func execute(_ path: String, _ sql: String) throws {
    let queue = try DatabaseQueue(path: path)
    try queue.write { try $0.execute(sql: sql) }
    try queue.close()
  }

  static func row(_ path: String, _ sql: String) throws -> [String] {
    let queue = try DatabaseQueue(path: path)
    defer { try? queue.close() }
    return try queue.read { db in
      guard let row = try Row.fetchOne(db, sql: sql) else { return [] }
      return row.databaseValues.map { value in
        switch value.storage {
        case .null: "null"
        case .int64(let number): "\(number)"
        case .double(let number): "\(number)"
        case .string(let text): text
        case .blob(let data): "\(data.count) bytes"
        }
      }
    }
  }
}
