import CordonSQLite

/// The current row of a query on a run. A value of another type than expected is damage; it never traps.
struct QueryRow {
  let statement: PreparedStatement

  /// The value of a column, numbered from 0.
  /// - Throws: `DamagedValue` if the column has no such value.
  subscript<Value: ColumnValue>(_ column: Int32) -> Value {
    get throws {
      guard let value = Value.read(statement, column) else { throw DamagedValue() }
      return value
    }
  }
}

/// A stored value of a type that a reader does not expect.
struct DamagedValue: Error {}

/// A type of values in columns.
protocol ColumnValue {
  /// Returns the value of a column of the current row; `nil` for another type, and for a number out of range.
  static func read(_ row: PreparedStatement, _ column: Int32) -> Self?
}

extension Int64: ColumnValue {
  static func read(_ row: PreparedStatement, _ column: Int32) -> Int64? {
    row.columnType(column) == .integer ? row.int(column) : nil
  }
}

extension Int: ColumnValue {
  static func read(_ row: PreparedStatement, _ column: Int32) -> Int? {
    Int64.read(row, column).flatMap { Int(exactly: $0) }
  }
}

extension Int32: ColumnValue {
  static func read(_ row: PreparedStatement, _ column: Int32) -> Int32? {
    Int64.read(row, column).flatMap { Int32(exactly: $0) }
  }
}

extension Double: ColumnValue {
  static func read(_ row: PreparedStatement, _ column: Int32) -> Double? {
    switch row.columnType(column) {
    case .real, .integer: row.double(column)
    default: nil
    }
  }
}

extension Bool: ColumnValue {
  static func read(_ row: PreparedStatement, _ column: Int32) -> Bool? { Int64.read(row, column).map { $0 != 0 } }
}

extension String: ColumnValue {
  static func read(_ row: PreparedStatement, _ column: Int32) -> String? {
    row.columnType(column) == .text ? row.text(column) : nil
  }
}

extension Array: ColumnValue where Element == UInt8 {
  static func read(_ row: PreparedStatement, _ column: Int32) -> [UInt8]? {
    row.columnType(column) == .blob ? row.blob(column) : nil
  }
}

extension Optional: ColumnValue where Wrapped: ColumnValue {
  static func read(_ row: PreparedStatement, _ column: Int32) -> Wrapped?? {
    if row.columnType(column) == .null { return .some(.none) }
    return Wrapped.read(row, column).map { .some($0) }
  }
}
