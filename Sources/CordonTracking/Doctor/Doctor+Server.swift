import Cordon
package import CordonConsole
import CordonCore
import CordonWire
import Foundation

extension Doctor {
  /// Requests a server's health, compares the clocks and, with an empty batch, checks whether the server accepts the
  /// token.
  package func serverFindings(_ sink: TrackerSink, token: String?) async -> [DiagnosisFinding] {
    if sink.kind == .file { return [fileFinding(sink)] }
    let endpoint = sink.endpoint
    let name = "\(sink.kind.rawValue) at \(sink.url.host ?? sink.url.absoluteString)"
    let isCordon = sink.kind == .cordon || sink.kind == .ingest
    let probe = isCordon ? endpoint.url.appendingPathComponent("health") : endpoint.url
    let answer = await transport.send(HTTPRequest(method: "GET", url: probe))
    guard answer.status > 0 else {
      return [
        DiagnosisFinding(
          .failure, "server", "no-answer", "\(name) does not answer\(answer.failure.map { ": \($0)" } ?? "").",
          remedy: "Check the network, the address and the server.")
      ]
    }
    var findings: [DiagnosisFinding] = []
    if answer.status >= 500 {
      findings.append(
        DiagnosisFinding(
          .failure, "server", "server-fault", "\(name) answers with status \(answer.status).",
          remedy: "Inform the operator of the server. Nothing is lost; rows wait."))
    } else if isCordon, !(200..<300).contains(answer.status) {
      findings.append(
        DiagnosisFinding(
          .warning, "server", "not-cordon", "\(name) answers, but has no /health (status \(answer.status)).",
          remedy: "Check that the address is the server's root."))
    } else {
      findings.append(DiagnosisFinding(.ok, "server", "server", "\(name) answers."))
    }
    findings += clockFindings(answer, name)
    if sink.kind == .cordon, let token { findings += await tokenFindings(endpoint, token, name) }
    return findings
  }

  private func clockFindings(_ answer: HTTPResponse, _ name: String) -> [DiagnosisFinding] {
    guard let date = answer.headers["date"].flatMap(HTTPDate.parse) else { return [] }
    let now = Instant(milliseconds: Int64(Date().timeIntervalSince1970 * 1_000))
    let apart = TimeSpan(milliseconds: abs((date - now).milliseconds))
    // The header has whole seconds and is older than the answer.
    guard apart > .seconds(30) else { return [] }
    return [
      DiagnosisFinding(
        .failure, "server", "clock",
        "This machine's clock is \(apart) \(date > now ? "behind" : "ahead of") that of \(name).",
        remedy: "Set the clock; tokens and times are judged by it.")
    ]
  }

  private func tokenFindings(_ endpoint: SinkEndpoint, _ token: String, _ name: String) async -> [DiagnosisFinding] {
    let message = HTTPRequest(
      method: "POST", url: endpoint.url.appendingPathComponent("v1").appendingPathComponent("positions"),
      headers: [
        "authorization": "Bearer \(token)", "content-type": "application/json",
        "idempotency-key": PositionBatch.key(of: []),
      ], body: PositionBatch.encode([]))
    switch await transport.send(message).status {
    case 401:
      return [
        DiagnosisFinding(
          .warning, "server", "token-refused", "\(name) does not accept the token; the tracker will ask for a new one.",
          remedy: "Wait for the next batch; if it stays so, activate the device again.")
      ]
    case 403:
      return [
        DiagnosisFinding(
          .failure, "server", "forbidden", "\(name) refuses this device.", remedy: "Run: cordon-track activate CODE.")
      ]
    case 410:
      return [
        DiagnosisFinding(
          .failure, "server", "erased", "\(name) has erased this device.",
          remedy: "Start the tracker; it begins anew, and asks for consent.")
      ]
    case 0: return []
    default: return [DiagnosisFinding(.ok, "server", "token", "\(name) accepts the token.")]
    }
  }

  private func fileFinding(_ sink: TrackerSink) -> DiagnosisFinding {
    let folder = sink.url.deletingLastPathComponent().path
    let path = FileManager.default.fileExists(atPath: sink.url.path) ? sink.url.path : folder
    if FileManager.default.isWritableFile(atPath: path) {
      return DiagnosisFinding(.ok, "server", "file", "Lines can be written to \(sink.url.path).")
    }
    return DiagnosisFinding(
      .failure, "server", "file", "Nothing can be written to \(sink.url.path).",
      remedy: "Make the folder, or give it to the user of the tracker.")
  }
}
