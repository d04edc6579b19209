import CordonCore
import CordonGeometry
import CordonVenues

/// Writes a venue as one GeoJSON file without any loss.
///
/// Every object of the model is a feature, and the member `cordon` of its properties contains all data of the model.
/// Common tags (`indoor`, `level`, `name`, `door`) are added, so that other programs can read a plan. The schema
/// `cordon.venue/1` is documented in docs/reference/venues.md.
struct GeoJSONVenueWriter {
  let venue: Venue

  /// Returns the file.
  func file() -> VenueFile {
    var cordon: [(String, JSONOutput)] = [
      ("schema", .string(CordonGeoJSONReader.schema)), ("id", .string(venue.id.rawValue)),
      ("name", .localized(venue.name)),
    ]
    if let zone = venue.timeZone { cordon.append(("time_zone", .string(zone))) }
    let collection = GeoJSONOutput.collection(
      features,
      members: [("name", .string(venue.name.text() ?? venue.id.rawValue)), ("cordon", .object(cordon))])
    return VenueFile(name: "\(venue.id).geojson", bytes: collection.encoded())
  }

  private var features: [JSONOutput] {
    var features: [JSONOutput] = []
    if let outline = venue.outline {
      features.append(feature("venue", GeoJSONOutput.area(outline), [], tags: []))
    }
    features += venue.buildings.map(building) + venue.floors.map(floor) + venue.spaces.map(space)
    for (role, barriers) in [
      ("wall", venue.walls), ("obstruction", venue.obstructions), ("furniture", venue.furniture),
    ] {
      features += barriers.map { barrier($0, role) }
    }
    features += venue.zones.map(zone) + venue.annotations.map(annotation)
    features += venue.openings.map(opening) + venue.connections.map(connection)
    features += venue.pointsOfInterest.map(point) + venue.categories.map(category)
    return features + nodes
  }

  private func feature(
    _ role: String, _ geometry: JSONOutput, _ members: [(String, JSONOutput)], tags: [(String, JSONOutput)]
  ) -> JSONOutput {
    GeoJSONOutput.feature(
      geometry: geometry, properties: tags + [("cordon", .object([("feature", .string(role))] + members))])
  }

  private func building(_ building: Building) -> JSONOutput {
    feature(
      "building", GeoJSONOutput.area(building.outline),
      [
        ("id", .string(building.id)), ("name", .localized(building.name)),
        ("floors", .array(building.floors.map { .string($0.rawValue) })),
      ], tags: [("building", .string("yes"))] + named(building.name))
  }

  private func floor(_ floor: Floor) -> JSONOutput {
    var members: [(String, JSONOutput)] = [
      ("id", .string(floor.id.rawValue)), ("ordinal", .number(floor.ordinal.value)), ("name", .localized(floor.name)),
      ("short_name", .localized(floor.shortName)), ("outdoor", .bool(floor.isOutdoor)),
    ]
    if let building = floor.building { members.append(("building", .string(building))) }
    return feature(
      "floor", GeoJSONOutput.area(floor.outline), members,
      tags: [("indoor", .string("level")), level(floor.id)] + named(floor.name))
  }

  private func space(_ space: Space) -> JSONOutput {
    let indoor =
      switch space.kind {
      case .corridor, .movingWalkway: "corridor"
      case .area, .outdoor, .terrace, .openToBelow, .inaccessible, .unknown, .platform, .parking, .lobby: "area"
      default: "room"
      }
    return feature(
      "space", GeoJSONOutput.area(space.outline),
      [
        ("id", .string(space.id.rawValue)), ("floor", .string(space.floor.rawValue)),
        ("kind", .string(space.kind.rawValue)), ("source_kind", .string(space.sourceKind)),
        ("name", .localized(space.name)),
      ], tags: [("indoor", .string(indoor)), level(space.floor)] + named(space.name))
  }

  private func barrier(_ barrier: Barrier, _ role: String) -> JSONOutput {
    feature(
      role, GeoJSONOutput.shape(barrier.shape),
      [
        ("id", .string(barrier.id)), ("floor", .string(barrier.floor.rawValue)),
        ("source_kind", .string(barrier.sourceKind)),
      ], tags: (role == "wall" ? [("indoor", .string("wall"))] : []) + [level(barrier.floor)])
  }

