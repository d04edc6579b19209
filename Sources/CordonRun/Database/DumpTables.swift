/// A sink that computes the hash of a run's database from its rows.
///
/// It works while the file is being written; reading the file back would have to wait for its end. Readers of a run
/// compute the hash from the file: see ``LogicalDump``.
final class DumpTables: TableSink {
  fileprivate var dump = DumpText()

  /// Returns the SHA-256 of the dump of a database with these contents, 64 hexadecimal digits.
  static func hash(of contents: RunContents) throws -> String {
    let tables = DumpTables()
    try RunTables(contents: contents).write(to: tables)
    return tables.dump.hash()
  }

  var migrations: [String]? { RunSchema.versions }

  func rows(of table: String, columns: String) -> DumpRows {
    dump.beginTable(
      table, columns: columns.split(separator: ",").map { String($0.drop { $0 == " " }) })
    return DumpRows(tables: self)
  }
}

/// A sink that adds the rows of one table to the hash.
struct DumpRows: RowSink {
  fileprivate let tables: DumpTables

  func bind(_ column: Int32, _ value: Int64) {
    tables.dump.beginCell(isFirst: column == 1)
    tables.dump.integer(value)
  }

  func bind(_ column: Int32, _ value: Double) {
    // SQLite stores NaN as NULL and a negative zero as zero.
    guard !value.isNaN else { return bindNull(column) }
    tables.dump.beginCell(isFirst: column == 1)
    tables.dump.real(value + 0)
  }

  func bind(_ column: Int32, _ text: String) {
    tables.dump.beginCell(isFirst: column == 1)
    var text = text
    text.withUTF8 { tables.dump.text(UnsafeRawBufferPointer($0)) }
  }

  func bind(_ column: Int32, high: UInt64, low: UInt64) {
    tables.dump.beginCell(isFirst: column == 1)
    withUnsafeBytes(of: (high.bigEndian, low.bigEndian)) { tables.dump.blob($0) }
  }

  func bindNull(_ column: Int32) {
    tables.dump.beginCell(isFirst: column == 1)
    tables.dump.null()
  }

  func insert() { tables.dump.endRow() }
}
