import CordonCore
public import CordonMonitoring

/// The message format of one kind of receiver: the requests and the meaning of their responses.
///
/// ``CordonFormat``, ``IngestFormat``, ``OverlandFormat``, ``OwnTracksFormat`` and ``FileFormat`` are built in. A receiver of your own
/// needs a type that conforms:
///
/// ```swift
/// struct Webhook: SinkFormat {
///   let sinkID = SinkID(number: 16)
///   let name = "webhook"
///
///   func message(for request: Request, at endpoint: SinkEndpoint) -> HTTPRequest? {
///     guard case .positions(let locations, _) = request.body else { return nil }
///     return HTTPRequest(method: "POST", url: endpoint.url, body: encode(locations))
///   }
///
///   func response(to request: Request, from answer: HTTPResponse, at endpoint: SinkEndpoint) -> Response {
///     var response = Response(to: request, from: answer)
///     guard answer.status == 200, answer.body == Array("taken".utf8), case .positions(let rows, _) = request.body else {
///       return response
///     }
///     response.body = .rows(rows.map { RowAnswer(id: $0.id, status: .stored) })
///     return response
///   }
/// }
/// ```
///
/// A location leaves the device only when ``response(to:from:at:)`` names it in `SinkResponse.Body.rows`. Anything between device and receiver
/// can answer with any status, so name rows only for an answer that nothing but the receiver gives. A status alone never
/// deletes, deactivates or wipes.
public protocol SinkFormat: Sendable {
  /// The number of a sink of this format, unless its endpoint has another. Numbers from 16 on are for formats of your own.
  var sinkID: SinkID { get }
  /// A short name for errors and logs.
  var name: String { get }
  /// What such a sink can do besides taking locations; nothing unless you say so.
  var abilities: Sink.Abilities { get }
  /// Whether bodies are compressed, unless an endpoint says otherwise; they are not unless you say so.
  var usesGzip: Bool { get }

  /// The message for a request; `nil` when the format has no such request. Only sinks with the ability are asked for anything but
  /// positions.
  func message(for request: SinkRequest, at endpoint: SinkEndpoint) -> HTTPRequest?

  /// What an answer means for its request. An answer that cannot be read means nothing, and the request is made again.
  func response(to request: SinkRequest, from answer: HTTPResponse, at endpoint: SinkEndpoint) -> SinkResponse

  /// Carries a request and returns what became of it. By default one message and its answer.
  func deliver(
    _ request: SinkRequest, to endpoint: SinkEndpoint, over transport: any HTTPTransport
  ) async -> SinkResponse
}

extension SinkFormat {
  /// None.
  public var abilities: Sink.Abilities { [] }
  /// Bodies are not compressed.
  public var usesGzip: Bool { false }

  /// One message and its answer.
  public func deliver(
    _ request: SinkRequest, to endpoint: SinkEndpoint, over transport: any HTTPTransport
  ) async -> SinkResponse {
    guard let message = message(for: request, at: endpoint) else {
      return SinkResponse(number: request.number, status: 0)
    }
    return response(to: request, from: await transport.send(message), at: endpoint)
  }
}

extension SinkResponse {
  /// What every answer means: its status, how long to wait, and what went wrong on the way.
  public init(to request: SinkRequest, from answer: HTTPResponse) {
    self.init(number: request.number, status: answer.status, retryAfter: answer.wait)
    fault = answer.failure
  }
}
