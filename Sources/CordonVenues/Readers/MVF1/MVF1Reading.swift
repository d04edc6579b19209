import CordonCore
import CordonGeometry

/// The state of reading one MVF 1 bundle.
struct MVF1Reading {
  let bundle: VenueBundle
  let options: VenueReadOptions
  var draft = VenueDraft()
  /// Names of the locations at each space.
  private var namesBySpace: [String: [String]] = [:]
  private var entrances: [(space: SpaceID, node: String, file: String, pointer: String)] = []
  private var droppedIDs: Set<String> = []
  private var outlineTests: [FloorID: OutlineTest] = [:]

  init(bundle: VenueBundle, options: VenueReadOptions) {
    self.bundle = bundle
    self.options = options
  }

  mutating func run(_ findings: inout FindingLog) throws(VenueError) {
    if let manifest = MVFManifest(bundle) {
      draft.formatVersion = manifest.version
      draft.name = LocalizedText(manifest.properties["name"]?.string ?? "")
      draft.slug = manifest.properties["slug"]?.string
      manifest.compareIndex("folder_struct", with: bundle, findings: &findings)
    } else {
      findings.add(
        .warning, "manifest-missing", file: "manifest.geojson", action: .ignored, "the bundle has no readable manifest")
    }
    try readBuildings(&findings)
    for file in bundle.files(in: "level") { try readLevels(file, &findings) }
    for file in bundle.files(in: "space") { try readSpaces(file, &findings) }
    for file in bundle.files(in: "obstruction") { try readObstructions(file, &findings) }
    try readNodes(&findings)
    readOpenings(&findings)
    readCategories(&findings)
    readLocations(&findings)
    nameSpaces()
  }

  private mutating func readBuildings(_ findings: inout FindingLog) throws(VenueError) {
    guard let document = bundle.optional("building.geojson", findings: &findings) else { return }
    let shapes = ShapeReader(document, limits: options.limits)
    for (ordinal, feature) in FeatureCollection.features(document.root).enumerated() {
      guard let properties = feature["properties"], let id = properties["id"]?.identifier else { continue }
      let shape = try shapes.shape(
        of: feature, owner: .init(object: id, pointer: "/features/\(ordinal)"), findings: &findings)
      draft.buildings.append(
        Building(id: id, name: LocalizedText(properties["name"]?.string ?? ""), outline: shape.area))
    }
    bundle.discard("building.geojson")
  }

  private mutating func readLevels(_ file: String, _ findings: inout FindingLog) throws(VenueError) {
    guard let document = bundle.optional(file, findings: &findings) else { return }
    let shapes = ShapeReader(document, limits: options.limits)
    for (ordinal, feature) in FeatureCollection.features(document.root).enumerated() {
      let properties = feature["properties"]
      guard let id = properties?["id"]?.identifier else {
        missingID(file, ordinal, &findings)
        continue
      }
      let shape = try shapes.shape(
        of: feature, owner: .init(object: id, pointer: "/features/\(ordinal)"), findings: &findings)
      let building = properties?["building"]?.identifier
      let elevation = properties?["elevation"]?.double.flatMap { FloorOrdinal($0) }
      if elevation == nil {
        findings.add(
          .warning, "floor-without-ordinal", file: file, pointer: "/features/\(ordinal)/properties/elevation",
          object: id, action: .repaired, "the floor has no elevation; it counts as 0")
      }
      draft.floors.append(
        Floor(
          id: FloorID(id), ordinal: elevation ?? FloorOrdinal(0),
          name: LocalizedText(properties?["name"]?.string ?? ""),
          shortName: LocalizedText(properties?["abbreviation"]?.string ?? ""), building: building,
          outline: shape.area))
      guard let building else { continue }
      if let index = draft.buildingPlace(building) {
        draft.buildings[index].floors.append(FloorID(id))
      } else {
        findings.add(
          .warning, "dangling-reference", file: file, pointer: "/features/\(ordinal)/properties/building", object: id,
          action: .repaired, "the building \(building) is not in the bundle; it is added without an outline")
        draft.buildings.append(Building(id: building, floors: [FloorID(id)]))
      }
    }
    bundle.discard(file)
  }

