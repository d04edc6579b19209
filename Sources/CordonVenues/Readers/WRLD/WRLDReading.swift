import CordonCore
import CordonGeometry

/// The state of reading one WRLD venue.
struct WRLDReading: VenueReading {
  let bundle: VenueBundle
  let options: VenueReadOptions
  var findings: FindingLog
  var draft = VenueDraft()
  private var floorByOrder: [Int: FloorID] = [:]
  private var ways = PathNetwork()

  init(bundle: VenueBundle, options: VenueReadOptions, findings: FindingLog) {
    self.bundle = bundle
    self.options = options
    self.findings = findings
  }

  /// `properties.type` of areas that people can be in, or see into.
  static let spaceKinds: [String: SpaceKind] = [
    "room": .room, "bathroom": .restroom, "stairs": .stairs, "elevator": .elevator, "escalator": .escalator,
    "inaccessible_space": .inaccessible, "floor_opening": .openToBelow, "hallway": .corridor, "corridor": .corridor,
    "desk_area": .office, "meeting_room": .meetingRoom,
  ]

  mutating func run() throws(VenueError) {
    guard let (main, root) = WRLDReader.main(bundle) else {
      throw VenueError(code: "not-a-venue", file: bundle.name, message: "no file lists the levels")
    }
    _ = try bundle.required(main, findings: &findings)
    draft.slug = root["id"]?.identifier
    draft.name = LocalizedText(root["name"]?.string ?? "")
    draft.buildings = [Building(id: root["id"]?.identifier ?? "building", name: draft.name)]
    var files: Set<String> = [main]
    for (ordinal, level) in Array(root["levels"]?.elements.map { $0 } ?? []).enumerated() {
      guard let floor = addFloor(level, ordinal, in: main), let name = level["filename"]?.string else { continue }
      files.insert(bundle.resolve(name) ?? name)
      if let document = bundle.optional(name, findings: &findings) {
        try readLevel(document, floor: floor)
        bundle.discard(name)
      } else if !bundle.contains(name) {
        findings.add(
          .error, "missing-file", file: name, object: floor.rawValue, action: .ignored,
          "the file of the level is absent")
      }
    }
    for name in bundle.names where !files.contains(name) {
      guard let document = bundle.optional(name, findings: &findings) else { continue }
      try readPaths(document)
      bundle.discard(name)
    }
    draft.graph = ways.graph(joining: draft.connections)
    for floor in ways.scribbledFloors {
      findings.add(
        .warning, "pathways-not-joined", file: main, object: floor.rawValue, action: .ignored,
        "the floor has too many walking lines, or crossings of them, to join them")
    }
    draft.joinOpenings()
    draft.connectStacks(in: bundle, findings: &findings)
    compareLocation(root, in: main)
  }

  /// Adds the floor of a level; returns `nil` for a level without an identifier.
  private mutating func addFloor(_ level: JSONView, _ ordinal: Int, in file: String) -> FloorID? {
    let pointer = "/levels/\(ordinal)"
    guard let id = level["id"]?.identifier ?? level["filename"]?.string else {
      findings.add(
        .warning, "id-missing", file: file, pointer: pointer, action: .ignored, "the level has no identifier")
      return nil
    }
    let order = level["z_order"]?.double.flatMap { FloorOrdinal($0) }
    if order == nil {
      findings.add(
        .warning, "floor-without-ordinal", file: file, pointer: pointer + "/z_order", object: id, action: .repaired,
        "the level has no z_order; its place in the list counts")
    }
    let floor = FloorID(id)
    if let whole = level["z_order"]?.int { floorByOrder[whole] = floor }
    draft.floors.append(
      Floor(
        id: floor, ordinal: order ?? FloorOrdinal(ordinal), name: LocalizedText(level["readable_name"]?.string ?? ""),
        shortName: LocalizedText(level["name"]?.identifier ?? ""), building: draft.buildings[0].id))
    draft.buildings[0].floors.append(floor)
    return floor
  }

  /// Compares the venue's own point with the outline of its first floor.
  private mutating func compareLocation(_ root: JSONView, in file: String) {
    guard let point = root["location"]?["coordinates"]?.elements.prefix(2).compactMap(\.double), point.count == 2,
      let outline = draft.floors.compactMap(\.outline).first
    else { return }
    AxisCheck.compare(
      outline, with: Coordinate(longitude: point[0], latitude: point[1]), file: file, pointer: "/location",
      object: nil, &findings)
  }

  private mutating func reportLegacy(_ document: JSONDocument) {
    guard document.root["crs"] != nil else { return }
    findings.add(
      .info, "crs-member", file: document.file, pointer: "/crs", action: .ignored,
      "a crs member is no longer part of GeoJSON; coordinates are read as longitude and latitude")
  }

