import CordonCore
import CordonGeometry
import CordonVenues

/// Writes Indoor Mapping Data Format 1.0.0 (OGC 20-094).
///
/// Identifiers are UUIDs there. Any other identifier becomes a name-based UUID of venue, kind and identifier, see
/// ``StableUUID``. The original remains in a property `source_id`, which the format allows and other readers skip. The
/// format has no walking graph, and no lines of walls; the latter are written as details.
struct IMDFWriter {
  /// The time of creation in the archive; it is constant, so that equal venues give equal bytes.
  static let created = "2026-01-01T00:00:00Z"

  let venue: Venue
  private let boundary: GeoMultiPolygon
  private let language: String

  init(venue: Venue) throws(VenueError) {
    for floor in venue.floors where floor.ordinal.thousandths % 1_000 != 0 {
      throw VenueError(
        code: "not-writable", file: venue.id.rawValue,
        message: "IMDF numbers floors in whole numbers, and \(floor.id) is \(floor.ordinal)")
    }
    self.venue = venue
    boundary = try venue.boundary(.venue).area
    language = venue.name.values.keys.filter { !$0.isEmpty }.min() ?? "en"
  }

  /// Returns all files of the archive.
  func files() throws(VenueError) -> [VenueFile] {
    var footprints: [JSONOutput] = []
    for building in venue.buildings {
      if let feature = try footprint(building) { footprints.append(feature) }
    }
    let types: [(String, [JSONOutput])] = [
      ("address", [address]), ("venue", [venueFeature]), ("building", venue.buildings.map(building)),
      ("footprint", footprints), ("level", venue.floors.compactMap(level)),
      ("unit", venue.spaces.map(unit) + venue.walls.compactMap(solidUnit)), ("opening", venue.openings.map(opening)),
      (
        "fixture",
        venue.obstructions.compactMap { fixture($0, category: "obstruction") }
          + venue.furniture.compactMap { fixture($0, category: "furniture") }
      ),
      (
        "detail",
        venue.walls.compactMap { detail($0, role: "wall") }
          + venue.obstructions.compactMap { detail($0, role: "obstruction") }
          + venue.furniture.compactMap { detail($0, role: "furniture") } + venue.annotations.compactMap(detail)
      ),
      ("section", venue.zones.filter { !isGeofence($0) }.map(section)),
      ("geofence", venue.zones.filter(isGeofence).map(geofence)),
      ("amenity", venue.pointsOfInterest.compactMap(amenity)), ("anchor", venue.pointsOfInterest.compactMap(anchor)),
      ("occupant", venue.pointsOfInterest.compactMap(occupant)),
      ("relationship", venue.connections.compactMap(relationship) + venue.openings.compactMap(traversal)),
    ]
    let manifest = JSONOutput.object([
      ("version", .string("1.0.0")), ("created", .string(IMDFWriter.created)), ("generated_by", .string("cordon")),
      ("language", .string(language)), ("extensions", .array([.string("cordon:source_id")])),
    ])
    var files = [VenueFile(name: "manifest.json", bytes: manifest.encoded())]
    for (type, features) in types where !features.isEmpty {
      files.append(VenueFile(name: "\(type).geojson", bytes: GeoJSONOutput.collection(features).encoded()))
    }
    return files
  }

  // MARK: - Features

  private func feature(
    _ type: String, _ kind: StableUUID.Kind, _ id: String, _ geometry: JSONOutput, _ members: [(String, JSONOutput)]
  ) -> JSONOutput {
    .object([
      ("type", .string("Feature")), ("id", .string(uuid(kind, id))), ("feature_type", .string(type)),
      ("geometry", geometry), ("properties", .object(members + [("source_id", .string(id))])),
    ])
  }

  private func uuid(_ kind: StableUUID.Kind, _ id: String) -> String { StableUUID.text(kind, id, in: venue.id) }

  private var address: JSONOutput {
    // The model has no addresses, but the format requires one. ZZ is the code of an unknown country.
    feature(
      "address", .address, "address", .null,
      [
        ("address", .string(venue.name.text() ?? venue.id.rawValue)), ("unit", .null),
        ("locality", .string("unknown")), ("province", .null), ("country", .string("ZZ")), ("postal_code", .null),
        ("postal_code_ext", .null), ("postal_code_vanity", .null),
      ])
  }

