import CordonCore
import CordonGeometry

/// Reads Cordon's own GeoJSON, which declares the schema `cordon.venue/1`. Every object of the model is a feature.
package enum CordonGeoJSONReader: VenueReader {
  /// The name of the schema.
  package static let schema = "cordon.venue/1"
  package static let format = VenueFormat.geojson

  static func detect(_ bundle: VenueBundle) -> Claim? {
    guard file(in: bundle) != nil else { return nil }
    return Claim(strength: .declared, format: .geojson, version: CordonGeoJSONReader.schema)
  }

  static func read(
    _ bundle: VenueBundle, options: VenueReadOptions, into findings: inout FindingLog
  ) throws(VenueError) -> Venue {
    guard let name = file(in: bundle) else {
      throw VenueError(code: "not-a-venue", file: bundle.name, message: "no file says that it is a venue of Cordon")
    }
    let document = try bundle.required(name, findings: &findings)
    var reading = CordonGeoJSONReading(document: document, options: options, findings: findings)
    try reading.run()
    findings = reading.findings
    return try reading.draft.finished(as: .geojson, bundle: bundle, findings: &findings)
  }

  private static func file(in bundle: VenueBundle) -> String? {
    // The format has one file, so bundles of other formats need not be parsed.
    guard bundle.names.count <= 2 else { return nil }
    return bundle.names.first { name in
      let root = (try? bundle.document(name))?.root
      return root?["cordon"]?["schema"]?.string == CordonGeoJSONReader.schema
    }
  }
}

/// The state of reading one file of `cordon.venue/1`.
private struct CordonGeoJSONReading {
  let document: JSONDocument
  let shapes: ShapeReader
  var findings: FindingLog
  var draft = VenueDraft()
  private var graph = GraphBuilder()

  init(document: JSONDocument, options: VenueReadOptions, findings: FindingLog) {
    self.document = document
    self.findings = findings
    shapes = ShapeReader(document, limits: options.limits)
  }

  mutating func run() throws(VenueError) {
    let root = document.root["cordon"]
    draft.slug = root?["id"]?.string
    draft.name = text(root?["name"])
    draft.timeZone = root?["time_zone"]?.string
    draft.formatVersion = CordonGeoJSONReader.schema
    for (ordinal, feature) in FeatureCollection.features(document.root).enumerated() {
      let pointer = "/features/\(ordinal)"
      guard let cordon = feature["properties"]?["cordon"], let role = cordon["feature"]?.string else {
        findings.add(
          .info, "unknown-feature", file: document.file, pointer: pointer, action: .ignored,
          "the feature does not say what it is")
        continue
      }
      let id = cordon["id"]?.identifier ?? ""
      let shape = try shapes.shape(of: feature, owner: .init(object: id, pointer: pointer), findings: &findings)
      guard !id.isEmpty || role == "venue" else {
        findings.add(
          .warning, "id-missing", file: document.file, pointer: pointer, action: .ignored,
          "the feature has no identifier")
        continue
      }
      add(role, id, cordon, shape, pointer: pointer)
    }
    draft.graph = graph.finished(&findings)
  }

