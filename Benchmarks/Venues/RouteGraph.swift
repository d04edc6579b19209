import CordonCore
import CordonGeometry
import CordonNavigation
import CordonVenues

/// The graph for routes: the map's own in rows with lengths in metres; where the map has no usable one, the cells of
/// the derived plan.
struct RouteGraph {
  private(set) var nodeCount = 0
  private(set) var edgeCount = 0
  private(set) var source = "the map's own"
  /// The index of each node's first edge, with one more at the end.
  private var starts: [Int32] = []
  private var ends: [Int32] = []
  private var metres: [Float] = []

  init(_ venue: Venue) throws {
    guard let graph = venue.graph, graph.edges.count >= graph.nodes.count, !graph.nodes.isEmpty else {
      let navigation = PlanNavigation(try VenuePlan(venue))
      source = "derived"
      nodeCount = navigation.navigation.floors.reduce(0) { $0 + $1.component.count }
      edgeCount = navigation.navigation.verticals.count
      return
    }
    let frame = LocalFrame(origin: graph.nodes[0].position)
    let places = graph.nodes.map { frame.project($0.position) }
    starts = [Int32](repeating: 0, count: graph.nodes.count + 1)
    ends.reserveCapacity(graph.edges.count)
    metres.reserveCapacity(graph.edges.count)
    // Edges are sorted by their start.
    for edge in graph.edges {
      let (a, b) = (places[Int(edge.from)], places[Int(edge.to)])
      starts[Int(edge.from) + 1] += 1
      ends.append(edge.to)
      metres.append(Float(((a.x - b.x) * (a.x - b.x) + (a.y - b.y) * (a.y - b.y)).squareRoot()))
    }
    for node in graph.nodes.indices { starts[node + 1] += starts[node] }
    nodeCount = graph.nodes.count
    edgeCount = ends.count
  }
}
