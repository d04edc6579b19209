import CordonCore
public import CordonMonitoring
import CordonWire
import Foundation

extension SinkEndpoint {
  /// The message for a request; `nil` when this kind of sink has no such request.
  public func message(for request: Request) -> HTTPMessage? {
    switch request.sink {
    case .cordon: cordonMessage(for: request)
    case .ingest: ingestMessage(for: request)
    default: receiverMessage(for: request)
    }
  }

  private func json(_ method: String, _ path: [String], _ body: [UInt8]) -> HTTPMessage {
    json(method, path.isEmpty ? bareURL : bareURL.appendingPathComponent(path.joined(separator: "/")), body)
  }

  private func json(_ method: String, _ path: [String], value: JSONValue) -> HTTPMessage {
    json(method, path, Array(value.text().utf8))
  }

  private func json(_ method: String, _ url: URL, _ body: [UInt8]) -> HTTPMessage {
    var message = HTTPMessage(method: method, url: url, headers: ["accept": "application/json"], body: body)
    if !body.isEmpty { message.headers["content-type"] = "application/json" }
    if usesGzip, body.count > 1_024 {
      message.body = Gzip.compress(body)
      message.headers["content-encoding"] = "gzip"
    }
    return message
  }

  private func encoded(_ value: some Encodable) -> [UInt8] {
    let encoder = JSONEncoder()
    encoder.outputFormatting = .sortedKeys
    // Values of text and whole numbers are always written.
    return (try? encoder.encode(value)).map { Array($0) } ?? []
  }

  private func cordonMessage(for request: Request) -> HTTPMessage {
    let device = request.device.rawValue
    switch request.body {
    case .activate(let code, let type):
      return json(
        "POST", ["v1", "devices", device, "activate"], value: ["code": .string(code), "type": .string(type)])
    case .token(let secret):
      return json("POST", ["v1", "devices", device, "token"], value: ["secret": .string(secret)])
    case .positions(let locations, let token):
      var message = json("POST", positionsURL, PositionBatch.encode(locations))
      message.headers["idempotency-key"] = PositionBatch.key(of: locations)
      if let token = token ?? self.token { message.headers["authorization"] = "Bearer \(token)" }
      return message
    case .consent(let consent, let token):
      var message = json("PUT", ["v1", "devices", device, "consent"], encoded(DeviceMessages.Consent(consent)))
      if let token = token ?? self.token { message.headers["authorization"] = "Bearer \(token)" }
      return message
    case .erase(let secret):
      guard let secret else { return json("DELETE", ["v1", "devices", device], []) }
      return json("DELETE", ["v1", "devices", device], value: ["secret": .string(secret)])
    }
  }

  private func ingestMessage(for request: Request) -> HTTPMessage? {
    let device = request.device.rawValue
    switch request.body {
    case .activate(let code, let type):
      return json("POST", ["device", device, "activate"], IngestAPI.encodeActivation(code: code, type: type))
    case .token: return json("GET", ["device", device, "token"], [])
    case .positions(let locations, let token):
      var message = json("POST", ["positions"], IngestAPI.encodePositions(locations))
      if let token { message.headers["authorization"] = "Bearer \(token)" }
      return message
    case .erase, .consent: return nil
    }
  }

  private func receiverMessage(for request: Request) -> HTTPMessage? {
    guard case .positions(let locations, _) = request.body else { return nil }
    var message = json("POST", [], Overland.encode(locations))
    if let authorization { message.headers["authorization"] = authorization }
    return message
  }

  /// What an answer means for its request. An answer that cannot be read is none: what was asked is asked again.
  public func response(to request: Request, from answer: HTTPAnswer) -> Response {
    var response = Response(number: request.number, status: answer.status)
    response.retryAfter = answer.wait
    guard (200..<300).contains(answer.status) else { return response }
    if case .erase = request.body, answer.status == 200, !isReceipt(answer, of: request.device) {
      response.status = 0
      return response
    }
    response.body = body(of: answer, to: request) ?? .none
    return response
  }

  /// Whether the server itself says that it erased a device: anything in between may answer with 200 too.
  private func isReceipt(_ answer: HTTPAnswer, of device: DeviceID) -> Bool {
    let members = try? JSONSerialization.jsonObject(with: Data(answer.body)) as? [String: Any]
    return members?["device"] as? String == device.rawValue && members?["erased"] is NSNumber
  }

  private func body(of answer: HTTPAnswer, to request: Request) -> Response.Body? {
    switch request.body {
    case .erase, .consent: return Response.Body.none
    case .positions(let locations, _): return rows(of: answer, for: locations.map(\.id), request.sink)
    case .activate:
      if request.sink == .ingest {
        // That API has no secrets: who knows the identifier has a token.
        guard let venue = try? IngestAPI.decodeActivation(answer.body) else { return nil }
        return .activated(secret: "", venue: venue)
      }
      guard let message = try? JSONDecoder().decode(DeviceMessages.Activated.self, from: Data(answer.body)) else {
        return nil
      }
      return .activated(secret: message.secret, venue: message.venue)
    case .token:
      if request.sink == .ingest {
        guard let (token, expires) = try? IngestAPI.decodeToken(answer.body) else { return nil }
        return .token(token, expires: expires)
      }
      guard let message = try? JSONDecoder().decode(DeviceMessages.Token.self, from: Data(answer.body)) else {
        return nil
      }
      return .token(message.token, expires: message.expires)
    }
  }

  private func rows(of answer: HTTPAnswer, for ids: [FixID], _ sink: SinkID) -> Response.Body? {
    switch sink {
    case .cordon:
      guard let answers = try? PositionAnswers.decode(answer.body) else { return nil }
      return .rows(answers.compactMap { answer in answer.id.map { RowAnswer(id: $0, status: answer.status) } })
    case .ingest:
      guard let statuses = try? IngestAPI.decodeAnswers(answer.body), statuses.count == ids.count else { return nil }
      return .rows(zip(ids, statuses).map { RowAnswer(id: $0, status: $1) })
    default:
      guard acceptsAnySuccess || Overland.isAccepted(answer.body) else { return nil }
      return .rows(ids.map { RowAnswer(id: $0, status: .stored) })
    }
  }
}
