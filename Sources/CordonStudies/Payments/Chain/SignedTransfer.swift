/// An account on a chain.
package struct ChainAccount: Hashable, Sendable {
  /// The number of the chain.
  package var chain: UInt64
  /// The account.
  package var address: EthereumAddress

  /// Creates an account.
  package init(chain: UInt64, address: EthereumAddress) {
    self.chain = chain
    self.address = address
  }
}

/// The number of a transaction of an account. A chain takes one transaction for each.
package struct ChainNonce: Hashable, Sendable, CustomStringConvertible {
  /// The account.
  package var account: ChainAccount
  /// The number, from 0.
  package var number: UInt64

  /// Creates a nonce.
  package init(account: ChainAccount, number: UInt64) {
    self.account = account
    self.number = number
  }

  /// Reads a text of the ledger, such as `1/0x5aAeb6053F3E94C9b9A09f33669435E7Ef1BeAed/20`.
  package init?(_ text: String) {
    let parts = text.split(separator: "/", omittingEmptySubsequences: false).map(String.init)
    guard parts.count == 3, let chain = UInt64(parts[0]), let address = EthereumAddress(parts[1]),
      let number = UInt64(parts[2])
    else { return nil }
    self.init(account: ChainAccount(chain: chain, address: address), number: number)
    guard description == text else { return nil }
  }

  /// Chain, account and number.
  package var description: String { "\(account.chain)/\(account.address)/\(number)" }
}

/// A signed transaction that pays an order.
package struct SignedTransfer: Hashable, Sendable {
  /// Its nonce.
  package var nonce: ChainNonce
  /// Its hash: `0x` and 64 hexadecimal digits.
  package var hash: String
  /// The transaction as a node takes it; `nil` where only the ledger is known, which holds no address of receivers.
  package var transaction: [UInt8]?

  /// Creates a transfer.
  package init(nonce: ChainNonce, hash: String, transaction: [UInt8]? = nil) {
    self.nonce = nonce
    self.hash = hash
    self.transaction = transaction
  }
}
