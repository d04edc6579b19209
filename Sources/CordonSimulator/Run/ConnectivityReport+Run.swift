import CordonRun
import CordonVenues

extension ConnectivityReport {
  /// The connectivity as a run stores it; `nil` for a map that leaves nothing open.
  var runConnectivity: RunConnectivity? {
    guard !isComplete else { return nil }
    let assumed: Set<String> = [
      "door-assumed", "seam-bridged", "connections-derived", "entrance-assumed", "entrance-displaced",
    ]
    return RunConnectivity(
      sentence: sentence,
      warnings: findings.filter { $0.code == "entrance-leads-nowhere" }.map(\.message)
        + (warning.map { [$0] } ?? []),
      assumptions: findings.filter { assumed.contains($0.code) }.map(\.message),
      unreachableShare: connectivity.unreachableShare, unreachable: connectivity.unreachable.map { name($0.space) })
  }
}
