import CordonCore
import CordonGeometry
public import CordonVenues

/// How far the navigation graph of a map can be trusted; ways are found on the geometry whatever this says.
public struct GraphFindings: Hashable, Sendable, CustomStringConvertible {
  /// Nodes on floors with something to walk on.
  public private(set) var nodes = 0
  /// Nodes that no edge leads to or from.
  public private(set) var isolated = 0
  /// Nodes where nobody can stand.
  public private(set) var outside = 0
  /// Edges whose added cost is negative, not a number or more than a kilometre's.
  public private(set) var absurdCosts = 0

  /// Looks at a map's graph; `nil` when it has none. Linear in its nodes and edges.
  public init?(_ venue: Venue, on plan: VenuePlan) {
    guard let graph = venue.graph, !graph.nodes.isEmpty else { return nil }
    var isJoined = [Bool](repeating: false, count: graph.nodes.count)
    for edge in graph.edges {
      if !(edge.extraCost >= 0 && edge.extraCost <= 1_000) { absurdCosts += 1 }
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

  /// One line for people.
  public var description: String {
    "\(nodes) nodes, \(isolated) of them isolated, \(outside) outside of what can be walked on; \(absurdCosts) edges with absurd costs"
  }
}
