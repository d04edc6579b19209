import CordonCore
import CordonGeometry

extension MVF2Reading {
  mutating func addSpace(_ feature: SourceFeature, _ floor: FloorID, _ file: String) {
    let kind = feature.fields["kind"]?.string ?? ""
    guard let area = feature.shape.area else {
      // The feature is a label or a path, not a room.
      findings.add(
        .warning, "space-without-area", file: file, pointer: feature.pointer + "/geometry", object: feature.id,
        action: .ignored, "the space is not a polygon")
      return
    }
    switch kind {
    case "object", "furniture", "desk":
      draft.furniture.append(Barrier(id: feature.id, floor: floor, sourceKind: kind, shape: .area(area)))
    case "wall", "window":
      draft.walls.append(Barrier(id: feature.id, floor: floor, sourceKind: kind, shape: .area(area)))
    default:
      draft.spaces.append(
        Space(
          id: SpaceID(feature.id), floor: floor, kind: kind.isEmpty ? .room : MVF3Details.spaceKinds[kind] ?? .unknown,
          sourceKind: kind, name: feature.displayName, outline: area))
    }
  }

  mutating func addObstruction(_ feature: SourceFeature, _ floor: FloorID, _ file: String) {
    guard let solid = feature.shape.barrier else { return }
    let kind = (feature.fields["kind"] ?? feature.fields["layer"])?.string ?? ""
    let barrier = Barrier(id: feature.id, floor: floor, sourceKind: kind, shape: solid)
    // Walls are lines; a polygon is a wall only if its kind states it.
    if case .lines = solid {
      draft.walls.append(barrier)
    } else if MVF1Layers.obstruction(kind) == .wall {
      draft.walls.append(barrier)
    } else {
      draft.obstructions.append(barrier)
    }
  }

  mutating func addWindow(_ feature: SourceFeature, _ floor: FloorID, _ file: String) {
    guard let solid = feature.shape.barrier else { return }
    draft.walls.append(Barrier(id: feature.id, floor: floor, sourceKind: "window", shape: solid))
  }

  mutating func addEntrance(_ feature: SourceFeature, _ floor: FloorID, _ file: String) {
    guard let line = feature.shape.line ?? feature.shape.anchor.map({ [$0] }) else { return }
    draft.openings.append(
      Opening(id: feature.id, floor: floor, line: line, sourceKind: "entrance", name: feature.displayName))
  }

  mutating func readConnections() {
    guard let name = ["connection.json", "connections.json"].first(where: bundle.contains),
      let document = bundle.optional(name, findings: &findings)
    else { return }
    let hasDoors = !draft.openings.isEmpty
    for (ordinal, connection) in Array(FeatureCollection.features(document.root)).enumerated() {
      let pointer = FeatureCollection.pointer(document.root, ordinal)
      guard let id = connection["id"]?.identifier else {
        findings.add(
          .warning, "id-missing", file: document.file, pointer: pointer, action: .ignored,
          "the connection has no identifier")
        continue
      }
      if connection["extra"]?["active"]?.bool == false {
        findings.add(
          .info, "connection-inactive", file: document.file, pointer: pointer, object: id, action: .ignored,
          "the connection is switched off")
        continue
      }
      let type = connection["type"]?.string ?? ""
      var stops: [NavigationGraph.Node] = []
      for (number, reference) in Array(connection["nodes"]?.elements.map { $0 } ?? []).enumerated() {
        guard let node = (reference["id"] ?? reference).identifier else { continue }
        if let stop = nodes[node] {
          stops.append(stop)
        } else {
          findings.add(
            .warning, "dangling-reference", file: document.file, pointer: "\(pointer)/nodes/\(number)", object: id,
            action: .ignored, "the connection names node \(node), which is absent")
        }
      }
      if type == "door" {
        if !hasDoors, stops.count == 2, stops[0].floor == stops[1].floor,
          let middle = ShapeMeasure.middle(of: stops.map(\.position))
        {
          draft.openings.append(Opening(id: id, floor: stops[0].floor, line: [middle], sourceKind: type))
        }
        continue
      }
      guard stops.count > 1 else {
        findings.add(
          .warning, "connection-without-place", file: document.file, pointer: pointer, object: id, action: .ignored,
          "fewer than two of the connection's nodes are there")
        continue
      }
      draft.connections.append(
        Connection(
          id: id, kind: Connection.Kind(rawValue: type) ?? .unknown,
          name: MVF3Details.text(connection["details"]?["name"] ?? connection["name"], nil),
          landings: stops.map { Connection.Landing(floor: $0.floor, position: $0.position) },
          isAccessible: connection["accessible"]?.bool ?? false, sourceKind: type))
    }
    bundle.discard(name)
  }

