import CordonCore
public import CordonMonitoring

/// The message format of one kind of receiver: the requests and the meaning of their responses.
///
/// ``CordonFormat``, ``IngestFormat``, ``OverlandFormat``, ``OwnTracksFormat`` and ``FileFormat`` are built in. A
/// custom receiver needs a type that conforms:
///
/// ```swift
/// struct Webhook: SinkFormat {
///   let sinkID = SinkID(number: 16)
///   let name = "webhook"
///
///   func message(for request: SinkRequest, at endpoint: SinkEndpoint) -> HTTPRequest? {
///     guard case .positions(let locations, _) = request.body else { return nil }
///     return HTTPRequest(method: "POST", url: endpoint.url, body: encode(locations))
///   }
///
///   func response(to request: SinkRequest, from answer: HTTPResponse, at endpoint: SinkEndpoint) -> SinkResponse {
///     var response = SinkResponse(to: request, from: answer)
///     guard answer.status == 200, answer.body == Array("taken".utf8), case .positions(let rows, _) = request.body else {
///       return response
///     }
///     response.body = .rows(rows.map { RowAnswer(id: $0.id, status: .stored) })
///     return response
///   }
/// }
/// ```
///
/// A location leaves the device only when ``response(to:from:at:)`` names it in `SinkResponse.Body.rows`. Anything
/// between device and receiver can answer with any status. So name rows only for an answer that nothing but the
/// receiver gives. A status alone never deletes, deactivates or wipes.
public protocol SinkFormat: Sendable {
  /// The number of sinks of this format, unless an endpoint has another. Custom formats use numbers from 16 on.
  var sinkID: SinkID { get }
  /// A short name for errors and logs.
  var name: String { get }
  /// The abilities of such a sink besides storing locations; none by default.
  var abilities: Sink.Abilities { get }
  /// Whether bodies are compressed, unless an endpoint decides otherwise; `false` by default.
  var usesGzip: Bool { get }

  /// Returns the message for a request; `nil` when the format has no such request. A sink receives requests other
  /// than positions only with the ability for them.
  func message(for request: SinkRequest, at endpoint: SinkEndpoint) -> HTTPRequest?

  /// Returns the meaning of an answer to its request. An unreadable answer has no effect, and the request is
  /// repeated.
  func response(to request: SinkRequest, from answer: HTTPResponse, at endpoint: SinkEndpoint) -> SinkResponse

  /// Sends a request and returns its response. The default sends one message and reads its answer.
  func deliver(
    _ request: SinkRequest, to endpoint: SinkEndpoint, over transport: any HTTPTransport
  ) async -> SinkResponse
}

extension SinkFormat {
  /// None.
  public var abilities: Sink.Abilities { [] }
  /// Bodies are not compressed.
  public var usesGzip: Bool { false }

  /// Sends one message and reads its answer.
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
  /// Makes the format-independent part of a response: the status, the wait, and the failure.
  public init(to request: SinkRequest, from answer: HTTPResponse) {
    self.init(number: request.number, status: answer.status, retryAfter: answer.wait)
    fault = answer.failure
  }
}
