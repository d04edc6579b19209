package import CordonCore

/// What paying an order needs of the ledger.
package protocol PaymentLedger {
  /// The errors of the ledger.
  associatedtype Failure: Error
  /// Returns the highest nonce of an account in the ledgers of all studies; `nil` for none.
  func highestNonce(of account: ChainAccount) async throws(Failure) -> UInt64?
  /// Writes down the provider of an order before it is sent there for the first time; returns whether this one is the order's.
  func begin(_ order: PaymentOrder, with provider: String) async throws(Failure) -> Bool
  /// Writes down the transaction of an order before it is sent; returns whether this one is the order's.
  func claim(_ transfer: SignedTransfer, of order: PaymentOrder) async throws(Failure) -> Bool
  /// Writes down a result.
  func record(_ result: PaymentResult, of order: PaymentOrder) async throws(Failure)
}

extension PaymentPort {
  /// Pays an order: writes down the provider, or signs the transaction and writes it down where the provider has an account, sends
  /// the order, and writes down the answer. After a crash at any step a repetition pays nothing twice, also with another provider
  /// in the settings.
  package func settle<Ledger: PaymentLedger>(
    _ order: PaymentOrder, in ledger: Ledger
  ) async throws(Ledger.Failure) -> PaymentResult {
    var order = order
    let result: PaymentResult
    switch (account, order.transfer) {
    case (_, nil) where order.provider.map { $0 != provider } ?? false:
      result = .unknown(
        reason: "\(order.provider ?? "") may have paid it, and the settings name another provider")
    case (nil, nil):
      if let provider, order.provider == nil {
        // Another run was faster: the next one finds its provider.
        guard try await ledger.begin(order, with: provider) else { return .pending }
      }
      result = await pay(order)
    case (_?, _?): result = await pay(order)
    case (nil, _?): result = .unknown(reason: "a transaction pays it, and the settings name another provider")
    case (let account?, nil):
      let last = try await ledger.highestNonce(of: account)
      switch await sign(order, after: last) {
      case .delayed(let reason): result = .unknown(reason: reason)
      case .signed(let transfer):
        // Another run was faster: the next one finds its transaction.
        guard try await ledger.claim(transfer, of: order) else { return .pending }
        order.transfer = transfer
        result = await pay(order)
      }
    }
    try await ledger.record(result, of: order)
    return result
  }
}

/// Orders and the results of their payment.
extension StudyService {
  /// Returns the orders of all payouts that are approved and not settled, oldest approval first. The same payout is the same order
  /// each time, so that a crash between payment and settlement pays nothing twice.
  package func orders(_ code: StudyCode) throws(StudyError) -> [PaymentOrder] {
    guard let rules = try study(code).rewards else { return [] }
    let book = try LedgerBook(verifying: store.ledger(of: code))
    var participants: [String: ParticipantID] = [:]
    for participant in try store.participants(of: code) { participants[participant.account] = participant.id }
    var orders: [PaymentOrder] = []
    for payout in book.payouts where payout.state == .approved {
      if payout.transfer != nil {
        // It goes where it was signed to go, also when the participant has changed the destination since, or is erased.
        var order = PaymentOrder(study: code, payout: payout, currency: rules.currency, destination: "")
        order.transfer?.transaction = try vault.transaction(of: order.key)
        orders.append(order)
        continue
      }
      guard let participant = participants[payout.account],
        let destination = try vault.identity(of: participant)?.payment
      else { continue }
      orders.append(PaymentOrder(study: code, payout: payout, currency: rules.currency, destination: destination))
    }
    return orders.sorted { $0.place < $1.place }
  }

  /// Returns the highest nonce of an account in the ledgers of all studies; `nil` for none.
  /// - Complexity: O(n), the entries of all ledgers.
  package func highestNonce(of account: ChainAccount) throws(StudyError) -> UInt64? {
    var highest: UInt64?
    for study in try store.studies() {
      for entry in try store.ledger(of: study.code) where entry.kind == .signed {
        guard let nonce = ChainNonce(entry.period), nonce.account == account else { continue }
        highest = max(highest ?? 0, nonce.number)
      }
    }
    return highest
  }

