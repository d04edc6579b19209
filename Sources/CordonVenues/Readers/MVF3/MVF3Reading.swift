import CordonCore
import CordonGeometry

/// The state of reading one MVF 3 bundle.
struct MVF3Reading: VenueReading {
  /// A geometry to which other files refer.
  struct Geometry {
    var floor: FloorID
    var shape: RawShape
    var kind: String?
    var file: String
    var pointer: String
  }

  let bundle: VenueBundle
  let options: VenueReadOptions
  var findings: FindingLog
  var draft = VenueDraft()
  var geometries: [String: Geometry] = [:]
  /// The names and categories of the locations at each geometry.
  var namesByGeometry: [String: [String]] = [:]
  /// The names in several languages.
  private var localizedNames: [String: LocalizedText] = [:]
  /// The spaces with a known kind, which is not guessed from their names.
  private var exactKinds: Set<SpaceID> = []
  var flags = MVF3Flags()
  var joins: [FloorID: OpeningJoin] = [:]
  /// The geometries whose nodes a connection joins.
  var joints: [(geometries: [String], cost: Double)] = []

  init(bundle: VenueBundle, options: VenueReadOptions, findings: FindingLog) {
    self.bundle = bundle
    self.options = options
    self.findings = findings
  }

  mutating func run() throws(VenueError) {
    readManifest()
    try readFloors()
    readBuildings()
    if let document = bundle.optional("navigationFlags.json", findings: &findings) { flags = MVF3Flags(document.root) }
    for floor in draft.floors { try readGeometry(of: floor) }
    readFacades()
    for floor in draft.floors { readAnnotations(of: floor) }
    readCategories()
    readLocations()
    nameSpaces()
    buildJoins()
    readConnections()
    try readNodes()
  }

  private mutating func readManifest() {
    guard let manifest = MVFManifest(bundle) else {
      findings.add(
        .warning, "manifest-missing", file: "manifest.geojson", action: .ignored, "the bundle has no readable manifest")
      return
    }
    draft.formatVersion = manifest.version
    draft.name = MVF3Details.text(manifest.properties["name"], manifest.properties["details"])
    draft.timeZone = manifest.properties["tzid"]?.string
    draft.slug = manifest.properties["cordon"]?["id"]?.string
    manifest.compareIndex("contents", with: bundle, findings: &findings)
  }

  private mutating func readFloors() throws(VenueError) {
    let document = try bundle.required("floors.geojson", findings: &findings)
    let shapes = ShapeReader(document, limits: options.limits)
    for (ordinal, feature) in FeatureCollection.features(document.root).enumerated() {
      let pointer = FeatureCollection.pointer(document.root, ordinal)
      guard let properties = feature["properties"], let id = (properties["id"] ?? feature["id"])?.identifier else {
        findings.add(
          .warning, "id-missing", file: document.file, pointer: pointer, action: .ignored, "the floor has no identifier"
        )
        continue
      }
      let shape = try shapes.shape(of: feature, owner: .init(object: id, pointer: pointer), findings: &findings)
      let elevation = properties["elevation"]?.double.flatMap { FloorOrdinal($0) }
      if elevation == nil {
        findings.add(
          .warning, "floor-without-ordinal", file: document.file, pointer: pointer + "/properties/elevation",
          object: id,
          action: .repaired, "the floor has no elevation; it counts as 0")
      }
      if shape.area == nil {
        findings.add(
          .info, "floor-without-outline", file: document.file, pointer: pointer + "/geometry", object: id,
          action: .ignored, "the floor has no outline")
      }
      let details = properties["details"]
      draft.floors.append(
        Floor(
          id: FloorID(id), ordinal: elevation ?? FloorOrdinal(0),
          name: MVF3Details.text(details?["name"] ?? properties["name"], nil),
          shortName: MVF3Details.text(details?["shortName"] ?? properties["shortName"], nil), outline: shape.area))
    }
    bundle.discard(document.file)
    guard !draft.floors.isEmpty else {
      throw VenueError(code: "no-floor", file: document.file, message: "the venue has no floor")
    }
  }

