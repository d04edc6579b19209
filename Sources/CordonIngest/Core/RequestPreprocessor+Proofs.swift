internal import CordonCore
internal import CordonSupport
internal import CordonWire

extension RequestPreprocessor {
  /// Adds the proof that a response comes from this server, if the request asks for one and there is a secret to prove it with.
  package func prove(_ response: IngestResponse, for request: IngestRequest) -> IngestResponse {
    var response = response
    let secretHash = response.secretHash
    response.secretHash = nil
    guard let key = secretHash, let nonce = request.header(AnswerProof.nonceHeader),
      AnswerProof.isNonce(nonce), let path = request.decodedPath
    else { return response }
    let message = AnswerProof.message(
      nonce: nonce, method: request.method, path: path, status: response.status, body: response.body)
    response.headers.append(
      .init(
        lowercased: AnswerProof.header, AnswerProof.text(of: signer.authenticationCode(of: message, key: key))))
    return response
  }

  /// Returns the proof key of the secret or invite code in a request; `nil` without one or without a nonce.
  ///
  /// The key proves that the answer comes from the receiver of the request, even if the server does not know
  /// the device.
  func carriedSecretHash(_ endpoint: Endpoint, _ request: IngestRequest) -> [UInt8]? {
    guard request.header(AnswerProof.nonceHeader) != nil else { return nil }
    let name =
      switch endpoint {
      case .activate: "code"
      case .token, .erase: "secret"
      default: ""
      }
    guard !name.isEmpty, let body = try? body(of: request), let members = try? JSONMembers(body, mayBeEmpty: true),
      let secret = try? members.optionalText(name, atMost: 4_096)
    else { return nil }
    return AnswerProof.key(ofSecret: secret)
  }
}

extension IngestRequest {
  /// The path, percent-decoded; `nil` when it cannot be.
  fileprivate var decodedPath: String? {
    path.utf8.contains(UInt8(ascii: "%")) ? PercentEncoding.decode(Substring(path)) : path
  }
}
