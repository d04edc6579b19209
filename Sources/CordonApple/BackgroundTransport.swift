public import Cordon
import Foundation

#if canImport(FoundationNetworking)
  import FoundationNetworking
#endif

/// Carries bodies in a background session, from files, so that an upload goes on while the app is suspended.
///
/// Messages without a body go over a plain session, as background sessions only take files. When the app is ended
/// meanwhile its request is forgotten, not its rows: their lease ends, they are sent again, and the server knows them by their
/// identity. Files hold what is being sent; they are the owner's only, and are removed when it ends.
public final class BackgroundTransport: HTTPTransport {
  /// The identifier of the session, as in `application(_:handleEventsForBackgroundURLSession:completionHandler:)`.
  public static let identifier = "cordon.upload"

  private let session: URLSession
  private let plain: URLSessionTransport
  private let calls: UploadCalls
  private let folder: URL

  #if canImport(ObjectiveC)
    /// A transport whose uploads outlive the app's time in front. Make one for each app and launch.
    public convenience init() {
      let configuration = URLSessionConfiguration.background(withIdentifier: BackgroundTransport.identifier)
      configuration.sessionSendsLaunchEvents = true
      configuration.isDiscretionary = false
      configuration.httpCookieStorage = nil
      self.init(configuration: configuration)
    }
  #endif

  init(configuration: URLSessionConfiguration, folder: URL? = nil) {
    calls = UploadCalls()
    session = URLSession(configuration: configuration, delegate: calls, delegateQueue: nil)
    plain = URLSessionTransport()
    let caches = FileManager.default.urls(for: .cachesDirectory, in: .userDomainMask).first
    self.folder =
      folder ?? (caches ?? FileManager.default.temporaryDirectory).appendingPathComponent("cordon-uploads")
    // What an earlier launch left behind belongs to requests that are forgotten.
    try? FileManager.default.removeItem(at: self.folder)
  }

  deinit { session.finishTasksAndInvalidate() }

  /// The system woke the app for this session; `completion` is called when it has said everything.
  public func finishEvents(_ completion: @escaping @Sendable () -> Void) { calls.finishEvents(completion) }

  /// See `HTTPTransport.send(_:)`.
  public func send(_ message: HTTPMessage) async -> HTTPAnswer {
    guard !message.body.isEmpty else { return await plain.send(message) }
    guard let file = write(message.body) else { return .none }
    defer { try? FileManager.default.removeItem(at: file) }
    var request = URLRequest(url: message.url)
    request.httpMethod = message.method
    for (name, value) in message.headers { request.setValue(value, forHTTPHeaderField: name) }
    let task = session.uploadTask(with: request, fromFile: file)
    return await calls.answer(to: task)
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

/// Pairs the tasks of a session with those who wait for them.
///
/// `@unchecked Sendable` holds because everything that changes is touched under `lock` only.
final class UploadCalls: NSObject, URLSessionDataDelegate, @unchecked Sendable {
  private static let maximumBody = 8 << 20
  private let lock = NSLock()
  private var waiting: [Int: CheckedContinuation<HTTPAnswer, Never>] = [:]
  private var bodies: [Int: [UInt8]] = [:]
  private var completion: (@Sendable () -> Void)?

  func answer(to task: URLSessionTask) async -> HTTPAnswer {
    await withTaskCancellationHandler {
      await withCheckedContinuation { continuation in
        lock.withLock { waiting[task.taskIdentifier] = continuation }
        task.resume()
      }
    } onCancel: {
      task.cancel()
    }
  }

  func finishEvents(_ completion: @escaping @Sendable () -> Void) { lock.withLock { self.completion = completion } }

  func urlSession(_ session: URLSession, dataTask: URLSessionDataTask, didReceive data: Data) {
    lock.withLock {
      guard bodies[dataTask.taskIdentifier, default: []].count + data.count <= UploadCalls.maximumBody else { return }
      bodies[dataTask.taskIdentifier, default: []].append(contentsOf: data)
    }
  }

  func urlSession(_ session: URLSession, task: URLSessionTask, didCompleteWithError error: (any Error)?) {
    let (continuation, body) = lock.withLock {
      (waiting.removeValue(forKey: task.taskIdentifier), bodies.removeValue(forKey: task.taskIdentifier) ?? [])
    }
    // A task of an earlier launch: nobody waits, and its rows come again.
    guard let continuation else { return }
    guard error == nil, let http = task.response as? HTTPURLResponse else {
      var answer = HTTPAnswer.none
      answer.failure = error?.localizedDescription
      continuation.resume(returning: answer)
      return
    }
    continuation.resume(
      returning: HTTPAnswer(
        status: http.statusCode, retryAfter: http.value(forHTTPHeaderField: "Retry-After"),
        date: http.value(forHTTPHeaderField: "Date"), body: body))
  }

  func urlSessionDidFinishEvents(forBackgroundURLSession session: URLSession) {
    let completion = lock.withLock { () -> (@Sendable () -> Void)? in
      defer { self.completion = nil }
      return self.completion
    }
    if let completion { DispatchQueue.main.async { completion() } }
  }
}
