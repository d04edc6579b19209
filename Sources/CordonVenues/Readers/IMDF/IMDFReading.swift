import CordonCore
import CordonGeometry

/// The state of reading one IMDF archive.
struct IMDFReading: VenueReading {
  /// The feature that is being read.
  struct Feature {
    var value: JSONView
    var properties: JSONView?
    var id: String
    var file: String
    var pointer: String
    var shape: RawShape

    func text(_ key: StaticString) -> String? { properties?[key]?.string }
    func label(_ key: StaticString) -> LocalizedText { MVF3Details.text(properties?[key], nil) }
    func references(_ key: StaticString) -> [String] { properties?[key]?.elements.compactMap(\.identifier) ?? [] }
  }

  let bundle: VenueBundle
  let options: VenueReadOptions
  var findings: FindingLog
  var draft = VenueDraft()
  var anchors: [String: (position: Coordinate, unit: String?)] = [:]
  var floorByUnit: [String: FloorID] = [:]
  var solidUnits: Set<String> = []
  var categoryIDs: Set<String> = []
  /// Amenities that lead to other floors, by their correlation.
  var verticalAmenities: [String: [(feature: Feature, kind: Connection.Kind)]] = [:]

  // Each type needs only the types before it.
  private static let order = [
    "address", "venue", "building", "footprint", "level", "unit", "opening", "fixture", "kiosk", "anchor", "amenity",
    "occupant", "relationship", "section", "geofence", "detail",
  ]

  init(bundle: VenueBundle, options: VenueReadOptions, findings: FindingLog) {
    self.bundle = bundle
    self.options = options
    self.findings = findings
  }

  mutating func run() throws(VenueError) {
    var isBeta = false
    if let manifest = bundle.optional("manifest.json", findings: &findings)?.root {
      draft.formatVersion = manifest["version"]?.string
      isBeta = draft.formatVersion != "1.0.0"
      if isBeta {
        findings.add(
          .info, "version-not-final", file: "manifest.json", pointer: "/version", action: .ignored,
          "the version \((draft.formatVersion ?? "").debugDescription) is not 1.0.0; read as 1.0.0")
      }
    } else {
      findings.add(
        .warning, "manifest-missing", file: "manifest.json", action: .ignored, "the archive has no readable manifest")
    }
    var files: [(type: String, name: String)] = []
    for name in bundle.names where name.lowercased() != "manifest.json" {
      guard let document = bundle.optional(name, findings: &findings) else { continue }
      let first = FeatureCollection.features(document.root).first { _ in true }
      let stem = String(name.split(separator: "/").last?.split(separator: ".").first ?? "")
      files.append((first?["feature_type"]?.string ?? stem, name))
    }
    for type in IMDFReading.order {
      for file in files where file.type == type {
        try readFile(file.name)
        bundle.discard(file.name)
      }
    }
    finishBuildings()
    connectAmenities()
    draft.joinOpenings()
    draft.connectStacks(in: bundle, findings: &findings)
  }

  private mutating func readFile(_ name: String) throws(VenueError) {
    guard let document = try? bundle.document(name) else { return }
    let shapes = ShapeReader(document, limits: options.limits)
    for (ordinal, value) in FeatureCollection.features(document.root).enumerated() {
      let pointer = FeatureCollection.pointer(document.root, ordinal)
      guard let id = (value["id"] ?? value["properties"]?["id"])?.identifier else {
        findings.add(
          .warning, "id-missing", file: name, pointer: pointer, action: .ignored, "the feature has no identifier")
        continue
      }
      let shape = try shapes.shape(of: value, owner: .init(object: id, pointer: pointer), findings: &findings)
      let feature = Feature(
        value: value, properties: value["properties"].flatMap { $0.isObject ? $0 : nil }, id: id, file: name,
        pointer: pointer, shape: shape)
      switch value["feature_type"]?.string ?? String(name.split(separator: "/").last?.split(separator: ".").first ?? "")
      {
      case "venue": readVenue(feature, shapes)
      case "building": draft.buildings.append(Building(id: id, name: feature.label("name")))
      case "footprint": readFootprint(feature)
      case "level": readLevel(feature)
      case "unit": readUnit(feature)
      case "opening": readOpening(feature)
      case "fixture", "kiosk": readFixture(feature)
      case "anchor": readAnchor(feature)
      case "amenity": readAmenity(feature)
      case "occupant": readOccupant(feature)
      case "relationship": readRelationship(feature)
      case "detail": readDetail(feature)
      case "section", "geofence": readZone(feature)
      default: break
      }
    }
  }

