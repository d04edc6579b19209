internal import CordonSupport

/// The receipt of a transaction, as a node answers it.
struct TransferReceipt {
  /// The hash of the transaction.
  let hash: String
  /// The block.
  let block: UInt64
  /// Whether the transaction did what it should. A failed one has used its nonce, and moved nothing.
  let isSuccess: Bool
  private let contract: EthereumAddress
  private let logs: [JSONValue]

  /// Reads a receipt; `nil` for other values.
  init?(_ value: JSONValue) {
    guard let hash = value["transactionHash"]?.stringValue?.lowercased(),
      let block = value["blockNumber"]?.stringValue.flatMap(Hexadecimal.number),
      let status = value["status"]?.stringValue.flatMap(Hexadecimal.number), status <= 1,
      let contract = value["to"]?.stringValue.flatMap(EthereumAddress.init), let logs = value["logs"]?.elements
    else { return nil }
    self.hash = hash
    self.block = block
    isSuccess = status == 1
    self.contract = contract
    self.logs = logs
  }

  /// Returns whether the contract reported a transfer from an account. Some tokens answer False instead of failing, and report none.
  func hasTransfer(from account: EthereumAddress) -> Bool {
    logs.contains { log in
      guard let topics = log["topics"]?.elements, topics.count == 3 else { return false }
      return log["address"]?.stringValue.flatMap(EthereumAddress.init) == contract
        && topics[0].stringValue?.lowercased() == TransactionDraft.transferTopic
        && topics[1].stringValue?.lowercased() == Hexadecimal.text(account.word)
    }
  }
}

/// The refusal of a node to take a transaction. Nodes have no codes for it, so the words of their messages decide.
struct SendRefusal {
  /// Whether the node has the transaction already.
  let isKnown: Bool
  /// The reason, without words of the node.
  let reason: String

  init(message: String) {
    let text = message.lowercased()
    func has(_ words: [String]) -> Bool { words.contains(where: text.contains) }
    isKnown = has(["already known", "already imported", "known transaction"])
    reason =
      if has(["insufficient funds", "enough balance", "enough funds", "insufficient balance", "cannot afford"]) {
        "the paying account cannot pay for the gas"
      } else if has(["nonce"]) {
        "the node waits for an earlier nonce of the paying account"
      } else if has(["fee", "underpriced", "gas price"]) {
        "the node takes no transactions at this fee at present"
      } else {
        "the node refuses the transaction"
      }
  }
}
