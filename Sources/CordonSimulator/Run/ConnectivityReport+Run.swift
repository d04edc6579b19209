import CordonCore
import CordonRun
import CordonVenues

extension ConnectivityReport {
  /// The connectivity as a run stores it; `nil` for a map that leaves nothing open.
  var runConnectivity: RunConnectivity? {
    guard !isComplete else { return nil }
    let assumed: Set<String> = [
      "door-assumed", "seam-bridged", "connections-derived", "entrance-assumed", "entrance-displaced",
    ]
    let large = Set(connectivity.largeParts.compactMap { $0.example.map { plan.spaces[$0].id.rawValue } })
    return RunConnectivity(
      sentence: sentence,
      warnings: findings.filter { finding in
        // Other parts have no entrance, so that the last line names them.
        finding.code == "no-spaces" || finding.code == "entrance-leads-nowhere"
          || finding.code == "disconnected-part" && large.contains(finding.object ?? "")
      }.map(\.message)
        + (warning.map { [$0] } ?? []),
      assumptions: findings.filter { assumed.contains($0.code) }.map(\.message),
      unreachableShare: connectivity.unreachableShare, unreachable: connectivity.unreachable.map { name($0.space) })
  }
}
