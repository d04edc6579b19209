import CordonCore
public import CordonMonitoring
import CordonWire

/// A server of the published ingest API. The endpoint's URL is the root of the server.
///
/// The API has no secrets and no erasure, and cannot prove its answers. Rows are deleted when its row answers name
/// them. Only its own form of refusal, status 400 with a member `error`, deactivates the device or drops an invite
/// code.
public struct IngestFormat: SinkFormat {
  /// Makes the format.
  public init() {}

  /// `SinkID.ingest`.
  public var sinkID: SinkID { .ingest }
  /// `ingest`.
  public var name: String { "ingest" }
  /// Activation.
  public var abilities: Sink.Abilities { .activation }

  /// See ``SinkFormat/message(for:at:)``.
  public func message(for request: SinkRequest, at endpoint: SinkEndpoint) -> HTTPRequest? {
    let device = request.device.rawValue
    switch request.body {
    case .activate(let code, let type):
      return endpoint.json("POST", ["device", device, "activate"], IngestAPI.encodeActivation(code: code, type: type))
    case .token: return endpoint.json("GET", ["device", device, "token"], [])
    case .positions(let locations, let token):
      var message = endpoint.json("POST", ["positions"], IngestAPI.encodePositions(locations))
      if let token { message.headers["authorization"] = "Bearer \(token)" }
      return message
    case .erase, .consent, .notices, .acknowledge: return nil
    }
  }

  /// See ``SinkFormat/response(to:from:at:)``.
  public func response(to request: SinkRequest, from answer: HTTPResponse, at endpoint: SinkEndpoint) -> SinkResponse {
    var response = SinkResponse(to: request, from: answer)
    switch request.body {
    case .activate where answer.status == 400, .token where answer.status == 400:
      if IngestAPI.isRefusal(answer.body) { response.body = .refused }
    case _ where !(200..<300).contains(answer.status): break
    case .erase, .consent, .notices, .acknowledge: break
    case .activate:
      // The API has no secrets: any client that knows the identifier can get a token.
      if let venue = try? IngestAPI.decodeActivation(answer.body) {
        response.body = .activated(secret: "", venue: venue)
      }
    case .token:
      guard let (token, expires) = try? IngestAPI.decodeToken(answer.body) else { break }
      response.body = .token(token, expires: expires)
    case .positions(let locations, _):
      guard let statuses = try? IngestAPI.decodeAnswers(answer.body), statuses.count == locations.count else { break }
      response.body = .rows(zip(locations, statuses).map { RowAnswer(id: $0.id, status: $1) })
    }
    return response
  }
}

extension SinkFormat where Self == IngestFormat {
  /// A server of the published ingest API.
  public static var ingest: IngestFormat { IngestFormat() }
}
