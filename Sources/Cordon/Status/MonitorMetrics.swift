import CordonMonitoring

/// Receives the monitor's counters and gauges, such as a bridge to swift-metrics. Called on the monitor's executor;
/// must not block.
///
/// | name | kind | labels |
/// |---|---|---|
/// | `cordon_fixes` | counter | |
/// | `cordon_fixes_refused` | counter | `reason`: a `RefusalReason` |
/// | `cordon_fixes_thinned` | counter | |
/// | `cordon_locations_stored`, `_acknowledged`, `_quarantined`, `_expired`, `_erased` | counter | |
/// | `cordon_locations_waiting` | gauge | |
/// | `cordon_requests` | counter | `sink`, `status`: the HTTP status, 0 without an answer |
public protocol MonitorMetrics: Sendable {
  /// Adds to a counter.
  func increment(_ name: String, by count: UInt64, labels: [String: String])
  /// Sets a gauge.
  func set(_ name: String, to value: Double, labels: [String: String])
}

/// Converts a monitor's figures into increments of counters.
struct MetricsRecorder {
  private let metrics: any MonitorMetrics
  private var last: Accounting

  /// - Parameter accounting: the figures that an earlier process has reported already.
  init(_ metrics: any MonitorMetrics, since accounting: Accounting) {
    self.metrics = metrics
    last = accounting
  }

  mutating func note(_ now: Accounting) {
    guard now != last else { return }
    count("cordon_fixes", last.fixes, now.fixes)
    count("cordon_fixes_thinned", last.thinned, now.thinned)
    for reason in RefusalReason.allCases {
      count("cordon_fixes_refused", last[reason], now[reason], labels: ["reason": reason.rawValue])
    }
    count("cordon_locations_stored", last.stored, now.stored)
    count("cordon_locations_acknowledged", last.acknowledged, now.acknowledged)
    count("cordon_locations_quarantined", last.quarantined, now.quarantined)
    count("cordon_locations_expired", last.expired, now.expired)
    count("cordon_locations_erased", last.erased, now.erased)
    if now.onPhone != last.onPhone { metrics.set("cordon_locations_waiting", to: Double(now.onPhone), labels: [:]) }
    last = now
  }

  func note(_ response: SinkResponse, from sink: SinkID) {
    metrics.increment("cordon_requests", by: 1, labels: ["sink": "\(sink)", "status": "\(response.status)"])
  }

  private func count(_ name: String, _ before: UInt64, _ now: UInt64, labels: [String: String] = [:]) {
    // Figures fall when a write fails; a counter only rises.
    if now > before { metrics.increment(name, by: now - before, labels: labels) }
  }
}
