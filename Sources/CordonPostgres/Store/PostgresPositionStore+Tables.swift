package import CordonIngest

extension PostgresPositionStore: TabularStore {
  /// The name of a table or column here: with underscores, and none that SQL reserves.
  static func name(_ name: String) -> String {
    switch name {
    case "start": "start_time"
    case "end": "end_time"
    default: name.reduce(into: "") { $0 += $1.isUppercase ? "_" + $1.lowercased() : String($1) }
    }
  }

  /// The rows of a table here.
  private static func source(of table: StoreTable) -> String {
    guard table.name == "alertSent" else { return name(table.name) }
    return "(SELECT number, sent, end_sent FROM alert WHERE sent IS NOT NULL OR end_sent IS NOT NULL) AS alert_sent"
  }

  private static func parameter(_ value: StoreValue, _ kind: StoreTable.Kind) -> PostgresParameter {
    switch value {
    case .int(let value): .int(value)
    case .real(let value): .real(value)
    case .text(let value): .text(value)
    case .bytes(let value): .bytes(value)
    case .null: .optionalInt(nil)
    }
  }

  /// See ``TabularStore/rows(of:after:limit:)``.
  package func rows(of table: StoreTable, after key: [StoreValue]?, limit: Int) throws(StoreFault) -> [[StoreValue]] {
    let names = table.columns.map { Self.name($0.name) }
    let order = names.prefix(table.keyCount).joined(separator: ", ")
    let places = (0..<table.keyCount).map { "$\($0 + 2)" }.joined(separator: ", ")
    let hidden = Self.isSealable(table) ? ", sealed" : ""
    let rows = try run(
      "SELECT \(names.joined(separator: ", "))\(hidden) FROM \(Self.source(of: table))"
        + (key == nil ? "" : " WHERE (\(order)) > (\(places))") + " ORDER BY \(order) LIMIT $1",
      [.int(Int64(limit))] + zip(key ?? [], table.columns).map { Self.parameter($0, $1.kind) })
    var list: [[StoreValue]] = []
    list.reserveCapacity(rows.count)
    for row in rows.indices {
      list.append(
        table.columns.enumerated().map { (index, column) -> StoreValue in
          let place = Int32(index)
          if rows.isNull(row, place) { return .null }
          return switch column.kind {
          case .int: .int(rows.int(row, place))
          case .real: .real(rows.real(row, place))
          case .text: .text(rows.text(row, place))
          case .bytes: .bytes(rows.blob(row, place))
          }
        })
    }
    guard !hidden.isEmpty else { return list }
    let last = list.last.map { Array($0.prefix(table.keyCount)) }
    try unseal(&list, of: table, rows, Int32(table.columns.count))
    // A page of nothing but erased rows is not the end.
    if list.isEmpty, let last { return try self.rows(of: table, after: last, limit: limit) }
    return list
  }

  /// See ``TabularStore/add(_:to:)``.
  package func add(_ rows: [[StoreValue]], to table: StoreTable) throws(StoreFault) {
    guard !rows.isEmpty else { return }
    if table.name == "position" {
      for row in rows { if case .int(let high) = row[1] { try makePartition(of: (high >> 16) / Self.dayLength) } }
    }
    if isSealed, Self.isSealable(table) { return try addSealed(rows, to: table) }
    let names = table.columns.map { Self.name($0.name) }.joined(separator: ", ")
    let places = table.columns.indices.map { "$\($0 + 1)" }.joined(separator: ", ")
    let statement =
      table.name == "alertSent"
      ? """
      UPDATE alert SET sent = u.sent, end_sent = u.end_sent FROM unnest(\(places)) AS u (\(names))
      WHERE alert.number = u.number
      """ : "INSERT INTO \(Self.name(table.name)) (\(names)) SELECT * FROM unnest(\(places))"
    try run(
      statement, table.columns.enumerated().map { index, column in Self.column(rows.map { $0[index] }, column.kind) })
  }

  /// See ``TabularStore/removeAll()``. The marks of logs of decisions stay.
  package func removeAll() throws(StoreFault) {
    let names =
      StoreTable.all.map { Self.name($0.name) } + ["device_key", "vacuum_due", "quota", "erased_venue"]
      + ["erasure_note", "page_code", "page_key", "webhook_delivery", "webhook_mark"]
    try run("TRUNCATE \(names.joined(separator: ", ")), space_outline")
    try run("UPDATE erasure SET number = number + 1")
    forget()
  }

  static func column(_ values: [StoreValue], _ kind: StoreTable.Kind) -> PostgresParameter {
    switch kind {
    case .int: .optionalInts(values.map { if case .int(let value) = $0 { value } else { nil } })
    // No column of numbers may be empty.
    case .real: .reals(values.map { if case .real(let value) = $0 { value } else { 0 } })
    case .text: .optionalTexts(values.map { if case .text(let value) = $0 { value } else { nil } })
    case .bytes: .optionalBytesList(values.map { if case .bytes(let value) = $0 { value } else { nil } })
    }
  }

  private static func counter(of table: String) -> String { table == "inviteCode" ? "invite" : table }

  /// See ``TabularStore/lastNumber(in:)``.
  package func lastNumber(in table: String) throws(StoreFault) -> Int64 {
    try run("SELECT last FROM counter WHERE name = $1", [.text(Self.counter(of: table))]).int(0, 0)
  }

  /// See ``TabularStore/goOn(after:)``.
  package func goOn(after numbers: [(table: String, last: Int64)]) throws(StoreFault) {
    for (table, last) in numbers {
      try post("UPDATE counter SET last = $2 WHERE name = $1", [.text(Self.counter(of: table)), .int(last)])
    }
    for table in ["venue", "bundle", "space"] {
      try post(
        "UPDATE counter SET last = (SELECT coalesce(max(number), 0) FROM \(table)) WHERE name = $1", [.text(table)])
    }
    for (name, table) in [
      ("case", "case_file"), ("notice", "notice"), ("rule", "alert_rule"), ("alert", "alert"),
    ] {
      try post(
        "UPDATE counter SET last = greatest(last, (SELECT coalesce(max(number), 0) FROM \(table))) WHERE name = $1",
        [.text(name)])
    }
  }

  /// Starts a transaction that reads one moment of the database.
  package func beginSnapshot() throws(StoreFault) {
    try begin()
    try run("SET TRANSACTION ISOLATION LEVEL REPEATABLE READ, READ ONLY")
  }

  /// Whether a server runs on the database.
  package func isServed() throws(StoreFault) -> Bool {
    let isFree = try run("SELECT pg_try_advisory_lock($1)", [.int(AdvisoryLock.maintenance)]).int(0, 0) != 0
    if isFree { try run("SELECT pg_advisory_unlock($1)", [.int(AdvisoryLock.maintenance)]) }
    return !isFree
  }
}
