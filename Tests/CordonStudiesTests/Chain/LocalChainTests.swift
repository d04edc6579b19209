#if canImport(Glibc)
  import CordonCore
  import CordonTestSupport
  import Foundation
  import Testing

  @testable import CordonStudies

  /// The adapter with its own key on a chain that runs contracts: eth-tester with py-evm of PyPI, and a token that Vyper compiles.
  @Suite("Payments in tokens on a local chain", .serialized, .timeLimit(.minutes(5)))
  struct LocalChainTests {
    private static let isAvailable = ConditionTrait.enabled(
      if: LocalChain.isAvailable && SigningTests.library != nil,
      "scripts/setup --tests installs eth-tester, Vyper and libsecp256k1")

    /// A chain, an account with tokens on it, and the adapter.
    private struct Site {
      let chain: LocalChain
      let key: ChainKey

      init(supply: UInt64 = 1_000_000, wei: UInt64 = 1_000_000_000_000_000_000) throws {
        key = try ChainKey(
          contents: Array(SigningTests.keyText.utf8), library: try #require(SigningTests.library))
        chain = try LocalChain(payer: key.address.description, supply: supply, wei: wei)
      }

      func payment(_ change: (inout ContractPayment.Settings) -> Void = { _ in }) throws -> ContractPayment {
        var settings = ContractPayment.Settings(
          chain: chain.number, contract: try #require(EthereumAddress(chain.token)), payer: key.address)
        settings.confirmations = 1
        change(&settings)
        let chain = chain
        return ContractPayment(
          settings,
          node: ChainNode(chain.url) { request in
            await chain.post(Data(request.body)).map { IncomingResponse(status: 200, body: Array($0)) }
          }, signer: .key(key))
      }
    }

    /// Pays in vain.
    private func expectDelay(_ reason: String, _ fixture: Fixture, _ payment: ContractPayment) async throws {
      let results = try await fixture.service.payAll(fixture.code, payment)
      #expect(results == [.unknown(reason: reason)])
      #expect(try fixture.service.book(fixture.code).payouts[0].delay == reason)
    }

    @Test(isAvailable) func rewardsArriveOnce() async throws {
      let site = try Site()
      let fixture = try Fixture.withOrders()
      for _ in 0..<2 { try await fixture.service.payAll(fixture.code, site.payment()) }
      for receiver in Fixture.receivers { #expect(try await site.chain.balance(of: receiver) == 20) }
      #expect(try fixture.service.book(fixture.code).payouts.map(\.state) == [.settled, .settled])
      #expect(try await site.chain.balance(of: site.key.address.description) == 1_000_000 - 40)
      // A third one with one price of gas, as chains without a base fee want it, and many units for one.
      let old = try Fixture.withOrders(receivers: [FakeChain.token.description])
      try await old.service.payAll(
        old.code,
        site.payment {
          $0.hasBaseFee = false
          $0.unitsPerCent = 500
          $0.firstNonce = 2
        })
      #expect(try await site.chain.balance(of: FakeChain.token.description) == 10_000)
      #expect(try await site.chain.sends().count == 3)
    }

    /// The process ends after the node took the transaction. What starts again sends the same bytes, and the balance rises once.
    @Test(isAvailable) func aCrashBetweenSendingAndRecordingPaysOnce() async throws {
      let site = try Site()
      let made = try Fixture.withOrders(.files, receivers: [Fixture.receivers[0]])
      let folder = try #require(made.folder)
      do {
        let service = try Fixture.open(folder)
        try await site.chain.fault("lose")
        let payment = try site.payment()
        var order = try #require(try service.orders(made.code).first)
        guard case .signed(let transfer) = await payment.sign(order, after: nil) else {
          Issue.record("not signed")
          return
        }
        #expect(try service.claim(transfer, of: order, now: start + .days(4)))
        order.transfer = transfer
        #expect(await payment.pay(order) == .unknown(reason: "the node does not answer"))
        // Here the process ends: nothing is written down any more.
      }
      #expect(try await site.chain.balance(of: Fixture.receivers[0]) == 20)
      try await site.chain.fault("")
      let service = try Fixture.open(folder)
      // The participant names another account meanwhile.
      let participant = try #require(try service.store.participants(of: made.code).first)
      try service.vault.save(Identity(payment: Fixture.receivers[1]), of: participant.id)
      for _ in 0..<2 { try await service.payAll(made.code, site.payment { $0.feeCap = 50_000_000_000 }) }
      #expect(try await site.chain.balance(of: Fixture.receivers[0]) == 20)
      #expect(try await site.chain.balance(of: Fixture.receivers[1]) == 0)
      #expect(try service.book(made.code).payouts.map(\.state) == [.settled])
      // The receipt was there already, so nothing was sent again.
      #expect(try await site.chain.sends().count == 1)
    }

    /// A node that answers and does not send, and one that sends and does not answer.
    @Test(isAvailable) func aNodeThatForgetsGetsTheSameTransactionAgain() async throws {
      let site = try Site()
      let fixture = try Fixture.withOrders(receivers: [Fixture.receivers[0]])
      try await site.chain.fault("drop")
      #expect(try await fixture.service.payAll(fixture.code, site.payment()) == [.pending])
      #expect(try await site.chain.balance(of: Fixture.receivers[0]) == 0)
      try await site.chain.fault("lose")
      try await expectDelay("the node does not answer", fixture, site.payment())
      #expect(try await site.chain.balance(of: Fixture.receivers[0]) == 20)
      try await site.chain.fault("")
      try await fixture.service.payAll(fixture.code, site.payment())
      #expect(try fixture.service.book(fixture.code).payouts.map(\.state) == [.settled])
      let sends = try await site.chain.sends()
      #expect(sends.count == 2 && Set(sends).count == 1)
      #expect(try await site.chain.balance(of: Fixture.receivers[0]) == 20)
    }

    /// Everything that can refuse, one after the other, with one payout: at the end it is paid, once.
    @Test(isAvailable) func refusalsDelayAndLoseNothing() async throws {
      // Enough for the questions, which cost nothing on other chains, and too little for a transaction at the cap.
      let site = try Site(supply: 0, wei: 5_000_000_000_000_000)
      let chain = site.chain
      let fixture = try Fixture.withOrders(receivers: [Fixture.receivers[0]])
      try await chain.fault("down")
      try await expectDelay("the node does not answer", fixture, site.payment())
      try await chain.fault("nonsense")
      try await expectDelay("the node's answer to eth_chainId cannot be read", fixture, site.payment())
      try await chain.fault("")
      try await expectDelay(
        "the node serves the chain \(chain.number), not 1", fixture, site.payment { $0.chain = 1 })
      try await expectDelay(
        "gas costs more than study-chain-fee-cap at present", fixture, site.payment { $0.feeCap = 1_000_000_001 })
      try await expectDelay(
        "study-chain-contract is not a contract on this chain", fixture, site.payment { $0.contract = FakeChain.token })
      // No tokens: the node is asked before anything is signed.
      let wants = "the contract would refuse the transfer at present, such as for want of tokens"
      try await expectDelay(wants, fixture, site.payment())
      try await chain.call("test_tokens", [100])
      try await chain.call("test_behave", [true, false])
      try await expectDelay(wants, fixture, site.payment())
      try await chain.call("test_behave", [false, true])
      try await expectDelay(wants, fixture, site.payment())
      try await chain.call("test_behave", [false, false])
      #expect(try await chain.sends().isEmpty)
      // Tokens, and nothing to pay the gas with.
      try await expectDelay("the paying account cannot pay for the gas", fixture, site.payment())
      #expect(try await chain.sends().count == 1)
      try await chain.call("test_fund", ["0xde0b6b3a7640000"])
      try await fixture.service.payAll(fixture.code, site.payment())
      #expect(try await chain.balance(of: Fixture.receivers[0]) == 20)
      #expect(try fixture.service.book(fixture.code).payouts.map(\.state) == [.settled])
      #expect(Set(try await chain.sends()).count == 1)
    }

    /// The token stops between the question and the block: the transaction fails, and the credits come back.
    @Test(isAvailable) func aTransactionThatFailsGivesTheCreditsBack() async throws {
      let site = try Site()
      let fixture = try Fixture.withOrders(receivers: [Fixture.receivers[0]])
      try await site.chain.fault("drop")
      _ = try await fixture.service.payAll(fixture.code, site.payment())
      try await site.chain.fault("")
      try await site.chain.call("test_behave", [true, false])
      #expect(
        try await fixture.service.payAll(fixture.code, site.payment())
          == [.refused(reason: "the contract refused the transfer")])
      try await site.chain.call("test_behave", [false, false])
      #expect(try fixture.service.reserve(fixture.code, now: start + .days(5)) == 1)
      try await fixture.service.payAll(fixture.code, site.payment())
      #expect(try await site.chain.balance(of: Fixture.receivers[0]) == 20)
      #expect(try fixture.service.book(fixture.code).payouts.map(\.state) == [.released, .settled])
    }

    /// Somebody uses the account by hand: nothing is signed beyond the ledger, and a used nonce is not taken for a payment.
    @Test(isAvailable) func anAccountThatOthersUse() async throws {
      let site = try Site()
      let fixture = try Fixture.withOrders(receivers: [Fixture.receivers[0]])
      let other = TransactionDraft(
        nonce: 0, fee: .market(maximum: 90_000_000_000, tip: 1_000_000_000), gasLimit: 21_000,
        to: FakeChain.token, data: [], chain: site.chain.number)
      try await site.chain.fault("drop")
      _ = try await fixture.service.payAll(fixture.code, site.payment())
      try await site.chain.fault("")
      try await site.chain.call("test_spend", [Hexadecimal.text(other.signed(try site.key.sign(other.signingHash)))])
      try await expectDelay("another transaction of the paying account has the nonce 0", fixture, site.payment())
      let later = try Fixture.withOrders(receivers: [Fixture.receivers[1]])
      try await expectDelay(
        "the paying account has made 1 transactions, and the ledger expects 0: compare both, then set study-chain-nonce",
        later, site.payment())
      try await later.service.payAll(later.code, site.payment { $0.firstNonce = 1 })
      #expect(try await site.chain.balance(of: Fixture.receivers[1]) == 20)
      #expect(try await site.chain.balance(of: Fixture.receivers[0]) == 0)
    }

    /// The owner used the nonce of a payout: it is released when enough blocks confirm that, and paid with the next nonce.
    @Test(isAvailable) func aPayoutWhoseNonceIsUsedIsReleased() async throws {
      let site = try Site()
      let fixture = try Fixture.withOrders(receivers: [Fixture.receivers[0]])
      let (service, code) = (fixture.service, fixture.code)
      try await site.chain.fault("drop")
      _ = try await service.payAll(code, site.payment())
      try await site.chain.fault("")
      let payment = try site.payment { $0.confirmations = 3 }
      func release() async throws -> String {
        try await service.release(1, of: code, payment, by: "command", reason: "by hand", now: start + .days(5))
      }
      await #expect(throws: StudyError.self) { try await release() }
      let other = TransactionDraft(
        nonce: 0, fee: .market(maximum: 90_000_000_000, tip: 1_000_000_000), gasLimit: 21_000,
        to: FakeChain.token, data: [], chain: site.chain.number)
      try await site.chain.call("test_spend", [Hexadecimal.text(other.signed(try site.key.sign(other.signingHash)))])
      try await site.chain.call("test_mine", [1])
      await #expect(throws: StudyError.self) { try await release() }
      try await site.chain.call("test_mine", [1])
      #expect(try await release() == "another transaction with the nonce 0 has 3 confirmations")
      #expect(try service.reserve(code, now: start + .days(5)) == 1)
      for _ in 0..<2 { try await service.payAll(code, site.payment()) }
      #expect(try await site.chain.balance(of: Fixture.receivers[0]) == 20)
      #expect(try service.book(code).payouts.map(\.state) == [.released, .settled])
    }

    /// A transaction that a node kept back is mined after all: its payout is not released before, and settled then.
    @Test(isAvailable) func aTransactionThatIsMinedLateIsNotReleased() async throws {
      let site = try Site()
      let fixture = try Fixture.withOrders(receivers: [Fixture.receivers[0]])
      try await site.chain.fault("lose")
      _ = try await fixture.service.payAll(fixture.code, site.payment())
      try await site.chain.fault("")
      let error = await #expect(throws: StudyError.self) {
        try await fixture.service.release(
          1, of: fixture.code, site.payment(), by: "command", reason: "by hand", now: start + .days(5))
      }
      #expect(error?.message.contains("the chain has its transaction") == true)
      try await fixture.service.payAll(fixture.code, site.payment())
      #expect(try fixture.service.book(fixture.code).payouts.map(\.state) == [.settled])
    }
  }
#endif
