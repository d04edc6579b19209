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
    let transport = transport
    Task.detached {
      box.answer = await transport.send(message)
      box.done.signal()
    }
    box.done.wait()
    return (endpoint.response(to: request, from: box.answer), message.body.count)
  }
}

/// Hands an answer from the task that got it to the thread that waits.
///
/// `@unchecked Sendable` holds because `answer` is written once, before `done` is signalled, and read after it was waited for.
private final class AnswerBox: @unchecked Sendable {
  var answer = HTTPAnswer.none
  let done = DispatchSemaphore(value: 0)
}
