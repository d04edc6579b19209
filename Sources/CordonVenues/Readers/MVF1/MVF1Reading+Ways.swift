import CordonCore
import CordonGeometry

extension MVF1Reading {
  mutating func readNodes() throws(VenueError) {
    var graph = GraphBuilder()
    for file in bundle.files(in: "node") {
      var edges: [(from: Int32, node: SourceFeature)] = []
      for feature in try features(file) {
        let floor = floor(of: feature)
        guard let position = feature.shape.anchor else { continue }
        if isOutside(position, floor) {
          findings.add(
            .info, "node-outside-floor", feature, "/geometry", .ignored,
            "the node lies outside the outline of its floor")
        }
        let node = NavigationGraph.Node(id: feature.id, floor: floor, position: position)
        guard let index = graph.add(node, file: feature.file, pointer: feature.pointer, &findings) else { continue }
        edges.append((index, feature))
      }
      for (from, node) in edges {
        let weight = node.fields["weight"]?.double ?? 0
        for (number, neighbor) in node.list("neighbors").enumerated() {
          graph.connect(
            from, to: neighbor["id"] ?? neighbor, extraCost: weight,
            pointer: "\(node.pointer)/properties/neighbors/\(number)", &findings)
        }
      }
    }
    draft.graph = graph.finished(&findings)
  }

  /// Returns a function that finds a node of the graph by its identifier, with or without its prefix.
  func nodesByID() -> (String) -> NavigationGraph.Node? {
    let nodes = Dictionary(
      (draft.graph?.nodes ?? []).map { ($0.id, $0) }, uniquingKeysWith: { first, _ in first })
    return { nodes["n_" + $0] ?? nodes[$0] }
  }

  /// Reads openings. A node that several spaces name as their entrance is one door between them.
  mutating func readOpenings() {
    guard let graph = draft.graph else {
      for entrance in entrances.prefix(1) {
        findings.add(
          .warning, "graph-missing", file: entrance.file, action: .ignored,
          "spaces name entrances, but the bundle has no nodes to place them")
      }
      return
    }
    let node = nodesByID()
    var openings: [String: Opening] = [:]
    for entrance in entrances {
      guard let node = node(entrance.node) else {
        findings.add(
          .warning, "dangling-reference", file: entrance.file, pointer: entrance.pointer,
          object: entrance.space.rawValue, action: .ignored, "the entrance names node \(entrance.node), which is absent"
        )
        continue
      }
      var opening =
        openings[node.id] ?? Opening(id: node.id, floor: node.floor, line: [node.position], sourceKind: "entrance")
      if opening.spaces.count < 2, !opening.spaces.contains(entrance.space) { opening.spaces.append(entrance.space) }
      openings[node.id] = opening
    }
    for opening in openings.values {
      var opening = opening
      opening.spaces.sort()
      draft.openings.append(opening)
    }
    addWaysOut(graph)
  }

  // The format has no doors to the outside, so an edge of the graph across the outline of its floor counts as one.
  private mutating func addWaysOut(_ graph: NavigationGraph) {
    let floors = Dictionary(draft.floors.map { ($0.id, $0) }, uniquingKeysWith: { first, _ in first })
    var taken: Set<String> = []
    for edge in graph.edges {
      let (from, to) = (graph.nodes[Int(edge.from)], graph.nodes[Int(edge.to)])
      guard from.floor == to.floor, let outline = floors[from.floor]?.outline,
        let place = OutlineCrossing.place(from: from.position, to: to.position, outline: outline)
      else { continue }
      let (a, b) = from.id.utf8.lexicographicallyPrecedes(to.id.utf8) ? (from.id, to.id) : (to.id, from.id)
      let id = a + "~" + b
      guard taken.insert(id).inserted else { continue }
      draft.openings.append(
        Opening(id: id, floor: from.floor, line: [place], isEntrance: true, sourceKind: "edge-across-outline"))
    }
  }

  /// Reads connections between floors. Larger bundles have a folder `connection/` with one file per level.
  ///
  /// No public bundle shows the fields, so those of the next version of the format are used: `type`, `accessible` and
  /// `nodes`, or a position. Parts of one connection in several files are merged.
  mutating func readConnections() throws(VenueError) {
    let node = nodesByID()
    var connections: [String: (connection: Connection, feature: SourceFeature)] = [:]
    for file in bundle.files(in: "connection") {
      for feature in try features(file) {
        var landings: [Connection.Landing] = []
        for (number, reference) in feature.list("nodes").enumerated() {
          guard let id = (reference["id"] ?? reference["node"] ?? reference).identifier else { continue }
          if let node = node(id) {
            landings.append(Connection.Landing(floor: node.floor, position: node.position))
          } else {
            findings.add(
              .warning, "dangling-reference", feature, "/properties/nodes/\(number)", .ignored,
              "the connection names node \(id), which is absent")
          }
        }
        if landings.isEmpty, let place = feature.shape.anchor {
          landings = [Connection.Landing(floor: floor(of: feature), position: place)]
        }
        let type = feature.text("type").lowercased()
        let kind = Connection.Kind(rawValue: type) ?? .unknown
        var known =
          connections[feature.id]
          ?? (
            Connection(
              id: feature.id, kind: kind, name: LocalizedText(feature.text("name")), landings: [],
              isAccessible: feature.fields["accessible"]?.bool ?? (kind == .elevator), sourceKind: type), feature
          )
        for landing in landings where !known.connection.landings.contains(landing) {
          known.connection.landings.append(landing)
        }
        connections[feature.id] = known
      }
    }
    for (_, known) in connections.sorted(by: { $0.key.utf8.lexicographicallyPrecedes($1.key.utf8) }) {
      guard known.connection.landings.count > 1 else {
        findings.add(
          .warning, "connection-without-place", known.feature, "", .ignored,
          "fewer than two places of the connection could be found")
        continue
      }
      draft.connections.append(known.connection)
    }
  }
}
