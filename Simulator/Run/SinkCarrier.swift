import CordonCore
import CordonMonitoring
import CordonTesting

/// Carries requests to the in-process sink and keeps count.
final class SinkCarrier {
  /// What was carried.
  struct Traffic: Hashable, Sendable {
    var requests = 0
    var failedRequests = 0
    var bytesSent = 0
    var rowsReceived = 0
    /// Milliseconds from the fix to its acknowledgement, rounded down to whole seconds, by how many rows.
    var delays: [Int: Int] = [:]
  }

  let sink: InProcessSink
  private(set) var traffic = Traffic()

  init(sink: InProcessSink) { self.sink = sink }

  /// Brings a request and its answer through the wire format, as a network would.
  func carry(_ request: Request, at now: Instant) -> Response {
    traffic.requests += 1
    let response = sink.handle(request, now: now)
    if !(200..<300).contains(response.status) { traffic.failedRequests += 1 }
    if case .positions(let rows, _) = request.body, case .rows(let answers) = response.body {
      traffic.rowsReceived += rows.count
      for (row, answer) in zip(rows, answers) where answer.status.isKept {
        traffic.delays[Int((now - row.time).milliseconds / 1_000), default: 0] += 1
      }
    }
    return response
  }
}

extension SinkCarrier.Traffic {
  /// The number of seconds within which the share `quantile` of the rows was acknowledged; `nil` without rows.
  func delay(quantile: Double) -> Double? {
    let total = delays.values.reduce(0, +)
    guard total > 0 else { return nil }
    var seen = 0
    for (seconds, count) in delays.sorted(by: { $0.key < $1.key }) {
      seen += count
      if Double(seen) >= quantile * Double(total) { return Double(seconds) }
    }
    return nil
  }
}
