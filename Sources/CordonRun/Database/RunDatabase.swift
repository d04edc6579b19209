import CordonContacts
import CordonCore
import CordonGeometry
import GRDB

/// The writer of `run.sqlite`.
///
/// It builds the file in one transaction without a journal while nobody reads it. A failure discards the whole file, so
/// a rollback is not needed.
struct RunDatabase {
  let contents: RunContents

  /// Creates the file, which must not exist.
  func write(to path: String) throws {
    var configuration = Configuration()
    configuration.prepareDatabase { db in
      try db.execute(sql: "PRAGMA page_size = 8192; PRAGMA journal_mode = OFF; PRAGMA synchronous = OFF")
      try db.execute(sql: "PRAGMA locking_mode = EXCLUSIVE; PRAGMA temp_store = MEMORY")
    }
    let queue = try DatabaseQueue(path: path, configuration: configuration)
    try RunSchema.migrator().migrate(queue)
    try queue.inTransaction(.immediate) { db in
      try RunTables(contents: contents).write(to: DatabaseRows(database: db))
      return .commit
    }
    try queue.close()
  }
}

/// A sink that writes to the tables of an open database.
struct DatabaseRows: TableSink {
  let database: Database

  /// The migrator stores the names.
  var migrations: [String]? { nil }

  func rows(of table: String, columns: String) throws -> RowWriter {
    try RowWriter(database, table: table, columns: columns)
  }
}
