import CordonCore
import CordonSupport
import CordonWire

@testable import CordonStudies

/// A chain in memory behind JSON-RPC, with a token and a signer without a key. It takes each nonce once.
actor FakeChain {
  struct Receipt {
    var block: UInt64
    var isSuccess: Bool
    var hasEvent: Bool
  }

  static let payer = EthereumAddress("0x9d8A62f656a8d1615C1294fd71e9CFb3E4855A4F")!
  static let token = EthereumAddress("0xfB6916095ca1df60bB79Ce92cE3Ea74c37c5d359")!

  var number: UInt64 = 1_337
  var baseFee: UInt64 = 1_000_000_000
  var height: UInt64 = 100
  var isMining = true
  var hasCode = true
  /// The token's answer to calls; `nil` for a failure.
  var callAnswer: [UInt8]? = [UInt8](repeating: 0, count: 31) + [1]
  /// Whether transfers of transactions succeed, and report it.
  var outcome = (isSuccess: true, hasEvent: true)
  /// The error to every transaction; `nil` for none.
  var refusal: String?
  /// A change that the signer makes before it signs.
  var change: @Sendable (inout TransactionDraft) -> Void = { _ in }
  private(set) var sends: [[UInt8]] = []
  private(set) var count: UInt64 = 0
  /// The number of transactions before some blocks.
  private var counts: [UInt64: UInt64] = [:]
  private var pool: [UInt64: [UInt8]] = [:]
  private var receipts: [String: Receipt] = [:]
  private(set) var balances: [EthereumAddress: UInt64] = [:]

  /// Changes members.
  func set(_ body: @Sendable (isolated FakeChain) -> Void) { body(self) }

  /// The account makes a transaction that no ledger knows.
  func spend() {
    height += 1
    counts[height] = count
    count += 1
  }

  /// The number of transactions up to a block.
  private func count(at block: UInt64) -> UInt64 {
    counts.filter { $0.key > block }.min { $0.key < $1.key }?.value ?? count
  }

  /// Answers a request.
  func answer(_ request: OutgoingRequest) -> IncomingResponse? {
    guard let body = try? JSONReader.value(of: request.body), let method = body["method"]?.stringValue,
      let parameters = body["params"]?.elements
    else { return nil }
    let result: JSONValue?
    switch method {
    case "eth_chainId": result = .string(Hexadecimal.quantity(number))
    case "eth_blockNumber": result = .string(Hexadecimal.quantity(height))
    case "eth_gasPrice": result = .string(Hexadecimal.quantity(baseFee))
    case "eth_feeHistory": result = ["baseFeePerGas": ["0x1", .string(Hexadecimal.quantity(baseFee))]]
    case "eth_getCode": result = hasCode ? "0x60" : "0x"
    case "eth_call": result = callAnswer.map { .string(Hexadecimal.text($0)) }
    case "eth_getTransactionCount":
      if let block = parameters.last?.stringValue.flatMap(Hexadecimal.number) {
        return Self.response(["result": .string(Hexadecimal.quantity(count(at: block)))])
      }
      let isPending = parameters.last == "pending"
      result = .string(Hexadecimal.quantity(isPending ? (pool.keys.max().map { $0 + 1 } ?? count) : count))
    case "eth_getTransactionReceipt": result = receipt(parameters.first?.stringValue ?? "")
    case "eth_sendRawTransaction":
      let error = send(Hexadecimal.bytes(parameters.first?.stringValue ?? "") ?? [])
      guard let error else { return Self.response(["result": "0x"]) }
      return Self.response(["error": ["code": -32_000, "message": .string(error)]])
    case "account_signTransaction": result = sign(parameters.first ?? .null)
    default: result = nil
    }
    guard let result else { return Self.response(["error": ["code": 3, "message": "execution reverted"]]) }
    return Self.response(["result": result])
  }

  private static func response(_ value: JSONValue) -> IncomingResponse {
    IncomingResponse(status: 200, body: Array(value.text().utf8))
  }

  private func sign(_ fields: JSONValue) -> JSONValue? {
    func number(_ name: String) -> UInt64 { fields[name]?.stringValue.flatMap(Hexadecimal.number) ?? 0 }
    let fee: TransactionDraft.Fee =
      fields["gasPrice"] == nil
      ? .market(maximum: number("maxFeePerGas"), tip: number("maxPriorityFeePerGas"))
      : .legacy(price: number("gasPrice"))
    guard let to = fields["to"]?.stringValue.flatMap(EthereumAddress.init),
      let data = fields["data"]?.stringValue.flatMap(Hexadecimal.bytes)
    else { return nil }
    var draft = TransactionDraft(
      nonce: number("nonce"), fee: fee, gasLimit: number("gas"), to: to, data: data, chain: number("chainId"))
    change(&draft)
    let half = [UInt8](repeating: 7, count: 32)
    return ["raw": .string(Hexadecimal.text(draft.signed(ChainSignature(r: half, s: half, parity: 1))))]
  }

  private func send(_ transaction: [UInt8]) -> String? {
    sends.append(transaction)
    if let refusal { return refusal }
    let isTyped = transaction.first == 2
    guard case .list(let items)? = RLP(decoding: Array(transaction.dropFirst(isTyped ? 1 : 0))),
      case .bytes(let digits) = items[isTyped ? 1 : 0]
    else { return "rlp: cannot be read" }
    let nonce = digits.reduce(UInt64(0)) { $0 << 8 | UInt64($1) }
    guard nonce >= count else { return "nonce too low: next nonce \(count), tx nonce \(nonce)" }
    if pool[nonce] == transaction { return "already known" }
    guard pool[nonce] == nil else { return "replacement transaction underpriced" }
    pool[nonce] = transaction
    if isMining { mine() }
    return nil
  }

  /// Puts what waits into a block.
  func mine() {
    height += 1
    counts[height] = count
    while let transaction = pool.removeValue(forKey: count) {
      count += 1
      receipts[Hexadecimal.text(Keccak256.digest(transaction))] = Receipt(
        block: height, isSuccess: outcome.isSuccess, hasEvent: outcome.hasEvent)
      let isTyped = transaction.first == 2
      guard outcome.isSuccess, outcome.hasEvent,
        case .list(let items)? = RLP(decoding: Array(transaction.dropFirst(isTyped ? 1 : 0))),
        case .bytes(let call) = items[isTyped ? 7 : 5],
        let receiver = EthereumAddress(Hexadecimal.text(Array(call[16..<36])))
      else { continue }
      balances[receiver, default: 0] += call.suffix(8).reduce(0) { $0 << 8 | UInt64($1) }
    }
  }

  private func receipt(_ hash: String) -> JSONValue {
    guard let receipt = receipts[hash] else { return .null }
    let event: JSONValue = [
      "address": .string(Self.token.description),
      "topics": [
        .string(TransactionDraft.transferTopic), .string(Hexadecimal.text(Self.payer.word)),
        .string(Hexadecimal.text(Self.token.word)),
      ], "data": "0x",
    ]
    return [
      "transactionHash": .string(hash), "blockNumber": .string(Hexadecimal.quantity(receipt.block)),
      "status": receipt.isSuccess ? "0x1" : "0x0", "to": .string(Self.token.description),
      "logs": receipt.hasEvent ? [event] : [],
    ]
  }
}

