public import CordonCore

/// The navigation graph of a source. Edges are directed.
public struct NavigationGraph: Hashable, Sendable {
  /// The nodes, sorted by floor, then by identifier.
  public var nodes: [Node]
  /// The edges, sorted by start, then by end.
  public var edges: [Edge]

  /// A position that a path can pass.
  public struct Node: Hashable, Sendable {
    /// The identifier in the source.
    public var id: String
    /// The floor of the node.
    public var floor: FloorID
    /// The position, which may lie outside the outline of its floor in faulty sources.
    public var position: Coordinate

    /// Creates a node from its parts.
    public init(id: String, floor: FloorID, position: Coordinate) {
      self.id = id
      self.floor = floor
      self.position = position
    }
  }

  /// A directed way from one node to another.
  public struct Edge: Hashable, Sendable {
    /// Index into ``NavigationGraph/nodes``.
    public var from: Int32
    /// Index into ``NavigationGraph/nodes``.
    public var to: Int32
    /// The cost that the source adds to the distance. It has no known unit, is often implausible, and is not used for
    /// routing.
    public var extraCost: Double

    /// Creates an edge from its parts.
    public init(from: Int32, to: Int32, extraCost: Double = 0) {
      self.from = from
      self.to = to
      self.extraCost = extraCost
    }
  }

  /// Creates a graph from its parts.
  public init(nodes: [Node] = [], edges: [Edge] = []) {
    self.nodes = nodes
    self.edges = edges
  }
}
