package import CordonCore
public import CordonMonitoring
public import Foundation

/// Where a sink is, and what opens its door.
public struct SinkEndpoint: Hashable, Sendable {
  /// Which sink; its number decides the messages.
  public var sink: SinkID
  /// For `SinkID.cordon` and `SinkID.ingest` the root of the server; for others the address of the receiver itself.
  public var url: URL { didSet { positionsURL = SinkEndpoint.positionsURL(of: bareURL) } }
  /// A bearer token that never changes, for receivers without activation. It is not part of any description.
  public var token: String?
  /// Whether bodies are compressed.
  public var usesGzip: Bool
  /// Whether an Overland receiver's every success means that the locations were taken, as some never say `{"result":"ok"}`.
  public var acceptsAnySuccess = false
  /// Where rows go, as ``url`` has it: the one path that is asked for all the time.
  private(set) var positionsURL: URL

  /// An address.
  public init(_ sink: SinkID, url: URL, token: String? = nil, usesGzip: Bool? = nil) {
    self.sink = sink
    self.url = url
    self.token = token
    self.usesGzip = usesGzip ?? (sink == .cordon)
    positionsURL = url
    positionsURL = SinkEndpoint.positionsURL(of: bareURL)
  }

  private static func positionsURL(of root: URL) -> URL {
    root.appendingPathComponent("v1").appendingPathComponent("positions")
  }
}

/// One message over HTTP, before any library has seen it.
public struct HTTPMessage: Hashable, Sendable {
  /// `GET`, `POST`, `DELETE`.
  public var method: String
  /// Where to.
  public var url: URL
  /// Names in lower case.
  public var headers: [String: String]
  /// Empty for none.
  public var body: [UInt8]

  /// A message.
  public init(method: String, url: URL, headers: [String: String] = [:], body: [UInt8] = []) {
    self.method = method
    self.url = url
    self.headers = headers
    self.body = body
  }
}

/// One answer over HTTP.
public struct HTTPAnswer: Hashable, Sendable {
  /// The status; 0 when there was no answer.
  public var status: Int
  /// The header `Retry-After`, as it came.
  public var retryAfter: String?
  /// The header `Date`, as it came.
  public var date: String?
  /// The header `ETag`, as it came.
  public var etag: String?
  /// The body.
  public var body: [UInt8]
  /// Why there was no answer, for people; `nil` when there was one.
  public var failure: String?

  /// An answer.
  public init(status: Int, retryAfter: String? = nil, date: String? = nil, etag: String? = nil, body: [UInt8] = []) {
    self.status = status
    self.retryAfter = retryAfter
    self.date = date
    self.etag = etag
    self.body = body
  }

  /// How long the server asks to wait: `Retry-After` in seconds, or as a date against the server's own clock.
  package var wait: TimeSpan? {
    guard let retryAfter else { return nil }
    if let seconds = Int64(retryAfter) { return .seconds(max(0, seconds)) }
    guard let until = HTTPDate.parse(retryAfter) else { return nil }
    return max(until - (date.flatMap(HTTPDate.parse) ?? SystemClock.wall), .zero)
  }

  /// There was none.
  public static let none = HTTPAnswer(status: 0)
}