  private mutating func readLevel(
    _ document: JSONDocument, floor: FloorID
  ) throws(VenueError) {
    reportLegacy(document)
    let shapes = ShapeReader(document, limits: options.limits)
    let stem = floor.rawValue
    for (ordinal, feature) in FeatureCollection.features(document.root).enumerated() {
      let pointer = FeatureCollection.pointer(document.root, ordinal)
      let properties = feature["properties"]
      let own = (properties?["id"] ?? feature["id"])?.identifier ?? "feature-\(ordinal)"
      // Numbers restart in each file.
      let id = "\(stem)/\(own)"
      let shape = try shapes.shape(of: feature, owner: .init(object: own, pointer: pointer), findings: &findings)
      let type = properties?["type"]?.string ?? ""
      let name = LocalizedText(properties?["name"]?.string ?? "")
      switch type {
      case "building_outline":
        if let area = shape.area, let place = draft.floorPlace(floor) {
          draft.floors[place].outline = GeoMultiPolygon((draft.floors[place].outline?.polygons ?? []) + area.polygons)
        }
      case "wall", "window":
        if let solid = shape.barrier {
          draft.walls.append(Barrier(id: id, floor: floor, sourceKind: type, shape: solid))
        }
      case "door", "entrance":
        let line = shape.area.map(Threshold.line) ?? shape.line ?? shape.anchor.map { [$0] } ?? []
        guard !line.isEmpty else { continue }
        draft.openings.append(
          Opening(id: id, floor: floor, line: line, isEntrance: type == "entrance", sourceKind: type, name: name))
      case "no_geometry":
        // An area for a label or a tap target, and not a part of the plan.
        addPoint(id, name, type, shape, floor)
      default:
        guard let area = shape.area else {
          addPoint(id, name, type, shape, floor)
          continue
        }
        let kind = WRLDReading.spaceKinds[type]
        if kind == nil {
          findings.add(
            .info, "unknown-kind", file: document.file, pointer: pointer + "/properties/type", object: own,
            action: .ignored, "the type \(type.debugDescription) is not known; the area is a space of unknown kind")
        }
        draft.spaces.append(
          Space(
            id: SpaceID(id), floor: floor, kind: SpaceKindWords.refine(kind ?? .unknown, names: [name.text() ?? ""]),
            sourceKind: type, name: name, outline: area))
      }
    }
  }

  private mutating func addPoint(
    _ id: String, _ name: LocalizedText, _ type: String, _ shape: RawShape, _ floor: FloorID
  ) {
    guard !name.isEmpty, let position = shape.anchor else { return }
    draft.pointsOfInterest.append(
      PointOfInterest(id: id, name: name, sourceKind: type, position: position, floor: floor))
  }

  // Connections name their levels by z_order beside the properties; a file of paths on one floor names its own level.
  private mutating func readPaths(_ document: JSONDocument) throws(VenueError) {
    guard GeoJSONFile.isGeoJSON(document.root) else { return }
    reportLegacy(document)
    let shapes = ShapeReader(document, limits: options.limits)
    let own = document.root["z_order"]?.int.flatMap { floorByOrder[$0] }
    var homeless = 0
    for (ordinal, feature) in FeatureCollection.features(document.root).enumerated() {
      let pointer = FeatureCollection.pointer(document.root, ordinal)
      let properties = feature["properties"]
      let number = (properties?["id"] ?? feature["id"])?.identifier ?? "feature-\(ordinal)"
      let shape = try shapes.shape(of: feature, owner: .init(object: number, pointer: pointer), findings: &findings)
      let type = properties?["type"]?.string ?? ""
      guard let line = shape.line else { continue }
      if let levels = (feature["levels"] ?? properties?["levels"])?.elements.compactMap(\.int), levels.count > 1 {
        addConnection(
          "paths/\(number)", type, LocalizedText(properties?["name"]?.string ?? ""), line, levels, document.file,
          pointer)
      } else if type == "entrance", let own {
        draft.openings.append(
          Opening(
            id: "paths/\(number)", floor: own, line: [line[0]], isEntrance: true, sourceKind: type,
            name: LocalizedText(properties?["name"]?.string ?? "")))
        ways.add(line, on: own)
      } else if let own {
        ways.add(line, on: own)
      } else {
        homeless += 1
      }
    }
    if homeless > 0 {
      findings.add(
        .info, "pathways-ignored", file: document.file, action: .ignored,
        "\(homeless) walking lines do not say on which level they are")
    }
  }

  private mutating func addConnection(
    _ id: String, _ type: String, _ name: LocalizedText, _ line: [Coordinate], _ levels: [Int], _ file: String,
    _ pointer: String
  ) {
    var landings: [Connection.Landing] = []
    for (index, level) in levels.enumerated() {
      guard let floor = floorByOrder[level] else {
        findings.add(
          .warning, "dangling-reference", file: file, pointer: "\(pointer)/levels/\(index)", object: id,
          action: .ignored,
          "no level has z_order \(level)")
        continue
      }
      let place =
        index == 0 ? line[0] : index == levels.count - 1 ? line[line.count - 1] : line[min(index, line.count - 1)]
      landings.append(Connection.Landing(floor: floor, position: place))
    }
    // An elevator from 2 to 0 also stops at 1, if that level exists.
    if type == "elevator", let low = levels.min(), let high = levels.max(), high - low <= OSMLevels.most {
      for level in (low...high) where !levels.contains(level) {
        if let floor = floorByOrder[level] { landings.append(Connection.Landing(floor: floor, position: line[0])) }
      }
    }
    guard landings.count > 1 else { return }
    let kind = Connection.Kind(rawValue: type) ?? .unknown
    draft.connections.append(
      Connection(
        id: id, kind: kind, name: name, landings: landings, isAccessible: kind == .elevator, sourceKind: type))
  }
}
