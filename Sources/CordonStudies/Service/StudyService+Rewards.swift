package import CordonCore

extension StudyService {
  /// Writes down the credits of all days that are closed: the valid time of positions in the times that count.
  ///
  /// Each account earns at most once for a day, however often this runs.
  /// - Returns: the number of entries.
  package func earn(_ code: StudyCode, now: Instant) throws(StudyError) -> Int {
    let study = try study(code)
    guard let rules = study.rewards else { return 0 }
    var found: [(account: String, days: [ParticipantQuality.Day])] = []
    for participant in try store.participants(of: code) {
      found.append((participant.account, try presence(of: participant, study).days))
    }
    return try store.transaction { () throws(StudyError) in
      var book = try LedgerBook(verifying: store.ledger(of: code))
      var count = 0
      for (account, days) in found {
        let known = book.account(account).periods
        for day in days where !known.contains(day.name) {
          guard Instant(milliseconds: day.end) + rules.closesAfter <= now else { continue }
          let credits = rules.credits(validMilliseconds: day.valid)
          guard credits > 0 else { continue }
          let entry = LedgerEntry(
            after: book.last, study: code, account: account, kind: .earned, period: day.name, credits: credits,
            time: now)
          try book.admit(entry)
          try store.append(entry)
          count += 1
        }
      }
      return count
    }
  }

  /// Reserves a payout for each account whose balance is large enough, within the limits of participant and study. Amounts up to
  /// the limit of approval are approved by the rules.
  /// - Returns: the number of payouts.
  package func reserve(_ code: StudyCode, now: Instant) throws(StudyError) -> Int {
    guard let rules = try study(code).rewards else { return 0 }
    let participants = try store.participants(of: code)
    return try store.transaction { () throws(StudyError) in
      var book = try LedgerBook(verifying: store.ledger(of: code))
      var count = 0
      for participant in participants where try vault.identity(of: participant.id)?.payment != nil {
        let account = book.account(participant.account)
        guard account.balance >= rules.minimumPayout, book.openPayout(of: participant.account) == nil else { continue }
        let room = min(rules.participantLimit - account.paid - account.pending, rules.budget - book.committed)
        let credits = min(account.balance, max(room, 0) / rules.unitsPerCredit)
        guard credits >= rules.minimumPayout else { continue }
        let entry = LedgerEntry(
          after: book.last, study: code, account: participant.account, kind: .reserved,
          payout: Int64(book.payouts.count) + 1, credits: credits, amount: credits * rules.unitsPerCredit, time: now)
        try book.admit(entry)
        try store.append(entry)
        count += 1
        if entry.amount <= rules.approvalAbove, let payout = book.payout(entry.payout) {
          try append(.approved, payout, study: code, "rules", to: &book, now: now)
        }
      }
      return count
    }
  }

  /// Approves a payout, or refuses it, for an administrator.
  package func decide(
    _ number: Int64, of code: StudyCode, isApproved: Bool, by actor: String, now: Instant
  ) throws(StudyError) {
    try store.transaction { () throws(StudyError) in
      var book = try LedgerBook(verifying: store.ledger(of: code))
      guard let payout = book.payout(number), payout.state == .reserved else {
        throw StudyError(.conflict, "the payout does not wait for approval", field: "payout")
      }
      try append(isApproved ? .approved : .released, payout, study: code, actor, to: &book, now: now)
      try store.add(
        StudyAudit(
          time: now, study: code.rawValue, actor: actor, action: "\(isApproved ? "approve" : "refuse") payout \(number)"
        ))
    }
  }

  func append(
    _ kind: LedgerEntry.Kind, _ payout: LedgerBook.Payout, study: StudyCode, period: String = "", _ reference: String,
    to book: inout LedgerBook, now: Instant
  ) throws(StudyError) {
    let entry = LedgerEntry(
      after: book.last, study: study, account: payout.account, kind: kind, period: period, payout: payout.number,
      credits: payout.credits, amount: payout.amount, time: now, reference: String(reference.prefix(200)))
    try book.admit(entry)
    try store.append(entry)
  }

  /// Ends the credits of an account whose participant is erased.
  func forfeit(
    _ account: String, of study: StudyCode, in book: inout LedgerBook, now: Instant
  ) throws(StudyError) {
    let balance = book.account(account).balance
    guard balance > 0 else { return }
    let entry = LedgerEntry(
      after: book.last, study: study, account: account, kind: .forfeited, credits: balance, time: now)
    try book.admit(entry)
    try store.append(entry)
  }
}
