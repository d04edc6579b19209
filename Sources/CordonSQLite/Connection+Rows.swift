extension Connection {
  /// Opens the file of a store, makes it if it is not there, and brings its tables to their newest version.
  /// - Parameters:
  ///   - path: the path of the file; `:memory:` is one that lasts as long as the connection.
  ///   - layer: the name of a registered file layer (VFS) of SQLite; `nil` for the default one.
  ///   - timeout: for how many milliseconds statements wait for other connections.
  ///   - settings: statements that precede all others, such as `PRAGMA journal_mode = WAL`.
  ///   - tables: the versions of the tables.
  /// - Throws: also for a file of a newer version, which stays as it is.
  package convenience init(
    storeAt path: String, layer: String? = nil, timeout: Int32, settings: String, tables: Migrations
  ) throws(SQLiteFault) {
    try self.init(path: path, mode: .create, layer: layer, timeout: timeout)
    guard try !tables.isOlder(than: self) else { throw SQLiteFault(1, "\(path): written by a newer version") }
    try execute(settings)
    try tables.apply(to: self)
  }

  /// Runs a query, and returns the values that are read from its rows, in order; rows that give `nil` are left out.
  package func values<Value>(
    _ sql: String, _ bind: (PreparedStatement) -> Void = { _ in }, _ read: (PreparedStatement) -> Value?
  ) throws(SQLiteFault) -> [Value] {
    let statement = try prepare(sql)
    defer { statement.reset() }
    bind(statement)
    var values: [Value] = []
    while try statement.advance() { if let value = read(statement) { values.append(value) } }
    return values
  }

  /// Runs a statement without rows, and returns the number of rows that it changed.
  @discardableResult
  package func change(_ sql: String, _ bind: (PreparedStatement) -> Void = { _ in }) throws(SQLiteFault) -> Int {
    let statement = try prepare(sql)
    bind(statement)
    return try statement.finish()
  }
}
