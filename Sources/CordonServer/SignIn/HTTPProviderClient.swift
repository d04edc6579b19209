internal import Cordon
internal import CordonOperators
internal import Foundation

/// Requests to an OpenID provider over the system's URL loading, without cookies and redirects.
struct HTTPProviderClient: ProviderClient {
  private let transport: any HTTPTransport

  init(transport: any HTTPTransport = URLSessionTransport(timeout: 10, maximumBody: 1 << 20)) {
    self.transport = transport
  }

  func send(_ request: ProviderRequest) async -> ProviderResponse {
    guard let url = URL(string: request.address) else { return ProviderResponse(status: 0, body: []) }
    var headers = ["accept": "application/json"]
    if let authorization = request.authorization { headers["authorization"] = authorization }
    if request.form != nil { headers["content-type"] = "application/x-www-form-urlencoded" }
    let answer = await transport.send(
      HTTPRequest(
        method: request.form == nil ? "GET" : "POST", url: url, headers: headers, body: Array((request.form ?? "").utf8)
      ))
    return ProviderResponse(status: answer.status, body: answer.body)
  }
}
