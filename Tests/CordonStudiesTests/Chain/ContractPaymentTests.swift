import CordonCore
import CordonSQLite
import CordonTestSupport
import Foundation
import Testing

@testable import CordonStudies

/// Payments in tokens on a chain in memory: what is paid, what waits and why.
@Suite("Payments in tokens") struct ContractPaymentTests {
  private let chain = FakeChain()

  private func fixture(_ receivers: [String] = [Fixture.receivers[0]]) throws -> Fixture {
    try Fixture.withOrders(receivers: receivers)
  }

  private func paid(_ receiver: String = Fixture.receivers[0]) async throws -> UInt64 {
    await chain.balances[try #require(EthereumAddress(receiver))] ?? 0
  }

  @Test(arguments: [true, false]) func everyoneIsPaidOnce(_ hasBaseFee: Bool) async throws {
    let fixture = try fixture(Fixture.receivers)
    let payment = chain.payment {
      $0.hasBaseFee = hasBaseFee
      $0.firstNonce = 0
      $0.unitsPerCent = 1_000
    }
    for result in try await fixture.service.payAll(fixture.code, payment) {
      guard case .paid = result else {
        Issue.record("\(result)")
        return
      }
    }
    #expect(try await fixture.service.payAll(fixture.code, payment).isEmpty)
    for receiver in Fixture.receivers { #expect(try await paid(receiver) == 20_000) }
    let ledger = try fixture.service.store.ledger(of: fixture.code)
    #expect(ledger.filter { $0.kind == .signed }.map(\.period) == (0...1).map { "1337/\(FakeChain.payer)/\($0)" })
    let hashes = Set(ledger.filter { $0.kind == .settled }.map(\.reference))
    #expect(hashes == Set(ledger.filter { $0.kind == .signed }.map(\.reference)) && hashes.count == 2)
    #expect(ledger.allSatisfy { $0.kind != .delayed })
    // The vault keeps transactions while they are under way.
    for payout in try fixture.service.book(fixture.code).payouts {
      let order = PaymentOrder(study: fixture.code, payout: payout, currency: "TOKEN", destination: "")
      #expect(try fixture.service.vault.transaction(of: order.key) == nil)
    }
  }

  @Test func aPaymentWaitsForItsConfirmations() async throws {
    let fixture = try fixture()
    let payment = chain.payment { $0.confirmations = 3 }
    await chain.set { $0.isMining = false }
    #expect(try await fixture.service.payAll(fixture.code, payment) == [.pending])
    #expect(try await fixture.service.payAll(fixture.code, payment) == [.pending])
    for _ in 0..<3 {
      #expect(try await fixture.service.payAll(fixture.code, payment) == [.pending])
      await chain.mine()
    }
    guard case .paid? = try await fixture.service.payAll(fixture.code, payment).first else {
      Issue.record("not paid")
      return
    }
    #expect(try await paid() == 20)
    #expect(Set(await chain.sends).count == 1)
  }

  /// Later settings, destinations and prices of gas change nothing in a transaction that is signed.
  @Test func aSignedTransactionNeverChanges() async throws {
    let fixture = try fixture()
    await chain.set { $0.refusal = "insufficient funds for gas * price + value" }
    #expect(
      try await fixture.service.payAll(fixture.code, chain.payment())
        == [.unknown(reason: "the paying account cannot pay for the gas")])
    let participant = try #require(try fixture.service.store.participants(of: fixture.code).first)
    try fixture.service.vault.save(Identity(payment: Fixture.receivers[1]), of: participant.id)
    await chain.set {
      $0.refusal = nil
      $0.baseFee *= 3
    }
    let changed = chain.payment {
      $0.feeCap = 400_000_000_000
      $0.firstNonce = 5
      $0.unitsPerCent = 7
      $0.contract = FakeChain.payer
    }
    _ = try await fixture.service.payAll(fixture.code, changed)
    #expect(try await paid() == 20)
    #expect(try await paid(Fixture.receivers[1]) == 0)
    let sends = await chain.sends
    #expect(sends.count == 2 && Set(sends).count == 1)
  }

  /// An erasure releases what was not signed, and carries through what was.
  @Test func anErasureKeepsNoNonceOpen() async throws {
    let fixture = try fixture(Fixture.receivers)
    let service = fixture.service
    await chain.set { $0.isMining = false }
    let first = try #require(try service.orders(fixture.code).first)
    _ = try await chain.payment().settle(first, in: TestLedger(service: service))
    for participant in try service.store.participants(of: fixture.code) {
      try service.erase(participant, by: "participant", now: start + .days(4))
    }
    let states = try service.book(fixture.code).payouts.map(\.state)
    #expect(states.count { $0 == .approved } == 1 && states.count { $0 == .released } == 1)
    #expect(try service.orders(fixture.code).map(\.payout) == [first.payout])
    await chain.mine()
    _ = try await service.payAll(fixture.code, chain.payment())
    #expect(try service.book(fixture.code).payouts.contains { $0.state == .settled && $0.number == first.payout })
    #expect(try await paid(first.destination) == 20)
    #expect(try service.book(fixture.code).committed == 20)
  }

  /// A transfer that fails on the chain gives the credits back; those of an erased participant end.
  @Test(arguments: [false, true]) func aFailedTransferReleasesThePayout(_ isErased: Bool) async throws {
    let fixture = try fixture()
    let service = fixture.service
    await chain.set { $0.isMining = false }
    _ = try await service.payAll(fixture.code, chain.payment())
    let participant = try #require(try service.store.participants(of: fixture.code).first)
    if isErased { try service.erase(participant, by: "participant", now: start + .days(4)) }
    await chain.set {
      $0.outcome = (false, false)
      $0.mine()
    }
    #expect(
      try await service.payAll(fixture.code, chain.payment())
        == [.refused(reason: "the contract refused the transfer")])
    let account = try service.book(fixture.code).account(participant.account)
    #expect(account.balance == (isErased ? 0 : 2) && account.forfeited == (isErased ? 2 : 0))
    guard !isErased else { return }
    // The next payout has the next nonce.
    await chain.set {
      $0.outcome = (true, true)
      $0.isMining = true
    }
    _ = try service.reserve(fixture.code, now: start + .days(5))
    _ = try await service.payAll(fixture.code, chain.payment())
    #expect(try await paid() == 20)
    #expect(try service.highestNonce(of: ChainAccount(chain: 1_337, address: FakeChain.payer)) == 1)
  }

