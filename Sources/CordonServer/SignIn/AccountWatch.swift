internal import CordonIngest
internal import CordonOperators
internal import Dispatch
internal import NIOConcurrencyHelpers

/// The operators of the core, and the revision of the accounts that they were made of. Other servers change accounts in a database.
final class AccountWatch: Sendable {
  private let accounts: any OperatorAccounts
  private let state = NIOLockedValueBox<(revision: Int64?, operators: [Operator]?)>((nil, nil))

  init(_ accounts: any OperatorAccounts) { self.accounts = accounts }

  /// Reads the accounts, and returns the operators. Without a connection to their database these are the former ones, and `nil`
  /// before the first reading.
  func operators() throws -> [Operator]? {
    do {
      let revision = try accounts.revision()
      let operators = try accounts.operators()
      state.withLockedValue { $0 = (revision, operators) }
    } catch let fault as StoreFault where fault.kind == .unavailable {
      // The watch reads them as soon as the database is there.
    }
    return state.withLockedValue { $0.operators }
  }

  /// Whether the accounts changed since ``operators()``; `false` while the database cannot be read. It waits in a thread of its own.
  func isOutdated() async -> Bool {
    await withCheckedContinuation { continuation in
      DispatchQueue.global().async { [self] in
        let current = try? accounts.revision()
        continuation.resume(returning: current != nil && current != state.withLockedValue { $0.revision })
      }
    }
  }
}
