package import Foundation

#if canImport(FoundationNetworking)
  package import FoundationNetworking
#endif

/// Matches the tasks of a session with their callers, and refuses redirects.
///
/// It is the session's own delegate: on Linux a task with a delegate of its own, or with a completion handler,
/// follows redirects without asking.
///
/// `@unchecked Sendable` holds because every access to the mutable fields happens with `lock` held.
package final class URLSessionCalls: NSObject, URLSessionDataDelegate, @unchecked Sendable {
  private struct Call {
    var message: HTTPRequest
    var continuation: CheckedContinuation<HTTPResponse, Never>
    var body: [UInt8] = []
    var isTooLong = false
  }

  private let maximumBody: Int
  private let lock = NSLock()
  private var waiting: [Int: Call] = [:]
  private var completion: (@Sendable () -> Void)?

  /// - Parameter maximumBody: the maximum size of an answer in bytes.
  package init(maximumBody: Int = 8 << 20) { self.maximumBody = maximumBody }

  /// Starts a task of the session, and returns its answer.
  package func answer(to task: URLSessionTask, _ message: HTTPRequest) async -> HTTPResponse {
    await withTaskCancellationHandler {
      await withCheckedContinuation { continuation in
        lock.withLock { waiting[task.taskIdentifier] = Call(message: message, continuation: continuation) }
        task.resume()
      }
    } onCancel: {
      task.cancel()
    }
  }

  /// Sets a closure that is called when a background session has delivered all events.
  package func finishEvents(_ completion: @escaping @Sendable () -> Void) {
    lock.withLock { self.completion = completion }
  }

  package func urlSession(_ session: URLSession, dataTask: URLSessionDataTask, didReceive data: Data) {
    let isTooLong = lock.withLock {
      let number = dataTask.taskIdentifier
      guard let call = waiting[number] else { return false }
      if call.body.count + data.count > maximumBody { waiting[number]?.isTooLong = true }
      if waiting[number]?.isTooLong == false { waiting[number]?.body.append(contentsOf: data) }
      return waiting[number]?.isTooLong == true
    }
    if isTooLong { dataTask.cancel() }
  }

  // A background session follows redirects without asking; `HTTPResponse` rejects an answer from another origin.
  package func urlSession(
    _ session: URLSession, task: URLSessionTask, willPerformHTTPRedirection response: HTTPURLResponse,
    newRequest request: URLRequest, completionHandler: @escaping @Sendable (URLRequest?) -> Void
  ) {
    completionHandler(nil)
  }

  package func urlSession(_ session: URLSession, task: URLSessionTask, didCompleteWithError error: (any Error)?) {
    // The task is of an earlier launch and has no caller; its rows are sent again.
    guard let call = lock.withLock({ waiting.removeValue(forKey: task.taskIdentifier) }) else { return }
    let answer: HTTPResponse
    if call.isTooLong {
      answer = .none(because: "the answer is longer than \(maximumBody) bytes")
    } else if let error {
      answer = .none(because: error.localizedDescription)
    } else if let http = task.response as? HTTPURLResponse {
      answer = HTTPResponse(http, to: call.message, body: call.body)
    } else {
      answer = .none
    }
    call.continuation.resume(returning: answer)
  }

  package func urlSessionDidFinishEvents(forBackgroundURLSession session: URLSession) {
    let completion = lock.withLock { () -> (@Sendable () -> Void)? in
      defer { self.completion = nil }
      return self.completion
    }
    if let completion { DispatchQueue.main.async { completion() } }
  }
}
