import CordonCore
public import Foundation

#if canImport(FoundationNetworking)
  public import FoundationNetworking
#endif

/// Sends messages over HTTP.
///
/// A custom transport must not follow redirects: the answer of a redirect names a host, which would receive the token
/// and the locations.
public protocol HTTPTransport: Sendable {
  /// Sends a message and returns its answer, or ``HTTPResponse/none`` without one. It never throws: all failures are
  /// handled alike.
  func send(_ message: HTTPRequest) async -> HTTPResponse
}

/// Sends messages with the system's URL loading.
///
/// Redirects are not followed: the answer then has the status of the redirect, and ``HTTPResponse/failure`` names the
/// origin of its target.
///
/// On Linux each message has a connection of its own: when a server closes a connection that was used before, without
/// an answer, Foundation sends the message again without its body, waits for the time-out and uses a whole core until
/// then.
public struct URLSessionTransport: HTTPTransport {
  private let sessions: CallingSessions

  /// - Parameters:
  ///   - configuration: the configuration of the session; by default one without cookies, caches and stored
  ///     credentials.
  ///   - timeout: the seconds after which a request without an answer fails.
  ///   - maximumBody: the maximum size of an answer in bytes.
  public init(
    configuration: URLSessionConfiguration? = nil, timeout: TimeInterval = 60, maximumBody: Int = 8 << 20
  ) {
    let settings = configuration ?? .ephemeral
    if configuration == nil {
      settings.httpCookieStorage = nil
      settings.urlCache = nil
    }
    settings.timeoutIntervalForRequest = timeout
    sessions = CallingSessions(settings, maximumBody: maximumBody)
  }

  /// See ``HTTPTransport/send(_:)``.
  public func send(_ message: HTTPRequest) async -> HTTPResponse { await sessions.next().send(message) }
}

#if canImport(FoundationNetworking)
  /// A new session for each message.
  private struct CallingSessions: Sendable {
    private let configuration: URLSessionConfiguration
    private let maximumBody: Int

    init(_ configuration: URLSessionConfiguration, maximumBody: Int) {
      self.configuration = configuration
      self.maximumBody = maximumBody
    }

    func next() -> CallingSession { CallingSession(configuration, maximumBody: maximumBody) }
  }
#else
  /// One session for all messages.
  private struct CallingSessions: Sendable {
    private let session: CallingSession

    init(_ configuration: URLSessionConfiguration, maximumBody: Int) {
      session = CallingSession(configuration, maximumBody: maximumBody)
    }

    func next() -> CallingSession { session }
  }
#endif

/// A session that ends with its owner.
private final class CallingSession: Sendable {
  private let session: URLSession
  private let calls: URLSessionCalls

  init(_ configuration: URLSessionConfiguration, maximumBody: Int) {
    calls = URLSessionCalls(maximumBody: maximumBody)
    session = URLSession(configuration: configuration, delegate: calls, delegateQueue: nil)
  }

  deinit { session.finishTasksAndInvalidate() }

  func send(_ message: HTTPRequest) async -> HTTPResponse {
    await calls.answer(to: session.dataTask(with: URLRequest(message)), message)
  }
}

extension URLRequest {
  /// Makes the URL request of a message, without its body.
  package init(head message: HTTPRequest) {
    self.init(url: message.url)
    httpMethod = message.method
    for (name, value) in message.headers { setValue(value, forHTTPHeaderField: name) }
  }

  fileprivate init(_ message: HTTPRequest) {
    self.init(head: message)
    if !message.body.isEmpty { httpBody = Data(message.body) }
  }
}

extension HTTPResponse {
  /// Makes an answer of a URL response. A response from another origin than the request's counts as no answer.
  package init(_ response: HTTPURLResponse, to message: HTTPRequest, body: [UInt8]) {
    if let url = response.url, HTTPResponse.origin(of: url) != HTTPResponse.origin(of: message.url) {
      self = .none(because: "the request was redirected to \(HTTPResponse.origin(of: url))")
      return
    }
    var headers: [String: String] = [:]
    for (name, value) in response.allHeaderFields {
      if let name = name as? String, let value = value as? String { headers[name.lowercased()] = value }
    }
    self.init(status: response.statusCode, headers: headers, body: body)
    guard (300..<400).contains(status), let location = headers["location"] else { return }
    let target = URL(string: location, relativeTo: message.url).map(HTTPResponse.origin) ?? "nowhere"
    failure = "the server redirects to \(target) (status \(status)), which is not followed"
  }

  /// Returns scheme, host and port of an address, which name no person.
  private static func origin(of url: URL) -> String {
    let scheme = url.scheme?.lowercased() ?? "?"
    let port = url.port ?? (scheme == "https" ? 443 : 80)
    let host = String((url.host?.lowercased() ?? "?").filter { $0.isASCII && !$0.isWhitespace }.prefix(255))
    return ["https": 443, "http": 80][scheme] == port ? "\(scheme)://\(host)" : "\(scheme)://\(host):\(port)"
  }
}