extension FakeChain {
  /// The adapter with the signer of this chain.
  nonisolated func payment(_ change: (inout ContractPayment.Settings) -> Void = { _ in }) -> ContractPayment {
    payment(client: { await self.answer($0) }, change)
  }

  /// The adapter over another client.
  nonisolated func payment(
    client: @escaping OutgoingClient, _ change: (inout ContractPayment.Settings) -> Void = { _ in }
  ) -> ContractPayment {
    var settings = ContractPayment.Settings(chain: 1_337, contract: Self.token, payer: Self.payer)
    settings.confirmations = 1
    change(&settings)
    return ContractPayment(
      settings, node: ChainNode("http://node", client: client),
      signer: .remote(ChainNode("http://signer", client: client), method: "account_signTransaction"))
  }
}

/// The ledger of a test.
struct TestLedger: PaymentLedger {
  typealias Failure = StudyError

  let service: StudyService
  var now = start + .days(4)

  func highestNonce(of account: ChainAccount) async throws(StudyError) -> UInt64? {
    try service.highestNonce(of: account)
  }

  func begin(_ order: PaymentOrder, with provider: String) async throws(StudyError) -> Bool {
    try service.begin(order, with: provider, now: now)
  }

  func claim(_ transfer: SignedTransfer, of order: PaymentOrder) async throws(StudyError) -> Bool {
    try service.claim(transfer, of: order, now: now)
  }

  func record(_ result: PaymentResult, of order: PaymentOrder) async throws(StudyError) {
    try service.record(result, of: order, now: now)
  }
}

extension StudyService {
  /// Pays all orders once.
  @discardableResult
  func payAll(_ code: StudyCode, _ payment: some PaymentPort) async throws -> [PaymentResult] {
    var results: [PaymentResult] = []
    for order in try orders(code) { results.append(try await payment.settle(order, in: TestLedger(service: self))) }
    return results
  }

  /// The book of a study's ledger.
  func book(_ code: StudyCode) throws -> LedgerBook { try LedgerBook(verifying: store.ledger(of: code)) }
}

extension Fixture {
  /// The accounts of the first participants.
  static let receivers = ["0x5aAeb6053F3E94C9b9A09f33669435E7Ef1BeAed", "0xdbF03B407c01E7cD3CBea99509d93f8DDDC8C6FB"]

  /// Participants with accounts on a chain, who each have an approved payout of 20.
  static func withOrders(_ kind: Kind = .memory, receivers: [String] = Self.receivers) throws -> Fixture {
    var rules = RewardRules()
    rules.minimumPayout = 1
    rules.minutesPerCredit = 10
    rules.minimumMinutes = 10
    rules.currency = "TOKEN"
    let fixture = try Fixture(kind, rewards: rules)
    for receiver in receivers {
      try fixture.walk(
        try fixture.enrol(identity: Identity(payment: receiver)), from: start + .hours(8), minutes: 21)
    }
    _ = try fixture.service.earn(fixture.code, now: start + .days(4))
    _ = try fixture.service.reserve(fixture.code, now: start + .days(4))
    return fixture
  }
}
