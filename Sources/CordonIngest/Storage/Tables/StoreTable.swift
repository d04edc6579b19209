/// A value of a table, for copies from one kind of store to another.
package enum StoreValue: Hashable, Sendable {
  /// A whole number.
  case int(Int64)
  /// A number.
  case real(Double)
  /// A text.
  case text(String)
  /// Bytes.
  case bytes([UInt8])
  /// No value.
  case null
}

/// A table that every kind of store has, with the names that it has in a file.
package struct StoreTable: Hashable, Sendable {
  /// The type of a column.
  package enum Kind: Hashable, Sendable {
    case int, real, text, bytes
  }

  /// A column.
  package struct Column: Hashable, Sendable {
    package var name: String
    package var kind: Kind
  }

  /// The name.
  package var name: String
  /// The columns, those of the key first.
  package var columns: [Column]
  /// How many columns the key has.
  package var keyCount: Int

  private init(_ name: String, key: String, _ others: String = "") {
    func columns(_ words: String) -> [Column] {
      words.split(separator: " ").map { word in
        let parts = word.split(separator: ":")
        let kind: Kind =
          switch parts.last {
          case "real": .real
          case "text": .text
          case "bytes": .bytes
          default: .int
          }
        return Column(name: String(parts.first ?? ""), kind: kind)
      }
    }
    self.name = name
    self.columns = columns(key) + columns(others)
    keyCount = columns(key).count
  }

  /// All tables, in the order in which they are copied. A number without a type is a whole one.
  package static let all = [
    StoreTable("venue", key: "number", "id:text longitude:real latitude:real"),
    StoreTable("bundle", key: "number", "venue hash:text"),
    StoreTable("space", key: "number", "venue id:text"),
    StoreTable(
      "device", key: "number",
      "id:text kind venue type:text secretHash:bytes pendingSecret:text codeHash:bytes generation created lastSeen "
        + "mayRecord formerHash:bytes heldSince"),
    StoreTable(
      "position", key: "device high low",
      "longitude latitude accuracy floor stillUntil bundle space battery"),
    StoreTable("presence", key: "venue device", "first last"),
    StoreTable(
      "contact", key: "first second start floor venue",
      "end distance:real closest x:real y:real separationX:real separationY:real obstructed"),
    StoreTable("unsettled", key: "venue device", "first last"),
    StoreTable(
      "inviteCode", key: "number", "hash:bytes hint:text venue kind uses maximumUses expires created creator:text"),
    StoreTable("consent", key: "device time received", "version:text purposes:text"),
    StoreTable("batch", key: "device key:bytes", "digest:bytes time"),
    StoreTable("tombstone", key: "hash:bytes", "proof:bytes time locations"),
    StoreTable(
      "audit", key: "number", "time operator:text role:text action:text venue:text device reason:text count last"),
    StoreTable("viewerMark", key: "venue", "until"),
    StoreTable("viewerPlace", key: "venue floor space", "devices threshold time"),
    StoreTable("viewerMember", key: "venue floor space device"),
    StoreTable("viewerCount", key: "venue start floor space", "devices"),
  ]

  /// The tables of cases and notices, which files have apart from the store, parents first.
  package static let cases = [
    StoreTable(
      "caseFile", key: "number",
      "venue:text label:text device:text onset since until threshold wallPercent note:text created creator:text closed "
        + "holder"),
    StoreTable("caseContact", key: "caseFile device:text holder", "status:text note:text changed operator:text"),
    StoreTable(
      "notice", key: "number",
      "caseFile device:text exposed template:text advice:text created expires delivered acknowledged holder"),
  ]

  /// The tables of rules and alerts, parents first.
  package static let alerts = [
    StoreTable(
      "alertRule", key: "number",
      "venue:text kind:text name:text space:text floor device:text threshold lasting isOn holder created"),
    StoreTable("alert", key: "number", "rule began raised ended peak space:text acknowledged:text"),
    // When messages about alerts were sent. A database has it in the table of alerts.
    StoreTable("alertSent", key: "number", "sent endSent"),
  ]

  /// The kinds of rows whose numbers are never given twice, by their tables.
  package static let counted = ["device", "inviteCode", "audit"]
}

/// A store whose tables can be read and filled as they are.
package protocol TabularStore: PositionStore {
  /// Rows of a table in the order of its key, after one.
  func rows(of table: StoreTable, after key: [StoreValue]?, limit: Int) throws(StoreFault) -> [[StoreValue]]
  /// Deletes everything. Belongs into a transaction.
  func removeAll() throws(StoreFault)
  /// Puts rows into a table. Belongs into a transaction.
  func add(_ rows: [[StoreValue]], to table: StoreTable) throws(StoreFault)
  /// The highest number that was ever given in a table of ``StoreTable/counted``.
  func lastNumber(in table: String) throws(StoreFault) -> Int64
  /// Lets numbers go on behind those that were given. Belongs into a transaction, after all rows.
  func goOn(after numbers: [(table: String, last: Int64)]) throws(StoreFault)
}