  private mutating func readVenue(_ feature: Feature, _ shapes: ShapeReader) {
    draft.name = feature.label("name")
    draft.slug = feature.text("source_id")
    draft.timeZone = feature.text("cordon_time_zone")
    draft.outline = feature.shape.area
    guard let display = feature.properties?["display_point"]?["coordinates"], let outline = draft.outline else {
      return
    }
    let numbers = display.elements.prefix(2).compactMap(\.double)
    guard numbers.count == 2 else { return }
    AxisCheck.compare(
      outline, with: Coordinate(longitude: numbers[0], latitude: numbers[1]), file: feature.file,
      pointer: feature.pointer + "/properties/display_point", object: feature.id, &findings)
  }

  private mutating func readFootprint(_ feature: Feature) {
    // Aerial and subterranean footprints describe a building above or below the ground, not its walls.
    guard feature.text("category") ?? "ground" == "ground", let area = feature.shape.area else { return }
    for (number, id) in feature.references("building_ids").enumerated() {
      guard let index = draft.buildingPlace(id) else {
        dangling(feature, "building_ids/\(number)", "building", id)
        continue
      }
      draft.buildings[index].outline = GeoMultiPolygon((draft.buildings[index].outline?.polygons ?? []) + area.polygons)
    }
  }

  private mutating func readLevel(_ feature: Feature) {
    let ordinal = feature.properties?["ordinal"]?.double.flatMap { FloorOrdinal($0) }
    if ordinal == nil {
      findings.add(
        .warning, "floor-without-ordinal", file: feature.file, pointer: feature.pointer + "/properties/ordinal",
        object: feature.id, action: .repaired, "the level has no ordinal; it counts as 0")
    }
    var building: String?
    for (number, id) in feature.references("building_ids").enumerated() {
      if let index = draft.buildingPlace(id) {
        draft.buildings[index].floors.append(FloorID(feature.id))
        building = building ?? id
      } else {
        dangling(feature, "building_ids/\(number)", "building", id)
      }
    }
    draft.floors.append(
      Floor(
        id: FloorID(feature.id), ordinal: ordinal ?? FloorOrdinal(0), name: feature.label("name"),
        shortName: feature.label("short_name"), building: building,
        isOutdoor: feature.properties?["outdoor"]?.bool ?? false, outline: feature.shape.area))
  }

  private mutating func readUnit(_ feature: Feature) {
    guard let floor = level(of: feature) else { return }
    guard let area = feature.shape.area else {
      findings.add(
        .warning, "space-without-area", file: feature.file, pointer: feature.pointer + "/geometry", object: feature.id,
        action: .ignored, "the unit is not a polygon")
      return
    }
    let category = feature.text("category") ?? ""
    floorByUnit[feature.id] = floor
    if IMDFCategories.solidUnits.contains(category) {
      solidUnits.insert(feature.id)
      draft.walls.append(Barrier(id: feature.id, floor: floor, sourceKind: category, shape: .area(area)))
      return
    }
    if IMDFCategories.units[category] == nil, !category.hasPrefix("restroom") {
      findings.add(
        .info, "unknown-kind", file: feature.file, pointer: feature.pointer + "/properties/category",
        object: feature.id, action: .ignored, "the category \(category.debugDescription) is not known")
    }
    let name = feature.label("name")
    // Cordon's own writer adds kinds that the format does not have.
    let exact = feature.text("cordon_kind").flatMap(SpaceKind.init(rawValue:))
    draft.spaces.append(
      Space(
        id: SpaceID(feature.id), floor: floor,
        kind: exact ?? SpaceKindWords.refine(IMDFCategories.kind(category), names: [name.text() ?? ""]),
        sourceKind: category, name: name, outline: area))
  }