  private func zone(_ zone: Zone) -> JSONOutput {
    feature(
      "zone", GeoJSONOutput.area(zone.outline),
      [
        ("id", .string(zone.id)), ("floors", .array(zone.floors.map { .string($0.rawValue) })),
        ("source_kind", .string(zone.sourceKind)), ("name", .localized(zone.name)),
      ], tags: named(zone.name))
  }

  private func annotation(_ annotation: Annotation) -> JSONOutput {
    feature(
      "annotation", GeoJSONOutput.lines(annotation.lines),
      [
        ("id", .string(annotation.id)), ("floor", .string(annotation.floor.rawValue)),
        ("symbol", .string(annotation.symbol)),
      ], tags: [level(annotation.floor)])
  }

  private func opening(_ opening: Opening) -> JSONOutput {
    var members: [(String, JSONOutput)] = [
      ("id", .string(opening.id)), ("floor", .string(opening.floor.rawValue)),
      ("spaces", .array(opening.spaces.map { .string($0.rawValue) })), ("entrance", .bool(opening.isEntrance)),
      ("two_way", .bool(opening.isTwoWay)), ("source_kind", .string(opening.sourceKind)),
    ]
    if !opening.name.isEmpty { members.append(("name", .localized(opening.name))) }
    return feature(
      "opening", GeoJSONOutput.line(opening.line), members,
      tags: [(opening.isEntrance ? "entrance" : "door", .string("yes")), level(opening.floor)] + named(opening.name))
  }

  private func connection(_ connection: Connection) -> JSONOutput {
    let landings = connection.landings.map { landing in
      var members: [(String, JSONOutput)] = [
        ("floor", .string(landing.floor.rawValue)), ("position", GeoJSONOutput.position(landing.position)),
        ("entry", .bool(landing.isEntry)), ("exit", .bool(landing.isExit)),
      ]
      if let space = landing.space { members.append(("space", .string(space.rawValue))) }
      return JSONOutput.object(members)
    }
    return feature(
      "connection", connection.landings.first.map { GeoJSONOutput.point($0.position) } ?? .null,
      [
        ("id", .string(connection.id)), ("kind", .string(connection.kind.rawValue)),
        ("name", .localized(connection.name)), ("accessible", .bool(connection.isAccessible)),
        ("two_way", .bool(connection.isTwoWay)), ("source_kind", .string(connection.sourceKind)),
        ("landings", .array(landings)),
      ], tags: named(connection.name))
  }

  private func point(_ point: PointOfInterest) -> JSONOutput {
    var members: [(String, JSONOutput)] = [
      ("id", .string(point.id)), ("name", .localized(point.name)), ("source_kind", .string(point.sourceKind)),
      ("categories", .array(point.categories.map { .string($0) })),
      ("spaces", .array(point.spaces.map { .string($0.rawValue) })),
    ]
    if let floor = point.floor { members.append(("floor", .string(floor.rawValue))) }
    if let hours = point.openingHours { members.append(("opening_hours", .string(hours))) }
    return feature(
      "poi", point.position.map(GeoJSONOutput.point) ?? .null, members,
      tags: named(point.name) + (point.floor.map { [level($0)] } ?? []))
  }

  private func category(_ category: PointOfInterestCategory) -> JSONOutput {
    var members: [(String, JSONOutput)] = [("id", .string(category.id)), ("name", .localized(category.name))]
    if let parent = category.parent { members.append(("parent", .string(parent))) }
    return feature("category", .null, members, tags: [])
  }

  private var nodes: [JSONOutput] {
    guard let graph = venue.graph else { return [] }
    var edges: [Int32: [JSONOutput]] = [:]
    for edge in graph.edges where graph.nodes.indices.contains(Int(edge.to)) {
      let id = JSONOutput.string(graph.nodes[Int(edge.to)].id)
      edges[edge.from, default: []].append(edge.extraCost == 0 ? id : .array([id, .number(edge.extraCost)]))
    }
    return graph.nodes.enumerated().map { index, node in
      feature(
        "node", GeoJSONOutput.point(node.position),
        [
          ("id", .string(node.id)), ("floor", .string(node.floor.rawValue)),
          ("edges", .array(edges[Int32(index)] ?? [])),
        ], tags: [])
    }
  }

  private func named(_ name: LocalizedText) -> [(String, JSONOutput)] {
    name.text().map { [("name", .string($0))] } ?? []
  }

  private func level(_ floor: FloorID) -> (String, JSONOutput) {
    let ordinal = venue.floors.first { $0.id == floor }?.ordinal
    return ("level", .string(ordinal?.description ?? floor.rawValue))
  }
}