  private mutating func readBuildings() {
    var buildingByFloor: [FloorID: String] = [:]
    let known = Set(draft.floors.map(\.id))
    if let document = bundle.optional("floor-stacks.json", findings: &findings) {
      for (ordinal, stack) in Array(document.root.elements).enumerated() {
        guard let id = stack["id"]?.identifier else { continue }
        var floors: [FloorID] = []
        for (number, reference) in Array(stack["floors"]?.elements.map { $0 } ?? []).enumerated() {
          guard let floor = reference.identifier.map({ FloorID($0) }) else { continue }
          guard known.contains(floor) else {
            findings.add(
              .warning, "dangling-reference", file: document.file, pointer: "/\(ordinal)/floors/\(number)", object: id,
              action: .ignored, "the stack names floor \(floor), which is absent")
            continue
          }
          floors.append(floor)
          if buildingByFloor[floor] == nil { buildingByFloor[floor] = id }
        }
        draft.buildings.append(
          Building(id: id, name: MVF3Details.text(stack["details"]?["name"], nil), floors: floors))
      }
      bundle.discard(document.file)
    }
    var outdoors: Set<FloorID> = []
    if let document = bundle.optional("outdoors.json", findings: &findings) {
      let list = document.root["floors"] ?? document.root
      for element in list.elements {
        if let id = element.identifier { outdoors.insert(FloorID(id)) }
      }
      bundle.discard(document.file)
    }
    for index in draft.floors.indices {
      let id = draft.floors[index].id
      draft.floors[index].building = buildingByFloor[id]
      // If other floors are in stacks, a floor in no stack is the ground outside that connects the buildings.
      draft.floors[index].isOutdoor = outdoors.contains(id) || (buildingByFloor[id] == nil && !buildingByFloor.isEmpty)
    }
  }

  private mutating func readFacades() {
    for file in bundle.files(in: "facade") {
      guard let document = bundle.optional(file, findings: &findings) else { continue }
      for facade in document.root.elements {
        guard let id = facade["floorStackId"]?.identifier,
          let index = draft.buildingPlace(id)
        else { continue }
        var polygons: [GeoPolygon] = []
        let references = facade["geometryIds"] ?? facade["geometryAnchors"]
        for element in Array(references?.elements.map { $0 } ?? []) {
          guard let reference = element.identifier ?? element["geometryId"]?.identifier else { continue }
          polygons += geometries[reference]?.shape.area?.polygons ?? []
        }
        if !polygons.isEmpty { draft.buildings[index].outline = GeoMultiPolygon(polygons) }
      }
      bundle.discard(file)
    }
  }

  private mutating func readGeometry(of floor: Floor) throws(VenueError) {
    let name = floor.id.rawValue
    let kinds = MVF3Details.texts(bundle.optional("kinds/\(name).json", findings: &findings)?.root)
    bundle.discard("kinds/\(name).json")
    let walkable = MVF3Details.keys(bundle.optional("walkable/\(name).json", findings: &findings)?.root)
    bundle.discard("walkable/\(name).json")
    let blocked = MVF3Details.keys(bundle.optional("nonwalkable/\(name).json", findings: &findings)?.root)
    bundle.discard("nonwalkable/\(name).json")
    let file = bundle.contains("geometry/\(name).json") ? "geometry/\(name).json" : "geometry/\(name).geojson"
    guard let document = bundle.optional(file, findings: &findings) else {
      findings.add(
        .warning, "missing-file", file: file, object: name, action: .ignored, "the floor has no geometry")
      return
    }
    let shapes = ShapeReader(document, limits: options.limits)
    for (ordinal, feature) in FeatureCollection.features(document.root).enumerated() {
      let pointer = "/features/\(ordinal)"
      guard let properties = feature["properties"], let id = (properties["id"] ?? feature["id"])?.identifier else {
        findings.add(
          .warning, "id-missing", file: file, pointer: pointer, action: .ignored, "the geometry has no identifier")
        continue
      }
      let shape = try shapes.shape(of: feature, owner: .init(object: id, pointer: pointer), findings: &findings)
      if case .none = shape { continue }
      let kind = kinds[id]
      guard geometries[id] == nil else {
        findings.add(
          .warning, "duplicate-id", file: file, pointer: pointer, object: id, action: .ignored,
          "two geometries have this identifier; the first is kept")
        continue
      }
      geometries[id] = Geometry(floor: floor.id, shape: shape, kind: kind, file: file, pointer: pointer)
      if let given = properties["details"]?["name"] {
        let name = MVF3Details.text(given, nil)
        if let text = name.text(), !text.isEmpty { namesByGeometry[id, default: []].append(text) }
        if given.isObject { localizedNames[id] = name }
      }
      if let role = MVF3Additions.role(properties) {
        place(id, geometries[id], as: role)
        continue
      }
      place(id, geometries[id], isWalkable: walkable.contains(id), isBlocked: blocked.contains(id))
    }
    bundle.discard(file)
  }

