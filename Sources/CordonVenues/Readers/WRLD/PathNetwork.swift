import CordonCore
import CordonGeometry

/// Creates a navigation graph from walking lines that were drawn one by one.
///
/// Lines are joined where they cross, and where the end of one lies within ``reach`` of another. Hand-drawn lines
/// seldom end exactly on each other. Connections between floors join the nodes nearest to their landings.
struct PathNetwork {
  /// Maximum distance between the end of a line and another line on which it is meant to lie, in metres.
  static let reach = 0.75
  /// Maximum number of line pieces on one floor for which crossings are searched; the work is quadratic in it.
  static let maximumPieces = 4_000
  /// Maximum number of crossings on one floor; with more, the lines are a scribble and are not joined.
  static let maximumStops = 100_000
  /// Maximum product of landings and nodes for which connections are joined to the graph.
  static let maximumComparisons = 20_000_000

  private var linesByFloor: [FloorID: [[Coordinate]]] = [:]
  /// Floors with more lines or crossings than the limits; their lines are not joined in the graph.
  private(set) var scribbledFloors: [FloorID] = []

  /// Adds a line of at least two positions.
  mutating func add(_ line: [Coordinate], on floor: FloorID) { linesByFloor[floor, default: []].append(line) }

  /// Returns the graph of all floors, with edges in both directions; `nil` without lines.
  mutating func graph(joining connections: [Connection]) -> NavigationGraph? {
    guard !linesByFloor.isEmpty else { return nil }
    var graph = NavigationGraph()
    var nodesByFloor: [FloorID: Range<Int>] = [:]
    for floor in linesByFloor.keys.sorted() {
      let start = graph.nodes.count
      join(linesByFloor[floor] ?? [], on: floor, into: &graph)
      nodesByFloor[floor] = start..<graph.nodes.count
    }
    let stopCount = connections.reduce(0) { $0 + $1.landings.count }
    guard stopCount <= PathNetwork.maximumComparisons / max(graph.nodes.count, 1) else { return graph }
    for connection in connections {
      let stops = connection.landings.compactMap { landing -> (node: Int, landing: Connection.Landing)? in
        nodesByFloor[landing.floor].flatMap { nearest(to: landing.position, among: $0, of: graph) }
          .map { ($0, landing) }
      }
      for from in stops where from.landing.isEntry {
        for to in stops where to.landing.isExit && to.landing.floor != from.landing.floor {
          graph.edges.append(NavigationGraph.Edge(from: Int32(from.node), to: Int32(to.node)))
        }
      }
    }
    return graph
  }

  // Each line has a list of its places, sorted by their position along it; neighbours in the list are joined.
  private mutating func join(_ lines: [[Coordinate]], on floor: FloorID, into graph: inout NavigationGraph) {
    guard let origin = lines.first?.first else { return }
    let frame = LocalFrame(origin: origin)
    let points = lines.map { $0.map(frame.project) }
    var pieces: [(line: Int, piece: PlaneSegment)] = []
    for (line, points) in points.enumerated() {
      for (a, b) in zip(points, points.dropFirst()) { pieces.append((line, PlaneSegment(a, b))) }
    }
    let apart: Stops = pieces.map { [(0, $0.piece.a), (1, $0.piece.b)] }
    let joined = PathNetwork.stops(of: pieces, lines: points)
    if joined == nil { scribbledFloors.append(floor) }
    let stops = joined ?? apart
    var nodes = PlaceTable()
    var edges: Set<NavigationGraph.Edge> = []
    func node(at place: PlanePoint) -> Int32 {
      if let known = nodes.index(near: place) { return known }
      let index = Int32(truncatingIfNeeded: graph.nodes.count)
      nodes.add(place, index)
      graph.nodes.append(
        NavigationGraph.Node(id: "\(floor)/path/\(nodes.count)", floor: floor, position: frame.unproject(place)))
      return index
    }
    for list in stops {
      let ordered = list.sorted { ($0.fraction, $0.place.x, $0.place.y) < ($1.fraction, $1.place.x, $1.place.y) }
      let indices = ordered.map { node(at: $0.place) }
      for (from, to) in zip(indices, indices.dropFirst()) where from != to {
        edges.insert(NavigationGraph.Edge(from: from, to: to))
        edges.insert(NavigationGraph.Edge(from: to, to: from))
      }
    }
    graph.edges += edges.sorted { ($0.from, $0.to) < ($1.from, $1.to) }
  }