  private var venueFeature: JSONOutput {
    feature(
      "venue", .venue, venue.id.rawValue, GeoJSONOutput.area(boundary),
      [
        ("category", .string(IMDFVocabulary.venueCategory(of: venue))), ("restriction", .null),
        ("name", labels(venue.name) ?? labels(LocalizedText(venue.id.rawValue)) ?? .null), ("alt_name", .null),
        ("hours", .null), ("phone", .null), ("website", .null), ("display_point", displayPoint(boundary)),
        ("address_id", .string(uuid(.address, "address"))),
      ] + (venue.timeZone.map { [("cordon_time_zone", .string($0))] } ?? []))
  }

  private func building(_ building: Building) -> JSONOutput {
    feature(
      "building", .building, building.id, .null,
      [
        ("name", labels(building.name) ?? .null), ("alt_name", .null), ("category", .string("unspecified")),
        ("restriction", .null), ("display_point", .null), ("address_id", .null),
      ])
  }

  private func footprint(_ building: Building) throws(VenueError) -> JSONOutput? {
    var outline = building.outline
    if outline == nil {
      let floors = venue.floors.filter { building.floors.contains($0.id) && !$0.isOutdoor }
      do {
        outline = try AreaDissolver.dissolve(floors.flatMap { $0.outline?.polygons ?? [] })?.area
      } catch {
        throw VenueError(code: "invalid-geometry", file: building.id, message: error.summary)
      }
    }
    guard let outline, !outline.isEmpty else { return nil }
    return feature(
      "footprint", .footprint, building.id, GeoJSONOutput.area(outline),
      [
        ("category", .string("ground")), ("name", .null),
        ("building_ids", .array([.string(uuid(.building, building.id))])),
      ])
  }

  private func level(_ floor: Floor) -> JSONOutput? {
    let outline = floor.outline ?? dissolvedSpaces(of: floor)
    guard let outline, !outline.isEmpty else { return nil }
    let number = floor.ordinal.description
    return feature(
      "level", .floor, floor.id.rawValue, GeoJSONOutput.area(outline),
      [
        ("category", .string("unspecified")), ("restriction", .null), ("ordinal", .integer(Int(floor.ordinal.value))),
        ("outdoor", .bool(floor.isOutdoor)), ("name", labels(floor.name) ?? labels(LocalizedText(number)) ?? .null),
        ("short_name", labels(floor.shortName) ?? labels(LocalizedText(number)) ?? .null),
        ("display_point", displayPoint(outline)), ("address_id", .null),
        ("building_ids", .array(floor.building.map { [.string(uuid(.building, $0))] } ?? [])),
      ])
  }

  private func dissolvedSpaces(of floor: Floor) -> GeoMultiPolygon? {
    let polygons = venue.spaces.filter { $0.floor == floor.id }.flatMap(\.outline.polygons)
    // Polygons that cannot be dissolved are written unchanged.
    let dissolved = try? AreaDissolver.dissolve(polygons)
    return dissolved?.area ?? (polygons.isEmpty ? nil : GeoMultiPolygon(polygons))
  }

  private func unit(_ space: Space) -> JSONOutput {
    feature(
      "unit", .space, space.id.rawValue, GeoJSONOutput.area(space.outline),
      [
        ("category", .string(IMDFVocabulary.unitCategory(of: space.kind))), ("restriction", .null),
        ("accessibility", .null), ("name", labels(space.name) ?? .null), ("alt_name", .null),
        ("level_id", .string(uuid(.floor, space.floor.rawValue))), ("display_point", displayPoint(space.outline)),
        ("cordon_kind", .string(space.kind.rawValue)),
      ])
  }

  private func opening(_ opening: Opening) -> JSONOutput {
    feature(
      "opening", .opening, opening.id, GeoJSONOutput.line(lineal(opening.line)),
      [
        ("category", .string(opening.isEntrance ? "pedestrian.principal" : "pedestrian")), ("accessibility", .null),
        ("access_control", .null), ("door", .null), ("name", labels(opening.name) ?? .null), ("alt_name", .null),
        ("level_id", .string(uuid(.floor, opening.floor.rawValue))), ("display_point", .null),
      ])
  }

