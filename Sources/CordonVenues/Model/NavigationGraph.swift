public import CordonCore

/// The navigation graph that a source carries. Edges are directed.
public struct NavigationGraph: Hashable, Sendable {
  public var nodes: [Node]
  public var edges: [Edge]

  public struct Node: Hashable, Sendable {
    /// The source's identifier.
    public var id: String
    public var floor: FloorID
    public var position: Coordinate

    public init(id: String, floor: FloorID, position: Coordinate) {
      self.id = id
      self.floor = floor
      self.position = position
    }
  }

  public struct Edge: Hashable, Sendable {
    /// Index into ``NavigationGraph/nodes``.
    public var from: Int32
    /// Index into ``NavigationGraph/nodes``.
    public var to: Int32
    /// What the source adds to the distance; not metres, often absurd, never believed.
    public var extraCost: Double

    public init(from: Int32, to: Int32, extraCost: Double = 0) {
      self.from = from
      self.to = to
      self.extraCost = extraCost
    }
  }

  public init(nodes: [Node] = [], edges: [Edge] = []) {
    self.nodes = nodes
    self.edges = edges
  }
}
