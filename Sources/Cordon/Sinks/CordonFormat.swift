import CordonCore
public import CordonMonitoring
import CordonWire

/// A Cordon server, /v1. The endpoint's URL is the root of the server.
///
/// Its answers carry a proof (`SinkResponse.isProved`); see docs/explanation/threat-model.md.
public struct CordonFormat: SinkFormat {
  /// Makes the format.
  public init() {}

  /// `SinkID.cordon`.
  public var sinkID: SinkID { .cordon }
  /// `cordon`.
  public var name: String { "cordon" }
  /// All abilities.
  public var abilities: Sink.Abilities { [.activation, .consent, .erasure, .proofs, .notices] }
  /// Bodies are compressed.
  public var usesGzip: Bool { true }

  /// Returns the method of a request, and the path below the root of the server.
  private func address(of request: SinkRequest) -> (method: String, path: [String]) {
    let device = request.device.rawValue
    return switch request.body {
    case .activate: ("POST", ["v1", "devices", device, "activate"])
    case .token: ("POST", ["v1", "devices", device, "token"])
    case .positions: ("POST", ["v1", "positions"])
    case .consent: ("PUT", ["v1", "devices", device, "consent"])
    case .notices: ("GET", ["v1", "devices", device, "notices"])
    case .acknowledge: ("POST", ["v1", "devices", device, "notices"])
    case .erase: ("DELETE", ["v1", "devices", device])
    }
  }

  /// See ``SinkFormat/message(for:at:)``.
  public func message(for request: SinkRequest, at endpoint: SinkEndpoint) -> HTTPRequest? {
    let (method, path) = address(of: request)
    func json(_ message: some DeviceMessage) -> HTTPRequest { endpoint.json(method, path, message.encoded()) }
    var message: HTTPRequest
    switch request.body {
    case .activate(let code, let type): message = json(DeviceMessages.Activation(code: code, type: type))
    case .token(let secret): message = json(DeviceMessages.Proof(secret: secret))
    case .positions(let locations, let token):
      message = endpoint.json(method, endpoint.positionsURL, PositionBatch.encode(locations))
      message.headers["idempotency-key"] = PositionBatch.key(of: locations)
      if let token = token ?? endpoint.token { message.headers["authorization"] = "Bearer \(token)" }
    case .consent(let consent, let token):
      message = json(DeviceMessages.Consent(consent))
      if let token = token ?? endpoint.token { message.headers["authorization"] = "Bearer \(token)" }
    case .notices(let token):
      message = endpoint.json(method, path, [])
      if let token = token ?? endpoint.token { message.headers["authorization"] = "Bearer \(token)" }
    case .acknowledge(let notice, let token):
      message = endpoint.json(method, path, Array(#"{"number":\#(notice)}"#.utf8))
      if let token = token ?? endpoint.token { message.headers["authorization"] = "Bearer \(token)" }
    case .erase(let secret):
      if let secret {
        message = json(DeviceMessages.Proof(secret: secret))
      } else {
        message = endpoint.json(method, path, [])
      }
    }
    if let challenge = request.challenge { message.headers[AnswerProof.nonceHeader] = challenge.nonce }
    return message
  }

  /// See ``SinkFormat/response(to:from:at:)``.
  public func response(to request: SinkRequest, from answer: HTTPResponse, at endpoint: SinkEndpoint) -> SinkResponse {
    var response = SinkResponse(to: request, from: answer)
    response.isProved = isProved(answer, to: request)
    guard (200..<300).contains(answer.status) else { return response }
    switch request.body {
    case .consent, .acknowledge: break
    case .notices:
      guard let notices = try? DeviceNotices(decoding: answer.body) else { break }
      response.body = .notices(notices.entries.map(ExposureNotice.init))
    case .erase: if isReceipt(answer, of: request.device) { response.body = .erased }
    case .positions:
      guard let answers = try? PositionAnswers.decode(answer.body) else { break }
      response.body = .rows(
        answers.compactMap { answer in answer.id.map { RowAnswer(id: $0, status: answer.status) } })
    case .activate:
      guard let message = try? DeviceMessages.Activated(decoding: answer.body) else { break }
      response.body = .activated(secret: message.secret, venue: message.venue)
    case .token:
      guard let message = try? DeviceMessages.Token(decoding: answer.body) else { break }
      response.body = .token(message.token, expires: message.expires)
    }
    return response
  }

  /// Whether an answer is the server's own, to this very request.
  private func isProved(_ answer: HTTPResponse, to request: SinkRequest) -> Bool {
    guard let challenge = request.challenge, let proof = answer.headers[AnswerProof.header] else { return false }
    let (method, path) = address(of: request)
    let message = AnswerProof.message(
      nonce: challenge.nonce, method: method, path: "/" + path.joined(separator: "/"), status: answer.status,
      body: answer.body)
    return AnswerProof.isValid(proof, message: message, key: AnswerProof.key(ofSecret: challenge.secret))
  }

  /// Whether the server itself confirms that it erased a device; anything on the way may answer with 200 too.
  private func isReceipt(_ answer: HTTPResponse, of device: DeviceID) -> Bool {
    guard answer.status == 200, let receipt = try? DeviceMessages.Receipt(decoding: answer.body) else { return false }
    return receipt.device == device
  }
}

extension SinkFormat where Self == CordonFormat {
  /// A Cordon server, /v1.
  public static var cordon: CordonFormat { CordonFormat() }
}
