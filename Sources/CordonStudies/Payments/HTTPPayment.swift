internal import CordonSupport
internal import CordonWire

/// Payments by a POST of JSON with the field `Idempotency-Key`, as providers of payments define it.
package struct HTTPPayment: PaymentPort {
  private let url: String
  private let token: String?
  private let client: OutgoingClient

  /// Creates an adapter.
  /// - Parameters:
  ///   - url: the address of the provider.
  ///   - token: the bearer token; `nil` for none.
  ///   - client: sends the requests.
  package init(url: String, token: String?, client: @escaping OutgoingClient) {
    self.url = url
    self.token = token
    self.client = client
  }

  /// Scheme, host and port of the provider: its paths and tokens may change while a payout is open.
  package var provider: String? {
    let parts = url.split(separator: "/", maxSplits: 3, omittingEmptySubsequences: false)
    guard parts.count >= 3, let host = parts[2].split(whereSeparator: { $0 == "?" || $0 == "#" }).first else {
      return url
    }
    return "\(parts[0])//\(host.split(separator: "@").last ?? host)".lowercased()
  }

  /// Returns the request of an order. It names no study and no participant.
  package func request(_ order: PaymentOrder) -> OutgoingRequest {
    var headers = [OutgoingRequest.Header("idempotency-key", order.key)]
    if let token { headers.append(.init("authorization", "Bearer \(token)")) }
    return OutgoingRequest(
      url, headers: headers,
      json: [
        "idempotency_key": .string(order.key), "amount": .integer(order.amount), "currency": .string(order.currency),
        "destination": .string(order.destination),
      ])
  }

  /// Reads a response. Only a status that says that nothing was paid and never will be is a refusal.
  package static func result(_ response: IncomingResponse?) -> PaymentResult {
    guard let response else { return .unknown(reason: "no response") }
    switch response.status {
    case 200, 201:
      guard let value = try? JSONReader.value(of: response.body), let id = value["id"]?.stringValue,
        (1...200).contains(id.utf8.count)
      else { return .unknown(reason: "a response without an id") }
      return .paid(reference: id)
    case 400, 402, 403, 404, 410, 422: return .refused(reason: "status \(response.status)")
    default: return .unknown(reason: "status \(response.status)")
    }
  }

  /// Sends an order.
  package func pay(_ order: PaymentOrder) async -> PaymentResult { Self.result(await client(request(order))) }
}
