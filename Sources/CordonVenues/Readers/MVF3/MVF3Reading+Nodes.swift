import CordonCore
import CordonGeometry

extension MVF3Reading {
  /// Reads the nodes.
  ///
  /// Nodes have neighbours only on their own floor. The connections then join the nodes on the two sides of a door or
  /// on two floors.
  mutating func readNodes() throws(VenueError) {
    var graph = GraphBuilder()
    var nodesByGeometry: [String: [Int32]] = [:]
    for id in joints.flatMap(\.geometries) { nodesByGeometry[id] = [] }
    for floor in draft.floors {
      let stem = "nodes/\(floor.id.rawValue)"
      let file = bundle.contains(stem + ".geojson") ? stem + ".geojson" : stem + ".json"
      guard let document = bundle.optional(file, findings: &findings) else { continue }
      try readNodes(document, floor, &graph, &nodesByGeometry)
      bundle.discard(file)
    }
    for joint in joints {
      var places: [Int32] = []
      for geometry in joint.geometries {
        for node in nodesByGeometry[geometry] ?? [] where !places.contains(node) { places.append(node) }
      }
      // An elevator bank has some landings; a geometry with hundreds of nodes is an area and not a landing.
      guard (2...64).contains(places.count) else { continue }
      for from in places {
        for to in places where from != to { graph.connect(from, to: to, extraCost: joint.cost) }
      }
    }
    draft.graph = graph.finished(&findings)
  }

  private mutating func readNodes(
    _ document: JSONDocument, _ floor: Floor, _ graph: inout GraphBuilder,
    _ nodesByGeometry: inout [String: [Int32]]
  ) throws(VenueError) {
    let shapes = ShapeReader(document, limits: options.limits)
    let outline = floor.outline.map { OutlineTest($0) }
    var edges: [(from: Int32, neighbors: JSONView, ordinal: Int)] = []
    var ways: [(from: Int32, targets: JSONView, ordinal: Int)] = []
    for (ordinal, feature) in FeatureCollection.features(document.root).enumerated() {
      guard let properties = feature["properties"], let id = (properties["id"] ?? feature["id"])?.identifier else {
        findings.add(
          .warning, "id-missing", file: document.file, pointer: "/features/\(ordinal)", action: .ignored,
          "the node has no identifier")
        continue
      }
      guard let position = try shapes.point(of: feature, object: id, ordinal: ordinal, &findings) else { continue }
      if let outline, !outline.contains(position) {
        findings.add(
          .info, "node-outside-floor", file: document.file, pointer: "/features/\(ordinal)/geometry", object: id,
          action: .ignored, "the node lies outside the outline of its floor")
      }
      guard
        let index = graph.add(
          NavigationGraph.Node(id: id, floor: floor.id, position: position), file: document.file,
          pointer: "/features/\(ordinal)", &findings)
      else { continue }
      if let references = properties["geometryIds"] {
        for element in references.elements {
          guard let reference = element.string, nodesByGeometry[reference] != nil else { continue }
          nodesByGeometry[reference]?.append(index)
        }
      }
      if let neighbors = properties["neighbors"], neighbors.count > 0 { edges.append((index, neighbors, ordinal)) }
      // Edges to other floors, which Cordon's own writer adds.
      if let targets = properties["cordon"]?["ways"] { ways.append((index, targets, ordinal)) }
    }
    for (from, neighbors, ordinal) in edges {
      for (number, neighbor) in neighbors.elements.enumerated() {
        graph.connect(
          from, to: neighbor["id"] ?? neighbor, extraCost: neighbor["extraCost"]?.double ?? 0,
          pointer: "/features/\(ordinal)/properties/neighbors/\(number)", &findings)
      }
    }
    for (from, targets, ordinal) in ways {
      for (number, way) in targets.elements.enumerated() {
        let parts = way.elements.prefix(2).map { $0 }
        guard let target = parts.first else { continue }
        graph.connect(
          from, to: target, extraCost: parts.count > 1 ? parts[1].double ?? 0 : 0,
          pointer: "/features/\(ordinal)/properties/cordon/ways/\(number)", &findings)
      }
    }
  }
}
