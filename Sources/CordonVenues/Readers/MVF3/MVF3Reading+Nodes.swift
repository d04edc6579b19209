import CordonCore
import CordonGeometry

extension MVF3Reading {
  /// Nodes know only neighbours on their own floor.
  mutating func readNodes(_ findings: inout FindingLog) throws(VenueError) {
    var graph = GraphBuilder()
    for floor in draft.floors {
      let stem = "nodes/\(floor.id.rawValue)"
      let file = bundle.contains(stem + ".geojson") ? stem + ".geojson" : stem + ".json"
      guard let document = bundle.optional(file, findings: &findings) else { continue }
      let shapes = ShapeReader(document, limits: options.limits)
      let outline = floor.outline.map { OutlineTest($0) }
      for (ordinal, feature) in FeatureCollection.features(document.root).enumerated() {
        guard let properties = feature["properties"], let id = (properties["id"] ?? feature["id"])?.identifier else {
          findings.add(
            .warning, "id-missing", file: file, pointer: "/features/\(ordinal)", action: .ignored,
            "the node has no identifier")
          continue
        }
        let shape = try shapes.shape(
          of: feature, owner: .init(object: id, pointer: "/features/\(ordinal)"), findings: &findings)
        guard let position = shape.anchor else { continue }
        if let outline, !outline.contains(position) {
          findings.add(
            .info, "node-outside-floor", file: file, pointer: "/features/\(ordinal)/geometry", object: id,
            action: .ignored, "the node lies outside the outline of its floor")
        }
        graph.add(
          NavigationGraph.Node(id: id, floor: floor.id, position: position), file: file,
          pointer: "/features/\(ordinal)", &findings)
        guard let neighbors = properties["neighbors"] else { continue }
        for (number, neighbor) in neighbors.elements.enumerated() {
          guard let target = neighbor["id"]?.identifier ?? neighbor.identifier else { continue }
          graph.connect(
            id, to: target, extraCost: neighbor["extraCost"]?.double ?? 0, file: file,
            pointer: "/features/\(ordinal)/properties/neighbors/\(number)")
        }
      }
      bundle.discard(file)
    }
    draft.graph = graph.finished(&findings)
  }
}
