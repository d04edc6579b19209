public import CordonMonitoring
public import CordonStorage
import Foundation

/// The store for the rows of all phones of a simulation.
///
/// Commits are grouped, because a simulation need not survive a power failure.
public enum PhoneStore {
  /// Rows in a file.
  case sqlite(SQLiteStore)
  /// Rows in memory: faster, with the same result.
  case memory(MemoryStore)

  /// Returns a store for each section of a fleet. A file is shared by all sections; in memory, each section has a store
  /// of its own.
  func stores(count: Int) -> [any Store] {
    switch self {
    case .sqlite(let store):
      let lock = NSRecursiveLock()
      return (0..<count).map { _ in LockedStore(store, lock: lock) }
    case .memory(let store):
      return [store] + (1..<max(count, 1)).map { _ in MemoryStore() }
    }
  }

  /// Runs `body` in one group of transactions.
  package func group<Value>(_ body: () throws -> Value) throws -> Value {
    guard case .sqlite(let store) = self else { return try body() }
    try store.beginGroup()
    let value: Value
    do {
      value = try body()
    } catch {
      // The first error states the cause; a second error of the group would add nothing.
      try? store.endGroup()
      throw error
    }
    try store.endGroup()
    return value
  }
}