  /// Some tokens answer False instead of failing: only the event of a transfer is one.
  @Test func aTransferWithoutItsEventIsNone() async throws {
    let fixture = try fixture()
    await chain.set { $0.outcome = (true, false) }
    #expect(
      try await fixture.service.payAll(fixture.code, chain.payment())
        == [.refused(reason: "the contract made no transfer")])
    #expect(try await paid() == 0)
  }

  /// Nonce and hash of a transaction lead to the receiver on a public chain: exports under pseudonyms have neither.
  @Test func exportsDoNotLeadToReceivers() async throws {
    let fixture = try Fixture.withOrders(.files)
    _ = try await fixture.service.payAll(fixture.code, chain.payment())
    let text = try fixture.service.export(
      .ledger, of: fixture.code, by: "op-1", reason: "a test", now: start + .days(4))
    let store = try #require(fixture.service.store as? SQLiteStudyStore)
    let view = try store.rows("SELECT kind, period FROM fact_ledger") { "\($0.text(0)) \($0.text(1))" }
    for table in [text, view.joined(separator: "\n")] {
      #expect(table.contains("signed") && table.contains("2026-01-01"))
      #expect(!table.contains("0x") && !table.contains("1337/"))
    }
  }

  /// Nonces belong to the account: studies that pay from one account share them.
  @Test func studiesShareTheNoncesOfAnAccount() async throws {
    let fixture = try fixture()
    let service = fixture.service
    var other = try service.study(fixture.code)
    other.code = try #require(StudyCode("noise"))
    try service.save(other, by: "op-1", now: start)
    let enrolled = try service.enrol(
      EnrolmentRequest(study: other.code, consent: 1, identity: Identity(payment: Fixture.receivers[1])), now: start)
    try fixture.event(.trackingStarted, enrolled.participant, at: start)
    try fixture.walk(enrolled.participant, from: start + .hours(8), minutes: 21)
    _ = try service.earn(other.code, now: start + .days(4))
    _ = try service.reserve(other.code, now: start + .days(4))
    await chain.set { $0.isMining = false }
    _ = try await service.payAll(fixture.code, chain.payment())
    _ = try await service.payAll(other.code, chain.payment())
    await chain.mine()
    for receiver in Fixture.receivers { #expect(try await paid(receiver) == 20) }
    // Neither store takes a nonce twice, whatever the book of the study says.
    let taken = try #require(try service.store.ledger(of: fixture.code).first { $0.kind == .signed })
    let last = try #require(try service.store.ledger(of: other.code).last)
    let double = LedgerEntry(
      after: last, study: other.code, account: enrolled.participant.account, kind: .signed, period: taken.period,
      payout: 1, credits: 2, amount: 20, time: start)
    let error = #expect(throws: StudyError.self) { try service.store.append(double) }
    #expect(error?.code == .conflict)
  }

  @Test func theFilesTakeANonceOnce() throws {
    let fixture = try Fixture.withOrders(.files)
    let orders = try fixture.service.orders(fixture.code)
    let nonce = ChainNonce(account: ChainAccount(chain: 1, address: FakeChain.payer), number: 0)
    let first = SignedTransfer(nonce: nonce, hash: "0x01", transaction: Array("a signed transfer".utf8))
    #expect(try fixture.service.claim(first, of: orders[0], now: start))
    // Another transaction for the same order, and the same nonce for another order.
    let second = SignedTransfer(nonce: nonce, hash: "0x02", transaction: [4])
    #expect(try !fixture.service.claim(second, of: orders[0], now: start))
    #expect(try !fixture.service.claim(second, of: orders[1], now: start))
    let reopened = try Fixture.open(#require(fixture.folder))
    #expect(try reopened.orders(fixture.code)[0].transfer == first)
    #expect(try reopened.orders(fixture.code)[1].transfer == nil)
    // Neither file holds the transaction in the clear.
    for name in ["vault.sqlite", "vault.sqlite-wal", "studies.sqlite", "studies.sqlite-wal"] {
      let data = try #require(fixture.folder).url.appendingPathComponent(name)
      #expect((try? String(contentsOf: data, encoding: .isoLatin1))?.contains("a signed transfer") != true)
    }
  }
}
