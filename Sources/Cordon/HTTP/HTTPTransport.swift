public import Foundation

#if canImport(FoundationNetworking)
  public import FoundationNetworking
#endif

/// Carries messages over HTTP.
public protocol HTTPTransport: Sendable {
  /// The answer, or ``HTTPAnswer/none`` when there was none; it never throws, as no failure calls for anything else.
  func send(_ message: HTTPMessage) async -> HTTPAnswer
}

/// Carries messages with the system's URL loading.
public struct URLSessionTransport: HTTPTransport {
  private let session: URLSession
  /// The longest body that is read.
  private let maximumBody: Int

  /// - Parameters:
  ///   - session: by default one without cookies, caches and stored credentials.
  ///   - timeout: seconds after which a request without an answer has failed.
  ///   - maximumBody: bytes of the largest answer that is taken.
  public init(session: URLSession? = nil, timeout: TimeInterval = 60, maximumBody: Int = 8 << 20) {
    if let session {
      self.session = session
    } else {
      let configuration = URLSessionConfiguration.ephemeral
      configuration.timeoutIntervalForRequest = timeout
      configuration.httpCookieStorage = nil
      configuration.urlCache = nil
      self.session = URLSession(configuration: configuration)
    }
    self.maximumBody = maximumBody
  }

  /// See ``HTTPTransport/send(_:)``.
  public func send(_ message: HTTPMessage) async -> HTTPAnswer {
    var request = URLRequest(url: message.url)
    request.httpMethod = message.method
    for (name, value) in message.headers { request.setValue(value, forHTTPHeaderField: name) }
    if !message.body.isEmpty { request.httpBody = Data(message.body) }
    let (data, response): (Data, URLResponse)
    do {
      (data, response) = try await session.data(for: request)
    } catch {
      var answer = HTTPAnswer.none
      answer.failure = error.localizedDescription
      return answer
    }
    guard let http = response as? HTTPURLResponse, data.count <= maximumBody else { return .none }
    return HTTPAnswer(
      status: http.statusCode, retryAfter: http.value(forHTTPHeaderField: "Retry-After"),
      date: http.value(forHTTPHeaderField: "Date"), etag: http.value(forHTTPHeaderField: "ETag"), body: Array(data))
  }
}
