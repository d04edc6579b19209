import Cordon
import CordonCore
import CordonMonitoring
import CordonWire
import Foundation

/// A /v1 server in the process: reads a phone's bytes, and answers with bytes.
actor ModelServer: HTTPTransport {
  var rows: [FixID: Location] = [:]
  var requests: [HTTPRequest] = []
  /// Every answer, with its proof.
  var answers: [HTTPResponse] = []
  var isDown = false
  /// The answer to a request for notices.
  private var notices = #"{"notices":[]}"#
  /// Whether rows need the token.
  private let needsToken: Bool

  init(needsToken: Bool = true) { self.needsToken = needsToken }

  /// A portal that answers in place of the server.
  private var portal: (@Sendable (HTTPRequest) -> HTTPResponse)?

  /// The answer to a request for forms.
  private var forms = #"{"forms":[]}"#

  func set(forms: String) { self.forms = forms }
  func set(notices: String) { self.notices = notices }
  func set(isDown: Bool) { self.isDown = isDown }
  func set(portal: (@Sendable (HTTPRequest) -> HTTPResponse)?) { self.portal = portal }

  func send(_ message: HTTPRequest) async -> HTTPResponse {
    requests.append(message)
    if isDown { return .none }
    var answer = answer(to: message)
    if let portal { answer = portal(message) } else { answer.prove(to: message, secret: "s3") }
    answers.append(answer)
    return answer
  }

  private func answer(to message: HTTPRequest) -> HTTPResponse {
    // The portal hides the server.
    if portal != nil { return .none }
    let path = message.url.path
    if path.hasSuffix("/activate") {
      return HTTPResponse(status: 200, body: Array(#"{"secret":"s3","venue":"small-venue"}"#.utf8))
    }
    if path.hasSuffix("/token") {
      let end = Int64(Date().timeIntervalSince1970 * 1_000) + 3_600_000
      return HTTPResponse(status: 200, body: Array(#"{"token":"t0ken","expires":\#(end)}"#.utf8))
    }
    if path.hasSuffix("/page-code") {
      return HTTPResponse(status: 201, body: Array(#"{"code":"7QK2MMWD","expires":1}"#.utf8))
    }
    if message.method == "GET", path.hasSuffix("/v1/forms") {
      return HTTPResponse(
        status: message.headers["authorization"] == "Bearer t0ken" ? 200 : 401, body: Array(forms.utf8))
    }
    if message.method == "GET", path.hasSuffix("/notices") {
      return HTTPResponse(status: 200, body: Array(notices.utf8))
    }
    if message.method == "DELETE" {
      return HTTPResponse(
        status: 200, body: Array(#"{"device":"\#(message.url.lastPathComponent)","erased":1767254400000}"#.utf8))
    }
    guard path.hasSuffix("/v1/positions") else { return HTTPResponse(status: 200) }
    guard !needsToken || message.headers["authorization"] == "Bearer t0ken" else { return HTTPResponse(status: 401) }
    let isPacked = message.headers["content-encoding"] == "gzip"
    guard let body = isPacked ? try? Gzip.decompress(message.body, limit: 1 << 20) : message.body,
      let batch = try? PositionBatch.decode(body)
    else { return HTTPResponse(status: 400) }
    let answers = batch.map { row -> PositionAnswers.Answer in
      guard case .location(let location) = row else { return .init(id: nil, status: .refused(reason: "fault")) }
      let isNew = rows.updateValue(location, forKey: location.id) == nil
      return .init(id: location.id, status: isNew ? .stored : .known)
    }
    return HTTPResponse(status: 207, body: PositionAnswers.encode(answers))
  }
}

extension HTTPResponse {
  /// Adds the server's proof: with the code or the secret of the request, or with the device's secret.
  mutating func prove(to message: HTTPRequest, secret: String) {
    guard let nonce = message.headers[AnswerProof.nonceHeader] else { return }
    let members = try? JSONSerialization.jsonObject(with: Data(message.body)) as? [String: Any]
    let carried = members?["code"] as? String ?? members?["secret"] as? String
    headers[AnswerProof.header] = AnswerProof.value(
      secret: carried ?? secret, nonce: nonce, method: message.method, path: message.url.path, status: status,
      body: body)
  }
}
