package import CordonCore

/// The navigation graph of a source. Edges are directed.
package struct NavigationGraph: Hashable, Sendable {
  /// The nodes, sorted by floor, then by identifier.
  package var nodes: [Node]
  /// The edges, sorted by start, then by end.
  package var edges: [Edge]

  /// A position that a path can pass.
  package struct Node: Hashable, Sendable {
    /// The identifier in the source.
    package var id: String
    /// The floor of the node.
    package var floor: FloorID
    /// The position, which may lie outside the outline of its floor in faulty sources.
    package var position: Coordinate

    /// Creates a node from its parts.
    package init(id: String, floor: FloorID, position: Coordinate) {
      self.id = id
      self.floor = floor
      self.position = position
    }
  }

  /// A directed way from one node to another.
  package struct Edge: Hashable, Sendable {
    /// Index into ``NavigationGraph/nodes``.
    package var from: Int32
    /// Index into ``NavigationGraph/nodes``.
    package var to: Int32
    /// The cost that the source adds to the distance. It has no known unit, is often implausible, and is not used for
    /// routing.
    package var extraCost: Double

    /// Creates an edge from its parts.
    package init(from: Int32, to: Int32, extraCost: Double = 0) {
      self.from = from
      self.to = to
      self.extraCost = extraCost
    }
  }

  /// Creates a graph from its parts.
  package init(nodes: [Node] = [], edges: [Edge] = []) {
    self.nodes = nodes
    self.edges = edges
  }
}