  /// Returns the line of an opening, which the format requires; a single position becomes a line of 2 mm.
  private func lineal(_ line: [Coordinate]) -> [Coordinate] {
    guard line.count == 1 else { return line }
    return [line[0], Coordinate(longitude: line[0].longitude + 2e-8, latitude: line[0].latitude)]
  }

  /// Returns a unit of a solid category for a solid wall.
  private func solidUnit(_ barrier: Barrier) -> JSONOutput? {
    guard case .area(let area) = barrier.shape else { return nil }
    return feature(
      "unit", .barrier, barrier.id, GeoJSONOutput.area(area),
      [
        ("category", .string("structure")), ("restriction", .null), ("accessibility", .null), ("name", .null),
        ("alt_name", .null), ("level_id", .string(uuid(.floor, barrier.floor.rawValue))),
        ("display_point", displayPoint(area)),
      ])
  }

  private func fixture(_ barrier: Barrier, category: String) -> JSONOutput? {
    guard case .area(let area) = barrier.shape else { return nil }
    return feature(
      "fixture", .barrier, barrier.id, GeoJSONOutput.area(area),
      [
        ("category", .string(category)), ("name", .null), ("alt_name", .null), ("anchor_id", .null),
        ("level_id", .string(uuid(.floor, barrier.floor.rawValue))), ("display_point", .null),
      ])
  }

  private func detail(_ barrier: Barrier, role: String) -> JSONOutput? {
    guard case .lines(let given) = barrier.shape else { return nil }
    let lines = given.filter { $0.count > 1 }
    guard !lines.isEmpty else { return nil }
    return feature(
      "detail", .barrier, barrier.id, GeoJSONOutput.lines(lines),
      [("level_id", .string(uuid(.floor, barrier.floor.rawValue))), ("cordon_role", .string(role))])
  }

  private func detail(_ annotation: Annotation) -> JSONOutput? {
    let lines = annotation.lines.filter { $0.count > 1 }
    guard !lines.isEmpty else { return nil }
    return feature(
      "detail", .annotation, annotation.id, GeoJSONOutput.lines(lines),
      [
        ("level_id", .string(uuid(.floor, annotation.floor.rawValue))), ("cordon_symbol", .string(annotation.symbol)),
      ])
  }

  // A section is on one level; a geofence may span several levels or the venue.
  private func isGeofence(_ zone: Zone) -> Bool {
    zone.floors.count != 1 || !IMDFVocabulary.isSectionCategory(zone.sourceKind)
  }

  private func section(_ zone: Zone) -> JSONOutput {
    feature(
      "section", .zone, zone.id, GeoJSONOutput.area(zone.outline),
      [
        ("category", .string(zone.sourceKind)), ("restriction", .null), ("accessibility", .null),
        ("name", labels(zone.name) ?? .null), ("alt_name", .null),
        ("level_id", .string(uuid(.floor, zone.floors.first?.rawValue ?? ""))),
        ("display_point", displayPoint(zone.outline)), ("address_id", .null), ("correlation_id", .null),
        ("parents", .null),
      ])
  }

  private func geofence(_ zone: Zone) -> JSONOutput {
    let isWord = IMDFVocabulary.geofenceCategories.contains(zone.sourceKind)
    return feature(
      "geofence", .zone, zone.id, GeoJSONOutput.area(zone.outline),
      [
        ("category", .string(isWord ? zone.sourceKind : "geofence")), ("restriction", .null),
        ("name", labels(zone.name) ?? .null), ("alt_name", .null), ("correlation_id", .null),
        ("display_point", displayPoint(zone.outline)), ("building_ids", .null),
        (
          "level_ids",
          zone.floors.isEmpty ? .null : .array(zone.floors.map { .string(uuid(.floor, $0.rawValue)) })
        ), ("parents", .null),
      ] + (isWord ? [] : [("cordon_kind", .string(zone.sourceKind))]))
  }

  // MARK: - Directory

  // The format uses OpenStreetMap's syntax for opening hours; those of other formats are JSON and are written
  // separately.
  private func hours(_ point: PointOfInterest) -> [(String, JSONOutput)] {
    guard let hours = point.openingHours, hours.hasPrefix("[") || hours.hasPrefix("{") else {
      return [("hours", .optional(point.openingHours))]
    }
    return [("hours", .null), ("cordon_hours", .string(hours))]
  }