  /// Writes down the provider of an order, before it is sent there for the first time.
  /// - Returns: whether it is the order's provider now; `false` when another run wrote down another one, or a transaction.
  package func begin(_ order: PaymentOrder, with provider: String, now: Instant) throws(StudyError) -> Bool {
    try store.transaction { () throws(StudyError) in
      var book = try LedgerBook(verifying: store.ledger(of: order.study))
      guard let payout = book.payout(order.payout), payout.state == .approved, payout.transfer == nil else {
        return false
      }
      let name = String(provider.prefix(200))
      if let known = payout.provider { return known == name }
      try append(.sent, payout, study: order.study, name, to: &book, now: now)
      return true
    }
  }

  /// Writes down the transaction of an order, before it is sent for the first time.
  /// - Returns: whether it is the order's transaction now; `false` when another run wrote one down, or used its nonce.
  package func claim(_ transfer: SignedTransfer, of order: PaymentOrder, now: Instant) throws(StudyError) -> Bool {
    guard let transaction = transfer.transaction else { return false }
    do throws(StudyError) {
      return try store.transaction { () throws(StudyError) in
        var book = try LedgerBook(verifying: store.ledger(of: order.study))
        guard let payout = book.payout(order.payout), payout.state == .approved, payout.transfer == nil,
          payout.provider == nil
        else { return false }
        // The vault first: after a crash it has a transaction that no ledger names, and that was never sent.
        try vault.save(transaction: transaction, of: order.key)
        try append(
          .signed, payout, study: order.study, period: transfer.nonce.description, transfer.hash, to: &book, now: now)
        return true
      }
    } catch {
      guard error.code == .conflict else { throw error }
      return false
    }
  }

  /// Writes down what the provider answered. After an unknown result the order is sent again later; its reason is written down
  /// when it is another one than before.
  package func record(_ result: PaymentResult, of order: PaymentOrder, now: Instant) throws(StudyError) {
    let (kind, reference): (LedgerEntry.Kind, String)
    switch result {
    case .paid(let text): (kind, reference) = (.settled, text)
    case .refused(let reason): (kind, reference) = (.released, reason)
    case .unknown(let reason): (kind, reference) = (.delayed, reason)
    case .pending: return
    }
    try store.transaction { () throws(StudyError) in
      var book = try LedgerBook(verifying: store.ledger(of: order.study))
      // Another run was faster, with the same key and so with the same payment.
      guard let payout = book.payout(order.payout), payout.state == .approved else { return }
      guard kind != .delayed || payout.delay != reference else { return }
      if kind != .delayed, payout.transfer != nil { try vault.forgetTransaction(of: order.key) }
      try append(kind, payout, study: order.study, reference, to: &book, now: now)
      if kind == .released, try !store.participants(of: order.study).contains(where: { $0.account == payout.account }) {
        try forfeit(payout.account, of: order.study, in: &book, now: now)
      }
    }
  }

  /// Ends a payout whose transaction can never be in a block, as the chain proves. A release gives the credits back; the next payout
  /// has a transaction with a nonce of its own.
  /// - Parameters:
  ///   - isPaid: whether the operator knows that the other transaction paid it: it is then settled.
  ///   - reason: the operator's, for the audit log.
  /// - Returns: the proof in words, which the ledger keeps.
  /// - Throws: ``StudyError/Code/conflict`` for a payout that is not open, and for a transaction that may still be in a block.
  package func release(
    _ number: Int64, of code: StudyCode, _ payments: any PaymentPort, isPaid: Bool = false, by actor: String,
    reason: String, now: Instant
  ) async throws(StudyError) -> String {
    guard let order = try orders(code).first(where: { $0.payout == number }) else {
      throw StudyError(.conflict, "payout \(number) is not approved and unpaid", field: "payout")
    }
    switch await payments.prospect(of: order) {
    case .possible(let obstacle): throw StudyError(.conflict, "payout \(number) stays open: \(obstacle)")
    case .never(let proof):
      try record(isPaid ? .paid(reference: proof) : .refused(reason: proof), of: order, now: now)
      try store.add(
        StudyAudit(
          time: now, study: code.rawValue, actor: actor, action: "\(isPaid ? "settle" : "release") payout \(number)",
          reason: String(reason.prefix(500))))
      return proof
    }
  }
}
