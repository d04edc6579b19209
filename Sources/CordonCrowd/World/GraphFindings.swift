import CordonCore
import CordonGeometry
package import CordonVenues

/// Statistics on the quality of a map's navigation graph; routes use the geometry instead.
package struct GraphFindings: Hashable, Sendable, CustomStringConvertible {
  /// The number of nodes on walkable floors.
  package private(set) var nodes = 0
  /// The number of nodes without edges.
  package private(set) var isolated = 0
  /// The number of nodes that are not walkable.
  package private(set) var outside = 0
  /// The number of edges whose additional cost is negative, NaN or greater than 1 000.
  package private(set) var implausibleCosts = 0

  /// Creates the statistics of a map's graph; returns `nil` if the map has none. Complexity: O(*n* + *m*) for *n* nodes
  /// and *m* edges.
  package init?(_ venue: Venue, on plan: VenuePlan) {
    guard let graph = venue.graph, !graph.nodes.isEmpty else { return nil }
    var isJoined = [Bool](repeating: false, count: graph.nodes.count)
    for edge in graph.edges {
      if !(edge.extraCost >= 0 && edge.extraCost <= 1_000) { implausibleCosts += 1 }
      for end in [Int(edge.from), Int(edge.to)] where isJoined.indices.contains(end) && edge.from != edge.to {
        isJoined[end] = true
      }
    }
    for (index, node) in graph.nodes.enumerated() {
      guard let floor = plan.floorIndex(node.floor), node.position.isValid else { continue }
      nodes += 1
      if !isJoined[index] { isolated += 1 }
      if !plan.isWalkable(plan.frame.projectRounded(node.position), floor: floor) { outside += 1 }
    }
  }

  /// The statistics on one line.
  package var description: String {
    "\(nodes) nodes, \(isolated) of them isolated, \(outside) outside the walkable area; \(implausibleCosts) edges with implausible costs"
  }
}
