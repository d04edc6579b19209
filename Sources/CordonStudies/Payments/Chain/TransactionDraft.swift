/// A transaction of Ethereum before it is signed.
package struct TransactionDraft: Hashable, Sendable {
  /// The price of gas, in wei for a unit.
  package enum Fee: Hashable, Sendable {
    /// One price, with a signature that names the chain (EIP-155).
    case legacy(price: UInt64)
    /// The base fee of the block and a tip, together at most a maximum (EIP-1559, type 2).
    case market(maximum: UInt64, tip: UInt64)
  }

  /// The number of the transaction of the paying account. A number is used once, so a repeated transaction pays once.
  package var nonce: UInt64
  /// The price of gas.
  package var fee: Fee
  /// The most gas.
  package var gasLimit: UInt64
  /// The contract, or the receiver.
  package var to: EthereumAddress
  /// The value in wei, big-endian.
  package var value: [UInt8]
  /// The call.
  package var data: [UInt8]
  /// The chain.
  package var chain: UInt64

  /// Creates a draft.
  package init(
    nonce: UInt64, fee: Fee, gasLimit: UInt64, to: EthereumAddress, value: [UInt8] = [], data: [UInt8], chain: UInt64
  ) {
    self.nonce = nonce
    self.fee = fee
    self.gasLimit = gasLimit
    self.to = to
    self.value = value
    self.data = data
    self.chain = chain
  }

  /// The members in the order of the fee's kind, without the signature.
  private var members: [RLP] {
    let call: [RLP] = [.number(gasLimit), .bytes(to.bytes), .number(bigEndian: value), .bytes(data)]
    switch fee {
    case .legacy(let price): return [.number(nonce), .number(price)] + call
    case .market(let maximum, let tip):
      return [.number(chain), .number(nonce), .number(tip), .number(maximum)] + call + [.list([])]
    }
  }

  private var type: [UInt8] { if case .market = fee { [2] } else { [] } }

  /// The bytes whose Keccak-256 is signed.
  package var signingBytes: [UInt8] {
    switch fee {
    case .legacy: RLP.list(members + [.number(chain), .bytes([]), .bytes([])]).encoded
    case .market: type + RLP.list(members).encoded
    }
  }

  /// The hash that is signed.
  package var signingHash: [UInt8] { Keccak256.digest(signingBytes) }

  /// Returns the signed transaction, as a node takes it.
  package func signed(_ signature: ChainSignature) -> [UInt8] {
    let parity: RLP =
      switch fee {
      case .legacy: .number(UInt64(signature.parity) + 35 + 2 * chain)
      case .market: .number(UInt64(signature.parity))
      }
    let parts: [RLP] = [parity, .number(bigEndian: signature.r), .number(bigEndian: signature.s)]
    return type + RLP.list(members + parts).encoded
  }

  /// Returns whether a signed transaction is this one: every member is the same, and so is the chain that the signature names.
  /// Whose signature it is remains open.
  package func isSigned(in transaction: [UInt8]) -> Bool {
    guard transaction.starts(with: type),
      case .list(let items)? = RLP(decoding: Array(transaction.dropFirst(type.count))),
      items.count == members.count + 3, Array(items.prefix(members.count)) == members
    else { return false }
    let parities: [UInt64] =
      switch fee {
      case .legacy: [35 + 2 * chain, 36 + 2 * chain]
      case .market: [0, 1]
      }
    return parities.contains { RLP.number($0) == items[members.count] }
  }

  /// The members as JSON-RPC names them.
  func fields(from payer: EthereumAddress) -> [(name: String, value: String)] {
    let fees: [(name: String, value: String)] =
      switch fee {
      case .legacy(let price): [("gasPrice", Hexadecimal.quantity(price))]
      case .market(let maximum, let tip):
        [
          ("maxFeePerGas", Hexadecimal.quantity(maximum)), ("maxPriorityFeePerGas", Hexadecimal.quantity(tip)),
          ("type", "0x2"),
        ]
      }
    return [
      ("from", payer.description), ("to", to.description), ("gas", Hexadecimal.quantity(gasLimit)), ("value", "0x0"),
      ("nonce", Hexadecimal.quantity(nonce)), ("data", Hexadecimal.text(data)),
      ("chainId", Hexadecimal.quantity(chain)),
    ] + fees
  }

  // MARK: ERC-20

  /// Returns the call `transfer(address,uint256)` of ERC-20.
  /// - Parameters:
  ///   - amount: the number of units.
  ///   - factor: the units of the token for one of `amount`. The product has up to 128 bits.
  package static func transfer(to receiver: EthereumAddress, amount: UInt64, times factor: UInt64 = 1) -> [UInt8] {
    let product = amount.multipliedFullWidth(by: factor)
    var call = Array(Keccak256.digest(Array("transfer(address,uint256)".utf8)).prefix(4))
    call += receiver.word
    call += [UInt8](repeating: 0, count: 16)
    call += RLP.bigEndian(product.high)
    call += RLP.bigEndian(product.low)
    return call
  }

  /// The first topic of the event `Transfer(address,address,uint256)` of ERC-20.
  static let transferTopic = Hexadecimal.text(Keccak256.digest(Array("Transfer(address,address,uint256)".utf8)))
}
