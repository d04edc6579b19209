internal import CordonCore
internal import CordonIngest

/// The Prometheus text format of the metrics.
struct PrometheusText {
  private(set) var text = ""

  mutating func family(_ name: String, _ kind: String, _ help: String) {
    text += "# HELP cordon_\(name) \(help)\n# TYPE cordon_\(name) \(kind)\n"
  }

  mutating func value(_ name: String, _ value: Double, _ labels: [(String, String)] = []) {
    text += "cordon_\(name)"
    if !labels.isEmpty {
      text += "{" + labels.map { "\($0.0)=\"\(Self.escaped($0.1))\"" }.joined(separator: ",") + "}"
    }
    text += value == value.rounded() && abs(value) < 1e15 ? " \(Int64(value))\n" : " \(value)\n"
  }

  private static func escaped(_ text: String) -> String {
    text.replacing("\\", with: "\\\\").replacing("\"", with: "\\\"").replacing("\n", with: "\\n")
  }

  private mutating func single(_ name: String, _ kind: String, _ help: String, _ value: Double) {
    family(name, kind, help)
    self.value(name, value)
  }

  /// Returns all metrics of the server.
  static func page(
    _ metrics: IngestMetrics, latencies: Latencies.Counts, waitingRows: Int, pressure: Int, now: Instant
  ) -> String {
    var page = PrometheusText()
    page.family("rows_total", "counter", "Rows by what became of them.")
    page.value("rows_total", Double(metrics.stored), [("status", "stored")])
    page.value("rows_total", Double(metrics.known), [("status", "known")])
    for reason in metrics.refused.keys.sorted() {
      page.value("rows_total", Double(metrics.refused[reason] ?? 0), [("status", "refused"), ("reason", reason)])
    }
    page.family("responses_total", "counter", "Responses of the core by status.")
    for status in metrics.responses.keys.sorted() {
      page.value("responses_total", Double(metrics.responses[status] ?? 0), [("status", String(status))])
    }
    page.single("batches_total", "counter", "Batches committed.", Double(metrics.batches))
    page.single("commits_total", "counter", "Transactions that held them.", Double(metrics.commits))
    page.single("contact_changes_total", "counter", "Contacts that came or changed.", Double(metrics.contactChanges))
    page.single("contact_points", "gauge", "Positions in memory for contacts.", Double(metrics.contactPoints))
    page.single("late_settled_total", "counter", "Late stretches whose contacts were found.", Double(metrics.settled))
    page.single("devices_erased_total", "counter", "Devices erased on request.", Double(metrics.erased))
    page.family("retention_deleted_total", "counter", "Deleted for their age, by class.")
    page.value("retention_deleted_total", Double(metrics.expired.positions), [("class", "positions")])
    page.value("retention_deleted_total", Double(metrics.expired.contacts), [("class", "contacts")])
    page.value("retention_deleted_total", Double(metrics.expired.devices), [("class", "devices")])
    page.value("retention_deleted_total", Double(metrics.expired.others), [("class", "other")])
    if let last = metrics.lastRetention {
      page.single(
        "retention_age_seconds", "gauge", "Time since the retention job last ran.",
        Double(now.milliseconds - last.milliseconds) / 1_000)
    }
    page.single("store_faults_total", "counter", "Faults of the store.", Double(metrics.storeFaults))
    page.family("not_ready", "gauge", "1 for each cause that keeps the server from being ready.")
    for cause in Ingest.Unreadiness.allCases {
      page.value("not_ready", metrics.unreadiness.contains(cause) ? 1 : 0, [("cause", cause.rawValue)])
    }
    page.single("waiting_rows", "gauge", "Rows that wait to be stored.", Double(waitingRows))
    page.single("pressure_refused_total", "counter", "Requests refused because too much waited.", Double(pressure))
    page.family("request_seconds", "histogram", "How long requests took.")
    var sum = 0
    for (bound, count) in zip(Latencies.bounds, latencies.buckets) {
      sum += count
      page.value("request_seconds_bucket", Double(sum), [("le", String(bound))])
    }
    page.value("request_seconds_bucket", Double(latencies.count), [("le", "+Inf")])
    page.value("request_seconds_sum", latencies.sum)
    page.value("request_seconds_count", Double(latencies.count))
    return page.text
  }
}
