public import CordonCore

/// The navigation graph that a source carries. Edges are directed.
public struct NavigationGraph: Hashable, Sendable {
  /// Sorted by floor, then identifier.
  public var nodes: [Node]
  /// Sorted by start, then end.
  public var edges: [Edge]

  /// A place that a path can pass.
  public struct Node: Hashable, Sendable {
    /// The source's identifier.
    public var id: String
    /// The floor it is on.
    public var floor: FloorID
    /// Where it is. It may lie outside its floor's outline: sources are careless.
    public var position: Coordinate

    /// Takes the parts as they are.
    public init(id: String, floor: FloorID, position: Coordinate) {
      self.id = id
      self.floor = floor
      self.position = position
    }
  }

  /// A way from one node to another, walked in this direction only.
  public struct Edge: Hashable, Sendable {
    /// Index into ``NavigationGraph/nodes``.
    public var from: Int32
    /// Index into ``NavigationGraph/nodes``.
    public var to: Int32
    /// What the source adds to the distance; not metres, often absurd, never believed.
    public var extraCost: Double

    /// Takes the parts as they are.
    public init(from: Int32, to: Int32, extraCost: Double = 0) {
      self.from = from
      self.to = to
      self.extraCost = extraCost
    }
  }

  /// Takes the parts as they are.
  public init(nodes: [Node] = [], edges: [Edge] = []) {
    self.nodes = nodes
    self.edges = edges
  }
}
