import CordonCore
public import CordonMonitoring
import CordonWire

/// An Overland receiver. The endpoint's URL is the receiver itself.
///
/// Rows are deleted when the answer is the format's own, `{"result": "ok"}`; the status does not matter.
public struct OverlandFormat: SinkFormat {
  /// Whether every success counts as an acknowledgement, for receivers that never answer `{"result":"ok"}`. Any
  /// portal on the way can then cause the loss of rows.
  public var acceptsAnySuccess: Bool

  /// Makes the format.
  public init(acceptsAnySuccess: Bool = false) { self.acceptsAnySuccess = acceptsAnySuccess }

  /// `SinkID.overland`.
  public var sinkID: SinkID { .overland }
  /// `overland`.
  public var name: String { "overland" }

  /// See ``SinkFormat/message(for:at:)``.
  public func message(for request: SinkRequest, at endpoint: SinkEndpoint) -> HTTPRequest? {
    guard case .positions(let locations, _) = request.body else { return nil }
    var message = endpoint.json("POST", [], Overland.encode(locations))
    if let authorization = endpoint.authorization { message.headers["authorization"] = authorization }
    return message
  }

  /// See ``SinkFormat/response(to:from:at:)``.
  public func response(to request: SinkRequest, from answer: HTTPResponse, at endpoint: SinkEndpoint) -> SinkResponse {
    var response = SinkResponse(to: request, from: answer)
    guard (200..<300).contains(answer.status), case .positions(let locations, _) = request.body else { return response }
    if acceptsAnySuccess || Overland.isAccepted(answer.body) {
      response.body = .rows(locations.map { RowAnswer(id: $0.id, status: .stored) })
    }
    return response
  }
}

extension SinkFormat where Self == OverlandFormat {
  /// An Overland receiver.
  public static var overland: OverlandFormat { OverlandFormat() }
}
