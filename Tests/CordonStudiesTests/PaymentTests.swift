import CordonCore
import CordonSupport
import CordonWire
import Foundation
import Testing

@testable import CordonStudies

@Suite("Payments") struct PaymentTests {
  private func hex(_ bytes: [UInt8]) -> String { String(Hexadecimal.text(bytes).dropFirst(2)) }

  @Test func keccakHasThePublishedDigests() {
    for (text, digest) in [
      ("", "c5d2460186f7233c927e7db2dcc703c0e500b653ca82273b7bfad8045d85a470"),
      ("abc", "4e03657aea45a94fc7d47ba826c8d667c0d1e6e33a64a036ec44f58fa12d6c45"),
      ("testing", "5f16f4c7f149ac4f9510d9cf8cf384038ad348b3bcdc01915f95de12df9d1b02"),
    ] { #expect(hex(Keccak256.digest(Array(text.utf8))) == digest) }
    // Every length around a block of 136 bytes pads to whole blocks.
    #expect(Set((130...280).map { hex(Keccak256.digest(Array(repeating: 97, count: $0))) }).count == 151)
  }

  @Test func lengthsArePrefixedAsPublished() {
    func text(_ text: String) -> RLP { .bytes(Array(text.utf8)) }
    let empty = RLP.list([])
    let cases: [(RLP, String)] = [
      (text("dog"), "83646f67"), (.list([text("cat"), text("dog")]), "c88363617483646f67"), (text(""), "80"),
      (empty, "c0"), (.number(0), "80"), (.number(15), "0f"), (.number(1_024), "820400"), (.bytes([0]), "00"),
      (.list([empty, .list([empty]), .list([empty, .list([empty])])]), "c7c0c1c0c3c0c1c0"),
      (
        text("Lorem ipsum dolor sit amet, consectetur adipisicing elit"),
        "b838" + hex(Array("Lorem ipsum dolor sit amet, consectetur adipisicing elit".utf8))
      ),
    ]
    for (value, encoded) in cases { #expect(hex(value.encoded) == encoded) }
  }

  @Test func transactionsHaveThePublishedSigningHash() throws {
    // The example of EIP-155.
    let draft = TransactionDraft(
      nonce: 9, gasPrice: 20_000_000_000, gasLimit: 21_000,
      to: try #require(EthereumAddress("0x3535353535353535353535353535353535353535")),
      value: try #require(Hexadecimal.bytes("0x0de0b6b3a7640000")), data: [], chain: 1)
    #expect(
      hex(draft.signingBytes)
        == "ec098504a817c800825208943535353535353535353535353535353535353535880de0b6b3a764000080018080")
    #expect(hex(draft.signingHash) == "daf5a779ae972f972197303d7b574746c7ef83eadac0f2791ad23db92e4c8e53")
  }

  @Test func addressesHaveTheirChecksum() {
    for text in [
      "0x5aAeb6053F3E94C9b9A09f33669435E7Ef1BeAed", "0xfB6916095ca1df60bB79Ce92cE3Ea74c37c5d359",
      "0xdbF03B407c01E7cD3CBea99509d93f8DDDC8C6FB", "0xD1220A0cf47c7B9Be7A2E6BA89F429762e7b9aDb",
    ] {
      #expect(EthereumAddress(text)?.description == text)
      #expect(EthereumAddress(text.lowercased())?.description == text)
      #expect(EthereumAddress(text.replacing("A", with: "a")) == nil || !text.contains("A"))
    }
    for text in [
      "", "0x12", "5aAeb6053F3E94C9b9A09f33669435E7Ef1BeAed00", "0xzzAeb6053F3E94C9b9A09f33669435E7Ef1BeAed",
    ] {
      #expect(EthereumAddress(text) == nil)
    }
  }

  @Test func aTransferIsTheCallOfTheContract() throws {
    let receiver = try #require(EthereumAddress("0x5aAeb6053F3E94C9b9A09f33669435E7Ef1BeAed"))
    #expect(
      hex(TransactionDraft.transfer(to: receiver, amount: 1_000))
        == "a9059cbb0000000000000000000000005aaeb6053f3e94c9b9a09f33669435e7ef1beaed"
        + String(repeating: "0", count: 61) + "3e8")
  }

  private func order(_ destination: String = "acct-1", amount: Int64 = 120, place: Int64 = 4) -> PaymentOrder {
    var payout = LedgerBook.Payout(
      number: 7, account: "a-1", credits: 12, amount: amount, state: .approved, time: start, reference: "")
    payout.place = place
    return PaymentOrder(study: StudyCode("abc")!, payout: payout, currency: "EUR", destination: destination)
  }

  @Test func anHTTPProviderGetsTheKeyAndNoPseudonym() async throws {
    let payment = HTTPPayment(url: "https://pay.example/v1/payouts", token: "secret") { request in
      #expect(request.headers.contains(.init("authorization", "Bearer secret")))
      let key = request.headers.first { $0.name == "idempotency-key" }?.value
      let body = try? JSONReader.value(of: request.body)
      #expect(key?.utf8.count == 64 && body?["idempotency_key"]?.stringValue == key)
      #expect(body?["amount"] == 120 && body?["destination"] == "acct-1")
      #expect(!String(decoding: request.body, as: UTF8.self).contains("a-1\""))
      return IncomingResponse(status: 201, body: Array(#"{"id":"po_9"}"#.utf8))
    }
    #expect(await payment.pay(order()) == .paid(reference: "po_9"))
    #expect(order().key == order().key && order().key != order(place: 4).key + "x")
  }

  @Test(arguments: [
    (200, #"{"id":"x"}"#, PaymentResult.paid(reference: "x")),
    (200, "{}", .unknown(reason: "a response without an id")),
    (402, "", .refused(reason: "status 402")), (409, "", .unknown(reason: "status 409")),
    (429, "", .unknown(reason: "status 429")), (503, "", .unknown(reason: "status 503")),
  ])
  func onlyADefiniteAnswerDecides(_ status: Int, _ body: String, _ result: PaymentResult) {
    #expect(HTTPPayment.result(IncomingResponse(status: status, body: Array(body.utf8))) == result)
    #expect(HTTPPayment.result(nil) == .unknown(reason: "no response"))
  }

  /// A chain that takes each nonce once, behind JSON-RPC.
  private actor Chain {
    var taken: [UInt64: String] = [:]
    var sends = 0
    var isMining = true
    var status = "0x1"

    func mine(_ isMining: Bool) { self.isMining = isMining }
    func refuse() { status = "0x0" }

    func answer(_ request: OutgoingRequest) -> IncomingResponse? {
      guard let body = try? JSONReader.value(of: request.body), let method = body["method"]?.stringValue,
        let parameter = body["params"]?.elements?.first
      else { return nil }
      var result: JSONValue = .null
      switch method {
      case "account_signTransaction":
        // Nonce and call, in place of a signature.
        let text = (parameter["nonce"]?.stringValue ?? "") + (parameter["data"]?.stringValue ?? "")
        result = ["raw": .string(Hexadecimal.text(Array(text.utf8)))]
      case "eth_sendRawTransaction":
        sends += 1
        let bytes = Hexadecimal.bytes(parameter.stringValue ?? "") ?? []
        let text = String(decoding: bytes, as: UTF8.self)
        guard let nonce = UInt64(text.dropFirst(2).prefix { $0 != "x" }.dropLast(), radix: 16), taken[nonce] == nil
        else {
          return IncomingResponse(status: 200, body: Array(#"{"error":{"code":-32000}}"#.utf8))
        }
        taken[nonce] = Hexadecimal.text(Keccak256.digest(bytes))
        result = .string(taken[nonce] ?? "")
      case "eth_getTransactionReceipt":
        let isKnown = isMining && taken.values.contains(parameter.stringValue ?? "")
        result = isKnown ? ["transactionHash": parameter, "status": .string(status)] : .null
      default: return nil
      }
      return IncomingResponse(status: 200, body: Array((["result": result] as JSONValue).text().utf8))
    }
  }

  @Test func aChainPaysARepeatedOrderOnce() async throws {
    let chain = Chain()
    let address = try #require(EthereumAddress("0x5aAeb6053F3E94C9b9A09f33669435E7Ef1BeAed"))
    let settings = ContractPayment.Settings(
      node: "http://node", signer: "http://signer", chain: 1_337, contract: address, payer: address, firstNonce: 16)
    let payment = ContractPayment(settings) { await chain.answer($0) }
    let order = order("0xfB6916095ca1df60bB79Ce92cE3Ea74c37c5d359")
    #expect(payment.draft(order)?.nonce == 20)
    await chain.mine(false)
    #expect(await payment.pay(order) == .unknown(reason: "no receipt yet"))
    await chain.mine(true)
    let first = await payment.pay(order)
    #expect(await payment.pay(order) == first)
    guard case .paid = first else {
      Issue.record("\(first)")
      return
    }
    #expect(await chain.taken.count == 1)
    #expect(await chain.sends == 3)
    await chain.refuse()
    #expect(await payment.pay(order) == .refused(reason: "the contract refused the transfer"))
    #expect(payment.draft(self.order("not an address")) == nil)
    #expect(payment.draft(self.order(address.description, amount: -1)) == nil)
  }

  @Test func theOrderOfAnErasedNodeStaysOpen() async throws {
    let address = try #require(EthereumAddress("0x5aAeb6053F3E94C9b9A09f33669435E7Ef1BeAed"))
    let settings = ContractPayment.Settings(
      node: "http://node", signer: "http://signer", chain: 1, contract: address, payer: address)
    let payment = ContractPayment(settings) { _ in nil }
    #expect(await payment.pay(order(address.description)) == .unknown(reason: "the signer did not sign"))
  }
}
