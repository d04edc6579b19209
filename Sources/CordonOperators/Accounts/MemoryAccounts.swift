internal import Foundation

/// Accounts in memory, for tests.
///
/// `@unchecked Sendable` holds because every access to the list happens with `lock` held.
package final class MemoryAccounts: OperatorAccounts, @unchecked Sendable {
  private let lock = NSLock()
  private var list: [OperatorAccount]

  /// Accounts that last as long as the object.
  package init(_ list: [OperatorAccount] = []) { self.list = list }

  /// See ``OperatorAccounts/accounts()``.
  package func accounts() -> [OperatorAccount] { lock.withLock { list } }

  /// See ``OperatorAccounts/changeAccounts(_:)``.
  package func changeAccounts<T>(_ body: (inout [OperatorAccount]) throws -> T) throws -> T {
    try lock.withLock {
      var changed = list
      let result = try body(&changed)
      list = changed
      return result
    }
  }
}
