internal import CordonIngest
package import CordonOperators
internal import Foundation

/// Accounts of operators in the database of the positions, so that all servers know the same. The database cannot read them.
///
/// They are one row with a revision. A change replaces the row if it still has the revision that was read, and is made again
/// otherwise: so of two servers that change accounts at the same moment none loses the change of the other.
///
/// `@unchecked Sendable` holds because every use of `link` happens with `lock` held.
package final class PostgresAccounts: OperatorAccounts, @unchecked Sendable {
  private let lock = NSLock()
  private let link: PostgresLink
  private let seal: AccountSeal
  private let former: @Sendable () throws -> [OperatorAccount]
  private let adopts: Bool

  /// How often a change is tried that others forestall.
  private static let maximumAttempts = 100

  /// Accounts; the database is connected at their first use.
  /// - Parameters:
  ///   - seal: how they are encrypted, the same at all servers.
  ///   - former: the accounts of a database that has never had any, such as those of a server's files.
  ///   - adopts: whether reading them puts them into the database; changes do in any case.
  ///   - patience: the maximum time for an answer of the database.
  package init(
    _ address: PostgresAddress, seal: AccountSeal, adopts: Bool = false, patience: Duration = .seconds(5),
    former: @escaping @Sendable () throws -> [OperatorAccount] = { [] }
  ) {
    link = PostgresLink(address, patience: patience)
    self.seal = seal
    self.former = former
    self.adopts = adopts
  }

  private func read() throws -> (revision: Int64, list: [OperatorAccount]) {
    let rows = try link.run("SELECT revision, sealed FROM operator_accounts")
    if rows.count > 0 { return (rows.int(0, 0), try seal.open(rows.blob(0, 1))) }
    let list = try former()
    guard adopts, !list.isEmpty else { return (0, list) }
    // Servers may start at the same moment; the first one counts.
    try link.run(
      "INSERT INTO operator_accounts VALUES (1, 1, $1) ON CONFLICT DO NOTHING", [.bytes(try seal.seal(list))])
    let made = try link.run("SELECT revision, sealed FROM operator_accounts")
    guard made.count > 0 else { throw StoreFault(.failed, "the accounts of operators were deleted meanwhile") }
    return (made.int(0, 0), try seal.open(made.blob(0, 1)))
  }

  private func write(_ list: [OperatorAccount], after revision: Int64) throws -> Bool {
    let sealed = try seal.seal(list)
    guard revision > 0 else {
      return try link.run(
        "INSERT INTO operator_accounts VALUES (1, 1, $1) ON CONFLICT DO NOTHING", [.bytes(sealed)]
      ).changes > 0
    }
    return try link.run(
      "UPDATE operator_accounts SET revision = revision + 1, sealed = $1 WHERE revision = $2",
      [.bytes(sealed), .int(revision)]
    ).changes > 0
  }

  /// See ``OperatorAccounts/accounts()``.
  package func accounts() throws -> [OperatorAccount] { try lock.withLock { try read().list } }

  /// See ``OperatorAccounts/changeAccounts(_:)``.
  package func changeAccounts<T>(_ body: (inout [OperatorAccount]) throws -> T) throws -> T {
    try lock.withLock {
      for _ in 0..<Self.maximumAttempts {
        let (revision, list) = try read()
        var changed = list
        let result = try body(&changed)
        if try changed == list || write(changed, after: revision) { return result }
      }
      throw StoreFault(.busy, "other servers change the accounts of operators all the time")
    }
  }

  /// See ``OperatorAccounts/revision()``.
  package func revision() throws -> Int64? {
    try lock.withLock {
      let rows = try link.run("SELECT revision FROM operator_accounts")
      return rows.count > 0 ? rows.int(0, 0) : try read().revision
    }
  }
}
