import CordonCore
import CordonGeometry
import CordonSupport
import CordonVenues

/// Writes Mappedin Venue Format 3.
///
/// Data that the format cannot express is written to a member `cordon` of a geometry's properties or of a connection's
/// `extra`. Other readers skip this member. It contains the kinds of spaces and barriers, and the spaces that an
/// opening connects.
struct MVF3Writer {
  let venue: Venue
  /// The file names of floors; identifiers that cannot be file names are replaced.
  let floorNames: [FloorID: String]

  init(venue: Venue) throws(VenueError) {
    self.venue = venue
    var names: [FloorID: String] = [:]
    for floor in venue.floors {
      let id = floor.id.rawValue
      let isSafe = id.utf8.count <= 100 && !id.isEmpty && id.utf8.allSatisfy(MVF3Writer.isFileByte) && id.first != "."
      names[floor.id] = isSafe ? id : "f_" + SHA256.hexDigest(of: Array(id.utf8)).prefix(16)
    }
    guard !venue.floors.isEmpty else {
      throw VenueError(code: "not-writable", file: venue.id.rawValue, message: "MVF 3 needs at least one floor")
    }
    floorNames = names
  }

  private static func isFileByte(_ byte: UInt8) -> Bool {
    switch byte {
    case 0x30...0x39, 0x41...0x5A, 0x61...0x7A, 0x2D, 0x2E, 0x5F, 0x40: true
    default: false
    }
  }

  /// Returns all files of the bundle.
  func files() -> [VenueFile] {
    var files = [
      file("floors.geojson", floors), file("floor-stacks.json", stacks), file("outdoors.json", outdoors),
      file("connections.json", connections), file("navigationFlags.json", flags), file("locations.json", locations),
      file("location-categories.json", categories), file("location-instances.json", .array([])),
    ]
    for floor in venue.floors {
      let name = floorNames[floor.id] ?? floor.id.rawValue
      let geometry = MVF3FloorGeometry(floor: floor, venue: venue, names: floorNames)
      files += [
        file("geometry/\(name).geojson", geometry.collection), file("kinds/\(name).json", geometry.kinds),
        file("walkable/\(name).json", geometry.walkable), file("nonwalkable/\(name).json", geometry.nonwalkable),
        file("entrance-aesthetic/\(name).json", geometry.aesthetics),
      ]
      if let annotations = geometry.annotations { files.append(file("annotations/\(name).json", annotations)) }
      if let nodes = nodes(on: floor.id) { files.append(file("nodes/\(name).geojson", nodes)) }
    }
    if let facade = facade() { files.append(facade) }
    files.append(file("manifest.geojson", manifest(listing: files.map(\.name))))
    return files
  }

  private func file(_ name: String, _ value: JSONOutput) -> VenueFile {
    VenueFile(name: name, bytes: value.encoded())
  }

  // MARK: - The whole

  private func manifest(listing names: [String]) -> JSONOutput {
    var contents: [JSONOutput] = []
    var folders: [String: [JSONOutput]] = [:]
    func entry(_ name: String) -> JSONOutput { .object([("type", .string("file")), ("name", .string(name))]) }
    for name in (names + ["manifest.geojson"]).sorted(by: { $0.utf8.lexicographicallyPrecedes($1.utf8) }) {
      let parts = name.split(separator: "/").map(String.init)
      if parts.count == 2 {
        folders[parts[0], default: []].append(entry(parts[1]))
      } else {
        contents.append(entry(name))
      }
    }
    for name in folders.keys.sorted() {
      contents.append(
        .object([
          ("type", .string("folder")), ("name", .string(name)), ("children", .array(folders[name] ?? [])),
        ]))
    }
    var properties: [(String, JSONOutput)] = [
      ("name", .localized(venue.name)), ("version", .string("3.0.0")), ("mapId", .string(venue.id.rawValue)),
    ]
    if let zone = venue.timeZone { properties.append(("tzid", .string(zone))) }
    properties.append(("cordon", .object([("id", .string(venue.id.rawValue))])))
    properties.append(("contents", .array(contents)))
    let center = LocalFrame(around: venue.everyCoordinate.filter(\.isValid))?.origin
    let point = center.map {
      Coordinate(longitude: ($0.longitude * 1e7).rounded() / 1e7, latitude: ($0.latitude * 1e7).rounded() / 1e7)
    }
    return GeoJSONOutput.collection([
      GeoJSONOutput.feature(geometry: point.map(GeoJSONOutput.point) ?? .null, properties: properties)
    ])
  }

