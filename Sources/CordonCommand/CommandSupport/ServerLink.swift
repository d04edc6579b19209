import Cordon
import CordonCommandLine
import CordonConsole
import CordonMonitoring
import Foundation

/// Carries the requests of devices that run in this process to a real server, one at a time, and waits for each answer.
final class ServerLink {
  private let endpoint: SinkEndpoint
  private let transport = URLSessionTransport()
  /// Requests that were sent, and how many of them the server took.
  private var sent = 0
  private var taken = 0
  /// How many were not answered at all, and after how many of them, with none taken before, the server is not asked any more: a
  /// name that nobody knows is looked up for a while each time.
  private var silent = 0
  private static let maximumSilence = 20
  /// Why the last one was not.
  private var reason = ""

  init(url: URL) { endpoint = SinkEndpoint(.cordon, url: url) }

  /// Sends a request and waits for its answer, of status 0 when there was none; `nil` for what a server is not asked.
  func carry(_ request: SinkRequest) -> (response: SinkResponse, bytes: Int)? {
    guard let message = endpoint.message(for: request) else { return nil }
    guard taken > 0 || silent < Self.maximumSilence else { return (endpoint.response(to: request, from: .none), 0) }
    let box = AnswerBox()
    let transport = transport
    Task.detached {
      box.answer = await transport.send(message)
      box.done.signal()
    }
    box.done.wait()
    note(box.answer)
    return (endpoint.response(to: request, from: box.answer), message.body.count)
  }

  /// When the server took nothing at all, why the last request was not taken. Nothing when it was never asked.
  func checkThatItTookSomething(_ option: String) throws {
    guard sent > 0, taken == 0 else { return }
    let requests = Counted.of(sent, "request")
    throw CommandError(
      "\(option): \(endpoint.url.absoluteString) took none of \(requests): \(reason)", code: "server", status: .findings
    )
  }

  private func note(_ answer: HTTPResponse) {
    sent += 1
    if (200..<300).contains(answer.status) {
      taken += 1
    } else if answer.status == 0 {
      silent += 1
      reason = answer.failure ?? "no answer"
    } else {
      let problem = try? JSONSerialization.jsonObject(with: Data(answer.body)) as? [String: Any]
      reason = ["status \(answer.status)", problem?["detail"] as? String].compactMap(\.self).joined(separator: ", ")
    }
  }
}

/// Hands an answer from the task that got it to the thread that waits.
///
/// `@unchecked Sendable` holds because `answer` is written once, before `done` is signalled, and read after it was waited for.
private final class AnswerBox: @unchecked Sendable {
  var answer = HTTPResponse.none
  let done = DispatchSemaphore(value: 0)
}
