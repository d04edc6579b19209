public import CordonMonitoring
public import CordonStorage
import Foundation

/// Where the phones of a simulation keep their rows: one store for all of them.
///
/// Commits are grouped, since nobody pulls the plug of a simulation.
public enum PhoneStore {
  /// Real rows in a real file.
  case sqlite(SQLiteStore)
  /// Rows in memory: faster, and the same result.
  case memory(MemoryStore)

  /// A store for each of so many sections of a fleet, which work side by side: one file for all of them, or memory for
  /// each.
  func stores(count: Int) -> [any Store] {
    switch self {
    case .sqlite(let store):
      let lock = NSRecursiveLock()
      return (0..<count).map { _ in LockedStore(store, lock: lock) }
    case .memory(let store):
      return [store] + (1..<max(count, 1)).map { _ in MemoryStore() }
    }
  }

  /// Does `body` in one group of transactions.
  func group<Value>(_ body: () throws -> Value) throws -> Value {
    guard case .sqlite(let store) = self else { return try body() }
    try store.beginGroup()
    let value: Value
    do {
      value = try body()
    } catch {
      // The first error says why; that the group then fails too adds nothing.
      try? store.endGroup()
      throw error
    }
    try store.endGroup()
    return value
  }
}
