internal import CordonSupport

/// Signs transactions: with a key, or with another program.
package enum TransferSigner: Sendable {
  /// A key of this process.
  case key(ChainKey)
  /// Another program by JSON-RPC, and its method: `account_signTransaction` of Clef, or `eth_signTransaction` of a node that holds
  /// the account.
  case remote(ChainNode, method: String)

  /// Signs a transaction.
  /// - Returns: the signed transaction as a node takes it; `nil` when the signer did not sign, or signed something else.
  func sign(_ draft: TransactionDraft, from payer: EthereumAddress) async -> [UInt8]? {
    switch self {
    case .key(let key):
      guard key.address == payer, let signature = try? key.sign(draft.signingHash) else { return nil }
      return draft.signed(signature)
    case .remote(let node, let method):
      let members = draft.fields(from: payer).map { JSONValue.Member($0.name, .string($0.value)) }
      guard let answer = try? await node.call(method, [.object(members)]),
        let text = answer["raw"]?.stringValue ?? answer.stringValue, let transaction = Hexadecimal.bytes(text),
        draft.isSigned(in: transaction)
      else { return nil }
      return transaction
    }
  }
}
