import ArgumentParser
import Cordon
import CordonCore
import CordonMonitoring
import CordonTesting
import CordonWire
import Foundation

/// Where a replay's rows go.
protocol ReplaySink: AnyObject {
  /// Carries a request and brings the answer.
  func carry(_ request: Request, _ now: Instant) throws -> Response
  /// Rows that were acknowledged, by device and time.
  var received: [Location] { get }
}

/// A sink in this process, which may also write what it gets to a file.
final class LocalSink: ReplaySink {
  private let sink = InProcessSink()
  /// Bodies of batches, one a line.
  private(set) var lines = ""
  private let keepsLines: Bool

  init(keepsLines: Bool) { self.keepsLines = keepsLines }

  func carry(_ request: Request, _ now: Instant) -> Response {
    if keepsLines, case .positions(let rows, _) = request.body {
      lines += String(decoding: PositionBatch.encode(rows), as: UTF8.self) + "\n"
    }
    return sink.handle(request, now: now)
  }

  var received: [Location] { sink.locations }
}

/// A server that runs.
final class ServerSink: ReplaySink {
  private let endpoint: SinkEndpoint
  private let transport: any HTTPTransport
  private var rows: [FixID: Location] = [:]

  init(url: URL) {
    endpoint = SinkEndpoint(.cordon, url: url)
    transport = URLSessionTransport()
  }

  func carry(_ request: Request, _ now: Instant) throws -> Response {
    guard let message = endpoint.message(for: request) else { return Response(number: request.number, status: 0) }
    let response = endpoint.response(to: request, from: Self.wait(transport, message))
    if case .positions(let sent, _) = request.body, case .rows(let answers) = response.body {
      let kept = Set(answers.filter(\.status.isKept).map(\.id))
      for row in sent where kept.contains(row.id) { rows[row.id] = row }
    }
    return response
  }

  var received: [Location] { rows.values.sorted { ($0.device, $0.id) < ($1.device, $1.id) } }

  /// The command has one thread and nothing else to do while it waits.
  private static func wait(_ transport: any HTTPTransport, _ message: HTTPMessage) -> HTTPAnswer {
    // `@unchecked Sendable` holds because `answer` is written once, before the signal, and read after it.
    final class Box: @unchecked Sendable {
      var answer = HTTPAnswer.none
    }
    let box = Box()
    let done = DispatchSemaphore(value: 0)
    Task.detached {
      box.answer = await transport.send(message)
      done.signal()
    }
    done.wait()
    return box.answer
  }
}

/// How fast a replay's clock goes.
struct ReplaySpeed: ExpressibleByArgument, Sendable {
  /// Times real time; `nil` for as fast as it goes.
  let factor: Double?

  init(factor: Double?) { self.factor = factor }

  init?(argument: String) {
    if argument == "max" {
      factor = nil
    } else {
      guard argument.hasSuffix("x"), let number = Double(argument.dropLast()), number.isFinite, number > 0 else {
        return nil
      }
      factor = number
    }
  }

  var defaultValueDescription: String { factor.map { "\(JSONValue.number($0).text())x" } ?? "max" }
}

/// Holds a replay to a clock.
final class ReplayPace {
  private let factor: Double?
  private var begin: (virtual: Instant, real: Date)?

  init(_ speed: ReplaySpeed) { factor = speed.factor }

  func wait(until time: Instant) throws {
    if Interruption.isRequested { throw Failure("interrupted", code: "interrupted", status: .interrupted) }
    guard let factor else { return }
    guard let begin else {
      self.begin = (time, Date())
      return
    }
    let due = begin.real.addingTimeInterval((time - begin.virtual).seconds / factor)
    while true {
      let left = due.timeIntervalSinceNow
      if left <= 0 { return }
      if Interruption.isRequested { throw Failure("interrupted", code: "interrupted", status: .interrupted) }
      Thread.sleep(forTimeInterval: min(left, 0.2))
    }
  }
}
