package import CordonCore
internal import CordonSupport

/// An entry of a study's ledger. Entries are appended and never changed; each holds the hash of the one before.
package struct LedgerEntry: Hashable, Sendable {
  /// The kinds of entries.
  package enum Kind: String, Hashable, Sendable, CaseIterable {
    /// An account earned credits in a period; at most once for each account and period.
    case earned
    /// Credits were reserved for a payout.
    case reserved
    /// A payout may be paid; by the rules, or by an administrator.
    case approved
    /// A payout goes to a provider without transactions, and to no other one: the reference is the provider. Written before it is
    /// sent there.
    case sent
    /// The transaction of a payout was signed, before it was sent: the period is its nonce, the reference its hash. A payout has at
    /// most one, and a nonce is used once in all ledgers.
    case signed
    /// A payout could not be paid yet; the reference is the reason. Written when the reason changes.
    case delayed
    /// A payout was paid; the reference is the provider's.
    case settled
    /// A payout was refused; its credits can be reserved again.
    case released
    /// The credits of an account ended, because its participant was erased.
    case forfeited
  }

  /// The number in the study's ledger, from 1.
  package var sequence: Int64
  /// The study.
  package var study: StudyCode
  /// The account; its participant is known to the store alone.
  package var account: String
  /// The kind.
  package var kind: Kind
  /// The local date of ``Kind/earned``, such as `2026-01-31`, or the ``ChainNonce`` of ``Kind/signed``; empty for other kinds.
  package var period: String
  /// The number of the payout, from 1 in the study; 0 for ``Kind/earned`` and ``Kind/forfeited``.
  package var payout: Int64
  /// The credits.
  package var credits: Int64
  /// The amount in the smallest unit of the study's currency.
  package var amount: Int64
  /// When it was written.
  package var time: Instant
  /// The provider's reference, the hash of a transaction, who approved, or the reason; no data of persons.
  package var reference: String
  /// The hash of the entry before; 64 zeros for the first one.
  package var previous: String
  /// The SHA-256 of all other members.
  package var hash: String

  /// The hash before the first entry.
  package static let origin = String(repeating: "0", count: 64)

  /// Creates an entry behind another one.
  package init(
    after last: LedgerEntry?, study: StudyCode, account: String, kind: Kind, period: String = "", payout: Int64 = 0,
    credits: Int64, amount: Int64 = 0, time: Instant, reference: String = ""
  ) {
    self.init(
      sequence: (last?.sequence ?? 0) + 1, study: study, account: account, kind: kind, period: period, payout: payout,
      credits: credits, amount: amount, time: time, reference: reference, previous: last?.hash ?? Self.origin, hash: "")
    hash = digest
  }

  init(
    sequence: Int64, study: StudyCode, account: String, kind: Kind, period: String, payout: Int64, credits: Int64,
    amount: Int64, time: Instant, reference: String, previous: String, hash: String
  ) {
    self.sequence = sequence
    self.study = study
    self.account = account
    self.kind = kind
    self.period = period
    self.payout = payout
    self.credits = credits
    self.amount = amount
    self.time = time
    self.reference = reference
    self.previous = previous
    self.hash = hash
  }

  /// The SHA-256 of all members but ``hash``: each as text, with its length in bytes before it.
  package var digest: String {
    var text = "cordon.ledger/1"
    for part in [
      String(sequence), study.rawValue, account, kind.rawValue, period, String(payout), String(credits), String(amount),
      String(time.milliseconds), reference, previous,
    ] { text += "\n\(part.utf8.count):\(part)" }
    return SHA256.hexDigest(of: Array(text.utf8))
  }
}
