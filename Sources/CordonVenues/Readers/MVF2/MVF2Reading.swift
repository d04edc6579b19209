import CordonCore
import CordonGeometry

/// The state of reading one MVF 2 bundle.
struct MVF2Reading: VenueReading {
  let bundle: VenueBundle
  let options: VenueReadOptions
  var findings: FindingLog
  var draft = VenueDraft()
  var nodes: [String: NavigationGraph.Node] = [:]
  /// The names of the locations in each space.
  var namesBySpace: [String: [String]] = [:]

  init(bundle: VenueBundle, options: VenueReadOptions, findings: FindingLog) {
    self.bundle = bundle
    self.options = options
    self.findings = findings
  }

  mutating func run() throws(VenueError) {
    if let manifest = MVFManifest(bundle) {
      draft.formatVersion = manifest.version
      draft.name = MVF3Details.text(manifest.properties["name"], nil)
      draft.timeZone = manifest.properties["tzid"]?.string
      manifest.compareIndex("folder_struct", with: bundle, findings: &findings)
    } else {
      findings.add(
        .warning, "manifest-missing", file: "manifest.geojson", action: .ignored, "the bundle has no readable manifest")
    }
    try readFloors()
    readStacks()
    try readNodes()
    readEnterprise()
    for folder in ["space", "obstruction", "window", "entrance", "annotation"] {
      for file in bundle.files(in: folder) {
        let floor = FloorID(String(file.split(separator: "/").last?.split(separator: ".").first ?? ""))
        guard let document = bundle.optional(file, findings: &findings) else { continue }
        if draft.floorPlace(floor) == nil {
          findings.add(
            .warning, "dangling-reference", file: file, object: floor.rawValue, action: .ignored,
            "the file is of no floor of the bundle")
          continue
        }
        for feature in try features(document) {
          switch folder {
          case "space": addSpace(feature, floor, document.file)
          case "obstruction": addObstruction(feature, floor, document.file)
          case "window": addWindow(feature, floor, document.file)
          case "annotation":
            let symbol = feature.fields["symbolKey"] ?? feature.fields["kind"] ?? feature.fields["type"]
            draft.annotate(feature.id, floor, symbol: symbol?.string ?? "", feature.shape)
          default: addEntrance(feature, floor, document.file)
          }
        }
        bundle.discard(file)
      }
    }
    nameSpaces()
    checkPoints()
    readConnections()
    draft.joinOpenings()
    draft.connectStacks(in: bundle, findings: &findings)
  }

  private mutating func features(_ document: JSONDocument) throws(VenueError) -> [SourceFeature] {
    try SourceFeature.all(of: document, limits: options.limits, &findings)
  }

  private mutating func readFloors() throws(VenueError) {
    let name = bundle.contains("floor.geojson") ? "floor.geojson" : "map.geojson"
    let document = try bundle.required(name, findings: &findings)
    for feature in try features(document) {
      let elevation = feature.fields["elevation"]?.double.flatMap { FloorOrdinal($0) }
      if elevation == nil {
        findings.add(
          .warning, "floor-without-ordinal", file: document.file, pointer: feature.pointer, object: feature.id,
          action: .repaired, "the floor has no elevation; it counts as 0")
      }
      if feature.shape.area == nil {
        findings.add(
          .info, "floor-without-outline", file: document.file, pointer: feature.pointer, object: feature.id,
          action: .ignored, "the floor has no outline")
      }
      draft.floors.append(
        Floor(
          id: FloorID(feature.id), ordinal: elevation ?? FloorOrdinal(0), name: feature.displayName,
          shortName: MVF3Details.text(feature.fields["shortName"] ?? feature.fields["details"]?["shortName"], nil),
          outline: feature.shape.area))
    }
    bundle.discard(name)
    guard !draft.floors.isEmpty else {
      throw VenueError(code: "no-floor", file: document.file, message: "the venue has no floor")
    }
  }