  private mutating func readSpaces(_ file: String, _ findings: inout FindingLog) throws(VenueError) {
    guard let document = bundle.optional(file, findings: &findings) else { return }
    let shapes = ShapeReader(document, limits: options.limits)
    for (ordinal, feature) in FeatureCollection.features(document.root).enumerated() {
      let properties = feature["properties"]
      guard let id = properties?["id"]?.identifier else {
        missingID(file, ordinal, &findings)
        continue
      }
      let pointer = "/features/\(ordinal)"
      let floor = floor(of: properties, "level", file: file, pointer: pointer, object: id, &findings)
      let shape = try shapes.shape(of: feature, owner: .init(object: id, pointer: pointer), findings: &findings)
      let layer = properties?["layer"]?.string ?? ""
      guard let area = shape.area else {
        droppedIDs.insert(id)
        if case .none = shape { continue }
        findings.add(
          .warning, "space-without-area", file: file, pointer: pointer + "/geometry", object: id, action: .ignored,
          "the space is no polygon")
        if let position = shape.anchor, isOutside(position, floor) {
          findings.add(
            .warning, "space-outside-floor", file: file, pointer: pointer + "/geometry", object: id, action: .ignored,
            "the space lies outside the outline of its floor")
        }
        continue
      }
      if MVF1Layers.isFurniture(layer) {
        draft.furniture.append(Barrier(id: id, floor: floor, sourceKind: layer, shape: .area(area)))
        continue
      }
      if let position = shape.anchor, isOutside(position, floor) {
        findings.add(
          .warning, "space-outside-floor", file: file, pointer: pointer + "/geometry", object: id, action: .ignored,
          "the space lies outside the outline of its floor")
      }
      draft.spaces.append(
        Space(id: SpaceID(id), floor: floor, kind: MVF1Layers.kind(layer), sourceKind: layer, outline: area))
      for (number, entrance) in Array(properties?["entrances"]?.elements.map { $0 } ?? []).enumerated() {
        guard let node = entrance["id"]?.identifier else { continue }
        entrances.append((SpaceID(id), node, file, "\(pointer)/properties/entrances/\(number)/id"))
      }
    }
    bundle.discard(file)
  }

  private mutating func readObstructions(_ file: String, _ findings: inout FindingLog) throws(VenueError) {
    guard let document = bundle.optional(file, findings: &findings) else { return }
    let shapes = ShapeReader(document, limits: options.limits)
    for (ordinal, feature) in FeatureCollection.features(document.root).enumerated() {
      let properties = feature["properties"]
      guard let id = properties?["id"]?.identifier else {
        missingID(file, ordinal, &findings)
        continue
      }
      let pointer = "/features/\(ordinal)"
      let floor = floor(of: properties, "level", file: file, pointer: pointer, object: id, &findings)
      let shape = try shapes.shape(of: feature, owner: .init(object: id, pointer: pointer), findings: &findings)
      guard let solid = shape.barrier else { continue }
      let layer = properties?["layer"]?.string ?? ""
      let barrier = Barrier(id: id, floor: floor, sourceKind: layer, shape: solid)
      switch MVF1Layers.obstruction(layer) {
      case .wall: draft.walls.append(barrier)
      case .furniture: draft.furniture.append(barrier)
      case .solid: draft.obstructions.append(barrier)
      }
    }
    bundle.discard(file)
  }

