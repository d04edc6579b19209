public import CordonCore
public import Foundation

/// One message over HTTP, before any library has seen it.
public struct HTTPRequest: Hashable, Sendable {
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
public struct HTTPResponse: Hashable, Sendable {
  /// The status; 0 when there was no answer.
  public var status: Int
  /// Names in lower case; of fields with one name, one.
  public var headers: [String: String]
  /// The body, without content coding.
  public var body: [UInt8]
  /// Why there was no answer, or none that is any good, for people; `nil` when there was one.
  public var failure: String?

  /// An answer.
  public init(status: Int, headers: [String: String] = [:], body: [UInt8] = []) {
    self.status = status
    self.headers = headers
    self.body = body
  }

  /// How long the server asks to wait: `Retry-After` in seconds, or as a date against the server's own clock.
  public var wait: TimeSpan? {
    guard let retryAfter = headers["retry-after"] else { return nil }
    if let seconds = Int64(retryAfter) { return .seconds(max(0, seconds)) }
    guard let until = HTTPDate.parse(retryAfter) else { return nil }
    return max(until - (headers["date"].flatMap(HTTPDate.parse) ?? SystemClock.wall), .zero)
  }

  /// There was none.
  public static let none = HTTPResponse(status: 0)

  /// There was none, for a reason.
  public static func none(because failure: String) -> HTTPResponse {
    var answer = HTTPResponse.none
    answer.failure = failure
    return answer
  }
}
