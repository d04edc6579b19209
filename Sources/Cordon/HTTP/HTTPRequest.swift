public import CordonCore
public import Foundation

/// An HTTP request, independent of any library.
public struct HTTPRequest: Hashable, Sendable {
  /// `GET`, `POST`, `DELETE`.
  public var method: String
  /// The destination.
  public var url: URL
  /// Names in lower case.
  public var headers: [String: String]
  /// The body; empty for none.
  public var body: [UInt8]

  /// Makes a request.
  public init(method: String, url: URL, headers: [String: String] = [:], body: [UInt8] = []) {
    self.method = method
    self.url = url
    self.headers = headers
    self.body = body
  }
}

/// An HTTP response, independent of any library.
public struct HTTPResponse: Hashable, Sendable {
  /// The status; 0 without an answer.
  public var status: Int
  /// Names in lower case; a repeated field appears once.
  public var headers: [String: String]
  /// The body, without content coding.
  public var body: [UInt8]
  /// The reason for a missing or unusable answer, for people; `nil` for a good answer.
  public var failure: String?

  /// Makes a response.
  public init(status: Int, headers: [String: String] = [:], body: [UInt8] = []) {
    self.status = status
    self.headers = headers
    self.body = body
  }

  /// The wait that the server asks for: `Retry-After` in seconds, or as a date relative to the server's own clock.
  public var wait: TimeSpan? {
    guard let retryAfter = headers["retry-after"] else { return nil }
    if let seconds = Int64(retryAfter) { return .seconds(max(0, seconds)) }
    guard let until = HTTPDate.parse(retryAfter) else { return nil }
    return max(until - (headers["date"].flatMap(HTTPDate.parse) ?? SystemClock.wall), .zero)
  }

  /// No answer.
  public static let none = HTTPResponse(status: 0)

  /// Returns a missing answer with its reason.
  public static func none(because failure: String) -> HTTPResponse {
    var answer = HTTPResponse.none
    answer.failure = failure
    return answer
  }
}
