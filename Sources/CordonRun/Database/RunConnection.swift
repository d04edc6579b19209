import CordonSQLite
import Foundation

/// A connection that threads share, one query at a time.
///
/// `@unchecked Sendable` holds because the connection is used only while the lock is held. The lock is recursive, so that a
/// closure that receives rows may start another query.
final class RunConnection: @unchecked Sendable {
  private let connection: Connection
  private let lock = NSRecursiveLock()

  init(_ connection: Connection) { self.connection = connection }

  /// Calls a closure with the connection.
  func read<Value>(_ body: (Connection) throws -> Value) rethrows -> Value {
    try lock.withLock { try body(connection) }
  }
}

extension Connection {
  /// Calls a closure with each row of a query until it returns false.
  func forEachRow(_ sql: String, _ argument: String?? = nil, _ body: (QueryRow) throws -> Bool) throws {
    let statement = try prepareOnce(sql)
    if let argument { statement.bind(1, argument) }
    while try statement.advance(), try body(QueryRow(statement: statement)) {}
  }

  /// Returns a value for each row of a query.
  func rows<Element>(
    _ sql: String, _ argument: String?? = nil, _ element: (QueryRow) throws -> Element
  ) throws -> [Element] {
    var elements: [Element] = []
    try forEachRow(sql, argument) {
      elements.append(try element($0))
      return true
    }
    return elements
  }

  /// Returns the first value of a query; `nil` without a row.
  func value<Value: ColumnValue>(_ sql: String, as type: Value.Type = Value.self) throws -> Value? {
    try rows(sql) { row -> Value in try row[0] }.first
  }
}
