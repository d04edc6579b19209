import CordonCore
import CordonGeometry

/// The state of reading one MVF 1 bundle.
struct MVF1Reading: VenueReading {
  let bundle: VenueBundle
  let options: VenueReadOptions
  var findings: FindingLog
  var draft = VenueDraft()
  /// The names of the locations in each space.
  var namesBySpace: [String: [String]] = [:]
  var entrances: [(space: SpaceID, node: String, file: String, pointer: String)] = []
  /// The spaces that could not be read.
  var droppedIDs: Set<String> = []
  private var outlineTests: [FloorID: OutlineTest] = [:]

  init(bundle: VenueBundle, options: VenueReadOptions, findings: FindingLog) {
    self.bundle = bundle
    self.options = options
    self.findings = findings
  }

  mutating func run() throws(VenueError) {
    if let manifest = MVFManifest(bundle) {
      draft.formatVersion = manifest.version
      draft.name = LocalizedText(manifest.properties["name"]?.string ?? "")
      draft.slug = manifest.properties["slug"]?.string
      manifest.compareIndex("folder_struct", with: bundle, findings: &findings)
    } else {
      findings.add(
        .warning, "manifest-missing", file: "manifest.geojson", action: .ignored, "the bundle has no readable manifest")
    }
    for feature in try features("building.geojson") {
      draft.buildings.append(
        Building(id: feature.id, name: LocalizedText(feature.text("name")), outline: feature.shape.area))
    }
    for file in bundle.files(in: "level") {
      for feature in try features(file) { addLevel(feature) }
    }
    for file in bundle.files(in: "space") {
      for feature in try features(file) { addSpace(feature) }
    }
    for file in bundle.files(in: "obstruction") {
      for feature in try features(file) { addObstruction(feature) }
    }
    try readNodes()
    readOpenings()
    try readConnections()
    for feature in try features("category.geojson") {
      draft.categories.append(PointOfInterestCategory(id: feature.id, name: LocalizedText(feature.text("name"))))
    }
    try readLocations()
    nameSpaces()
    draft.placeLandings()
    draft.connectStacks(in: bundle, findings: &findings)
  }

  /// Returns the features of an optional file, and frees the file.
  mutating func features(_ file: String) throws(VenueError) -> [SourceFeature] {
    guard let document = bundle.optional(file, findings: &findings) else { return [] }
    let features = try SourceFeature.all(of: document, limits: options.limits, &findings)
    bundle.discard(file)
    return features
  }

  private mutating func addLevel(_ feature: SourceFeature) {
    let elevation = feature.fields["elevation"]?.double.flatMap { FloorOrdinal($0) }
    if elevation == nil {
      findings.add(
        .warning, "floor-without-ordinal", feature, "/properties/elevation", .repaired,
        "the floor has no elevation; it counts as 0")
    }
    let building = feature.fields["building"]?.identifier
    draft.floors.append(
      Floor(
        id: FloorID(feature.id), ordinal: elevation ?? FloorOrdinal(0), name: LocalizedText(feature.text("name")),
        shortName: LocalizedText(feature.text("abbreviation")), building: building, outline: feature.shape.area))
    guard let building else { return }
    if let index = draft.buildingPlace(building) {
      draft.buildings[index].floors.append(FloorID(feature.id))
    } else {
      findings.add(
        .warning, "dangling-reference", feature, "/properties/building", .repaired,
        "the building \(building) is not in the bundle; it is added without an outline")
      draft.buildings.append(Building(id: building, floors: [FloorID(feature.id)]))
    }
  }

  private mutating func addSpace(_ feature: SourceFeature) {
    let floor = floor(of: feature)
    let layer = feature.text("layer")
    if let area = feature.shape.area, MVF1Layers.isFurniture(layer) {
      draft.furniture.append(Barrier(id: feature.id, floor: floor, sourceKind: layer, shape: .area(area)))
      return
    }
    if feature.shape.area == nil {
      droppedIDs.insert(feature.id)
      if case .none = feature.shape { return }
      findings.add(.warning, "space-without-area", feature, "/geometry", .ignored, "the space is not a polygon")
    }
    if let position = feature.shape.anchor, isOutside(position, floor) {
      findings.add(
        .warning, "space-outside-floor", feature, "/geometry", .ignored,
        "the space lies outside the outline of its floor")
    }
    guard let area = feature.shape.area else { return }
    draft.spaces.append(
      Space(
        id: SpaceID(feature.id), floor: floor, kind: MVF1Layers.kind(layer), sourceKind: layer, outline: area))
    for (number, entrance) in feature.list("entrances").enumerated() {
      guard let node = entrance["id"]?.identifier else { continue }
      entrances.append(
        (SpaceID(feature.id), node, feature.file, "\(feature.pointer)/properties/entrances/\(number)/id"))
    }
  }

  private mutating func addObstruction(_ feature: SourceFeature) {
    let floor = floor(of: feature)
    guard let solid = feature.shape.barrier else { return }
    let layer = feature.text("layer")
    let barrier = Barrier(id: feature.id, floor: floor, sourceKind: layer, shape: solid)
    switch MVF1Layers.obstruction(layer) {
    case .wall: draft.walls.append(barrier)
    case .furniture: draft.furniture.append(barrier)
    case .solid: draft.obstructions.append(barrier)
    }
  }

  /// Returns the level that an object names, or the one after which its file is named.
  mutating func floor(of feature: SourceFeature) -> FloorID {
    let stem = String(feature.file.split(separator: "/").last?.split(separator: ".").first ?? "")
    let id = FloorID(feature.fields["level"]?.identifier ?? stem)
    if draft.floorPlace(id) == nil {
      findings.add(
        .warning, "dangling-reference", feature, "/properties/level", .repaired,
        "the level \(id) is not in the bundle; it is added as ordinal 0 without an outline")
      draft.floors.append(Floor(id: id, ordinal: FloorOrdinal(0)))
    }
    return id
  }

  /// Checks whether a position lies outside the outline of its floor.
  mutating func isOutside(_ position: Coordinate, _ floor: FloorID) -> Bool {
    if outlineTests[floor] == nil, let place = draft.floorPlace(floor), let outline = draft.floors[place].outline {
      outlineTests[floor] = OutlineTest(outline)
    }
    return outlineTests[floor].map { !$0.contains(position) } ?? false
  }
}