  /// Returns the name in a geometry's own details; locations are read later.
  private func ownName(of id: String) -> LocalizedText {
    localizedNames[id] ?? LocalizedText(namesByGeometry[id]?.first ?? "")
  }

  private mutating func place(_ id: String, _ geometry: Geometry?, as role: MVF3Additions.Role) {
    guard let geometry, let solid = geometry.shape.barrier else { return }
    func barrier(_ kind: String) -> Barrier { Barrier(id: id, floor: geometry.floor, sourceKind: kind, shape: solid) }
    switch role {
    case .space(let kind, let sourceKind):
      guard let area = geometry.shape.area else { return }
      exactKinds.insert(SpaceID(id))
      draft.spaces.append(
        Space(
          id: SpaceID(id), floor: geometry.floor, kind: kind, sourceKind: sourceKind, name: ownName(of: id),
          outline: area))
    case .wall(let kind): draft.walls.append(barrier(kind))
    case .obstruction(let kind): draft.obstructions.append(barrier(kind))
    case .furniture(let kind): draft.furniture.append(barrier(kind))
    case .zone(let kind, let floors):
      guard let area = geometry.shape.area else { return }
      draft.zones.append(Zone(id: id, floors: floors, sourceKind: kind, name: ownName(of: id), outline: area))
    case .venueOutline: draft.outline = geometry.shape.area
    }
  }

  private mutating func place(
    _ id: String, _ geometry: Geometry?, isWalkable: Bool, isBlocked: Bool
  ) {
    guard let geometry, let solid = geometry.shape.barrier else { return }
    let floor = geometry.floor
    let barrier = Barrier(id: id, floor: floor, sourceKind: geometry.kind ?? "", shape: solid)
    switch geometry.kind {
    case "wall", "window": draft.walls.append(barrier)
    case "object": draft.furniture.append(barrier)
    case let kind:
      // Lines without a kind are doors, which the connections describe.
      guard let area = geometry.shape.area else { return }
      let spaceKind = kind.flatMap { MVF3Details.spaceKinds[$0] }
      if let spaceKind {
        draft.spaces.append(
          Space(id: SpaceID(id), floor: floor, kind: spaceKind, sourceKind: kind ?? "", outline: area))
      } else if isWalkable, !isBlocked {
        draft.spaces.append(
          Space(id: SpaceID(id), floor: floor, kind: .unknown, sourceKind: kind ?? "", outline: area))
      } else if isBlocked, !isWalkable {
        draft.obstructions.append(barrier)
      } else {
        // A geometry in both lists, or in neither, is an obstruction or is ignored.
        if isBlocked { draft.obstructions.append(barrier) }
      }
      if let kind, spaceKind == nil {
        findings.add(
          .info, "unknown-kind", file: geometry.file, pointer: geometry.pointer, object: id, action: .ignored,
          "the kind \(kind.debugDescription) is not known")
      }
    }
  }

  private mutating func nameSpaces() {
    for index in draft.spaces.indices where !exactKinds.contains(draft.spaces[index].id) {
      let names = namesByGeometry[draft.spaces[index].id.rawValue] ?? []
      if let name = names.first { draft.spaces[index].name = LocalizedText(name) }
      if let name = localizedNames[draft.spaces[index].id.rawValue] { draft.spaces[index].name = name }
      draft.spaces[index].kind = SpaceKindWords.refine(draft.spaces[index].kind, names: names)
    }
  }

  private mutating func buildJoins() {
    let byFloor = Dictionary(grouping: draft.spaces, by: \.floor)
    for floor in draft.floors {
      let spaces = byFloor[floor.id] ?? []
      guard let origin = floor.outline?.polygons.first?.outer.first ?? spaces.first?.outline.polygons.first?.outer.first
      else { continue }
      joins[floor.id] = OpeningJoin(
        spaces: spaces.map { ($0.id, $0.outline) }, outline: floor.outline, frame: LocalFrame(origin: origin))
    }
  }
}