  private mutating func readOpening(_ feature: Feature) {
    guard let floor = level(of: feature) else { return }
    guard let line = feature.shape.line ?? feature.shape.anchor.map({ [$0] }) else { return }
    let category = feature.text("category") ?? ""
    draft.openings.append(
      Opening(
        id: feature.id, floor: floor, line: line, isEntrance: category == "pedestrian.principal", sourceKind: category,
        name: feature.label("name")))
  }

  private mutating func readFixture(_ feature: Feature) {
    guard let floor = level(of: feature), let solid = feature.shape.barrier else { return }
    let category = feature.text("category") ?? "kiosk"
    let barrier = Barrier(id: feature.id, floor: floor, sourceKind: category, shape: solid)
    if category == "obstruction" { draft.obstructions.append(barrier) } else { draft.furniture.append(barrier) }
  }

  // Details are annotations, unless Cordon's own writer states another role.
  private mutating func readDetail(_ feature: Feature) {
    guard let floor = level(of: feature) else { return }
    guard let role = feature.text("cordon_role") else {
      draft.annotate(feature.id, floor, symbol: feature.text("cordon_symbol") ?? "", feature.shape)
      return
    }
    guard let solid = feature.shape.barrier else { return }
    let barrier = Barrier(id: feature.id, floor: floor, sourceKind: role, shape: solid)
    switch role {
    case "wall": draft.walls.append(barrier)
    case "obstruction": draft.obstructions.append(barrier)
    case "furniture": draft.furniture.append(barrier)
    default: break
    }
  }

  // A section lies on one level; a geofence lies on the levels that it names, or on all levels.
  private mutating func readZone(_ feature: Feature) {
    guard let area = feature.shape.area else { return }
    var floors: [FloorID] = []
    if feature.properties?["level_id"] != nil {
      guard let floor = level(of: feature) else { return }
      floors = [floor]
    }
    for (number, id) in feature.references("level_ids").enumerated() {
      if draft.floorPlace(FloorID(id)) != nil {
        floors.append(FloorID(id))
      } else {
        dangling(feature, "level_ids/\(number)", "level", id)
      }
    }
    draft.zones.append(
      Zone(
        id: feature.id, floors: floors, sourceKind: feature.text("cordon_kind") ?? feature.text("category") ?? "",
        name: feature.label("name"), outline: area))
  }

  private mutating func readAnchor(_ feature: Feature) {
    guard let position = feature.shape.anchor else { return }
    anchors[feature.id] = (position, feature.text("unit_id"))
  }

  /// Returns the level that a feature names, if it exists.
  mutating func level(of feature: Feature) -> FloorID? {
    let id = feature.properties?["level_id"]?.identifier
    if let id, draft.floorPlace(FloorID(id)) != nil { return FloorID(id) }
    findings.add(
      .warning, "dangling-reference", file: feature.file, pointer: feature.pointer + "/properties/level_id",
      object: feature.id, action: .ignored, "the level \(id ?? "(none)") is absent, so the feature has no floor")
    return nil
  }

  mutating func dangling(_ feature: Feature, _ key: String, _ what: String, _ id: String) {
    findings.add(
      .warning, "dangling-reference", file: feature.file, pointer: "\(feature.pointer)/properties/\(key)",
      object: feature.id, action: .ignored, "the \(what) \(id) is absent")
  }

  // With a single building, levels need not name it.
  private mutating func finishBuildings() {
    guard draft.buildings.count == 1, draft.buildings[0].floors.isEmpty else { return }
    for index in draft.floors.indices where !draft.floors[index].isOutdoor {
      draft.floors[index].building = draft.buildings[0].id
      draft.buildings[0].floors.append(draft.floors[index].id)
    }
  }
}
