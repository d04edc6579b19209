import CordonConsole
import CordonCore
import CordonMonitoring
import CordonStorage
import CordonSupport
import Foundation

extension Doctor {
  /// The state of the store, and the token in it.
  var storeFindings: (findings: [DiagnosisFinding], token: String?) {
    guard let path = configuration.store else {
      return (
        [
          DiagnosisFinding(
            .failure, "store", "no-store", "No store is named, so nothing can be kept.", remedy: "Set \"store\".")
        ], nil
      )
    }
    guard FileManager.default.fileExists(atPath: path) else {
      return (
        [
          DiagnosisFinding(
            .failure, "store", "no-consent", "There is no store yet, so nobody has consented and nothing is recorded.",
            remedy: "Run: cordon-track consent VERSION.")
        ], nil
      )
    }
    #if os(Linux)
      if let running = runningFindings(path) { return (running, nil) }
    #endif
    do throws(StoreError) {
      let store = try SQLiteStore(path: path, sealer: sealer)
      guard let record = try store.devices().first else {
        return (
          [DiagnosisFinding(.failure, "store", "no-device", "The store is empty.", remedy: "Start the tracker.")], nil
        )
      }
      return (try findings(of: record, in: store), record.authToken)
    } catch {
      if error.kind == .locked, sealer == nil {
        return (
          [
            DiagnosisFinding(
              .warning, "store", "sealed", "The store is sealed, so this program cannot read it.",
              remedy: "Run: cordon-track doctor.")
          ], nil
        )
      }
      let remedy = error.kind == .full ? "Make room on the disk." : "Check the file, its owner and its disk."
      return (
        [
          DiagnosisFinding(
            .failure, "store", "store-failed", "The store cannot be opened: \(error.description).", remedy: remedy)
        ], nil
      )
    }
  }

  #if os(Linux)
    /// Returns the findings of a running tracker's status; `nil` if there is none.
    private func runningFindings(_ path: String) -> [DiagnosisFinding]? {
      guard let answer = ControlSocket.ask(store: path, ControlCommand.status.line),
        let status = (try? JSONSerialization.jsonObject(with: Data(answer.utf8))) as? [String: Any],
        let sentence = status["sentence"] as? String
      else { return nil }
      let issues = status["issues"] as? [[String: String]] ?? []
      if issues.isEmpty { return [DiagnosisFinding(.ok, "store", "running", "The tracker runs. \(sentence)")] }
      return issues.map { issue in
        DiagnosisFinding(
          .failure, "store", issue["code"] ?? "issue", "The tracker runs. \(issue["sentence"] ?? sentence)",
          remedy: issue["remedy"])
      }
    }
  #endif

  private func findings(of record: DeviceRecord, in store: SQLiteStore) throws(StoreError) -> [DiagnosisFinding] {
    let state = MonitorState(decoding: record.state) ?? MonitorState()
    let now = Instant(milliseconds: Int64(Date().timeIntervalSince1970 * 1_000))
    var findings: [DiagnosisFinding] = []
    func fail(_ code: String, _ sentence: String, _ remedy: String) {
      findings.append(DiagnosisFinding(.failure, "store", code, sentence, remedy: remedy))
    }
    if let consent = state.consent {
      let purposes = consent.purposes.names.joined(separator: ", ")
      findings.append(
        DiagnosisFinding(
          .ok, "store", "consent",
          "Consent to \(consent.version) was given on \(consent.time.rfc3339), for: \(purposes)."))
      if !consent.purposes.contains(.share) {
        fail(
          "no-consent-to-share", "The person consented to recording, not to sending.",
          "Ask for consent to share; then: cordon-track consent VERSION.")
      }
      if configuration.monitor.everywhere != nil, !consent.purposes.contains(.everywhere) {
        fail(
          "no-consent-everywhere", "The person did not consent to places outside of venues, so none is recorded there.",
          "Ask for that consent; then: cordon-track consent VERSION --everywhere.")
      }
    } else {
      fail(
        "no-consent", "Nobody has consented to recording, so nothing is recorded.",
        "Run: cordon-track consent VERSION.")
    }
    if state.isPaused { fail("paused", "Monitoring is paused.", "Run: cordon-track resume.") }
    if configuration.sinks.contains(where: \.sink.needsActivation) {
      if !state.isActivated {
        fail("not-activated", "The device is not activated at its server.", "Run: cordon-track activate CODE.")
      } else if let end = record.expiresAt {
        let text = end > now ? "ends" : "ended; a new one is fetched with the next batch. It was good until"
        findings.append(
          DiagnosisFinding(.ok, "store", "token", "The device is activated; its token \(text) \(end.rfc3339)."))
      }
    }
    if !state.erasures.isEmpty {
      fail(
        "erasure-pending", "A server has not confirmed the erasure yet.",
        "Keep the tracker running and online; it repeats the request until the server confirms.")
    }
    findings += try queueFindings(of: record, state, in: store, now)
    return findings
  }

  private func queueFindings(
    of record: DeviceRecord, _ state: MonitorState, in store: SQLiteStore, _ now: Instant
  ) throws(StoreError) -> [DiagnosisFinding] {
    var findings: [DiagnosisFinding] = []
    for sink in configuration.sinks {
      let queue = try store.queue(of: record.id, sink: sink.id, venue: nil, now: now)
      let rows = queue.pending + queue.leased
      guard rows > 0, let oldest = queue.oldest else { continue }
      let age = now - oldest
      // Three times the configured wait, and at least an hour, because a gateway can be offline for a while.
      let limit = max(
        .hours(1), TimeSpan(milliseconds: 3 * (configuration.monitor.flushAfter ?? .hours(8)).milliseconds))
      findings.append(
        DiagnosisFinding(
          age > limit ? .failure : .ok, "store", "queue",
          "\(rows) locations wait for \(sink.kind.rawValue), the oldest for \(age).",
          remedy: age > limit ? "See the findings about the server below; start the tracker if it does not run." : nil))
    }
    let counts = state.accounting
    if counts.quarantined > 0 {
      findings.append(
        DiagnosisFinding(
          .warning, "store", "quarantined", "A server refused \(counts.quarantined) locations for good; they are kept.",
          remedy: "Compare the device's venue with the server's."))
    }
    if counts.refused > 0, counts.stored == 0 {
      let reasons = RefusalReason.allCases.filter { counts[$0] > 0 }.map { "\(counts[$0]) \($0.rawValue)" }
      findings.append(
        DiagnosisFinding(
          .warning, "store", "all-refused", "Every fix so far was refused: \(reasons.joined(separator: ", ")).",
          remedy: "See the findings about the receiver above."))
    }
    return findings
  }
}
