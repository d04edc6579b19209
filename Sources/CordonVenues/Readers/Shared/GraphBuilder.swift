import CordonCore

/// Collects nodes and edges whose ends are named by text, possibly before the node is met.
struct GraphBuilder {
  private struct Named {
    var from: Int32
    var target: String
    var extraCost: Double
    var file: String
    var pointer: String
  }

  /// Costs from here on mean "blocked".
  static let impassable = 1_000_000.0

  private var graph = NavigationGraph()
  private var indexByID: [String: Int32] = [:]
  private var pending: [Named] = []

  /// Adds a node; the second of two with one identifier is dropped.
  mutating func add(_ node: NavigationGraph.Node, file: String, pointer: String, _ findings: inout FindingLog) {
    guard indexByID[node.id] == nil else {
      findings.add(
        .warning, "duplicate-id", file: file, pointer: pointer, object: node.id, action: .ignored,
        "two nodes have this identifier; the first is kept")
      return
    }
    indexByID[node.id] = Int32(graph.nodes.count)
    graph.nodes.append(node)
  }

  /// Adds an edge from a node that is already there.
  mutating func connect(_ id: String, to target: String, extraCost: Double, file: String, pointer: String) {
    guard let from = indexByID[id] else { return }
    pending.append(Named(from: from, target: target, extraCost: extraCost, file: file, pointer: pointer))
  }

  /// Whether there is a node of this name.
  func contains(_ id: String) -> Bool { indexByID[id] != nil }

  /// The graph, without edges that lead nowhere or cannot be walked.
  mutating func finished(_ findings: inout FindingLog) -> NavigationGraph? {
    for edge in pending {
      guard let to = indexByID[edge.target] else {
        findings.add(
          .warning, "dangling-reference", file: edge.file, pointer: edge.pointer,
          object: graph.nodes[Int(edge.from)].id, action: .ignored, "the neighbour \(edge.target) is absent")
        continue
      }
      guard edge.extraCost.magnitude < GraphBuilder.impassable else {
        findings.add(
          .info, "edge-impassable", file: edge.file, pointer: edge.pointer, object: graph.nodes[Int(edge.from)].id,
          action: .ignored, "the edge costs \(edge.extraCost), which means blocked")
        continue
      }
      graph.edges.append(NavigationGraph.Edge(from: edge.from, to: to, extraCost: edge.extraCost))
    }
    pending = []
    return graph.nodes.isEmpty ? nil : graph
  }
}
