internal import CordonSupport
internal import CordonWire

/// Payments in tokens of an ERC-20 contract by JSON-RPC.
///
/// Keys are not here: a signer such as Clef signs (`account_signTransaction`), or the node does for an account that it holds
/// (`eth_signTransaction`). Each payout has its own nonce, so a repetition is the same transaction, and a chain takes it once.
package struct ContractPayment: PaymentPort {
  /// The chain, the contract and the account that pays.
  package struct Settings: Hashable, Sendable {
    /// The address of the node's JSON-RPC.
    package var node: String
    /// The address of the signer's JSON-RPC.
    package var signer: String
    /// The method that signs.
    package var signMethod: String
    /// The number of the chain.
    package var chain: UInt64
    /// The contract.
    package var contract: EthereumAddress
    /// The account that pays. It makes no other transactions.
    package var payer: EthereumAddress
    /// The nonce of the first approved payout.
    package var firstNonce: UInt64
    /// The price of gas in wei.
    package var gasPrice: UInt64
    /// The units of the token for one smallest unit of the study.
    package var unitsPerCent: UInt64

    /// Creates settings.
    package init(
      node: String, signer: String, signMethod: String = "account_signTransaction", chain: UInt64,
      contract: EthereumAddress, payer: EthereumAddress, firstNonce: UInt64 = 0, gasPrice: UInt64 = 20_000_000_000,
      unitsPerCent: UInt64 = 1
    ) {
      self.node = node
      self.signer = signer
      self.signMethod = signMethod
      self.chain = chain
      self.contract = contract
      self.payer = payer
      self.firstNonce = firstNonce
      self.gasPrice = gasPrice
      self.unitsPerCent = unitsPerCent
    }
  }

  private let settings: Settings
  private let client: OutgoingClient

  /// The most gas of a transfer.
  package static let gasLimit: UInt64 = 100_000

  /// Creates an adapter.
  package init(_ settings: Settings, client: @escaping OutgoingClient) {
    self.settings = settings
    self.client = client
  }

  /// Returns the transaction of an order; `nil` when the destination is not an address or the amount is too large.
  package func draft(_ order: PaymentOrder) -> TransactionDraft? {
    guard let receiver = EthereumAddress(order.destination), order.place >= 0, order.amount >= 0 else { return nil }
    let (amount, overflow) = UInt64(order.amount).multipliedReportingOverflow(by: settings.unitsPerCent)
    guard !overflow else { return nil }
    return TransactionDraft(
      nonce: settings.firstNonce + UInt64(order.place), gasPrice: settings.gasPrice, gasLimit: Self.gasLimit,
      to: settings.contract, data: TransactionDraft.transfer(to: receiver, amount: amount), chain: settings.chain)
  }

  /// Signs and sends the transaction of an order, or finds it on the chain. It is paid when the chain has a receipt of success.
  package func pay(_ order: PaymentOrder) async -> PaymentResult {
    // A payout without a transaction would leave a gap in the nonces, at which all later ones wait: it stays open.
    guard let draft = draft(order) else { return .unknown(reason: "the destination is not an address") }
    let unsigned: JSONValue = [
      "from": .string(settings.payer.description), "to": .string(draft.to.description),
      "gas": .string(Hexadecimal.quantity(draft.gasLimit)), "gasPrice": .string(Hexadecimal.quantity(draft.gasPrice)),
      "value": "0x0", "nonce": .string(Hexadecimal.quantity(draft.nonce)),
      "data": .string(Hexadecimal.text(draft.data)), "chainId": .string(Hexadecimal.quantity(draft.chain)),
    ]
    guard let signed = await call(settings.signer, settings.signMethod, [unsigned]),
      let raw = signed["raw"]?.stringValue ?? signed.stringValue, let bytes = Hexadecimal.bytes(raw)
    else { return .unknown(reason: "the signer did not sign") }
    let hash = Hexadecimal.text(Keccak256.digest(bytes))
    // The answer is not needed: a node that has the transaction already refuses it, and its receipt decides.
    _ = await call(settings.node, "eth_sendRawTransaction", [.string(raw)])
    guard let receipt = await call(settings.node, "eth_getTransactionReceipt", [.string(hash)]), receipt != .null else {
      return .unknown(reason: "no receipt yet")
    }
    guard receipt["transactionHash"]?.stringValue?.lowercased() == hash else {
      return .unknown(reason: "the receipt of another transaction")
    }
    switch receipt["status"]?.stringValue {
    case "0x1": return .paid(reference: hash)
    case "0x0": return .refused(reason: "the contract refused the transfer")
    default: return .unknown(reason: "a receipt without a status")
    }
  }

  private func call(_ url: String, _ method: String, _ parameters: [JSONValue]) async -> JSONValue? {
    let request = OutgoingRequest(
      url, headers: [], json: ["jsonrpc": "2.0", "id": 1, "method": .string(method), "params": .array(parameters)])
    guard let response = await client(request), response.status == 200 else { return nil }
    return (try? JSONReader.value(of: response.body))?["result"]
  }
}