  private func place(of point: PointOfInterest) -> (position: Coordinate, space: Space)? {
    guard let space = venue.spaces.first(where: { point.spaces.contains($0.id) }) else { return nil }
    guard let position = point.position ?? ShapeMeasure.interiorPoint(of: space.outline) else { return nil }
    return (position, space)
  }

  /// Checks whether a point is an amenity, such as a restroom. Shops, desks and rooms are occupants.
  private func isAmenity(_ point: PointOfInterest) -> Bool {
    place(of: point).map { IMDFVocabulary.amenityCategory(of: $0.space.kind) != nil } ?? false
  }

  private func amenity(_ point: PointOfInterest) -> JSONOutput? {
    guard let (position, space) = place(of: point),
      let category = IMDFVocabulary.amenityCategory(of: space.kind)
    else { return nil }
    return feature(
      "amenity", .point, point.id, GeoJSONOutput.point(position),
      [
        ("category", .string(category)), ("accessibility", .null), ("name", labels(point.name) ?? .null),
        ("alt_name", .null), ("phone", .null), ("website", .null),
        ("unit_ids", .array(point.spaces.map { .string(uuid(.space, $0.rawValue)) })), ("address_id", .null),
        ("correlation_id", .null),
      ] + hours(point))
  }

  private func anchor(_ point: PointOfInterest) -> JSONOutput? {
    guard !isAmenity(point), let (position, space) = place(of: point) else { return nil }
    return feature(
      "anchor", .anchor, point.id, GeoJSONOutput.point(position),
      [("unit_id", .string(uuid(.space, space.id.rawValue))), ("address_id", .null)])
  }

  private func occupant(_ point: PointOfInterest) -> JSONOutput? {
    guard !isAmenity(point), let (_, space) = place(of: point), let name = labels(point.name) else { return nil }
    return feature(
      "occupant", .point, point.id, .null,
      [
        ("category", .string(IMDFVocabulary.occupantCategory(of: space.kind))), ("name", name),
        ("anchor_id", .string(uuid(.anchor, point.id))), ("phone", .null), ("website", .null), ("validity", .null),
        ("correlation_id", .null),
      ] + hours(point))
  }

  // MARK: - Ways

  private func reference(_ kind: StableUUID.Kind, _ id: String, _ type: String) -> JSONOutput {
    .object([("id", .string(uuid(kind, id))), ("feature_type", .string(type))])
  }

  private func relationship(_ connection: Connection) -> JSONOutput? {
    guard let category = IMDFVocabulary.relationshipCategory(of: connection.kind) else { return nil }
    var spaces = connection.landings.compactMap(\.space)
    // A one-way connection begins where people may enter it.
    if !connection.isTwoWay, connection.landings.first?.isEntry == false { spaces.reverse() }
    guard spaces.count > 1, let first = spaces.first, let last = spaces.last else { return nil }
    return feature(
      "relationship", .connection, connection.id, .null,
      [
        ("category", .string(category)), ("direction", .string(connection.isTwoWay ? "undirected" : "directed")),
        ("origin", reference(.space, first.rawValue, "unit")),
        ("intermediary", .array(spaces.dropFirst().dropLast().map { reference(.space, $0.rawValue, "unit") })),
        ("destination", reference(.space, last.rawValue, "unit")), ("hours", .null),
        ("name", labels(connection.name) ?? .null),
      ])
  }

  /// Returns the relationship of the two spaces that a door connects.
  private func traversal(_ opening: Opening) -> JSONOutput? {
    guard opening.spaces.count == 2 else { return nil }
    return feature(
      "relationship", .traversal, opening.id, .null,
      [
        ("category", .string("traversal")), ("direction", .string(opening.isTwoWay ? "undirected" : "directed")),
        ("origin", reference(.space, opening.spaces[0].rawValue, "unit")),
        ("intermediary", .array([reference(.opening, opening.id, "opening")])),
        ("destination", reference(.space, opening.spaces[1].rawValue, "unit")), ("hours", .null),
      ])
  }

  // MARK: - Words

  /// Returns names by language; names without a language get that of the archive.
  private func labels(_ text: LocalizedText) -> JSONOutput? {
    text.isEmpty ? nil : JSONOutput.labels(text, unknown: language)
  }

  private func displayPoint(_ area: GeoMultiPolygon) -> JSONOutput {
    ShapeMeasure.interiorPoint(of: area).map(GeoJSONOutput.point) ?? .null
  }
}
