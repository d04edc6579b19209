package import Cordon
package import CordonConsole
package import CordonCore
import CordonGeometry
package import CordonMonitoring
import Foundation

/// A diagnosis of missing data: it examines a configuration with its venue, receiver, store, token and servers.
///
/// It changes nothing, records nothing and sends no position.
package struct Doctor: Sendable {
  package var configuration: TrackerConfiguration
  package var transport: any HTTPTransport
  /// The sealer of the store; `nil` if the program has no cryptography.
  package var sealer: (any Sealer)?
  /// The maximum time until the receiver reports a position.
  package var patience: TimeSpan
  /// Whether servers are contacted.
  package var asksServers = true

  package init(
    _ configuration: TrackerConfiguration, transport: any HTTPTransport = URLSessionTransport(timeout: 15),
    sealer: (any Sealer)? = nil, patience: TimeSpan = .seconds(10)
  ) {
    self.configuration = configuration
    self.transport = transport
    self.sealer = sealer
    self.patience = patience
  }

  /// Returns all findings in the order of the data flow.
  package func examine() async -> [DiagnosisFinding] {
    var (findings, gates) = await examineVenues()
    findings = configurationFindings + findings + receiverFindings(gates)
    let (store, token) = storeFindings
    findings += store
    if asksServers {
      for sink in configuration.sinks { findings += await serverFindings(sink, token: token) }
    }
    return findings
  }

  private var configurationFindings: [DiagnosisFinding] {
    var findings: [DiagnosisFinding] = []
    if configuration.sinks.isEmpty {
      findings.append(
        DiagnosisFinding(
          .failure, "configuration", "no-sinks", "No sink is named, so nothing is ever sent.",
          remedy: "Add one: \"sinks\": [{\"kind\": \"cordon\", \"url\": \"https://...\"}]."))
    }
    if !configuration.sinks.isEmpty {
      do throws(TrackerError) {
        try configuration.validate()
      } catch {
        findings.append(
          DiagnosisFinding(
            .failure, "configuration", error.code, "The tracker cannot start: \(error.description).",
            remedy: "Correct the configuration."))
      }
    }
    for sink in configuration.sinks where sink.url.scheme == "http" && !sink.url.isLoopback {
      findings.append(
        DiagnosisFinding(
          .warning, "configuration", "no-tls", "\(sink.url.host ?? "A sink") is contacted without encryption.",
          remedy: "Use https."))
    }
    if configuration.sinks.filter(\.sink.needsActivation).count > 1 {
      findings.append(
        DiagnosisFinding(
          .failure, "configuration", "two-activations", "Two sinks want an invite code; a device has one token.",
          remedy: "Keep one of them, or set \"activation\": false where it is not needed."))
    }
    if findings.isEmpty {
      let kinds = configuration.sinks.map(\.kind.rawValue).joined(separator: ", ")
      let keeping = configuration.sinks.filter { !$0.sink.abilities.contains(.erasure) }.map(\.kind.rawValue)
      let reach =
        keeping.isEmpty ? "" : " A withdrawal cannot erase what these have: \(keeping.joined(separator: ", "))."
      findings.append(DiagnosisFinding(.ok, "configuration", "configuration", "Locations go to: \(kinds).\(reach)"))
    }
    return findings
  }

  func place(_ coordinate: Coordinate) -> String {
    func text(_ value: Double) -> String { String((value * 1e5).rounded() / 1e5) }
    return "\(text(coordinate.longitude)),\(text(coordinate.latitude))"
  }
}

extension URL {
  /// Whether the address is a loopback address.
  var isLoopback: Bool { ["localhost", "127.0.0.1", "::1", "[::1]"].contains(host ?? "") }
}