  private typealias Stops = [[(fraction: Double, place: PlanePoint)]]

  /// Returns the start, the end and the crossings of each piece; `nil` if that exceeds a limit.
  private static func stops(of pieces: [(line: Int, piece: PlaneSegment)], lines: [[PlanePoint]]) -> Stops? {
    guard pieces.count <= maximumPieces else { return nil }
    var stops: Stops = pieces.map { [(0, $0.piece.a), (1, $0.piece.b)] }
    var count = 0
    for first in pieces.indices {
      let one = pieces[first].piece
      for second in pieces.indices where second != first {
        if let fraction = crossing(of: one, and: pieces[second].piece) {
          stops[first].append((fraction, one.point(at: fraction)))
        }
        guard pieces[first].line != pieces[second].line else { continue }
        let ends = [lines[pieces[second].line].first, lines[pieces[second].line].last].compactMap { $0 }
        for end in ends where one.distance(to: end) <= reach {
          stops[first].append((one.fractionNearest(to: end), end))
        }
      }
      count += stops[first].count
      if count > maximumStops { return nil }
    }
    return stops
  }

  /// Returns the fraction of `one` at which it crosses `other` away from both ends of `one`; `nil` if it does not.
  private static func crossing(of one: PlaneSegment, and other: PlaneSegment) -> Double? {
    let (dx, dy) = (one.b.x - one.a.x, one.b.y - one.a.y)
    let (ex, ey) = (other.b.x - other.a.x, other.b.y - other.a.y)
    let determinant = dx * ey - dy * ex
    guard determinant != 0 else { return nil }
    let (x, y) = (other.a.x - one.a.x, other.a.y - one.a.y)
    let (t, u) = ((x * ey - y * ex) / determinant, (x * dy - y * dx) / determinant)
    return t > 0 && t < 1 && u >= 0 && u <= 1 ? t : nil
  }

  private func nearest(to position: Coordinate, among nodes: Range<Int>, of graph: NavigationGraph) -> Int? {
    let frame = LocalFrame(origin: position)
    return nodes.min { a, b in
      let (p, q) = (frame.project(graph.nodes[a].position), frame.project(graph.nodes[b].position))
      return (p.x * p.x + p.y * p.y, a) < (q.x * q.x + q.y * q.y, b)
    }
  }
}

/// A table of places. Places within ``reach`` of one another are the same; the first one keeps its position.
private struct PlaceTable {
  private struct Cell: Hashable {
    var column: Int32
    var row: Int32
  }

  /// Distance in metres.
  private static let reach = 0.05

  private var cells: [Cell: [(place: PlanePoint, index: Int32)]] = [:]
  private(set) var count = 0

  private func cell(_ place: PlanePoint) -> Cell {
    Cell(
      column: Int32(clamping: Int((place.x / PlaceTable.reach).rounded(.down))),
      row: Int32(clamping: Int((place.y / PlaceTable.reach).rounded(.down))))
  }

  func index(near place: PlanePoint) -> Int32? {
    let middle = cell(place)
    for row in -1...1 {
      for column in -1...1 {
        let cell = Cell(column: middle.column &+ Int32(column), row: middle.row &+ Int32(row))
        for known in cells[cell] ?? [] where PlaneSegment(known.place, place).length < PlaceTable.reach {
          return known.index
        }
      }
    }
    return nil
  }

  mutating func add(_ place: PlanePoint, _ index: Int32) {
    cells[cell(place), default: []].append((place, index))
    count += 1
  }
}
