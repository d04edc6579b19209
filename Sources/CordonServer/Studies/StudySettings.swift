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
  /// The JSON-RPC of a node of Ethereum; `nil` for none.
  package var chainNode: OutboundAddress?
  /// The JSON-RPC of the signer; `nil` for the node.
  package var chainSigner: OutboundAddress?
  /// The number of the chain.
  package var chainNumber = 1
  /// The contract of the token.
  package var chainContract: EthereumAddress?
  /// The account that pays.
  package var chainPayer: EthereumAddress?
  /// The nonce of the first payout.
  package var chainNonce = 0

  /// The defaults: no studies.
  package init() {}

  /// The provider of payments; `nil` when none is set: credits are then earned and reserved, and not paid.
  package var payments: (any PaymentPort)? {
    let client: OutgoingClient = { request in
      guard let url = URL(string: request.url) else { return nil }
      let transport = URLSessionTransport(timeout: 20, maximumBody: 1 << 20)
      let headers = Dictionary(request.headers.map { ($0.name, $0.value) }) { first, _ in first }
      let answer = await transport.send(
        HTTPRequest(method: request.method, url: url, headers: headers, body: request.body))
      return answer.status == 0 ? nil : IncomingResponse(status: answer.status, body: answer.body)
    }
    if let paymentURL { return HTTPPayment(url: paymentURL.description, token: paymentToken, client: client) }
    guard let chainNode, let chainContract, let chainPayer else { return nil }
    return ContractPayment(
      ContractPayment.Settings(
        node: chainNode.description, signer: (chainSigner ?? chainNode).description,
        signMethod: chainSigner == nil ? "eth_signTransaction" : "account_signTransaction", chain: UInt64(chainNumber),
        contract: chainContract, payer: chainPayer, firstNonce: UInt64(chainNonce)), client: client)
  }
}
