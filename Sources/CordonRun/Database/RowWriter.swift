import CordonSQLite

/// A prepared INSERT statement that is bound column by column.
struct RowWriter: RowSink {
  private let statement: PreparedStatement

  /// Prepares the statement.
  ///
  /// - Parameters:
  ///   - database: the database that is written.
  ///   - table: the name of the table.
  ///   - columns: the columns of `table` in the order of their binding, from 1.
  init(_ database: Connection, table: String, columns: String) throws {
    let count = columns.split(separator: ",").count
    let marks = Array(repeating: "?", count: count).joined(separator: ", ")
    statement = try database.prepareOnce("INSERT INTO \(table) (\(columns)) VALUES (\(marks))")
  }

  func bind(_ column: Int32, _ value: Int64) { statement.bind(column, value) }

  /// Binds a number; a negative zero is stored as zero, as SQLite returns it from most columns.
  func bind(_ column: Int32, _ value: Double) { statement.bind(column, value + 0) }

  func bindNull(_ column: Int32) { statement.bindNull(column) }

  func bind(_ column: Int32, _ text: String) { statement.bind(column, text) }

  func bind(_ column: Int32, high: UInt64, low: UInt64) {
    withUnsafeBytes(of: (high.bigEndian, low.bigEndian)) { statement.bind(column, bytes: $0) }
  }

  func insert() throws { _ = try statement.advance() }
}