  private mutating func readStacks() {
    let names = ["floorstack.json", "floorstack.geojson", "mapstack.geojson", "mapstack.json"]
    guard let name = names.first(where: bundle.contains),
      let document = bundle.optional(name, findings: &findings)
    else { return }
    for (ordinal, value) in FeatureCollection.features(document.root).enumerated() {
      let stack = value["properties"].flatMap { $0.isObject ? $0 : nil } ?? value
      guard let id = (stack["id"] ?? value["id"])?.identifier else { continue }
      let isOutdoor = stack["type"]?.string?.lowercased() == "outdoor"
      var floors: [FloorID] = []
      for (number, reference) in Array((stack["maps"] ?? stack["floors"])?.elements.map { $0 } ?? []).enumerated() {
        guard let floor = reference.identifier.map({ FloorID($0) }) else { continue }
        guard let place = draft.floorPlace(floor) else {
          findings.add(
            .warning, "dangling-reference", file: document.file,
            pointer: "\(FeatureCollection.pointer(document.root, ordinal))/maps/\(number)", object: id,
            action: .ignored,
            "the stack names floor \(floor), which is absent")
          continue
        }
        if isOutdoor {
          draft.floors[place].isOutdoor = true
        } else {
          floors.append(floor)
          if draft.floors[place].building == nil { draft.floors[place].building = id }
        }
      }
      if !isOutdoor {
        draft.buildings.append(
          Building(id: id, name: MVF3Details.text(stack["name"], stack["details"]), floors: floors))
      }
    }
    bundle.discard(name)
  }

  private mutating func readNodes() throws(VenueError) {
    guard let name = ["node.geojson", "node.json"].first(where: bundle.contains),
      let document = bundle.optional(name, findings: &findings)
    else { return }
    var graph = GraphBuilder()
    var edges: [(from: Int32, neighbors: JSONView, pointer: String)] = []
    for feature in try features(document) {
      guard let position = feature.shape.anchor,
        let floor = (feature.fields["map"] ?? feature.fields["floor"])?.identifier.map({ FloorID($0) })
      else { continue }
      guard let place = draft.floorPlace(floor) else {
        findings.add(
          .warning, "dangling-reference", file: document.file, pointer: feature.pointer, object: feature.id,
          action: .ignored, "the node is on floor \(floor), which is absent")
        continue
      }
      if let outline = draft.floors[place].outline, !OutlineCrossing.contains(outline, position) {
        findings.add(
          .info, "node-outside-floor", file: document.file, pointer: feature.pointer + "/geometry", object: feature.id,
          action: .ignored, "the node lies outside the outline of its floor")
      }
      let node = NavigationGraph.Node(id: feature.id, floor: floor, position: position)
      nodes[feature.id] = node
      guard let index = graph.add(node, file: document.file, pointer: feature.pointer, &findings) else { continue }
      if let neighbors = feature.fields["neighbors"] { edges.append((index, neighbors, feature.pointer)) }
    }
    for (from, neighbors, pointer) in edges {
      for (number, neighbor) in neighbors.elements.enumerated() {
        graph.connect(
          from, to: neighbor["id"] ?? neighbor,
          extraCost: neighbor["weight"]?.double ?? neighbor["extraCost"]?.double ?? 0,
          pointer: "\(pointer)/properties/neighbors/\(number)", &findings)
      }
    }
    bundle.discard(name)
    draft.graph = graph.finished(&findings)
  }

  private mutating func nameSpaces() {
    for index in draft.spaces.indices {
      let names = namesBySpace[draft.spaces[index].id.rawValue] ?? []
      if draft.spaces[index].name.isEmpty, let name = names.first { draft.spaces[index].name = LocalizedText(name) }
      let own = draft.spaces[index].name.text().map { [$0] } ?? []
      draft.spaces[index].kind = SpaceKindWords.refine(draft.spaces[index].kind, names: own + names)
    }
  }
}

extension SourceFeature {
  /// The name of a feature, at the places that MVF 2 uses.
  var displayName: LocalizedText { MVF3Details.text(fields["details"]?["name"] ?? fields["name"], nil) }
}
