import CordonCore
import CordonSupport
import Testing

@testable import CordonStudies

/// What keeps a payment in tokens from being made: the ledger has the reason, nothing is lost, and nothing is paid twice.
@Suite("Delays of payments in tokens") struct ContractDelayTests {
  private let chain = FakeChain()
  private let receiver = Fixture.receivers[0]

  private func paid() async throws -> UInt64 {
    await chain.balances[try #require(EthereumAddress(receiver))] ?? 0
  }

  /// Pays in vain, twice; then without the obstacle.
  private func check(
    _ reason: String, signs: Bool = false, _ payment: ContractPayment? = nil,
    with obstacle: @Sendable (isolated FakeChain) -> Void,
    without: @Sendable (isolated FakeChain) -> Void, place: SourceLocation = #_sourceLocation
  ) async throws {
    let fixture = try Fixture.withOrders(receivers: [receiver])
    await chain.set(obstacle)
    for _ in 0..<2 {
      let results = try await fixture.service.payAll(fixture.code, payment ?? chain.payment())
      #expect(results == [.unknown(reason: reason)], sourceLocation: place)
    }
    let ledger = try fixture.service.store.ledger(of: fixture.code)
    // Written down once, while it stays the same.
    #expect(ledger.filter { $0.kind == .delayed }.map(\.reference) == [reason], sourceLocation: place)
    #expect(ledger.contains { $0.kind == .signed } == signs, sourceLocation: place)
    #expect(try fixture.service.book(fixture.code).payouts[0].delay == reason, sourceLocation: place)
    let payouts = try fixture.service.ledger(of: fixture.code)["payouts"]?.elements
    #expect(payouts?.first?["delay"]?.stringValue == reason, sourceLocation: place)
    #expect(try await paid() == 0, sourceLocation: place)
    await chain.set(without)
    _ = try await fixture.service.payAll(fixture.code, chain.payment())
    #expect(try await paid() == 20, sourceLocation: place)
    #expect(try fixture.service.book(fixture.code).payouts.map(\.state) == [.settled], sourceLocation: place)
    #expect(try fixture.service.book(fixture.code).payouts[0].delay == nil, sourceLocation: place)
    #expect(await chain.count == 1, sourceLocation: place)
  }

  @Test func anotherChain() async throws {
    try await check("the node serves the chain 1, not 1337", with: { $0.number = 1 }, without: { $0.number = 1_337 })
  }

  @Test func anotherChainAfterSigning() async throws {
    let fixture = try Fixture.withOrders(receivers: [receiver])
    await chain.set { $0.isMining = false }
    _ = try await fixture.service.payAll(fixture.code, chain.payment())
    await chain.set { $0.number = 1 }
    #expect(
      try await fixture.service.payAll(fixture.code, chain.payment { $0.chain = 1 })
        == [.unknown(reason: "the node serves the chain 1, not 1337")])
    #expect(await chain.sends.count == 1)
  }

  @Test func dearGas() async throws {
    try await check(
      "gas costs more than study-chain-fee-cap at present", with: { $0.baseFee = 99_500_000_000 },
      without: { $0.baseFee = 99_000_000_000 })
  }

  @Test func dearGasAtOnePrice() async throws {
    try await check(
      "gas costs more than study-chain-fee-cap at present", chain.payment { $0.hasBaseFee = false },
      with: { $0.baseFee = 100_000_000_001 }, without: { $0.baseFee = 1 })
  }

