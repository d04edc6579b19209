internal import Cordon
package import CordonStudies
internal import Foundation

/// The settings of studies.
package struct StudySettings: Sendable {
  /// Whether the server holds studies.
  package var isOn = false
  /// The folder of the vault of identities and its key; `nil` for the data folder.
  package var vaultFolder: String?
  /// The file to which push messages are appended; `nil` for `push.jsonl` in the data folder.
  package var pushFile: String?
  /// The provider of payments; `nil` for none.
  package var paymentURL: OutboundAddress?
  /// The bearer token of the provider; `nil` for none.
  package var paymentToken: String?
  /// Payments in tokens of a contract.
  package var chain = StudyChainSettings()

  /// The defaults: no studies.
  package init() {}

  /// Opens the provider of payments; `nil` when none is set: credits are then earned and reserved, and not paid.
  /// - Throws: ``ChainKeyError`` or ``DataFolder/Fault`` when payments cannot be signed.
  package func payments() throws -> (any PaymentPort)? {
    if let paymentURL {
      return HTTPPayment(url: paymentURL.description, token: paymentToken, client: Self.client)
    }
    return try chain.payment(Self.client)
  }

  private static let client: OutgoingClient = { request in
    guard let url = URL(string: request.url) else { return nil }
    let transport = URLSessionTransport(timeout: 20, maximumBody: 1 << 20)
    let headers = Dictionary(request.headers.map { ($0.name, $0.value) }) { first, _ in first }
    let answer = await transport.send(
      HTTPRequest(method: request.method, url: url, headers: headers, body: request.body))
    return answer.status == 0 ? nil : IncomingResponse(status: answer.status, body: answer.body)
  }
}