  private var floors: JSONOutput {
    GeoJSONOutput.collection(
      venue.floors.map { floor in
        let name = floorNames[floor.id] ?? floor.id.rawValue
        var details: [(String, JSONOutput)] = [("name", .localized(floor.name))]
        if !floor.shortName.isEmpty { details.append(("shortName", .localized(floor.shortName))) }
        if name != floor.id.rawValue { details.append(("externalId", .string(floor.id.rawValue))) }
        return GeoJSONOutput.feature(
          geometry: GeoJSONOutput.area(floor.outline),
          properties: [
            ("id", .string(name)), ("elevation", .number(floor.ordinal.value)), ("details", .object(details)),
          ])
      })
  }

  private var stacks: JSONOutput {
    .array(
      venue.buildings.map { building in
        .object([
          ("id", .string(building.id)),
          ("floors", .array(building.floors.map { .string(floorNames[$0] ?? $0.rawValue) })),
          ("details", .object([("name", .localized(building.name))])),
        ])
      })
  }

  private var outdoors: JSONOutput {
    .object([
      (
        "floors",
        .array(venue.floors.filter(\.isOutdoor).map { .string(floorNames[$0.id] ?? $0.id.rawValue) })
      )
    ])
  }

  private var flags: JSONOutput {
    .object([("accessible", .object([("index", .integer(0)), ("bit", .integer(0))]))])
  }

  /// Returns the outlines of buildings, in a file of the floor that contains the geometry.
  private func facade() -> VenueFile? {
    guard let floor = venue.floors.first else { return nil }
    let outlined = venue.buildings.filter { $0.outline?.isEmpty == false }
    guard !outlined.isEmpty else { return nil }
    let list = outlined.map { building in
      JSONOutput.object([
        ("floorStackId", .string(building.id)),
        ("geometryIds", .array([.string(MVF3Writer.facadeID(of: building))])),
      ])
    }
    return file("facade/\(floorNames[floor.id] ?? floor.id.rawValue).json", .array(list))
  }

  static func facadeID(of building: Building) -> String { building.id + "-facade" }

  // MARK: - Ways

  private var connections: JSONOutput {
    var list: [JSONOutput] = []
    // A door that the model contains once per floor is one connection in this format.
    var doors: [String: [Opening]] = [:]
    for opening in venue.openings { doors[MVF3Writer.doorID(of: opening), default: []].append(opening) }
    for id in doors.keys.sorted(by: { $0.utf8.lexicographicallyPrecedes($1.utf8) }) {
      list.append(door(id, doors[id] ?? []))
    }
    list += venue.connections.map(connection)
    return .array(list)
  }

  /// Returns the identifier of a door without the floor that the reader added.
  static func doorID(of opening: Opening) -> String {
    let suffix = "@" + opening.floor.rawValue
    return opening.id.hasSuffix(suffix) ? String(opening.id.dropLast(suffix.count)) : opening.id
  }

  private func anchor(_ id: String, _ floor: FloorID, isAccessible: Bool) -> JSONOutput {
    .object([
      ("geometryId", .string(id)), ("floorId", .string(floorNames[floor] ?? floor.rawValue)),
      ("flags", .array([.integer(isAccessible ? 1 : 0)])),
    ])
  }

  private func door(_ id: String, _ openings: [Opening]) -> JSONOutput {
    let sides = openings.map { opening in
      JSONOutput.object([
        ("floorId", .string(floorNames[opening.floor] ?? opening.floor.rawValue)),
        ("spaces", .array(opening.spaces.map { .string($0.rawValue) })), ("entrance", .bool(opening.isEntrance)),
        ("two_way", .bool(opening.isTwoWay)), ("kind", .string(opening.sourceKind)),
      ])
    }
    var members: [(String, JSONOutput)] = [
      ("id", .string(id)), ("type", .string("door")),
      ("entrances", .array(openings.map { anchor(MVF3Writer.lineID(of: $0), $0.floor, isAccessible: true) })),
      ("exits", .array(openings.map { anchor(MVF3Writer.lineID(of: $0), $0.floor, isAccessible: true) })),
      ("entryCost", .integer(0)), ("floorCostMultiplier", .integer(1)),
    ]
    if let name = openings.lazy.map(\.name).first(where: { !$0.isEmpty }) {
      members.append(("details", .object([("name", .localized(name))])))
    }
    members.append(("extra", .object([("cordon", .object([("sides", .array(sides))]))])))
    return .object(members)
  }

  static func lineID(of opening: Opening) -> String { "\(doorID(of: opening))-line-\(opening.floor)" }

  static func landingID(of connection: Connection, _ index: Int) -> String { "\(connection.id)-landing-\(index)" }

