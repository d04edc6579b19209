internal import CordonSQLite

extension SQLitePositionStore: TabularStore {
  /// See ``TabularStore/rows(of:after:limit:)``.
  package func rows(of table: StoreTable, after key: [StoreValue]?, limit: Int) throws(StoreFault) -> [[StoreValue]] {
    try connection.rows(of: table, after: key, limit: limit)
  }

  /// See ``TabularStore/add(_:to:)``.
  package func add(_ rows: [[StoreValue]], to table: StoreTable) throws(StoreFault) {
    try connection.add(rows, to: table)
  }

  /// See ``TabularStore/removeAll()``.
  package func removeAll() throws(StoreFault) {
    for table in StoreTable.all { try connection.run("DELETE FROM \"\(table.name)\"") }
  }

  /// See ``TabularStore/lastNumber(in:)``.
  package func lastNumber(in table: String) throws(StoreFault) -> Int64 {
    let statement = try connection.statement("SELECT max(seq) FROM sqlite_sequence WHERE name = ?")
    statement.bind(1, table)
    defer { statement.reset() }
    return try statement.step() ? statement.int(0) : 0
  }

  /// See ``TabularStore/goOn(after:)``.
  package func goOn(after numbers: [(table: String, last: Int64)]) throws(StoreFault) {
    let deletion = try connection.statement("DELETE FROM sqlite_sequence WHERE name = ?")
    let insertion = try connection.statement("INSERT INTO sqlite_sequence (name, seq) VALUES (?, ?)")
    for (table, last) in numbers {
      deletion.bind(1, table)
      try deletion.run()
      insertion.bind(1, table)
      insertion.bind(2, last)
      try insertion.run()
    }
  }
}

/// Tables of a file as they are.
extension Connection {
  /// Rows of a table in the order of its key, after one.
  func rows(of table: StoreTable, after key: [StoreValue]?, limit: Int) throws(StoreFault) -> [[StoreValue]] {
    let names = table.columns.map(Self.quoted)
    let order = names.prefix(table.keyCount).joined(separator: ", ")
    let places = [String](repeating: "?", count: table.keyCount).joined(separator: ", ")
    let statement = try self.statement(
      "SELECT \(names.joined(separator: ", ")) FROM \"\(table.name)\""
        + (key == nil ? "" : " WHERE (\(order)) > (\(places))") + " ORDER BY \(order) LIMIT ?")
    for (index, value) in (key ?? []).enumerated() { Self.bind(value, at: Int32(index + 1), to: statement) }
    statement.bind(Int32((key?.count ?? 0) + 1), Int64(limit))
    var list: [[StoreValue]] = []
    while try statement.step() {
      list.append(
        table.columns.enumerated().map { (index, column) -> StoreValue in
          let place = Int32(index)
          if statement.columnType(place) == .null { return .null }
          switch column.kind {
          case .int: return .int(statement.int(place))
          case .real: return .real(statement.double(place))
          // Not every store can keep a zero character.
          case .text: return .text(statement.text(place).replacing("\0", with: "\u{FFFD}"))
          case .bytes: return .bytes(statement.blob(place))
          }
        })
    }
    return list
  }

  private static func quoted(_ column: StoreTable.Column) -> String { "\"\(column.name)\"" }

  private static func bind(_ value: StoreValue, at place: Int32, to statement: PreparedStatement) {
    switch value {
    case .int(let value): statement.bind(place, value)
    case .real(let value): statement.bind(place, value)
    case .text(let value): statement.bind(place, value)
    case .bytes(let value): statement.bind(place, value)
    case .null: statement.bindNull(place)
    }
  }

  /// Puts rows into a table.
  func add(_ rows: [[StoreValue]], to table: StoreTable) throws(StoreFault) {
    let places = [String](repeating: "?", count: table.columns.count).joined(separator: ", ")
    let statement = try self.statement(
      "INSERT INTO \"\(table.name)\" (\(table.columns.map(Self.quoted).joined(separator: ", "))) VALUES (\(places))")
    for row in rows {
      for (index, value) in row.enumerated() { Self.bind(value, at: Int32(index + 1), to: statement) }
      try statement.run()
    }
  }
}
