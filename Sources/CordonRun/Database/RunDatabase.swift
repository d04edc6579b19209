import CordonContacts
import CordonCore
import CordonGeometry
import CordonSQLite

/// The writer of `run.sqlite`.
///
/// It builds the file in one transaction without a journal while nobody reads it. A failure discards the whole file, so
/// a rollback is not needed.
struct RunDatabase {
  let contents: RunContents

  /// Creates the file, which must not exist.
  func write(to path: String) throws {
    let database = try Connection(path: path, mode: .create, timeout: 0)
    defer { database.close() }
    try database.execute("PRAGMA page_size = 8192; PRAGMA journal_mode = OFF; PRAGMA synchronous = OFF")
    try database.execute("PRAGMA locking_mode = EXCLUSIVE; PRAGMA temp_store = MEMORY; PRAGMA foreign_keys = ON")
    try RunSchema.migrations.apply(to: database)
    try database.execute("BEGIN IMMEDIATE")
    try RunTables(contents: contents).write(to: DatabaseRows(database: database))
    try database.execute("COMMIT")
  }
}

/// A sink that writes to the tables of an open database.
struct DatabaseRows: TableSink {
  let database: Connection

  /// The migrations store the names.
  var migrations: [String]? { nil }

  func rows(of table: String, columns: String) throws -> RowWriter {
    try RowWriter(database, table: table, columns: columns)
  }
}
