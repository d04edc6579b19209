import CordonCore
import CordonGeometry
import CordonVenues

/// The files of one floor: the shapes and their kinds.
struct MVF3FloorGeometry {
  private var features: [JSONOutput] = []
  private var kindByID: [(String, JSONOutput)] = []
  private var walkableIDs: [String] = []
  private var blockedIDs: [String] = []
  private var doorLines: [String] = []
  private var symbols: [JSONOutput] = []

  init(floor: Floor, venue: Venue, names: [FloorID: String]) {
    for space in venue.spaces where space.floor == floor.id { add(space) }
    for (barriers, role, kind) in [
      (venue.walls, "wall", "wall"), (venue.obstructions, "obstruction", "object"),
      (venue.furniture, "furniture", "object"),
    ] {
      for barrier in barriers where barrier.floor == floor.id { add(barrier, role: role, kind: kind) }
    }
    for opening in venue.openings where opening.floor == floor.id {
      let id = MVF3Writer.lineID(of: opening)
      doorLines.append(id)
      add(id, GeoJSONOutput.line(opening.line))
    }
    for connection in venue.connections {
      for (index, landing) in connection.landings.enumerated() where landing.floor == floor.id {
        add(MVF3Writer.landingID(of: connection, index), GeoJSONOutput.point(landing.position))
      }
    }
    for point in venue.pointsOfInterest where point.floor == floor.id {
      guard let position = point.position else { continue }
      add(MVF3Writer.pointID(of: point), GeoJSONOutput.point(position))
      kindByID.append((MVF3Writer.pointID(of: point), .string("poi")))
    }
    for annotation in venue.annotations where annotation.floor == floor.id { add(annotation) }
    for zone in venue.zones where (zone.floors.first ?? venue.floors.first?.id) == floor.id {
      add(
        zone.id, GeoJSONOutput.area(zone.outline), name: zone.name,
        cordon: [
          ("role", .string("zone")), ("source_kind", .string(zone.sourceKind)),
          ("floors", .array(zone.floors.map { .string(names[$0] ?? $0.rawValue) })),
        ])
    }
    if floor.id == venue.floors.first?.id {
      if let outline = venue.outline, !outline.isEmpty {
        add("venue-outline", GeoJSONOutput.area(outline), cordon: [("role", .string("venue"))])
      }
      for building in venue.buildings {
        guard let outline = building.outline, !outline.isEmpty else { continue }
        add(MVF3Writer.facadeID(of: building), GeoJSONOutput.area(outline))
      }
    }
  }

  var collection: JSONOutput { GeoJSONOutput.collection(features) }

  var kinds: JSONOutput { .object(kindByID) }

  var walkable: JSONOutput { .object(walkableIDs.map { ($0, .object([])) }) }

  var nonwalkable: JSONOutput { .object(blockedIDs.map { ($0, .object([])) }) }

  var aesthetics: JSONOutput {
    .array(
      doorLines.map { id in
        .object([("id", .string("ea_" + id)), ("geometryId", .string(id)), ("kind", .string("open"))])
      })
  }

  /// The annotations of the floor; `nil` if there are none.
  var annotations: JSONOutput? { symbols.isEmpty ? nil : .array(symbols) }

  private mutating func add(_ annotation: Annotation) {
    let id = annotation.id + "-drawing"
    add(id, GeoJSONOutput.lines(annotation.lines))
    symbols.append(
      .object([
        ("id", .string(annotation.id)), ("geometryId", .string(id)), ("externalId", .string("")),
        ("symbolKey", .string(annotation.symbol)),
      ]))
  }

  private mutating func add(_ space: Space) {
    let id = space.id.rawValue
    let kind =
      switch space.kind {
      case .corridor, .lobby, .movingWalkway: "hallway"
      case .area, .outdoor, .terrace, .openToBelow, .inaccessible, .unknown, .platform, .parking: "area"
      default: "room"
      }
    add(
      id, GeoJSONOutput.area(space.outline), name: space.name,
      cordon: [("kind", .string(space.kind.rawValue)), ("source_kind", .string(space.sourceKind))])
    kindByID.append((id, .string(kind)))
    if space.kind.isWalkable { walkableIDs.append(id) } else { blockedIDs.append(id) }
  }

  private mutating func add(_ barrier: Barrier, role: String, kind: String) {
    add(
      barrier.id, GeoJSONOutput.shape(barrier.shape),
      cordon: [("role", .string(role)), ("source_kind", .string(barrier.sourceKind))])
    kindByID.append((barrier.id, .string(kind)))
    blockedIDs.append(barrier.id)
  }

  private mutating func add(
    _ id: String, _ geometry: JSONOutput, name: LocalizedText = LocalizedText(), cordon: [(String, JSONOutput)] = []
  ) {
    var properties: [(String, JSONOutput)] = [("id", .string(id))]
    if !name.isEmpty { properties.append(("details", .object([("name", .localized(name))]))) }
    if !cordon.isEmpty { properties.append(("cordon", .object(cordon))) }
    features.append(GeoJSONOutput.feature(geometry: geometry, properties: properties))
  }
}
