import CordonCore
import CordonGeometry

/// A venue during reading: lists in the order of the source, with unchecked references.
struct VenueDraft {
  var name = LocalizedText()
  var slug: String?
  var formatVersion: String?
  var timeZone: String?
  var outline: GeoMultiPolygon?
  var buildings: [Building] = []
  var floors: [Floor] = []
  var spaces: [Space] = []
  var walls: [Barrier] = []
  var obstructions: [Barrier] = []
  var furniture: [Barrier] = []
  var zones: [Zone] = []
  var annotations: [Annotation] = []
  var openings: [Opening] = []
  var connections: [Connection] = []
  var pointsOfInterest: [PointOfInterest] = []
  var categories: [PointOfInterestCategory] = []
  var graph: NavigationGraph?
  var floorIndex = AppendIndex()
  var spaceIndex = AppendIndex()
  var openingIndex = AppendIndex()
  var buildingIndex = AppendIndex()

  /// The number of features with a position, for the limit.
  var featureCount: Int {
    spaces.count + walls.count + obstructions.count + furniture.count + openings.count + pointsOfInterest.count
      + zones.count + annotations.count + (graph?.nodes.count ?? 0)
  }

  /// Adds an annotation, unless its shape is empty.
  mutating func annotate(_ id: String, _ floor: FloorID, symbol: String, _ shape: RawShape) {
    let lines = shape.strokes
    if !lines.isEmpty { annotations.append(Annotation(id: id, floor: floor, symbol: symbol, lines: lines)) }
  }

  /// Returns the finished venue: sorted, without duplicates and without dangling references.
  /// - Throws: `VenueError` with the code `limit-exceeded`, `no-area` or `no-name`.
  func finished(
    as format: VenueFormat, bundle: VenueBundle, findings: inout FindingLog
  ) throws(VenueError) -> Venue {
    var draft = self
    draft.dropRepeatedIDs(in: bundle, findings: &findings)
    draft.dropWhatIsNowhere(in: bundle, findings: &findings)
    CategoryTree.mend(&draft.categories, file: bundle.name, findings: &findings)
    guard featureCount <= bundle.limits.features else {
      throw VenueError(
        code: "limit-exceeded", file: bundle.name,
        message: "the venue has \(featureCount) objects; at most \(bundle.limits.features) are read")
    }
    let hasArea =
      !(draft.outline?.isEmpty ?? true) || !draft.spaces.isEmpty
      || draft.floors.contains { !($0.outline?.isEmpty ?? true) }
      || draft.buildings.contains { !($0.outline?.isEmpty ?? true) }
    guard hasArea else {
      throw VenueError(
        code: "no-area", file: bundle.name, message: "the venue has no polygon that anything could be inside of")
    }
    draft.sort()
    let id =
      draft.slug.flatMap(VenueID.init(slugging:)) ?? draft.name.text().flatMap(VenueID.init(slugging:))
      ?? VenueID(String(bundle.contentHash.prefix(16)))
    guard let id else {
      throw VenueError(code: "no-name", file: bundle.name, message: "the venue has no usable name")
    }
    var venue = Venue(
      id: id, name: draft.name, format: format, formatVersion: draft.formatVersion, contentHash: bundle.contentHash,
      timeZone: draft.timeZone, outline: draft.outline, buildings: draft.buildings, floors: draft.floors,
      spaces: draft.spaces, walls: draft.walls, obstructions: draft.obstructions, furniture: draft.furniture,
      zones: draft.zones, annotations: draft.annotations, openings: draft.openings, connections: draft.connections,
      pointsOfInterest: draft.pointsOfInterest,
      categories: draft.categories)
    venue.graph = draft.graph
    return venue
  }

  private mutating func dropRepeatedIDs(in bundle: VenueBundle, findings: inout FindingLog) {
    func report(_ kind: String, _ id: String) {
      findings.add(
        .warning, "duplicate-id", file: bundle.name, object: id, action: .ignored,
        "two \(kind) have this identifier; the first is kept")
    }
    var floorIDs: Set<FloorID> = []
    floors.removeAll {
      if floorIDs.insert($0.id).inserted { return false }
      report("floors", $0.id.rawValue)
      return true
    }
    var spaceIDs: Set<SpaceID> = []
    spaces.removeAll {
      if spaceIDs.insert($0.id).inserted { return false }
      report("spaces", $0.id.rawValue)
      return true
    }
  }