  private mutating func readNodes(_ findings: inout FindingLog) throws(VenueError) {
    let files = bundle.files(in: "node")
    guard !files.isEmpty else { return }
    var graph = GraphBuilder()
    for file in files {
      guard let document = bundle.optional(file, findings: &findings) else { continue }
      let shapes = ShapeReader(document, limits: options.limits)
      var edges: [(from: Int32, neighbors: JSONValue, weight: Double, pointer: String)] = []
      for (ordinal, feature) in FeatureCollection.features(document.root).enumerated() {
        let properties = feature["properties"]
        guard let id = properties?["id"]?.identifier else {
          missingID(file, ordinal, &findings)
          continue
        }
        let pointer = "/features/\(ordinal)"
        let floor = floor(of: properties, "level", file: file, pointer: pointer, object: id, &findings)
        let shape = try shapes.shape(of: feature, owner: .init(object: id, pointer: pointer), findings: &findings)
        guard let position = shape.anchor else { continue }
        if isOutside(position, floor) {
          findings.add(
            .info, "node-outside-floor", file: file, pointer: pointer + "/geometry", object: id, action: .ignored,
            "the node lies outside the outline of its floor")
        }
        guard
          let index = graph.add(
            NavigationGraph.Node(id: id, floor: floor, position: position), file: file, pointer: pointer, &findings)
        else { continue }
        guard let neighbors = properties?["neighbors"] else { continue }
        edges.append((index, neighbors, properties?["weight"]?.double ?? 0, pointer))
      }
      for (from, neighbors, weight, pointer) in edges {
        for (number, neighbor) in neighbors.elements.enumerated() {
          graph.connect(
            from, to: neighbor["id"] ?? neighbor, extraCost: weight,
            pointer: "\(pointer)/properties/neighbors/\(number)", &findings)
        }
      }
      bundle.discard(file)
    }
    draft.graph = graph.finished(&findings)
  }

