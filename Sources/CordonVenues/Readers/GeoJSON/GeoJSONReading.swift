import CordonCore
import CordonGeometry

/// The state of reading GeoJSON files.
struct GeoJSONReading {
  /// A level of a feature as a floor.
  private typealias LevelFloor = (id: FloorID, ordinal: FloorOrdinal)

  let bundle: VenueBundle
  let options: VenueReadOptions
  var findings: FindingLog
  var draft = VenueDraft()
  private(set) var isIndoor = false
  private var floorOrdinals: [FloorID: FloorOrdinal] = [:]
  private var outlines: [FloorID: [GeoPolygon]] = [:]

  init(bundle: VenueBundle, options: VenueReadOptions, findings: FindingLog) {
    self.bundle = bundle
    self.options = options
    self.findings = findings
  }

  mutating func run() throws(VenueError) {
    isIndoor = GeoJSONReader.detect(bundle)?.format == .osmIndoor
    var isFirst = true
    for name in bundle.names {
      // One broken file of several is skipped; a single file must be readable.
      let document =
        bundle.names.count == 1
        ? try bundle.required(name, findings: &findings) : bundle.optional(name, findings: &findings)
      guard let document, GeoJSONFile.isGeoJSON(document.root) else { continue }
      if isFirst {
        let stem = name.split(separator: "/").last?.split(separator: ".").first.map(String.init)
        draft.name = LocalizedText(document.root["name"]?.string ?? stem ?? "")
        isFirst = false
      }
      try readFile(document)
      bundle.discard(name)
    }
    for (id, ordinal) in floorOrdinals {
      draft.floors.append(
        Floor(
          id: id, ordinal: ordinal, shortName: LocalizedText(ordinal.description),
          building: draft.buildings.count == 1 ? draft.buildings[0].id : nil,
          outline: outlines[id].map { GeoMultiPolygon($0) }))
    }
    draft.floors.sort { ($0.ordinal, $0.id) < ($1.ordinal, $1.id) }
    if draft.buildings.count == 1 { draft.buildings[0].floors = draft.floors.map(\.id) }
    draft.joinOpenings()
    draft.connectStacks(in: bundle, findings: &findings)
  }

  private mutating func readFile(_ document: JSONDocument) throws(VenueError) {
    let root = document.root
    let shapes = ShapeReader(document, limits: options.limits, transform: options.georeference)
    if root["crs"] != nil {
      findings.add(
        .info, "crs-member", file: document.file, pointer: "/crs", action: .ignored,
        "a crs member is no longer part of GeoJSON; coordinates are read as longitude and latitude")
    }
    if let type = root["type"]?.string, GeoJSONFile.geometryTypes.contains(type) {
      let shape = try shapes.shape(geometry: root, owner: .init(object: nil, pointer: ""), findings: &findings)
      place(shape, id: "geometry", properties: nil, file: document.file, pointer: "")
      return
    }
    for (ordinal, feature) in FeatureCollection.features(root).enumerated() {
      let pointer = FeatureCollection.pointer(root, ordinal)
      let properties = feature["properties"].flatMap { $0.isObject ? $0 : nil }
      let mapped = options.mapping.id.flatMap { properties?.value(named: $0)?.identifier }
      let id =
        mapped ?? feature["id"]?.identifier ?? properties?["id"]?.identifier ?? properties?["@id"]?.identifier
        ?? "feature-\(ordinal)"
      let shape = try shapes.shape(of: feature, owner: .init(object: id, pointer: pointer), findings: &findings)
      if case .none = shape { continue }
      // One feature may stand for two hundred floors.
      guard draft.featureCount <= options.limits.features else {
        throw VenueError(
          code: "limit-exceeded", file: document.file, pointer: pointer,
          message: "more than \(options.limits.features) objects, each floor of a feature counted")
      }
      place(shape, id: id, properties: properties, file: document.file, pointer: pointer)
    }
  }

  private mutating func place(
    _ shape: RawShape, id: String, properties: JSONView?, file: String, pointer: String
  ) {
    let tags = properties.map { OSMTags($0) }
    let name = GeoJSONNames.name(of: properties, mapping: options.mapping)
    // A kiosk in a concourse may have the tag `building`, too. A feature that is mapped as indoor is not a building of
    // the venue.
    let isBuilding =
      (tags?["building"] != nil && tags?["indoor"] == nil) || tags?["type"] == "building"
      || tags?["type"] == "building_outline"
    let levels = levels(of: properties)
    let isOnGround = isPlacedWithoutLevel(tags)
    if levels.isEmpty, !isBuilding, isIndoor {
      findings.add(
        .warning, "level-missing", file: file, pointer: pointer + "/properties", object: id,
        action: isOnGround ? .repaired : .ignored,
        isOnGround ? "the feature has no level; it counts as 0" : "the feature has no level")
    }
    if isBuilding {
      if let area = shape.area { draft.buildings.append(Building(id: id, name: name, outline: area)) }
    } else if isIndoor, levels.isEmpty, !isOnGround {
      addPointOfInterest(id, name, tags, shape, floor: nil, space: nil)
    } else {
      let floors = (levels.isEmpty ? [FloorOrdinal(0)] : levels).map { (id: FloorID($0.description), ordinal: $0) }
      for floor in floors { floorOrdinals[floor.id] = floor.ordinal }
      place(shape, id: id, name: name, properties: properties, tags: tags, on: floors)
    }
  }

