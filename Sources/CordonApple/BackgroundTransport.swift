public import Cordon
import Foundation

#if canImport(FoundationNetworking)
  import FoundationNetworking
#endif

/// A transport that uploads bodies from files in a background session, so that an upload continues while the app is
/// suspended.
///
/// Requests without a body use a plain session, because background sessions only upload files. If the system ends the
/// app, its request is lost but not its rows. Their lease expires, they are sent again, and the server recognises
/// duplicates by their identifiers. Files contain only the bodies in transit. Only the owner can read them, and they
/// are removed when the request ends.
///
/// The system follows redirects of background uploads without asking. The transport ignores an answer from another
/// origin, but by then that origin has received the request: use this transport only for a server that does not
/// redirect.
public final class BackgroundTransport: HTTPTransport {
  /// The identifier of the session, as in `application(_:handleEventsForBackgroundURLSession:completionHandler:)`.
  public static let identifier = "cordon.upload"

  private let session: URLSession
  private let plain: URLSessionTransport
  private let calls: URLSessionCalls
  private let folder: URL

  #if canImport(ObjectiveC)
    /// Creates a transport with uploads that continue in the background. Create one for each app and launch.
    public convenience init() {
      let configuration = URLSessionConfiguration.background(withIdentifier: BackgroundTransport.identifier)
      configuration.sessionSendsLaunchEvents = true
      configuration.isDiscretionary = false
      configuration.httpCookieStorage = nil
      self.init(configuration: configuration)
    }
  #endif

  init(configuration: URLSessionConfiguration, folder: URL? = nil) {
    calls = URLSessionCalls()
    session = URLSession(configuration: configuration, delegate: calls, delegateQueue: nil)
    plain = URLSessionTransport()
    let caches = FileManager.default.urls(for: .cachesDirectory, in: .userDomainMask).first
    self.folder =
      folder ?? (caches ?? FileManager.default.temporaryDirectory).appendingPathComponent("cordon-uploads")
    // Files of an earlier launch belong to lost requests.
    try? FileManager.default.removeItem(at: self.folder)
  }

  deinit { session.finishTasksAndInvalidate() }

  /// Handles a launch by the system for this session; `completion` is called after the session delivered all its
  /// events.
  public func finishEvents(_ completion: @escaping @Sendable () -> Void) { calls.finishEvents(completion) }

  /// See `HTTPTransport.send(_:)`.
  public func send(_ message: HTTPRequest) async -> HTTPResponse {
    guard !message.body.isEmpty else { return await plain.send(message) }
    guard let file = write(message.body) else { return .none }
    defer { try? FileManager.default.removeItem(at: file) }
    let task = session.uploadTask(with: URLRequest(head: message), fromFile: file)
    return await calls.answer(to: task, message)
  }

  private func write(_ body: [UInt8]) -> URL? {
    let file = folder.appendingPathComponent(UUID().uuidString)
    var attributes: [FileAttributeKey: Any] = [.posixPermissions: 0o600]
    #if os(iOS)
      attributes[.protectionKey] = FileProtectionType.completeUntilFirstUserAuthentication
    #endif
    try? FileManager.default.createDirectory(
      at: folder, withIntermediateDirectories: true, attributes: [.posixPermissions: 0o700])
    return FileManager.default.createFile(atPath: file.path, contents: Data(body), attributes: attributes) ? file : nil
  }
}