  // An entrance names a node without the prefix that nodes carry. A node that several spaces name is one door between them.
  private mutating func readOpenings(_ findings: inout FindingLog) {
    guard let graph = draft.graph else {
      for entrance in entrances.prefix(1) {
        findings.add(
          .warning, "graph-missing", file: entrance.file, action: .ignored,
          "spaces name entrances, but the bundle has no nodes to place them")
      }
      return
    }
    let indexByID = Dictionary(
      graph.nodes.enumerated().map { ($1.id, $0) }, uniquingKeysWith: { first, _ in first })
    var openings: [String: Opening] = [:]
    for entrance in entrances {
      guard let index = indexByID["n_" + entrance.node] ?? indexByID[entrance.node] else {
        findings.add(
          .warning, "dangling-reference", file: entrance.file, pointer: entrance.pointer,
          object: entrance.space.rawValue, action: .ignored, "the entrance names node \(entrance.node), which is absent"
        )
        continue
      }
      let node = graph.nodes[index]
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

  // The format has no doors to the outside: where an edge of the graph leaves the outline of its floor is one.
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

  private mutating func readCategories(_ findings: inout FindingLog) {
    guard let document = bundle.optional("category.geojson", findings: &findings) else { return }
    for feature in FeatureCollection.features(document.root) {
      guard let properties = feature["properties"], let id = properties["id"]?.identifier else { continue }
      draft.categories.append(
        PointOfInterestCategory(id: id, name: LocalizedText(properties["name"]?.string ?? "")))
    }
    bundle.discard("category.geojson")
  }

  private mutating func readLocations(_ findings: inout FindingLog) {
    guard let document = bundle.optional("location.geojson", findings: &findings) else { return }
    let spaceByID = Dictionary(draft.spaces.map { ($0.id.rawValue, $0) }, uniquingKeysWith: { first, _ in first })
    let nodeByID = Dictionary(
      (draft.graph?.nodes ?? []).map { ($0.id, $0) }, uniquingKeysWith: { first, _ in first })
    let furniture = Dictionary(draft.furniture.map { ($0.id, $0) }, uniquingKeysWith: { first, _ in first })
    let categoryIDs = Set(draft.categories.map(\.id))
    for (ordinal, feature) in FeatureCollection.features(document.root).enumerated() {
      guard let properties = feature["properties"], let id = properties["id"]?.identifier else {
        missingID(document.file, ordinal, &findings)
        continue
      }
      let name = properties["name"]?.string ?? ""
      var point = PointOfInterest(
        id: id, name: LocalizedText(name), sourceKind: properties["type"]?.string ?? "",
        openingHours: properties["hours"].flatMap { $0.isNull ? nil : $0.sourceText })
      for (number, place) in Array(properties["spaces"]?.elements.map { $0 } ?? []).enumerated() {
        let key = place["id"] != nil ? "id" : "node"
        guard let reference = (place["id"] ?? place["node"])?.identifier else { continue }
        if key == "id", let space = spaceByID[reference] {
          point.spaces.append(space.id)
          namesBySpace[reference, default: []].append(name)
        } else if let node = nodeByID["n_" + reference] ?? nodeByID[reference] {
          (point.position, point.floor) = (node.position, node.floor)
        } else if let thing = furniture[reference], case .area(let area) = thing.shape {
          (point.position, point.floor) = (ShapeMeasure.interiorPoint(of: area), thing.floor)
        } else {
          let wasDropped = droppedIDs.contains(reference)
          findings.add(
            .warning, "dangling-reference", file: document.file,
            pointer: "/features/\(ordinal)/properties/spaces/\(number)/\(key)", object: id, action: .ignored,
            wasDropped
              ? "the location names space \(reference), which could not be read"
              : "the location names \(key == "id" ? "space" : "node") \(reference), which is absent")
        }
      }
      for (number, category) in Array(properties["categories"]?.elements.map { $0 } ?? []).enumerated() {
        guard let reference = category.identifier else { continue }
        if categoryIDs.contains(reference) {
          point.categories.append(reference)
        } else {
          findings.add(
            .warning, "dangling-reference", file: document.file,
            pointer: "/features/\(ordinal)/properties/categories/\(number)", object: id, action: .ignored,
            "the location names category \(reference), which is absent")
        }
      }
      draft.pointsOfInterest.append(point)
    }
    bundle.discard("location.geojson")
  }

  private mutating func nameSpaces() {
    for index in draft.spaces.indices {
      let names = namesBySpace[draft.spaces[index].id.rawValue] ?? []
      if let name = names.first { draft.spaces[index].name = LocalizedText(name) }
      draft.spaces[index].kind = SpaceKindWords.refine(draft.spaces[index].kind, names: names)
    }
  }

  // The level an object names, or the one its file is named after.
  private mutating func floor(
    of properties: JSONValue?, _ key: StaticString, file: String, pointer: String, object: String,
    _ findings: inout FindingLog
  ) -> FloorID {
    let stem = String(file.split(separator: "/").last?.split(separator: ".").first ?? "")
    let id = FloorID(properties?[key]?.identifier ?? stem)
    if draft.floorPlace(id) == nil {
      findings.add(
        .warning, "dangling-reference", file: file, pointer: "\(pointer)/properties/\(key)", object: object,
        action: .repaired, "the level \(id) is not in the bundle; it is added as ordinal 0 without an outline")
      draft.floors.append(Floor(id: id, ordinal: FloorOrdinal(0)))
    }
    return id
  }

  private mutating func isOutside(_ position: Coordinate, _ floor: FloorID) -> Bool {
    if outlineTests[floor] == nil, let place = draft.floorPlace(floor), let outline = draft.floors[place].outline {
      outlineTests[floor] = OutlineTest(outline)
    }
    return outlineTests[floor].map { !$0.contains(position) } ?? false
  }

  private func missingID(_ file: String, _ ordinal: Int, _ findings: inout FindingLog) {
    findings.add(
      .warning, "id-missing", file: file, pointer: "/features/\(ordinal)", action: .ignored,
      "the feature has no identifier")
  }
}
