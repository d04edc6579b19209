internal import CordonCore
internal import CordonSQLite

/// Cases, notices, rules and alerts of the console in backups of a store.
///
/// A backup has the tables as the files have them, and a list of them (`consoleTable`).
package enum ConsoleBackup {
  /// The files of the console.
  package struct Files: Hashable, Sendable {
    /// Cases and notices.
    package var cases: String
    /// Rules and alerts.
    package var alerts: String

    /// Takes the paths as they are.
    package init(cases: String, alerts: String) {
      self.cases = cases
      self.alerts = alerts
    }

    fileprivate var named: [(name: String, path: String)] { [("cases", cases), ("alerts", alerts)] }
  }

  private static let list =
    "CREATE TABLE consoleTable (name TEXT NOT NULL PRIMARY KEY, file TEXT NOT NULL) WITHOUT ROWID"

  // MARK: Into a backup

  /// Writes the tables of the files that are there into a backup.
  static func write(_ files: Files, isThere: (String) -> Bool, into backup: Connection) throws(StoreFault) {
    try backup.script("BEGIN IMMEDIATE; \(list)")
    for (name, path) in files.named where isThere(path) {
      let file = try Connection(path: path, vfs: nil, isReadOnly: true)
      // One moment: notices belong to cases.
      try file.script("BEGIN")
      for table in try tables(of: file) {
        guard try definition(of: table, in: backup) == nil else {
          throw StoreFault(.failed, "\(path): a table of the store is called \(table) as well")
        }
        try backup.script(try definition(of: table, in: file) ?? "")
        try copy(table, from: file, to: backup)
        let entry = try backup.statement("INSERT INTO consoleTable VALUES (?, ?)")
        entry.bind(1, table)
        entry.bind(2, name)
        try entry.run()
      }
      try file.script("COMMIT")
    }
    try backup.script("COMMIT")
  }

  /// Removes the tables of the console from a store that was made of a backup.
  static func drop(from store: Connection) throws(StoreFault) {
    guard try definition(of: "consoleTable", in: store) != nil else { return }
    // Those that refer to others first.
    for table in try texts("SELECT name FROM consoleTable ORDER BY name", in: store).filter({ $0 != "caseFile" })
      + ["caseFile"]
    { try store.script("DROP TABLE IF EXISTS \"\(table)\"") }
    try store.script("DROP TABLE consoleTable")
  }

  // MARK: Out of a backup

  /// Makes the files of the console that are not there, from a backup. Devices and holders that were erased since are left out.
  /// - Parameters:
  ///   - files: where they are to be.
  ///   - isThere: whether a file is there, which then stays as it is.
  ///   - backup: the backup.
  ///   - log: the log of decisions after the restore.
  /// - Returns: the paths of the files that were made.
  package static func restore(
    _ files: Files, isThere: (String) -> Bool, from backup: String, log: String, pseudonyms: Pseudonyms
  ) throws(StoreFault) -> [String] {
    let source = try Connection(path: backup, vfs: nil, isReadOnly: true)
    guard try definition(of: "consoleTable", in: source) != nil else { return [] }
    let endings = try KnownEndings(log: log, pseudonyms: pseudonyms)
    var made: [String] = []
    for (name, path) in files.named where !isThere(path) {
      let tables = try texts("SELECT name FROM consoleTable WHERE file = '\(name)' ORDER BY name", in: source)
      guard !tables.isEmpty else { continue }
      let file = try Connection(path: path, vfs: nil, isReadOnly: false)
      try file.script("PRAGMA secure_delete = ON; BEGIN IMMEDIATE")
      var gone: Set<DeviceID> = []
      for table in tables {
        try file.script(try definition(of: table, in: source) ?? "")
        try copy(table, from: source, to: file)
        guard try columns(of: table, in: file).contains("device") else { continue }
        for name in try texts("SELECT DISTINCT device FROM \"\(table)\" WHERE device IS NOT NULL", in: file) {
          if let id = DeviceID(name), !endings.ends(of: id).isEmpty { gone.insert(id) }
        }
      }
      try file.script("COMMIT")
      for id in gone.sorted() {
        for end in endings.ends(of: id) {
          if name == "cases" {
            try SQLiteCaseStore(path: path).forget(id, end)
          } else {
            try SQLiteAlertStore(path: path).forget(id, end)
          }
        }
      }
      made.append(path)
    }
    return made
  }

  // MARK: Beside a database

  /// Makes files with what a database has, for a backup.
  package static func fill(_ files: Files, from store: any TabularStore) throws(StoreFault) {
    _ = try SQLiteCaseStore(path: files.cases)
    _ = try SQLiteAlertStore(path: files.alerts)
    for (path, tables) in [(files.cases, StoreTable.cases), (files.alerts, StoreTable.alerts)] {
      let file = try Connection(path: path, vfs: nil, isReadOnly: false)
      try file.script("BEGIN IMMEDIATE")
      for table in tables {
        try forEachPage(of: table, { key throws(StoreFault) in try store.rows(of: table, after: key, limit: page) }) {
          rows throws(StoreFault) in try file.add(rows, to: table)
        }
      }
      try file.script("COMMIT")
    }
  }

  /// Puts what files have into a database that has none of it yet.
  /// - Returns: whether it did.
  package static func copy(_ files: Files, isThere: (String) -> Bool, into store: any TabularStore) throws(StoreFault)
    -> Bool
  {
    try store.begin()
    do throws(StoreFault) {
      for table in StoreTable.cases + StoreTable.alerts where try !store.rows(of: table, after: nil, limit: 1).isEmpty {
        store.rollback()
        return false
      }
      try bringUpToDate(files, isThere: isThere)
      for (path, tables) in [(files.cases, StoreTable.cases), (files.alerts, StoreTable.alerts)] where isThere(path) {
        let file = try Connection(path: path, vfs: nil, isReadOnly: true)
        for table in tables {
          try forEachPage(of: table, { key throws(StoreFault) in try file.rows(of: table, after: key, limit: page) }) {
            rows throws(StoreFault) in try store.add(rows, to: table)
          }
        }
      }
      try store.goOn(after: [])
      try store.commit()
      return true
    } catch {
      store.rollback()
      throw error
    }
  }

  /// Gives files of an earlier version the tables and columns that they lack.
  static func bringUpToDate(_ files: Files, isThere: (String) -> Bool) throws(StoreFault) {
    if isThere(files.cases) { _ = try SQLiteCaseStore(path: files.cases) }
    if isThere(files.alerts) { _ = try SQLiteAlertStore(path: files.alerts) }
  }

  private static let page = 1_000

  private static func forEachPage(
    of table: StoreTable, _ read: ([StoreValue]?) throws(StoreFault) -> [[StoreValue]],
    _ body: ([[StoreValue]]) throws(StoreFault) -> Void
  ) throws(StoreFault) {
    var key: [StoreValue]?
    while true {
      let rows = try read(key)
      guard let last = rows.last else { return }
      try body(rows)
      key = Array(last.prefix(table.keyCount))
    }
  }

  // MARK: Tables

  private static func texts(_ sql: String, in file: Connection) throws(StoreFault) -> [String] {
    let statement = try file.statement(sql)
    var list: [String] = []
    while try statement.step() { list.append(statement.text(0)) }
    return list
  }

  private static func tables(of file: Connection) throws(StoreFault) -> [String] {
    try texts(
      "SELECT name FROM sqlite_master WHERE type = 'table' AND name NOT LIKE 'sqlite%' ORDER BY rootpage", in: file)
  }

  private static func definition(of table: String, in file: Connection) throws(StoreFault) -> String? {
    try texts("SELECT sql FROM sqlite_master WHERE type = 'table' AND name = '\(table)'", in: file).first
  }

  private static func columns(of table: String, in file: Connection) throws(StoreFault) -> [String] {
    try texts("SELECT name FROM pragma_table_info('\(table)')", in: file)
  }

  /// Copies the rows of a table, and the highest number that was given in it.
  private static func copy(_ table: String, from one: Connection, to other: Connection) throws(StoreFault) {
    let names = try columns(of: table, in: one).map { "\"\($0)\"" }
    let rows = try one.statement("SELECT \(names.joined(separator: ", ")) FROM \"\(table)\"")
    let places = [String](repeating: "?", count: names.count).joined(separator: ", ")
    let insertion = try other.statement(
      "INSERT INTO \"\(table)\" (\(names.joined(separator: ", "))) VALUES (\(places))")
    while try rows.step() {
      for column in 0..<Int32(names.count) { insertion.bind(column + 1, rows, column) }
      try insertion.run()
    }
    guard try definition(of: "sqlite_sequence", in: one) != nil else { return }
    let last = try one.int("SELECT coalesce(max(seq), 0) FROM sqlite_sequence WHERE name = '\(table)'")
    guard last > 0 else { return }
    try other.script(
      "DELETE FROM sqlite_sequence WHERE name = '\(table)'; INSERT INTO sqlite_sequence VALUES ('\(table)', \(last))")
  }
}
