package import CordonSupport
internal import CordonWire

/// The reason why a node or a signer gave no result.
package enum ChainFault: Error, Hashable, Sendable {
  /// No answer came.
  case noAnswer
  /// An answer with another status than 200.
  case status(Int)
  /// An answer that is not one of JSON-RPC, or not one to this method.
  case nonsense(method: String)
  /// An error of JSON-RPC. The message is for decisions: it may hold addresses and amounts, so it is not shown.
  case refused(code: Int64, message: String)

  /// The reason, for the ledger.
  package var reason: String {
    switch self {
    case .noAnswer: "the node does not answer"
    case .status(let status): "the node answers with status \(status)"
    case .nonsense(let method): "the node's answer to \(method) cannot be read"
    case .refused(let code, _): "the node refuses with code \(code)"
    }
  }
}

/// A node of Ethereum, or a signer, by JSON-RPC 2.0 over HTTP.
package struct ChainNode: Sendable {
  private let url: String
  private let client: OutgoingClient

  /// Creates a node.
  package init(_ url: String, client: @escaping OutgoingClient) {
    self.url = url
    self.client = client
  }

  /// Calls a method.
  /// - Returns: the result, which may be `null`.
  package func call(_ method: String, _ parameters: [JSONValue]) async throws(ChainFault) -> JSONValue {
    let request = OutgoingRequest(
      url, headers: [], json: ["jsonrpc": "2.0", "id": 1, "method": .string(method), "params": .array(parameters)])
    guard let response = await client(request) else { throw .noAnswer }
    guard response.status == 200 else { throw .status(response.status) }
    guard let answer = try? JSONReader.value(of: response.body) else { throw .nonsense(method: method) }
    if let error = answer["error"], error != .null {
      throw .refused(code: error["code"]?.integerValue ?? 0, message: error["message"]?.stringValue ?? "")
    }
    guard let result = answer["result"] else { throw .nonsense(method: method) }
    return result
  }

  /// Calls a method whose result is a quantity.
  package func number(_ method: String, _ parameters: [JSONValue] = []) async throws(ChainFault) -> UInt64 {
    let result = try await call(method, parameters)
    guard let text = result.stringValue, let number = Hexadecimal.number(text) else { throw .nonsense(method: method) }
    return number
  }

  /// The base fee of the next block, in wei for a unit of gas (`eth_feeHistory`).
  func baseFee() async throws(ChainFault) -> UInt64 {
    let method = "eth_feeHistory"
    let history = try await call(method, ["0x1", "latest", .array([])])
    guard let text = history["baseFeePerGas"]?.elements?.last?.stringValue, let fee = Hexadecimal.number(text) else {
      throw .nonsense(method: method)
    }
    return fee
  }
}
