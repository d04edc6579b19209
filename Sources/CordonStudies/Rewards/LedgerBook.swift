package import CordonCore

/// The balances and payouts of a study, read from its ledger. It admits only entries that the rules of a ledger allow.
package struct LedgerBook: Sendable {
  /// A payout, from the reservation on.
  package struct Payout: Hashable, Sendable {
    /// The states of a payout.
    package enum State: String, Hashable, Sendable, CaseIterable {
      /// Its credits are reserved, and it waits for approval.
      case reserved
      /// It may be paid, and is tried until the provider answers.
      case approved
      /// It was paid.
      case settled
      /// It was refused.
      case released
    }

    /// The number in the study.
    package var number: Int64
    /// The account.
    package var account: String
    /// The credits.
    package var credits: Int64
    /// The amount in the smallest unit.
    package var amount: Int64
    /// The state.
    package var state: State
    /// When it was reserved.
    package var time: Instant
    /// The provider's reference, or the reason of a refusal.
    package var reference: String
    /// The number of approvals before it; `nil` before its approval.
    package var place: Int64?
    /// The provider to which it goes, once it may have been sent there; `nil` for one with a transaction.
    package var provider: String?
    /// Nonce and hash of its transaction, once it is signed.
    package var transfer: SignedTransfer?
    /// Why it could not be paid at the last attempt; `nil` when nothing was wrong.
    package var delay: String?
  }

  /// An account's credits.
  package struct Account: Hashable, Sendable {
    /// All credits that were earned.
    package var earned: Int64 = 0
    /// The credits of open and settled payouts.
    package var reserved: Int64 = 0
    /// The credits that ended with an erasure.
    package var forfeited: Int64 = 0
    /// The amount of settled payouts.
    package var paid: Int64 = 0
    /// The amount of open payouts.
    package var pending: Int64 = 0
    /// The periods that earned.
    package var periods: Set<String> = []

    /// The credits that can be reserved.
    package var balance: Int64 { earned - reserved - forfeited }
  }

  /// The last entry; `nil` for an empty ledger.
  package private(set) var last: LedgerEntry?
  /// The payouts by number.
  package private(set) var payouts: [Payout] = []
  /// The amount of all open and settled payouts.
  package private(set) var committed: Int64 = 0
  private var accounts: [String: Account] = [:]
  private var approvals: Int64 = 0

  /// Creates an empty book.
  package init() {}

  /// Reads and verifies a whole ledger.
  /// - Throws: ``StudyError/Code/chain`` with the number of the first entry that does not follow.
  /// - Complexity: O(n), one SHA-256 for each entry.
  package init(verifying entries: some Sequence<LedgerEntry>) throws(StudyError) {
    for entry in entries {
      guard entry.hash == entry.digest else {
        throw StudyError(.chain, "entry \(entry.sequence) of the ledger was changed")
      }
      do throws(StudyError) {
        try admit(entry)
      } catch {
        throw StudyError(.chain, "entry \(entry.sequence) of the ledger: \(error.message)")
      }
    }
  }

  /// Returns an account; an empty one if it has no entry.
  package func account(_ name: String) -> Account { accounts[name] ?? Account() }

  /// Returns the payout of a number.
  package func payout(_ number: Int64) -> Payout? {
    number >= 1 && number <= payouts.count ? payouts[Int(number) - 1] : nil
  }

  /// Returns the open payout of an account; it has at most one.
  package func openPayout(of account: String) -> Payout? {
    payouts.last { $0.account == account && ($0.state == .reserved || $0.state == .approved) }
  }

  /// Adds an entry.
  /// - Throws: ``StudyError/Code/conflict`` for an entry that exists already, that comes in the wrong order or after another one.
  package mutating func admit(_ entry: LedgerEntry) throws(StudyError) {
    guard entry.sequence == (last?.sequence ?? 0) + 1, entry.previous == last?.hash ?? LedgerEntry.origin else {
      throw StudyError(.conflict, "the entry does not follow the last one")
    }
    guard entry.credits >= 0, entry.amount >= 0 else {
      throw StudyError(.conflict, "credits and amounts are not negative")
    }
    var account = account(entry.account)
    switch entry.kind {
    case .earned:
      guard !entry.period.isEmpty, account.periods.insert(entry.period).inserted else {
        throw StudyError(.conflict, "the period was rewarded already")
      }
      account.earned += entry.credits
    case .forfeited:
      guard entry.credits <= account.balance else { throw StudyError(.conflict, "more credits than the balance") }
      account.forfeited += entry.credits
    case .reserved:
      guard entry.payout == Int64(payouts.count) + 1 else { throw StudyError(.conflict, "the payout exists already") }
      guard entry.credits > 0, entry.credits <= account.balance, openPayout(of: entry.account) == nil else {
        throw StudyError(.conflict, "more credits than the balance, or a payout is open")
      }
      account.reserved += entry.credits
      account.pending += entry.amount
      committed += entry.amount
      payouts.append(
        Payout(
          number: entry.payout, account: entry.account, credits: entry.credits, amount: entry.amount, state: .reserved,
          time: entry.time, reference: ""))
    case .approved:
      try move(entry, from: [.reserved], to: .approved)
      payouts[Int(entry.payout) - 1].place = approvals
      approvals += 1
    case .sent:
      guard let payout = payout(entry.payout), payout.provider == nil, payout.transfer == nil else {
        throw StudyError(.conflict, "the payout goes to another provider")
      }
      try move(entry, from: [.approved], to: .approved)
      payouts[Int(entry.payout) - 1].provider = entry.reference
    case .signed:
      guard let nonce = ChainNonce(entry.period), let payout = payout(entry.payout), payout.transfer == nil,
        payout.provider == nil
      else {
        throw StudyError(
          .conflict, "the payout has a transaction already or another provider, or the nonce cannot be read")
      }
      try move(entry, from: [.approved], to: .approved)
      payouts[Int(entry.payout) - 1].transfer = SignedTransfer(nonce: nonce, hash: entry.reference)
    case .delayed:
      try move(entry, from: [.approved], to: .approved)
      payouts[Int(entry.payout) - 1].delay = entry.reference
    case .settled:
      try move(entry, from: [.approved], to: .settled)
      account.pending -= entry.amount
      account.paid += entry.amount
    case .released:
      try move(entry, from: [.reserved, .approved], to: .released)
      account.reserved -= entry.credits
      account.pending -= entry.amount
      committed -= entry.amount
    }
    accounts[entry.account] = account
    last = entry
  }

  private mutating func move(_ entry: LedgerEntry, from: [Payout.State], to: Payout.State) throws(StudyError) {
    guard let payout = payout(entry.payout), from.contains(payout.state), payout.account == entry.account,
      payout.credits == entry.credits, payout.amount == entry.amount
    else { throw StudyError(.conflict, "the payout has another state or amount") }
    payouts[Int(entry.payout) - 1].state = to
    payouts[Int(entry.payout) - 1].reference = entry.reference
    payouts[Int(entry.payout) - 1].delay = nil
  }
}
