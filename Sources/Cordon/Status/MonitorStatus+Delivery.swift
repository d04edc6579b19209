import CordonCore
import CordonMonitoring

extension MonitorStatus {
  /// Returns the issues that keep rows and erasures from each sink. A working sink does not hide a failing one.
  func deliveryIssues(_ configuration: MonitorConfiguration, endpoints: Set<SinkID>?) -> [MonitorIssue] {
    var issues: [MonitorIssue] = []
    if pendingErasures > 0 {
      issues.append(
        MonitorIssue(
          "erasure-pending", "A server has not confirmed the erasure yet.",
          remedy: "Keep the device online; it repeats the request until the server confirms."))
    }
    if let endpoints {
      for sink in erasingSinks where !endpoints.contains(sink) {
        issues.append(
          MonitorIssue(
            "no-endpoint", "The sink \(sink) still has to erase data, but has no address any more.",
            remedy: "Pass its SinkEndpoint again until the erasure is confirmed."))
      }
    }
    if consent.map({ $0.purposes.contains(.share) }) == false {
      issues.append(
        MonitorIssue(
          "no-consent-to-share", "The person consented to recording, not to sending.",
          remedy: "Ask for consent to share, or export what the device holds."))
      return issues
    }
    let waiting = queues.filter { $0.pending + $0.leased > 0 }
    if network == .none, !waiting.isEmpty {
      issues.append(
        MonitorIssue(
          "no-network", "There is no network; \(MonitorStatus.locations(accounting.onPhone, "waits", "wait")).",
          remedy: "Nothing to do: they are sent when there is a network."))
      return issues + quarantineIssues
    }
    if network == .metered, !configuration.sendsOnMetered, !waiting.isEmpty {
      issues.append(
        MonitorIssue(
          "metered-network",
          "The network costs money; \(MonitorStatus.locations(accounting.onPhone, "waits", "wait")) for another.",
          remedy: "Join a Wi-Fi network, or allow MonitorConfiguration.sendsOnMetered."))
    }
    for queue in waiting where endpoints?.contains(queue.sink) ?? true {
      if let issue = issue(of: queue, hasOthers: configuration.sinks.count > 1) { issues.append(issue) }
    }
    return issues + quarantineIssues
  }

  /// Returns the issue of the rows that wait for a sink, judged by its last answer.
  private func issue(of queue: QueueSummary, hasOthers: Bool) -> MonitorIssue? {
    guard let answer = lastAnswers.first(where: { $0.sink == queue.sink }) else { return nil }
    let age = queue.oldest.map { time - $0 }.map { $0 > .zero ? ", the oldest for \($0.description)" : "" } ?? ""
    let waiting = MonitorStatus.locations(queue.pending + queue.leased, "waits", "wait") + age
    let server = queue.sink == .cordon && !hasOthers ? "The server" : "The server of the sink \(queue.sink)"
    if answer.isUnreadable {
      let kind = queue.sink == .cordon ? "a Cordon server" : "a receiver of this kind (\(queue.sink))"
      return MonitorIssue(
        "not-a-server",
        "\(server) answers, but not as \(kind)\(answer.fault.map { " (\($0))" } ?? ""); \(waiting).",
        remedy: "Check the address; a captive portal or a proxy may answer in its place. Nothing is lost.")
    }
    if queue.sink == .file, answer.status == 507 {
      return MonitorIssue(
        "file-failed", "The file of locations cannot be written; \(waiting).",
        remedy: "Check its path, its owner and the free space of its disk.")
    }
    if answer.isUnproved {
      return MonitorIssue(
        "unproved-answer",
        "An answer with status \(answer.status) was ignored, because the server did not prove it; \(waiting).",
        remedy: "Check the network: a portal, a proxy or a firewall answers in place of the server. Nothing is lost.")
    }
    if let fault = answer.fault, answer.status == 403 || (200..<300).contains(answer.status) {
      return MonitorIssue(
        "data-refused", "\(server) does not accept all data (\(fault)); \(waiting).",
        remedy: "Check the consents at the platform, and patient, device and type of data of the sink. Nothing is lost."
      )
    }
    if let fault = answer.fault, answer.status == 401 {
      return MonitorIssue(
        "sign-in-needed", "\(server) needs a sign-in (\(fault)); \(waiting).",
        remedy: "Sign in at the provider of the sink again. Nothing is lost.")
    }
    switch answer.status {
    case 200..<300: return nil
    case 0:
      return MonitorIssue(
        "offline", "\(server) does not answer; \(waiting).", remedy: "Check the network and the address.")
    case 300..<400:
      return MonitorIssue(
        "redirected", "\(server) redirects to another address; \(waiting).",
        remedy: "Redirects are not followed: use the address that it redirects to, if it is the server's.")
    case 401:
      return MonitorIssue(
        "token-refused", "\(server) does not accept the token; \(waiting).",
        remedy: "Set the device's clock; then activate it again.")
    case 403:
      return MonitorIssue("forbidden", "\(server) refuses this device; \(waiting).", remedy: "Enter a new invite code.")
    case 404, 405:
      return MonitorIssue(
        "wrong-address", "\(server) does not know the address (status \(answer.status)); \(waiting).",
        remedy: "Check the address of the endpoint: it is the root of the server, without /v1.")
    case 429:
      return MonitorIssue(
        "rate-limited", "\(server) asks to wait; \(waiting).", remedy: "Nothing to do: the request is repeated.")
    default:
      return MonitorIssue(
        "server-fault", "\(server) answered with status \(answer.status); \(waiting).",
        remedy: "Nothing is lost; the request is repeated. If the fault persists, inform the operator of the server.")
    }
  }

  private var quarantineIssues: [MonitorIssue] {
    guard accounting.quarantined > 0 else { return [] }
    return [
      MonitorIssue(
        "quarantined",
        "A server refused locations for good\(lastQuarantine.map { " (\($0))" } ?? ""); \(MonitorStatus.locations(accounting.quarantined, "stays", "stay")) on the device.",
        remedy: "Compare the device's venue with the server's.")
    ]
  }
}
