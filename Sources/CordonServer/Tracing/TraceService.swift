internal import CordonConsole
internal import Logging
internal import NIOCore
internal import ServiceLifecycle

/// Exports spans to the receiver in batches, while the server runs.
struct TraceService: Service {
  let tracer: Tracer
  let receiver: OutboundAddress
  let client: any OutboundClient
  /// The client of the last request, which must not delay the end of the server.
  let lastClient: any OutboundClient
  let logger: Logger
  /// The time between two exports.
  var pause = Duration.seconds(2)
  var schedule = RetrySchedule(first: .seconds(1), longest: .seconds(30))

  /// The maximum number of spans of a request.
  static let batchSize = 512
  /// The number of attempts to send a batch. Spans are then dropped: traces are of no use later, and memory is bounded.
  static let attempts = 5

  func run() async throws {
    let log = DropLog(logger: logger)
    await cancelWhenGracefulShutdown {
      while !Task.isCancelled {
        while await export(log) {}
        try? await Task.sleep(for: pause)
      }
    }
    // The last spans are sent once, without repetition.
    _ = await send(tracer.take(Self.batchSize).spans, lastClient)
  }

  /// Sends a batch; returns whether there may be more.
  private func export(_ log: DropLog) async -> Bool {
    let (spans, dropped) = tracer.take(Self.batchSize)
    log.count(dropped, "too many spans")
    guard !spans.isEmpty else { return false }
    for attempt in 1...Self.attempts {
      let problem = await send(spans, client)
      guard let problem else { return spans.count == Self.batchSize }
      guard problem.isTemporary, attempt < Self.attempts, !Task.isCancelled else {
        log.count(spans.count, problem.reason)
        return false
      }
      let wait = schedule.wait(after: attempt, jitter: Double.random(in: 0..<1))
      try? await Task.sleep(for: .milliseconds(wait.milliseconds))
    }
    return false
  }

  private func send(_ spans: [TraceSpan], _ client: any OutboundClient) async -> (reason: String, isTemporary: Bool)? {
    guard !spans.isEmpty else { return nil }
    var fields: [OutboundRequest.Field] = [.init(name: "content-type", value: "application/json")]
    if let field = tracer.settings.field { fields.append(.init(name: field.name, value: field.value)) }
    let body = TraceSpan.body(of: spans, service: tracer.settings.service, version: CordonVersion.current)
    do throws(OutboundFault) {
      let answer = try await client.send(OutboundRequest(address: receiver, fields: fields, body: body))
      if answer.isSuccess { return nil }
      return ("status \(answer.status)", [429, 502, 503, 504].contains(answer.status))
    } catch {
      return (error.description, true)
    }
  }
}

/// Logs lost spans, at most once a minute.
private final class DropLog: Sendable {
  private let logger: Logger
  private let state = MinuteSum()

  init(logger: Logger) { self.logger = logger }

  func count(_ spans: Int, _ reason: String) {
    guard spans > 0, let sum = state.add(spans, at: .now()) else { return }
    logger.warning("spans dropped", metadata: ["count": "\(sum)", "reason": "\(reason)"])
  }
}