  /// Reads the part of a bundle that the content system adds: names, categories and opening hours.
  mutating func readEnterprise() {
    if let document = bundle.optional("enterprise/venue.json", findings: &findings) {
      draft.slug = document.root["slug"]?.string
      if draft.name.isEmpty { draft.name = MVF3Details.text(document.root["name"], nil) }
      if draft.timeZone == nil { draft.timeZone = (document.root["tzid"] ?? document.root["timezone"])?.string }
    }
    if let document = bundle.optional("enterprise/categories.json", findings: &findings) {
      var parents: [String: String] = [:]
      for category in document.root.elements {
        guard let id = category["id"]?.identifier else { continue }
        draft.categories.append(PointOfInterestCategory(id: id, name: MVF3Details.text(category["name"], nil)))
        for child in Array(category["children"]?.elements.map { $0 } ?? []) {
          if let child = (child["id"] ?? child).identifier { parents[child] = id }
        }
      }
      for index in draft.categories.indices { draft.categories[index].parent = parents[draft.categories[index].id] }
    }
    guard let document = bundle.optional("enterprise/locations.json", findings: &findings) else { return }
    for location in document.root.elements {
      guard let id = location["id"]?.identifier else { continue }
      let name = MVF3Details.text(location["name"], nil)
      var point = PointOfInterest(id: id, name: name, sourceKind: location["type"]?.string ?? "")
      for place in Array((location["polygons"] ?? location["spaces"])?.elements.map { $0 } ?? []) {
        guard let space = (place["id"] ?? place).identifier else { continue }
        point.spaces.append(SpaceID(space))
        namesBySpace[space, default: []].append(name.text() ?? "")
      }
      for place in Array(location["nodes"]?.elements.map { $0 } ?? []) {
        guard point.position == nil, let node = (place["id"] ?? place).identifier.flatMap({ nodes[$0] }) else {
          continue
        }
        (point.position, point.floor) = (node.position, node.floor)
      }
      point.categories = (location["categories"]?.elements.compactMap { ($0["id"] ?? $0).identifier }) ?? []
      if let primary = location["primaryCategory"]?.identifier, !point.categories.contains(primary) {
        point.categories.append(primary)
      }
      if let hours = location["operationHours"] ?? location["openingHours"], !hours.isNull, hours.count > 0 {
        point.openingHours = hours.sourceText
      }
      draft.pointsOfInterest.append(point)
    }
  }

  /// Removes references of points of interest to missing spaces.
  mutating func checkPoints() {
    for index in draft.pointsOfInterest.indices {
      let point = draft.pointsOfInterest[index]
      var spaces: [SpaceID] = []
      for space in point.spaces {
        if draft.spacePlace(space.rawValue) != nil {
          spaces.append(space)
        } else {
          findings.add(
            .warning, "dangling-reference", file: "enterprise/locations.json", object: point.id, action: .ignored,
            "the location names space \(space), which is absent")
        }
      }
      draft.pointsOfInterest[index].spaces = spaces.sorted()
    }
  }
}