  /// Adds a feature to its floors, of which there is at least one.
  private mutating func place(
    _ shape: RawShape, id: String, name: LocalizedText, properties: JSONView?, tags: OSMTags?, on floors: [LevelFloor]
  ) {
    if tags?["indoor"] == "level", let area = shape.area {
      for floor in floors { outlines[floor.id, default: []] += area.polygons }
      return
    }
    if let tags, tags.isWall { return addWall(id, tags, shape, on: floors) }
    if let tags, tags.isOpening, shape.area == nil { return addOpening(id, name, tags, shape, on: floors) }
    if let kind = tags?.connectionKind, floors.count > 1, let position = shape.anchor {
      addConnection(id, kind, name, tags, shape, position, floors.map(\.id))
      if shape.area == nil { return }
    }
    guard let area = shape.area else {
      return addPointOfInterest(id, name, tags, shape, floor: floors[0].id, space: nil)
    }
    let (kind, sourceKind) = GeoJSONNames.kind(
      of: properties, tags: tags, isIndoor: isIndoor, mapping: options.mapping)
    for floor in floors {
      draft.spaces.append(
        Space(
          id: SpaceID(numbered(id, floor, floors)), floor: floor.id,
          kind: SpaceKindWords.refine(kind, names: [name.text() ?? ""]), sourceKind: sourceKind, name: name,
          outline: area))
    }
    if tags?["amenity"] != nil || tags?["shop"] != nil {
      addPointOfInterest(id, name, tags, shape, floor: floors[0].id, space: SpaceID(numbered(id, floors[0], floors)))
    }
  }

  private mutating func addWall(_ id: String, _ tags: OSMTags, _ shape: RawShape, on floors: [LevelFloor]) {
    guard let solid = shape.barrier else { return }
    for floor in floors {
      draft.walls.append(
        Barrier(id: numbered(id, floor, floors), floor: floor.id, sourceKind: tags["indoor"] ?? "", shape: solid))
    }
  }

  private mutating func addOpening(
    _ id: String, _ name: LocalizedText, _ tags: OSMTags, _ shape: RawShape, on floors: [LevelFloor]
  ) {
    let line = shape.line ?? shape.anchor.map { [$0] } ?? []
    for floor in floors {
      draft.openings.append(
        Opening(
          id: numbered(id, floor, floors), floor: floor.id, line: line, isEntrance: tags.isEntrance,
          sourceKind: tags["entrance"].map { "entrance=\($0)" } ?? tags["door"].map { "door=\($0)" } ?? "door",
          name: name))
    }
  }

  // A feature on several floors becomes several objects; the one on the lowest floor keeps the identifier.
  private func numbered(_ id: String, _ floor: LevelFloor, _ floors: [LevelFloor]) -> String {
    floor.id == floors[0].id ? id : "\(id)@\(floor.id)"
  }

  private func isPlacedWithoutLevel(_ tags: OSMTags?) -> Bool {
    guard let tags else { return false }
    return tags["indoor"] != nil || tags["entrance"] != nil || tags["door"] != nil || tags["room"] != nil
  }

  private func levels(of properties: JSONView?) -> [FloorOrdinal] {
    guard let properties else { return [] }
    let value =
      options.mapping.floor.map { properties.value(named: $0) } ?? properties["level"] ?? properties["floor"]
      ?? properties["ordinal"] ?? properties["storey"]
    var levels = Set(value?.identifier.map(OSMLevels.parse) ?? [])
    if let repeated = properties["repeat_on"]?.identifier { levels.formUnion(OSMLevels.parse(repeated)) }
    return levels.sorted()
  }

  private mutating func addPointOfInterest(
    _ id: String, _ name: LocalizedText, _ tags: OSMTags?, _ shape: RawShape, floor: FloorID?, space: SpaceID?
  ) {
    guard let position = shape.anchor else { return }
    let kind = tags?.sourceKind ?? ""
    guard !name.isEmpty || !kind.isEmpty else { return }
    draft.pointsOfInterest.append(
      PointOfInterest(
        id: id, name: name, sourceKind: kind, spaces: space.map { [$0] } ?? [], position: position, floor: floor,
        openingHours: tags?["opening_hours"]))
  }

  private mutating func addConnection(
    _ id: String, _ kind: Connection.Kind, _ name: LocalizedText, _ tags: OSMTags?, _ shape: RawShape,
    _ position: Coordinate, _ floors: [FloorID]
  ) {
    var landings: [Connection.Landing] = []
    for (index, floor) in floors.enumerated() {
      var place = position
      // Steps that are drawn as a line run upwards unless they are tagged otherwise.
      if case .lines(let lines) = shape, let line = lines.first, let first = line.first, let last = line.last {
        let isDownwards = tags?["incline"] == "down"
        if index == 0 { place = isDownwards ? last : first }
        if index == floors.count - 1 { place = isDownwards ? first : last }
      }
      landings.append(Connection.Landing(floor: floor, position: place))
    }
    if tags?.isOneWay == true {
      let isBackward = tags?["conveying"] == "backward" || tags?["oneway"] == "-1"
      for index in landings.indices {
        landings[index].isEntry = isBackward ? index == landings.count - 1 : index == 0
        landings[index].isExit = isBackward ? index == 0 : index == landings.count - 1
      }
    }
    draft.connections.append(
      Connection(
        id: id, kind: kind, name: name, landings: landings,
        isAccessible: tags?["wheelchair"] == "yes" || kind == .elevator, isTwoWay: tags?.isOneWay != true,
        sourceKind: tags?.sourceKind ?? ""))
  }
}
