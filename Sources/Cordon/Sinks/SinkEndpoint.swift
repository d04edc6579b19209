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
  /// Which sink it is; the store keeps what waits for it under this number, so it must not change.
  public var id: SinkID
  /// What is sent, and what an answer means.
  public var format: any SinkFormat
  /// The root of a server of ``CordonFormat`` or ``IngestFormat``; otherwise the receiver itself.
  public var url: URL { didSet { positionsURL = SinkEndpoint.positionsURL(of: bareURL) } }
  /// A bearer token that never changes, for receivers without activation. It is not part of any description.
  public var token: String?
  /// Whether bodies are compressed.
  public var usesGzip: Bool
  /// Where rows go at a server of ``CordonFormat``: the one address that is asked for all the time.
  private(set) var positionsURL: URL

  /// An endpoint.
  /// - Parameters:
  ///   - format: what is sent, and what an answer means: `.cordon`, `.ingest`, `.overland`, `.ownTracks`, `.file`, or one of your own.
  ///   - id: which sink it is; `nil` for the format's own number. Of two endpoints of one format, one needs a number of its own.
  ///   - url: see ``url``.
  ///   - token: see ``token``.
  ///   - usesGzip: whether bodies are compressed; `nil` as is usual for the format.
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

  /// The sink as settings have it: required, with the abilities of the format.
  public var sink: Sink { Sink(id, abilities: format.abilities) }

  /// The message for a request; `nil` when the format has no such request.
  public func message(for request: SinkRequest) -> HTTPRequest? { format.message(for: request, at: self) }

  /// What an answer means for its request.
  public func response(to request: SinkRequest, from answer: HTTPResponse) -> SinkResponse {
    format.response(to: request, from: answer, at: self)
  }

  /// Carries a request to its sink and returns what became of it. Never throws: what fails is asked again.
  public func deliver(_ request: SinkRequest, over transport: any HTTPTransport) async -> SinkResponse {
    await format.deliver(request, to: self, over: transport)
  }

  private static func positionsURL(of root: URL) -> URL {
    root.appendingPathComponent("v1").appendingPathComponent("positions")
  }

  /// The address without a name and password in it.
  public var bareURL: URL {
    guard url.user != nil, var components = URLComponents(url: url, resolvingAgainstBaseURL: true) else { return url }
    components.user = nil
    components.password = nil
    return components.url ?? url
  }

  /// The value of `Authorization` for a receiver without activation: the bearer token, or `user:password` of the address.
  public var authorization: String? {
    if let token { return "Bearer \(token)" }
    // The parts of components are without percent encoding.
    let parts = URLComponents(url: url, resolvingAgainstBaseURL: true)
    guard let user = parts?.user, let password = parts?.password else { return nil }
    return "Basic " + Data("\(user):\(password)".utf8).base64EncodedString()
  }

  /// A message of JSON to an address below ``url``, compressed if that is worth it.
  func json(_ method: String, _ path: [String], _ body: [UInt8]) -> HTTPRequest {
    json(method, path.isEmpty ? bareURL : bareURL.appendingPathComponent(path.joined(separator: "/")), body)
  }

  /// A message of JSON.
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
