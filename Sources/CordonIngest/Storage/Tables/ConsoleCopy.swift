internal import CordonSQLite

/// Copies cases, notices, rules and alerts between the files of the console and a database, and compares the two.
package enum ConsoleCopy {
  /// Copies the tables of files into a database. Belongs into a transaction, which must be undone when this throws.
  /// - Parameter isThere: whether a file is there; one that is missing has no rows.
  /// - Returns: the tables in order, with their rows and digests.
  /// - Throws: `StoreCopy.Failure` when the database has cases, rules or alerts, or has others after the copy.
  package static func run(
    from files: ConsoleBackup.Files, isThere: (String) -> Bool, to database: any TabularStore
  ) throws -> [StoreCopy.Entry] {
    for table in StoreTable.cases + StoreTable.alerts
    where try !database.rows(of: table, after: nil, limit: 1).isEmpty {
      throw StoreCopy.Failure.notEmpty(table.name)
    }
    try ConsoleBackup.bringUpToDate(files, isThere: isThere)
    var entries: [StoreCopy.Entry] = []
    for (path, tables) in parts(of: files) {
      let file = isThere(path) ? try Connection(path: path, vfs: nil, isReadOnly: true) : nil
      for table in tables {
        let entry = try digest(of: table, in: file) { rows in try database.add(rows, to: table) }
        guard try StoreCopy.digest(of: table, in: database) == entry else {
          throw StoreCopy.Failure.different(table.name)
        }
        entries.append(entry)
      }
    }
    return entries
  }

  /// Makes files of the cases, notices, rules and alerts of a database.
  /// - Returns: the tables in order, with their rows and digests.
  /// - Throws: `StoreCopy.Failure.different` when a file has other rows than the database.
  package static func run(
    from database: any TabularStore, to files: ConsoleBackup.Files
  ) throws -> [StoreCopy.Entry] {
    try ConsoleBackup.fill(files, from: database)
    var entries: [StoreCopy.Entry] = []
    for (path, tables) in parts(of: files) {
      let file = try Connection(path: path, vfs: nil, isReadOnly: true)
      for table in tables {
        let entry = try StoreCopy.digest(of: table, in: database)
        guard try digest(of: table, in: file) == entry else { throw StoreCopy.Failure.different(table.name) }
        entries.append(entry)
      }
    }
    return entries
  }

  private static func parts(of files: ConsoleBackup.Files) -> [(path: String, tables: [StoreTable])] {
    [(files.cases, StoreTable.cases), (files.alerts, StoreTable.alerts)]
  }

  /// The digest of a table of a file; that of no rows without a file.
  private static func digest(
    of table: StoreTable, in file: Connection?, _ body: ([[StoreValue]]) throws -> Void = { _ in }
  ) throws -> StoreCopy.Entry {
    guard let file else { return try StoreCopy.digest(of: table, reading: { _ in [] }) }
    return try StoreCopy.digest(
      of: table, reading: { key in try file.rows(of: table, after: key, limit: StoreCopy.page) }, body)
  }
}
