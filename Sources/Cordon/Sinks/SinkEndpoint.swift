import CordonCore
public import CordonMonitoring
import CordonWire
public import Foundation

/// A sink's URL, format and credentials.
///
/// ```swift
/// let server = SinkEndpoint(.cordon, url: server)
/// let copy = SinkEndpoint(.overland, id: SinkID(number: 16), url: receiver, token: "…")
/// ```
public struct SinkEndpoint: Sendable {
  /// The sink. The store keeps its queue under this number, so it must not change.
  public var id: SinkID
  /// The format of messages and answers.
  public var format: any SinkFormat
  /// The root of a server of ``CordonFormat`` or ``IngestFormat``; otherwise the receiver itself.
  public var url: URL { didSet { positionsURL = SinkEndpoint.positionsURL(of: bareURL) } }
  /// A bearer token that never changes, for receivers without activation. It is not part of any description.
  public var token: String?
  /// Whether bodies are compressed.
  public var usesGzip: Bool
  /// The URL of rows at a server of ``CordonFormat``, which most requests use.
  private(set) var positionsURL: URL

  /// Makes an endpoint.
  /// - Parameters:
  ///   - format: `.cordon`, `.ingest`, `.overland`, `.ownTracks`, `.file`, or a custom format.
  ///   - id: the sink; `nil` for the format's own number. A second endpoint of one format needs another number.
  ///   - url: see ``url``.
  ///   - token: see ``token``.
  ///   - usesGzip: whether bodies are compressed; `nil` takes the format's default.
  public init(
    _ format: some SinkFormat, id: SinkID? = nil, url: URL, token: String? = nil, usesGzip: Bool? = nil
  ) {
    self.format = format
    self.id = id ?? format.sinkID
    self.url = url
    self.token = token
    self.usesGzip = usesGzip ?? format.usesGzip
    positionsURL = url
    positionsURL = SinkEndpoint.positionsURL(of: bareURL)
  }

  /// The sink for the configuration: required, with the abilities of the format.
  public var sink: Sink { Sink(id, abilities: format.abilities) }

  /// Returns the message for a request; `nil` when the format has no such request.
  public func message(for request: SinkRequest) -> HTTPRequest? { format.message(for: request, at: self) }

  /// Returns the meaning of an answer to a request.
  public func response(to request: SinkRequest, from answer: HTTPResponse) -> SinkResponse {
    format.response(to: request, from: answer, at: self)
  }

  /// Sends a request to its sink and returns the response. Never throws: failed requests are repeated.
  public func deliver(_ request: SinkRequest, over transport: any HTTPTransport) async -> SinkResponse {
    await format.deliver(request, to: self, over: transport)
  }

  private static func positionsURL(of root: URL) -> URL {
    root.appendingPathComponent("v1").appendingPathComponent("positions")
  }

  /// The URL without its user name and password.
  public var bareURL: URL {
    guard url.user != nil, var components = URLComponents(url: url, resolvingAgainstBaseURL: true) else { return url }
    components.user = nil
    components.password = nil
    return components.url ?? url
  }

  /// The value of `Authorization` for a receiver without activation: the bearer token, or `user:password` of the URL.
  public var authorization: String? {
    if let token { return "Bearer \(token)" }
    // URL components return their parts without percent encoding.
    let parts = URLComponents(url: url, resolvingAgainstBaseURL: true)
    guard let user = parts?.user, let password = parts?.password else { return nil }
    return "Basic " + Data("\(user):\(password)".utf8).base64EncodedString()
  }

  /// Makes a JSON message to a path below ``url``, compressed if that saves bytes.
  func json(_ method: String, _ path: [String], _ body: [UInt8]) -> HTTPRequest {
    json(method, path.isEmpty ? bareURL : bareURL.appendingPathComponent(path.joined(separator: "/")), body)
  }

  /// Makes a JSON message.
  func json(_ method: String, _ url: URL, _ body: [UInt8]) -> HTTPRequest {
    var message = HTTPRequest(method: method, url: url, headers: ["accept": "application/json"], body: body)
    if !body.isEmpty { message.headers["content-type"] = "application/json" }
    if usesGzip, body.count > 1_024 {
      message.body = Gzip.compress(body)
      message.headers["content-encoding"] = "gzip"
    }
    return message
  }
}