  @Test func aContractThatFails() async throws {
    let yes = [UInt8](repeating: 0, count: 31) + [1]
    for answer in [nil, [UInt8](repeating: 0, count: 32)] {
      let chain = FakeChain()
      let fixture = try Fixture.withOrders(receivers: [receiver])
      await chain.set { $0.callAnswer = answer }
      #expect(
        try await fixture.service.payAll(fixture.code, chain.payment())
          == [.unknown(reason: "the contract would refuse the transfer at present, such as for want of tokens")])
      #expect(await chain.sends.isEmpty)
      await chain.set { $0.callAnswer = yes }
      _ = try await fixture.service.payAll(fixture.code, chain.payment())
      #expect(await chain.count == 1)
    }
  }

  @Test func anAddressWithoutAContract() async throws {
    try await check(
      "study-chain-contract is not a contract on this chain",
      with: {
        $0.callAnswer = []
        $0.hasCode = false
      }, without: { $0.hasCode = true })
  }

  @Test func aNodeThatRefuses() async throws {
    try await check(
      "the node refuses the transaction", signs: true, with: { $0.refusal = "exceeds the configured cap" },
      without: { $0.refusal = nil })
  }

  /// An account that others use, or a ledger older than its payments: what the chain counts and the ledger does not know stops all.
  @Test func transactionsThatTheLedgerDoesNotKnow() async throws {
    let fixture = try Fixture.withOrders(receivers: [receiver])
    await chain.spend()
    #expect(
      try await fixture.service.payAll(fixture.code, chain.payment()) == [
        .unknown(
          reason: "the paying account has made 1 transactions, and the ledger expects 0: compare both, then set "
            + "study-chain-nonce")
      ])
    // Too high a number would wait for transactions that nobody makes.
    guard
      case .unknown? = try await fixture.service.payAll(fixture.code, chain.payment { $0.firstNonce = 2 }).first
    else {
      Issue.record("signed beyond the account's transactions")
      return
    }
    #expect(await chain.sends.isEmpty)
    _ = try await fixture.service.payAll(fixture.code, chain.payment { $0.firstNonce = 1 })
    #expect(try await paid() == 20)
  }

  @Test func aNonceThatAnotherTransactionUsed() async throws {
    let fixture = try Fixture.withOrders(receivers: [receiver])
    await chain.set { $0.refusal = "busy" }
    _ = try await fixture.service.payAll(fixture.code, chain.payment())
    await chain.set { $0.refusal = nil }
    await chain.spend()
    // Nobody knows what the other transaction did: the payout stays open, and no other nonce is taken.
    for _ in 0..<2 {
      #expect(
        try await fixture.service.payAll(fixture.code, chain.payment())
          == [.unknown(reason: "another transaction of the paying account has the nonce 0")])
    }
    #expect(try await paid() == 0)
  }

  @Test func aSignerThatChangesTheTransaction() async throws {
    for change in [
      { $0.nonce += 1 }, { $0.chain = 1 }, { $0.gasLimit += 1 }, { $0.data[35] ^= 1 }, { $0.to = FakeChain.payer },
      { $0.value = [1] }, { $0.fee = .legacy(price: 1) }, { $0.fee = .market(maximum: 1, tip: 0) },
    ] as [@Sendable (inout TransactionDraft) -> Void] {
      let chain = FakeChain()
      let fixture = try Fixture.withOrders(receivers: [receiver])
      await chain.set { $0.change = change }
      #expect(
        try await fixture.service.payAll(fixture.code, chain.payment())
          == [.unknown(reason: "the signer did not sign the transaction as it was asked")])
      #expect(await chain.sends.isEmpty)
    }
  }

  @Test(arguments: [
    ("", "the node's answer to eth_chainId cannot be read"), ("{}", "the node's answer to eth_chainId cannot be read"),
    (#"{"result": 17}"#, "the node's answer to eth_chainId cannot be read"),
    (#"{"result": "0x"}"#, "the node's answer to eth_chainId cannot be read"),
    (#"{"result": "0xfffffffffffffffffffff"}"#, "the node's answer to eth_chainId cannot be read"),
    (#"{"error": {"code": -32601, "message": "0xdbF03B407c01"}}"#, "the node refuses with code -32601"),
  ])
  func nonsense(_ body: String, _ reason: String) async throws {
    let fixture = try Fixture.withOrders(receivers: [receiver])
    let payment = chain.payment(client: { _ in IncomingResponse(status: 200, body: Array(body.utf8)) })
    #expect(try await fixture.service.payAll(fixture.code, payment) == [.unknown(reason: reason)])
    #expect(
      try await fixture.service.payAll(fixture.code, chain.payment(client: { _ in IncomingResponse(status: 502) }))
        == [.unknown(reason: "the node answers with status 502")])
    #expect(
      try await fixture.service.payAll(fixture.code, chain.payment(client: { _ in nil }))
        == [.unknown(reason: "the node does not answer")])
    #expect(try fixture.service.store.ledger(of: fixture.code).count { $0.kind == .delayed } == 3)
  }

  @Test func aDestinationThatIsNoAddress() async throws {
    // A typing error breaks the checksum.
    for wrong in ["acct-1", "0x5aAeb6053F3E94C9b9A09f33669435E7Ef1BeAeD"] {
      let chain = FakeChain()
      let fixture = try Fixture.withOrders(receivers: [wrong])
      guard case .unknown(let reason)? = try await fixture.service.payAll(fixture.code, chain.payment()).first else {
        Issue.record("paid")
        return
      }
      #expect(reason.hasPrefix("the destination is not an address") && !reason.contains(wrong))
      let participant = try #require(try fixture.service.store.participants(of: fixture.code).first)
      try fixture.service.vault.save(Identity(payment: receiver), of: participant.id)
      _ = try await fixture.service.payAll(fixture.code, chain.payment())
      #expect(await chain.balances[try #require(EthereumAddress(receiver))] == 20)
    }
  }

  /// An order that has a transaction is not given to another provider, which would pay it again.
  @Test func anotherProvider() async throws {
    let fixture = try Fixture.withOrders(receivers: [receiver])
    await chain.set { $0.isMining = false }
    _ = try await fixture.service.payAll(fixture.code, chain.payment())
    let other = HTTPPayment(url: "https://pay.example", token: nil) { _ in
      Issue.record("the order was sent")
      return IncomingResponse(status: 200, body: Array(#"{"id": "1"}"#.utf8))
    }
    #expect(
      try await fixture.service.payAll(fixture.code, other)
        == [.unknown(reason: "a transaction pays it, and the settings name another provider")])
  }

  /// Another transaction took the nonce: the payout ends when enough blocks confirm it, and the next one has a nonce of its own.
  @Test func aPayoutWhoseNonceIsUsedIsReleased() async throws {
    let fixture = try Fixture.withOrders(receivers: [receiver])
    let (service, code) = (fixture.service, fixture.code)
    await chain.set { $0.refusal = "busy" }
    _ = try await service.payAll(code, chain.payment())
    await chain.set { $0.refusal = nil }
    let payment = chain.payment { $0.confirmations = 3 }
    func release() async throws -> String {
      try await service.release(1, of: code, payment, by: "command", reason: "by hand", now: start + .days(5))
    }
    let obstacle = StudyError(
      .conflict, "payout 1 stays open: 0 transactions of the account have 3 confirmations, and it has the nonce 0")
    await #expect(throws: obstacle) { try await release() }
    await chain.spend()
    await chain.mine()
    await #expect(throws: obstacle) { try await release() }
    await chain.mine()
    let proof = "another transaction with the nonce 0 has 3 confirmations"
    #expect(try await release() == proof)
    let last = try #require(try service.store.ledger(of: code).last)
    #expect(last.kind == .released && last.reference == proof)
    #expect(try service.vault.transaction(of: try Self.key(fixture)) == nil)
    let audit = try service.store.audit(of: code, limit: 1).map { "\($0.action): \($0.reason)" }
    #expect(audit == ["release payout 1: by hand"])
    let gone = await #expect(throws: StudyError.self) { try await release() }
    #expect(gone?.message == "payout 1 is not approved and unpaid")
    #expect(try service.reserve(code, now: start + .days(5)) == 1)
    _ = try await service.payAll(code, chain.payment())
    #expect(try await paid() == 20)
    #expect(try service.book(code).payouts.map(\.state) == [.released, .settled])
  }

  private static func key(_ fixture: Fixture) throws -> String {
    let payout = try #require(try fixture.service.book(fixture.code).payout(1))
    return PaymentOrder(study: fixture.code, payout: payout, currency: "TOKEN", destination: "").key
  }

  /// A transaction that is in a block, or may come into one, keeps its payout open.
  @Test func aTransactionThatMayStillBeTakenKeepsItsPayoutOpen() async throws {
    let fixture = try Fixture.withOrders(receivers: [receiver])
    func obstacle(_ payment: any PaymentPort) async -> String? {
      await #expect(throws: StudyError.self) {
        try await fixture.service.release(
          1, of: fixture.code, payment, by: "command", reason: "by hand", now: start + .days(5))
      }?.message
    }
    #expect(await obstacle(chain.payment()) == "payout 1 stays open: it has no transaction yet")
    await chain.set { $0.isMining = false }
    _ = try await fixture.service.payAll(fixture.code, chain.payment())
    #expect(
      await obstacle(chain.payment())
        == "payout 1 stays open: 0 transactions of the account have 1 confirmations, and it has the nonce 0")
    await chain.mine()
    #expect(
      await obstacle(chain.payment())
        == "payout 1 stays open: the chain has its transaction; the next run of rewards writes down the result")
    #expect(
      await obstacle(chain.payment { $0.confirmations = 500 })
        == "payout 1 stays open: the chain has fewer than 500 blocks")
    #expect(await obstacle(chain.payment(client: { _ in nil })) == "payout 1 stays open: the node does not answer")
    await chain.set { $0.number = 1 }
    #expect(await obstacle(chain.payment()) == "payout 1 stays open: the node serves the chain 1, not 1337")
    let other = HTTPPayment(url: "https://pay.example", token: nil) { _ in nil }
    #expect(await obstacle(other)?.contains("only the provider knows") == true)
    await chain.set { $0.number = 1_337 }
    _ = try await fixture.service.payAll(fixture.code, chain.payment())
    #expect(try await paid() == 20)
  }

  /// The owner paid by hand, with the nonce of the payout: it is settled, and its credits are not paid again.
  @Test func aPayoutThatWasPaidByHandIsSettled() async throws {
    let fixture = try Fixture.withOrders(receivers: [receiver])
    await chain.set { $0.refusal = "busy" }
    _ = try await fixture.service.payAll(fixture.code, chain.payment())
    await chain.spend()
    _ = try await fixture.service.release(
      1, of: fixture.code, chain.payment(), isPaid: true, by: "command", reason: "paid by hand", now: start + .days(5))
    #expect(try fixture.service.book(fixture.code).payouts.map(\.state) == [.settled])
    #expect(try fixture.service.reserve(fixture.code, now: start + .days(5)) == 0)
  }

  /// The credits of a participant who was erased meanwhile end with the release.
  @Test func theCreditsOfAnErasedParticipantEnd() async throws {
    let fixture = try Fixture.withOrders(receivers: [receiver])
    await chain.set { $0.refusal = "busy" }
    _ = try await fixture.service.payAll(fixture.code, chain.payment())
    let participant = try #require(try fixture.service.store.participants(of: fixture.code).first)
    try fixture.service.erase(participant, by: "participant", now: start + .days(5))
    await chain.spend()
    _ = try await fixture.service.release(
      1, of: fixture.code, chain.payment(), by: "command", reason: "by hand", now: start + .days(5))
    #expect(try fixture.service.store.ledger(of: fixture.code).suffix(2).map(\.kind) == [.released, .forfeited])
  }

  @Test func aVaultWithoutTheTransaction() async throws {
    let fixture = try Fixture.withOrders(receivers: [receiver])
    let order = try #require(try fixture.service.orders(fixture.code).first)
    await chain.set { $0.isMining = false }
    _ = try await fixture.service.payAll(fixture.code, chain.payment())
    try fixture.service.vault.save(transaction: [1], of: order.key)
    #expect(
      try await fixture.service.payAll(fixture.code, chain.payment())
        == [.unknown(reason: "the vault has another transaction than the ledger")])
    try fixture.service.vault.forgetTransaction(of: order.key)
    #expect(
      try await fixture.service.payAll(fixture.code, chain.payment())
        == [.unknown(reason: "the vault has no copy of the transaction, and the chain does not have it")])
    // The chain took what was sent before.
    await chain.mine()
    _ = try await fixture.service.payAll(fixture.code, chain.payment())
    #expect(try fixture.service.book(fixture.code).payouts.map(\.state) == [.settled])
  }
}
