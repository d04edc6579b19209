internal import CordonCore
internal import CordonGeometry
import CordonSupport
internal import CordonVenues

/// The map of a venue as pages draw it: floors, walls and spaces in whole centimetres, x to the east and y to the south.
///
/// It has the names of floors and spaces, and no points of interest, which may name people.
struct PlanDocument: Sendable {
  /// The document as JSON.
  let bytes: [UInt8]
  /// The entity tag of ``bytes``, with its quotation marks.
  let tag: String
  /// The frame of the document; its origin is the origin of the walls.
  let frame: LocalFrame
  /// The people that spaces may hold, where the map or its overlay states that.
  let capacities: [SpaceID: Int]
  /// The IANA name of the venue's time zone; `UTC` if the map states none.
  let timeZone: String
  /// Whether the map states a time zone.
  let hasTimeZone: Bool

  /// Creates the document of a venue and its packed form.
  init(_ venue: Venue, packed: PackedVenue) {
    let frame = packed.frame
    let timeZone = venue.timeZone ?? "UTC"
    let recordings = Dictionary(packed.spaces.map { ($0.id, $0.recording) }) { first, _ in first }
    let ordinals = Dictionary(venue.floors.map { ($0.id, $0.ordinal) }) { first, _ in first }
    let floors = Set(venue.floors.map(\.ordinal)).sorted().map { ordinal -> JSONValue in
      let here = venue.floors.filter { $0.ordinal == ordinal }
      let identifiers = Set(here.map(\.id))
      let walls = packed.walls.filter { identifiers.contains($0.floor) }.flatMap(\.segments)
      return [
        "floor": .number(ordinal.value), "name": .string(PlanDocument.name(of: here, ordinal)),
        "outline": .array(here.flatMap { PlanDocument.rings(of: $0.outline ?? GeoMultiPolygon(), in: frame) }),
        "walls": .array(walls.flatMap { PlanDocument.numbers($0.a) + PlanDocument.numbers($0.b) }),
      ]
    }
    let spaces = venue.spaces.map { space -> JSONValue in
      [
        "space": .string(space.id.rawValue), "floor": JSONValue(ordinals[space.floor]?.value),
        "name": .string(space.name.text() ?? ""), "kind": .string(space.kind.rawValue),
        "group": JSONValue(space.group), "capacity": JSONValue(space.capacity),
        "area_m2": .number((space.outline.area(in: frame) * 10).rounded() / 10),
        "recording": .string(PlanDocument.word(recordings[space.id])),
        "rings": .array(PlanDocument.rings(of: space.outline, in: frame)),
      ]
    }
    let value: JSONValue = [
      "venue": .string(venue.id.rawValue), "name": .string(venue.name.text() ?? venue.id.rawValue),
      "time_zone": .string(timeZone), "content_hash": .string(packed.contentHash),
      "origin": [.number(packed.frameOrigin.longitude), .number(packed.frameOrigin.latitude)],
      "floors": .array(floors), "spaces": .array(spaces),
    ]
    bytes = Array(value.text().utf8)
    tag = "\"\(SHA256.hexDigest(of: bytes).prefix(32))\""
    self.frame = frame
    let known = venue.spaces.compactMap { space in space.capacity.map { (space.id, $0) } }
    capacities = Dictionary(known) { first, _ in first }
    self.timeZone = timeZone
    hasTimeZone = venue.timeZone != nil
  }

  /// Returns a place of the document, x and y in centimetres.
  func place(_ coordinate: Coordinate) -> [JSONValue] { PlanDocument.numbers(frame.project(coordinate)) }

  private static func name(of floors: [Floor], _ ordinal: FloorOrdinal) -> String {
    var names: [String] = []
    for floor in floors {
      let name = floor.name.text() ?? floor.shortName.text() ?? ""
      if !name.isEmpty, !names.contains(name), names.count < 3 { names.append(name) }
    }
    return names.isEmpty ? ordinal.description : names.joined(separator: ", ")
  }

  private static func word(_ recording: GateVerdict.Recording?) -> String {
    switch recording {
    case .full: "full"
    case .floorOnly: "floor-only"
    case .unrecorded, nil: "unrecorded"
    }
  }

  private static func rings(of area: GeoMultiPolygon, in frame: LocalFrame) -> [JSONValue] {
    area.polygons.flatMap(\.rings).map { ring in .array(ring.flatMap { numbers(frame.project($0)) }) }
  }

  private static func numbers(_ point: PlanePoint) -> [JSONValue] {
    [.integer(Int64((point.x * 100).rounded())), .integer(Int64((-point.y * 100).rounded()))]
  }
}

extension Ingest {
  /// `GET /v1/operator/venues`: the maps that are served, with what they contain.
  func watchedVenues(_ request: IngestRequest, now: Instant) throws(Problem) -> IngestResponse {
    let who = try authenticated(request, now: now)
    guard who.has(.viewer) else { throw Problem(403, .role, "this needs the role viewer") }
    let list = preprocessor.catalog.ids.filter { who.has(.viewer, at: $0) }.compactMap { preprocessor.catalog[$0] }
    return .json(
      200,
      [
        "venues": .array(
          list.map { venue in
            [
              "venue": .string(venue.id.rawValue), "name": .string(venue.name),
              "time_zone": .string(venue.document?.timeZone ?? "UTC"), "content_hash": .string(venue.contentHash),
              "has_plan": .bool(venue.document != nil), "floors": JSONValue(venue.floors?.count),
              "counted_spaces": JSONValue(venue.plan?.identifiers.count), "packed_bytes": JSONValue(venue.packed.count),
              "has_bundle": .bool(venue.bundle != nil),
              "retention_s": .number(settings.positionRetention.seconds),
              "contact_distance_m": .number(settings.contactDistance),
              "findings": .array(
                venue.findings.map { ["code": .string($0.code), "message": .string($0.message)] }),
            ]
          })
      ])
  }

  /// `GET /v1/operator/venues/{venue}/plan`
  func planDocument(_ request: IngestRequest, venue id: String, now: Instant) throws(Problem) -> IngestResponse {
    let who = try authenticated(request, now: now)
    guard who.has(.viewer) else { throw Problem(403, .role, "this needs the role viewer") }
    guard let id = VenueID(id), let venue = preprocessor.catalog[id] else {
      throw Problem(404, .noSuchVenue, "this server does not serve that venue", field: "venue")
    }
    guard who.has(.viewer, at: id) else { throw Problem(403, .foreignVenue, "not for this venue", field: "venue") }
    guard let document = venue.document else { throw Problem(404, .noBundle, "the venue has no map") }
    let headers: [IngestRequest.Header] = [
      .init("etag", document.tag), .init("cache-control", "private, no-cache"),
    ]
    if request.knows(document.tag) { return IngestResponse(304, headers: headers) }
    return IngestResponse(200, headers: headers + [.init("content-type", "application/json")], body: document.bytes)
  }
}
