import Cordon
import CordonMonitoring
import Foundation

/// Carries the requests of simulated phones to a real server, one at a time.
final class RemoteSink {
  private let endpoint: SinkEndpoint
  private let transport = URLSessionTransport()

  init(url: URL) { endpoint = SinkEndpoint(.cordon, url: url) }

  /// Sends a request and waits for its answer; status 0 when there was none.
  func carry(_ request: Request) -> (response: Response, bytes: Int) {
    guard let message = endpoint.message(for: request) else {
      return (Response(number: request.number, status: 400), 0)
    }
    let box = AnswerBox()
    let done = DispatchSemaphore(value: 0)
    let transport = transport
    Task.detached {
      box.answer = await transport.send(message)
      done.signal()
    }
    done.wait()
    return (endpoint.response(to: request, from: box.answer), message.body.count)
  }
}

/// Hands an answer from the task that got it to the thread that waits.
private final class AnswerBox: @unchecked Sendable {
  // Safe to share: written before the semaphore is signalled, read after it was waited for.
  var answer = HTTPAnswer.none
}