  private func connection(_ connection: Connection) -> JSONOutput {
    let anchors = connection.landings.enumerated().map { index, landing in
      (
        landing,
        anchor(
          MVF3Writer.landingID(of: connection, index), landing.floor, isAccessible: connection.isAccessible)
      )
    }
    let type =
      switch connection.kind {
      case .stairs: "stairs"
      case .elevator: "elevator"
      case .escalator: "escalator"
      case .ramp: "ramp"
      case .ladder: "ladder"
      case .movingWalkway: "travelator"
      case .unknown: "unknown"
      }
    return .object([
      ("id", .string(connection.id)), ("type", .string(type)),
      ("entrances", .array(anchors.filter(\.0.isEntry).map(\.1))),
      ("exits", .array(anchors.filter(\.0.isExit).map(\.1))), ("entryCost", .integer(0)),
      ("floorCostMultiplier", .integer(1)), ("details", .object([("name", .localized(connection.name))])),
      (
        "extra",
        .object([
          (
            "cordon",
            .object([
              ("source_kind", .string(connection.sourceKind)), ("accessible", .bool(connection.isAccessible)),
              ("two_way", .bool(connection.isTwoWay)),
              ("spaces", .array(connection.landings.map { .optional($0.space?.rawValue) })),
            ])
          )
        ])
      ),
    ])
  }

  private func nodes(on floor: FloorID) -> JSONOutput? {
    guard let graph = venue.graph else { return nil }
    var neighbours: [Int32: [JSONOutput]] = [:]
    var ways: [Int32: [JSONOutput]] = [:]
    for edge in graph.edges {
      guard graph.nodes.indices.contains(Int(edge.from)), graph.nodes.indices.contains(Int(edge.to)) else { continue }
      let (from, to) = (graph.nodes[Int(edge.from)], graph.nodes[Int(edge.to)])
      guard from.floor == floor else { continue }
      // The format links floors only by connections, so edges between floors are written separately.
      guard to.floor == floor else {
        ways[edge.from, default: []].append(.array([.string(to.id), .number(edge.extraCost)]))
        continue
      }
      neighbours[edge.from, default: []].append(
        .object([
          ("id", .string(to.id)), ("extraCost", .number(edge.extraCost)), ("flags", .array([.integer(1)])),
        ]))
    }
    let features = graph.nodes.enumerated().filter { $0.element.floor == floor }.map { index, node in
      GeoJSONOutput.feature(
        geometry: GeoJSONOutput.point(node.position),
        properties: [("id", .string(node.id)), ("neighbors", .array(neighbours[Int32(index)] ?? []))]
          + (ways[Int32(index)].map { [("cordon", .object([("ways", .array($0))]))] } ?? []))
    }
    return features.isEmpty ? nil : GeoJSONOutput.collection(features)
  }

  // MARK: - Directory

  static func pointID(of point: PointOfInterest) -> String { point.id + "-point" }

  /// Returns opening hours that are a list in the format's own form; `nil` for others.
  private static func openingHours(_ text: String?) -> JSONOutput? {
    guard let text, let root = try? JSONDocument(Array(text.utf8), file: "", limits: VenueLimits()).root, root.isArray,
      root.count > 0, root.document.remarks.isEmpty
    else { return nil }
    return .source(text)
  }

  private var locations: JSONOutput {
    let floorBySpace = Dictionary(venue.spaces.map { ($0.id, $0.floor) }, uniquingKeysWith: { first, _ in first })
    return .array(
      venue.pointsOfInterest.map { point in
        var anchors = point.spaces.compactMap { space in
          floorBySpace[space].map { floor in
            JSONOutput.object([
              ("geometryId", .string(space.rawValue)), ("floorId", .string(floorNames[floor] ?? floor.rawValue)),
            ])
          }
        }
        if point.position != nil, let floor = point.floor {
          anchors.append(
            .object([
              ("geometryId", .string(MVF3Writer.pointID(of: point))),
              ("floorId", .string(floorNames[floor] ?? floor.rawValue)),
            ]))
        }
        var members: [(String, JSONOutput)] = [
          ("id", .string(point.id)), ("details", .object([("name", .localized(point.name))])),
          ("categories", .array(point.categories.map { .string($0) })), ("geometryAnchors", .array(anchors)),
          ("openingHours", MVF3Writer.openingHours(point.openingHours) ?? .array([])), ("social", .array([])),
          ("images", .array([])), ("links", .array([])),
        ]
        var additions: [(String, JSONOutput)] = []
        if let hours = point.openingHours, MVF3Writer.openingHours(hours) == nil {
          additions.append(("opening_hours", .string(hours)))
        }
        // Positions are geometries of floors in this format.
        if let position = point.position, point.floor == nil {
          additions.append(("position", GeoJSONOutput.position(position)))
        }
        if !additions.isEmpty { members.append(("cordon", .object(additions))) }
        if !point.sourceKind.isEmpty { members.append(("type", .string(point.sourceKind))) }
        return .object(members)
      })
  }

  private var categories: JSONOutput {
    .array(
      venue.categories.map { category in
        var members: [(String, JSONOutput)] = [
          ("id", .string(category.id)), ("details", .object([("name", .localized(category.name))])),
        ]
        if let parent = category.parent { members.append(("parent", .string(parent))) }
        return .object(members)
      })
  }
}