  // Readers report dangling references at their place; this function removes those that they missed.
  private mutating func dropWhatIsNowhere(in bundle: VenueBundle, findings: inout FindingLog) {
    let floorIDs = Set(floors.map(\.id))
    let spaceIDs = Set(spaces.map(\.id))
    func isNowhere(_ id: String, _ floor: FloorID) -> Bool {
      if floorIDs.contains(floor) { return false }
      findings.add(
        .warning, "dangling-reference", file: bundle.name, object: id, action: .ignored,
        "the floor \(floor) is absent, so the object is nowhere")
      return true
    }
    spaces.removeAll { isNowhere($0.id.rawValue, $0.floor) }
    walls.removeAll { isNowhere($0.id, $0.floor) }
    obstructions.removeAll { isNowhere($0.id, $0.floor) }
    furniture.removeAll { isNowhere($0.id, $0.floor) }
    openings.removeAll { isNowhere($0.id, $0.floor) }
    annotations.removeAll { isNowhere($0.id, $0.floor) }
    for index in zones.indices { zones[index].floors.removeAll { !floorIDs.contains($0) } }
    for index in openings.indices where !openings[index].spaces.allSatisfy(spaceIDs.contains) {
      openings[index].spaces.removeAll { !spaceIDs.contains($0) }
    }
    for index in connections.indices {
      let id = connections[index].id
      connections[index].landings.removeAll { isNowhere(id, $0.floor) }
      for landing in connections[index].landings.indices {
        if let space = connections[index].landings[landing].space, !spaceIDs.contains(space) {
          connections[index].landings[landing].space = nil
        }
      }
    }
    for index in pointsOfInterest.indices where !pointsOfInterest[index].spaces.allSatisfy(spaceIDs.contains) {
      pointsOfInterest[index].spaces.removeAll { !spaceIDs.contains($0) }
    }
  }

  private mutating func sort() {
    floors.sort { ($0.ordinal, $0.id) < ($1.ordinal, $1.id) }
    let rank = Dictionary(floors.enumerated().map { ($1.id, $0) }, uniquingKeysWith: { first, _ in first })
    func order(_ floor: FloorID) -> Int { rank[floor] ?? Int.max }
    for index in buildings.indices { buildings[index].floors.sort { (order($0), $0) < (order($1), $1) } }
    buildings = SourceOrder.sorted(buildings, floor: { _ in 0 }, id: \.id)
    spaces = SourceOrder.sorted(spaces, floor: { order($0.floor) }, id: \.id.rawValue)
    walls = SourceOrder.sorted(walls, floor: { order($0.floor) }, id: \.id)
    obstructions = SourceOrder.sorted(obstructions, floor: { order($0.floor) }, id: \.id)
    furniture = SourceOrder.sorted(furniture, floor: { order($0.floor) }, id: \.id)
    for index in zones.indices { zones[index].floors.sort { (order($0), $0) < (order($1), $1) } }
    zones = SourceOrder.sorted(zones, floor: { _ in 0 }, id: \.id)
    annotations = SourceOrder.sorted(annotations, floor: { order($0.floor) }, id: \.id)
    openings = SourceOrder.sorted(openings, floor: { order($0.floor) }, id: \.id)
    for index in connections.indices {
      connections[index].landings.sort {
        (order($0.floor), $0.position.longitude, $0.position.latitude)
          < (order($1.floor), $1.position.longitude, $1.position.latitude)
      }
    }
    connections = SourceOrder.sorted(connections, floor: { _ in 0 }, id: \.id)
    pointsOfInterest = SourceOrder.sorted(pointsOfInterest, floor: { _ in 0 }, id: \.id)
    categories = SourceOrder.sorted(categories, floor: { _ in 0 }, id: \.id)
    if let graph {
      self.graph = nil
      self.graph = VenueDraft.sorted(graph, by: order)
    }
  }

  private static func sorted(_ graph: NavigationGraph, by order: (FloorID) -> Int) -> NavigationGraph {
    let permutation = SourceOrder.permutation(graph.nodes, floor: { order($0.floor) }, id: \.id)
    var place = [Int32](repeating: 0, count: graph.nodes.count)
    for (new, old) in permutation.enumerated() { place[Int(old)] = Int32(truncatingIfNeeded: new) }
    // A counting sort by start; each short bucket is then sorted by end.
    var starts = [Int](repeating: 0, count: graph.nodes.count + 1)
    for edge in graph.edges { starts[Int(place[Int(edge.from)]) + 1] += 1 }
    for index in 1..<max(starts.count, 1) { starts[index] += starts[index - 1] }
    var edges = graph.edges
    var next = starts
    for edge in graph.edges {
      let from = place[Int(edge.from)]
      edges[next[Int(from)]] = NavigationGraph.Edge(from: from, to: place[Int(edge.to)], extraCost: edge.extraCost)
      next[Int(from)] += 1
    }
    for node in graph.nodes.indices where starts[node + 1] - starts[node] > 1 {
      edges[starts[node]..<starts[node + 1]].sort { ($0.to, $0.extraCost) < ($1.to, $1.extraCost) }
    }
    return NavigationGraph(nodes: permutation.map { graph.nodes[Int($0)] }, edges: edges)
  }
}
