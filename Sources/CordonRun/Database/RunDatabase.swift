import CordonContacts
import CordonCore
import CordonGeometry
import GRDB

/// Writes `run.sqlite`.
///
/// The file is built where nobody reads it yet, in one transaction without a journal: a failure
/// throws the file away, so there is nothing to roll back to.
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

/// The tables of a database that was opened for writing.
struct DatabaseRows: TableSink {
  let database: Database

  /// The migrator notes them.
  var migrations: [String]? { nil }

  func rows(of table: String, columns: String) throws -> RowWriter {
    try RowWriter(database, table: table, columns: columns)
  }
}
