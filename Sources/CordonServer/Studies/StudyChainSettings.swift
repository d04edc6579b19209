package import CordonStudies
internal import Foundation

/// The settings of payments in tokens of a contract (ERC-20).
package struct StudyChainSettings: Sendable {
  /// The JSON-RPC of a node of Ethereum; `nil` for no such payments.
  package var node: OutboundAddress?
  /// The file of the private key; `nil` where another program signs.
  package var keyFile: String?
  /// The JSON-RPC of a signer such as Clef; `nil` for the node, unless there is a key.
  package var signer: OutboundAddress?
  /// The number of the chain.
  package var number = 1
  /// The contract of the token.
  package var contract: EthereumAddress?
  /// The account that pays; `nil` for that of the key.
  package var payer: EthereumAddress?
  /// The nonce of the account before the first payout.
  package var nonce = 0
  /// The units of the token for one smallest unit of a study's currency.
  package var units = 1
  /// How transactions pay for gas.
  package var fees = Fees.market
  /// The most that a unit of gas may cost, gwei.
  package var feeCap = 100
  /// The tip for a unit of gas, gwei.
  package var tip = 1
  /// The most gas of a transfer.
  package var gas = 100_000
  /// The number of blocks after which a transaction counts as paid.
  package var confirmations = 12

  /// The ways to pay for gas.
  package enum Fees: String, Sendable, CaseIterable {
    /// A base fee and a tip (EIP-1559).
    case market
    /// One price.
    case legacy
  }

  /// The defaults: no payments.
  package init() {}

  /// Opens the adapter; `nil` without a node. The key is read here, once.
  func payment(_ client: @escaping OutgoingClient) throws -> (any PaymentPort)? {
    guard let node, let contract else { return nil }
    let rpc = ChainNode(node.description, client: client)
    let signer: TransferSigner
    var account = payer
    if let keyFile {
      let key = try Self.key(keyFile)
      guard payer == nil || payer == key.address else {
        throw DataFolder.Fault(description: "\(keyFile): the key of another account than study-chain-payer")
      }
      account = key.address
      signer = .key(key)
    } else if let other = self.signer {
      signer = .remote(ChainNode(other.description, client: client), method: "account_signTransaction")
    } else {
      signer = .remote(rpc, method: "eth_signTransaction")
    }
    guard let account else { return nil }
    var settings = ContractPayment.Settings(chain: UInt64(number), contract: contract, payer: account)
    settings.firstNonce = UInt64(nonce)
    settings.hasBaseFee = fees == .market
    settings.feeCap = UInt64(feeCap) * 1_000_000_000
    settings.tip = UInt64(tip) * 1_000_000_000
    settings.gasLimit = UInt64(gas)
    settings.unitsPerCent = UInt64(units)
    settings.confirmations = UInt64(confirmations)
    return ContractPayment(settings, node: rpc, signer: signer)
  }

  /// Reads a key that only the owner of its file can read. Errors name the file, and nothing in it.
  private static func key(_ file: String) throws -> ChainKey {
    try DataFolder.checkMode(ofKey: file)
    guard let data = FileManager.default.contents(atPath: file), data.count <= 1_024 else {
      throw DataFolder.Fault(description: "\(file): cannot be read as a key")
    }
    let library = try Secp256k1()
    do throws(ChainKeyError) {
      return try ChainKey(contents: Array(data), library: library)
    } catch {
      throw DataFolder.Fault(description: "\(file): \(error)")
    }
  }
}
