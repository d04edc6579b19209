internal import CordonSupport

/// Payments in tokens of an ERC-20 contract by JSON-RPC.
///
/// Each order has one signed transaction, which the ledger and the vault hold before it is sent. A repetition sends the same bytes,
/// and a chain takes a nonce once.
package struct ContractPayment: PaymentPort {
  /// The chain, the contract, the account that pays, and limits.
  package struct Settings: Hashable, Sendable {
    /// The number of the chain.
    package var chain: UInt64
    /// The contract.
    package var contract: EthereumAddress
    /// The account that pays. It makes no other transactions.
    package var payer: EthereumAddress
    /// The nonce of the account before the first payout.
    package var firstNonce: UInt64 = 0
    /// Whether the chain has a base fee (EIP-1559); otherwise transactions have one price of gas.
    package var hasBaseFee = true
    /// The most that a unit of gas may cost, in wei.
    package var feeCap: UInt64 = 100_000_000_000
    /// The tip for a unit of gas, in wei.
    package var tip: UInt64 = 1_000_000_000
    /// The most gas of a transfer.
    package var gasLimit: UInt64 = 100_000
    /// The units of the token for one smallest unit of the study.
    package var unitsPerCent: UInt64 = 1
    /// The number of blocks, with its own, after which a transaction counts as paid.
    package var confirmations: UInt64 = 12

    /// Creates settings with defaults.
    package init(chain: UInt64, contract: EthereumAddress, payer: EthereumAddress) {
      self.chain = chain
      self.contract = contract
      self.payer = payer
    }
  }

  private let settings: Settings
  private let node: ChainNode
  private let signer: TransferSigner

  /// Creates an adapter.
  package init(_ settings: Settings, node: ChainNode, signer: TransferSigner) {
    self.settings = settings
    self.node = node
    self.signer = signer
  }

  package var account: ChainAccount? { ChainAccount(chain: settings.chain, address: settings.payer) }

  /// Something that the ledger keeps as the reason of a delay.
  private struct Delay: Error {
    var reason: String
    init(_ reason: String) { self.reason = reason }
  }

  // MARK: Signing

  /// Signs the transaction of an order, when the chain, the account's nonces, the fee and the contract allow it.
  package func sign(_ order: PaymentOrder, after last: UInt64?) async -> SigningResult {
    do throws(Delay) {
      guard let receiver = EthereumAddress(order.destination) else {
        throw Delay("the destination is not an address of 40 hexadecimal digits with its checksum")
      }
      guard let amount = UInt64(exactly: order.amount) else { throw Delay("the amount is negative") }
      try await checkChain(settings.chain)
      let nonce = try await nextNonce(after: last)
      let draft = TransactionDraft(
        nonce: nonce, fee: try await fee(), gasLimit: settings.gasLimit, to: settings.contract,
        data: TransactionDraft.transfer(to: receiver, amount: amount, times: settings.unitsPerCent),
        chain: settings.chain)
      try await tryOut(draft)
      guard let transaction = await signer.sign(draft, from: settings.payer) else {
        throw Delay("the signer did not sign the transaction as it was asked")
      }
      return .signed(
        SignedTransfer(
          nonce: ChainNonce(account: ChainAccount(chain: settings.chain, address: settings.payer), number: nonce),
          hash: Hexadecimal.text(Keccak256.digest(transaction)), transaction: transaction))
    } catch {
      return .delayed(reason: error.reason)
    }
  }

  private func checkChain(_ chain: UInt64) async throws(Delay) {
    let found = try await number("eth_chainId")
    guard found == chain else { throw Delay("the node serves the chain \(found), not \(chain)") }
  }

  /// The next nonce of the ledger. The node must not know of transactions beyond it: a ledger that was restored from an older
  /// backup, or an account that others use, would pay twice.
  private func nextNonce(after last: UInt64?) async throws(Delay) -> UInt64 {
    let counted = try await number(
      "eth_getTransactionCount", [.string(settings.payer.description), "pending"])
    let next = max(settings.firstNonce, last.map { $0 + 1 } ?? 0)
    let isFirst = last.map { $0 + 1 < next } ?? true
    guard isFirst ? counted == next : counted <= next else {
      throw Delay(
        "the paying account has made \(counted) transactions, and the ledger expects \(next): "
          + "compare both, then set study-chain-nonce")
    }
    return next
  }

  private func fee() async throws(Delay) -> TransactionDraft.Fee {
    guard settings.hasBaseFee else {
      let price = try await number("eth_gasPrice")
      guard price <= settings.feeCap else { throw Delay(Self.isDear) }
      return .legacy(price: price)
    }
    let base: UInt64
    do throws(ChainFault) {
      base = try await node.baseFee()
    } catch {
      throw Delay(error.reason)
    }
    let (sum, overflow) = base.addingReportingOverflow(settings.tip)
    guard !overflow, sum <= settings.feeCap else { throw Delay(Self.isDear) }
    return .market(maximum: settings.feeCap, tip: settings.tip)
  }

  private static let isDear = "gas costs more than study-chain-fee-cap at present"
  private static let wouldFail = "the contract would refuse the transfer at present, such as for want of tokens"

  /// Asks the node what the transfer would do at present, so that none is sent, and paid for in gas, that the contract refuses.
  private func tryOut(_ draft: TransactionDraft) async throws(Delay) {
    let contract = JSONValue.string(draft.to.description)
    let call: JSONValue = [
      "from": .string(settings.payer.description), "to": contract, "data": .string(Hexadecimal.text(draft.data)),
    ]
    let answer = try await bytes("eth_call", [call, "latest"])
    // Some old tokens answer nothing, and so does an address without a contract.
    guard !answer.isEmpty else {
      guard try await !bytes("eth_getCode", [contract, "latest"]).isEmpty else {
        throw Delay("study-chain-contract is not a contract on this chain")
      }
      return
    }
    guard answer.contains(where: { $0 != 0 }) else { throw Delay(Self.wouldFail) }
  }

  private func bytes(_ method: String, _ parameters: [JSONValue]) async throws(Delay) -> [UInt8] {
    let answer: JSONValue
    do throws(ChainFault) {
      answer = try await node.call(method, parameters)
    } catch {
      if case .refused = error, method == "eth_call" { throw Delay(Self.wouldFail) }
      throw Delay(error.reason)
    }
    guard let text = answer.stringValue, let bytes = Hexadecimal.bytes(text) else {
      throw Delay(ChainFault.nonsense(method: method).reason)
    }
    return bytes
  }

  private func number(_ method: String, _ parameters: [JSONValue] = []) async throws(Delay) -> UInt64 {
    do throws(ChainFault) {
      return try await node.number(method, parameters)
    } catch {
      throw Delay(error.reason)
    }
  }

  // MARK: Sending

  /// Looks for the transaction of an order on the chain, and sends it when it is not there. The order is paid when enough blocks
  /// confirm a receipt of success with the event of the transfer.
  package func pay(_ order: PaymentOrder) async -> PaymentResult {
    guard let transfer = order.transfer else { return .unknown(reason: "no transaction was signed") }
    do throws(Delay) {
      try await checkChain(transfer.nonce.account.chain)
      if let result = try await result(of: transfer) { return result }
      guard let transaction = transfer.transaction else {
        throw Delay("the vault has no copy of the transaction, and the chain does not have it")
      }
      guard Hexadecimal.text(Keccak256.digest(transaction)) == transfer.hash else {
        throw Delay("the vault has another transaction than the ledger")
      }
      let refusal = try await send(transaction)
      // A node that has the transaction already refuses it, too: the chain decides.
      if let result = try await result(of: transfer) { return result }
      guard let refusal else { return .pending }
      let used = try await number(
        "eth_getTransactionCount", [.string(transfer.nonce.account.address.description), "latest"])
      guard used <= transfer.nonce.number else {
        throw Delay("another transaction of the paying account has the nonce \(transfer.nonce.number)")
      }
      guard !refusal.isKnown else { return .pending }
      throw Delay(refusal.reason)
    } catch {
      return .unknown(reason: error.reason)
    }
  }

  /// Asks whether the transaction of an order can still be in a block. It cannot when the chain has taken another one with its
  /// nonce, for as many blocks as a payment needs, and has no receipt of this one.
  package func prospect(of order: PaymentOrder) async -> TransferProspect {
    guard let transfer = order.transfer else { return .possible(reason: "it has no transaction yet") }
    let (account, nonce) = (transfer.nonce.account, transfer.nonce.number)
    do throws(Delay) {
      try await checkChain(account.chain)
      let depth = max(settings.confirmations, 1) - 1
      let latest = try await number("eth_blockNumber")
      guard latest >= depth else { throw Delay("the chain has fewer than \(depth + 1) blocks") }
      let block = JSONValue.string(Hexadecimal.quantity(latest - depth))
      let used = try await number("eth_getTransactionCount", [.string(account.address.description), block])
      guard used > nonce else {
        throw Delay(
          "\(used) transactions of the account have \(depth + 1) confirmations, and it has the nonce \(nonce)")
      }
      guard try await result(of: transfer) == nil else {
        throw Delay("the chain has its transaction; the next run of rewards writes down the result")
      }
      return .never(reason: "another transaction with the nonce \(nonce) has \(depth + 1) confirmations")
    } catch {
      return .possible(reason: error.reason)
    }
  }

  /// Sends a transaction; returns why the node refused it, and `nil` when it did not.
  private func send(_ transaction: [UInt8]) async throws(Delay) -> SendRefusal? {
    do throws(ChainFault) {
      _ = try await node.call("eth_sendRawTransaction", [.string(Hexadecimal.text(transaction))])
      return nil
    } catch {
      if case .refused(_, let message) = error { return SendRefusal(message: message) }
      throw Delay(error.reason)
    }
  }

  /// Returns the result of a transaction that is in a block; `nil` for one that is not.
  private func result(of transfer: SignedTransfer) async throws(Delay) -> PaymentResult? {
    let method = "eth_getTransactionReceipt"
    let value: JSONValue
    do throws(ChainFault) {
      value = try await node.call(method, [.string(transfer.hash)])
    } catch {
      throw Delay(error.reason)
    }
    guard value != .null else { return nil }
    guard let receipt = TransferReceipt(value), receipt.hash == transfer.hash else {
      throw Delay(ChainFault.nonsense(method: method).reason)
    }
    let latest = try await number("eth_blockNumber")
    guard latest >= receipt.block, latest - receipt.block + 1 >= settings.confirmations else { return .pending }
    guard receipt.isSuccess else { return .refused(reason: "the contract refused the transfer") }
    guard receipt.hasTransfer(from: transfer.nonce.account.address) else {
      return .refused(reason: "the contract made no transfer")
    }
    return .paid(reference: transfer.hash)
  }
}