  private mutating func add(
    _ role: String, _ id: String, _ cordon: JSONView, _ shape: RawShape, pointer: String
  ) {
    let floor = FloorID(cordon["floor"]?.identifier ?? "")
    let source = cordon["source_kind"]?.string ?? ""
    switch role {
    case "venue": draft.outline = shape.area
    case "building":
      draft.buildings.append(
        Building(
          id: id, name: text(cordon["name"]), outline: shape.area,
          floors: texts(cordon["floors"]).map { FloorID($0) }))
    case "floor":
      draft.floors.append(
        Floor(
          id: FloorID(id), ordinal: cordon["ordinal"]?.double.flatMap { FloorOrdinal($0) } ?? FloorOrdinal(0),
          name: text(cordon["name"]), shortName: text(cordon["short_name"]), building: cordon["building"]?.identifier,
          isOutdoor: cordon["outdoor"]?.bool ?? false, outline: shape.area))
    case "space":
      guard let area = shape.area else { return }
      draft.spaces.append(
        Space(
          id: SpaceID(id), floor: floor, kind: cordon["kind"]?.string.flatMap(SpaceKind.init(rawValue:)) ?? .unknown,
          sourceKind: source, name: text(cordon["name"]), outline: area))
    case "wall", "obstruction", "furniture":
      guard let solid = shape.barrier else { return }
      let barrier = Barrier(id: id, floor: floor, sourceKind: source, shape: solid)
      switch role {
      case "wall": draft.walls.append(barrier)
      case "obstruction": draft.obstructions.append(barrier)
      default: draft.furniture.append(barrier)
      }
    case "zone":
      guard let area = shape.area else { return }
      draft.zones.append(
        Zone(
          id: id, floors: texts(cordon["floors"]).map { FloorID($0) }, sourceKind: source, name: text(cordon["name"]),
          outline: area))
    case "annotation":
      draft.annotate(id, floor, symbol: cordon["symbol"]?.string ?? "", shape)
    case "opening":
      let line = shape.line ?? shape.anchor.map { [$0] } ?? []
      guard !line.isEmpty else { return }
      draft.openings.append(
        Opening(
          id: id, floor: floor, line: line, spaces: texts(cordon["spaces"]).map { SpaceID($0) }.sorted(),
          isEntrance: cordon["entrance"]?.bool ?? false, isTwoWay: cordon["two_way"]?.bool ?? true,
          sourceKind: source, name: text(cordon["name"])))
    case "connection":
      draft.connections.append(
        Connection(
          id: id, kind: cordon["kind"]?.string.flatMap(Connection.Kind.init(rawValue:)) ?? .unknown,
          name: text(cordon["name"]), landings: landings(cordon["landings"]),
          isAccessible: cordon["accessible"]?.bool ?? false, isTwoWay: cordon["two_way"]?.bool ?? true,
          sourceKind: source))
    case "poi":
      draft.pointsOfInterest.append(
        PointOfInterest(
          id: id, name: text(cordon["name"]), sourceKind: source, categories: texts(cordon["categories"]),
          spaces: texts(cordon["spaces"]).map { SpaceID($0) }.sorted(), position: shape.anchor,
          floor: cordon["floor"]?.identifier.map { FloorID($0) }, openingHours: cordon["opening_hours"]?.string))
    case "category":
      draft.categories.append(
        PointOfInterestCategory(id: id, name: text(cordon["name"]), parent: cordon["parent"]?.identifier))
    case "node": addNode(id, floor, cordon, shape, pointer: pointer)
    default:
      findings.add(
        .info, "unknown-feature", file: document.file, pointer: pointer, object: id, action: .ignored,
        "\(role.debugDescription) is not a known kind of feature")
    }
  }

  private mutating func addNode(
    _ id: String, _ floor: FloorID, _ cordon: JSONView, _ shape: RawShape, pointer: String
  ) {
    guard let position = shape.anchor else { return }
    guard
      let node = graph.add(
        NavigationGraph.Node(id: id, floor: floor, position: position), file: document.file, pointer: pointer, &findings
      )
    else { return }
    for (number, edge) in Array(cordon["edges"]?.elements.map { $0 } ?? []).enumerated() {
      let parts = edge.isArray ? edge.elements.map { $0 } : [edge]
      guard let target = parts.first else { continue }
      graph.connect(
        node, to: target, extraCost: parts.count > 1 ? parts[1].double ?? 0 : 0,
        pointer: "\(pointer)/properties/cordon/edges/\(number)", &findings)
    }
  }

  private func landings(_ list: JSONView?) -> [Connection.Landing] {
    (list?.elements.map { $0 } ?? []).compactMap { landing in
      let numbers = landing["position"]?.elements.compactMap(\.double) ?? []
      guard let floor = landing["floor"]?.identifier, numbers.count >= 2 else { return nil }
      let position = Coordinate(longitude: numbers[0], latitude: numbers[1])
      guard position.isValid else { return nil }
      return Connection.Landing(
        floor: FloorID(floor), position: position, space: landing["space"]?.identifier.map { SpaceID($0) },
        isEntry: landing["entry"]?.bool ?? true, isExit: landing["exit"]?.bool ?? true)
    }
  }

  private func text(_ value: JSONView?) -> LocalizedText { MVF3Details.text(value, nil) }

  private func texts(_ value: JSONView?) -> [String] { value?.elements.compactMap(\.identifier) ?? [] }
}
