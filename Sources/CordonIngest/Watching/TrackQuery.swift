internal import CordonCore
import CordonSupport

/// The positions of one device in a span of time, for its path on the plan.
struct TrackQuery: Sendable {
  var venue: ServedVenue
  var device: Int64
  /// Milliseconds since 1970.
  var span: ClosedRange<Int64>
  var after: FixID?
  var limit: Int

  func answer(from store: any PositionStore) throws(StoreFault) -> IngestResponse {
    guard let place = try store.venues().first(where: { $0.id == venue.id }) else {
      return .json(200, ["positions": [], "next_after": .null])
    }
    var rows = try store.track(of: device, venue: place.number, in: span, after: after, limit: limit + 1)
    let hasMore = rows.count > limit
    if hasMore { rows.removeLast() }
    var spaces: [Int64: JSONValue] = [:]
    var list: [JSONValue] = []
    list.reserveCapacity(rows.count)
    for row in rows {
      var space = JSONValue.null
      if let number = row.space {
        if spaces[number] == nil { spaces[number] = JSONValue(try store.space(number)?.rawValue) }
        space = spaces[number] ?? .null
      }
      list.append([
        "time": .integer(row.time), "still_until": row.stillUntil.map { .integer($0) } ?? .null,
        "lonlat": [.number(row.coordinate.longitude), .number(row.coordinate.latitude)],
        "xy": .array(venue.document?.place(row.coordinate) ?? []), "acc": .number(Double(row.accuracy) / 1_000),
        "floor": JSONValue(row.floor.map { FloorOrdinal(thousandths: $0).value }), "space": space,
      ])
    }
    let next = hasMore ? rows.last?.id.description : nil
    return .json(200, ["positions": .array(list), "next_after": JSONValue(next)])
  }
}

extension Ingest {
  /// `POST /v1/operator/track`
  func trackQuery(_ request: IngestRequest, now: Instant) throws(Problem) -> Query {
    let request = try withBodyParameters(request, "venue", "device", "from", "to", "after", "limit", "reason")
    let id = try venueParameter(request)
    let span = try Parameters.span(request, now: now)
    let limit = try Parameters.limit(request, default: 5_000, most: 20_000)
    guard let name = request.parameter("device") else {
      throw Problem(400, .badParameter, "device: a device is needed", field: "device")
    }
    var after: FixID?
    if let text = request.parameter("after"), !text.isEmpty {
      guard let id = FixID(text) else { throw Problem(400, .badParameter, "after: an id is needed", field: "after") }
      after = id
    }
    let (who, device) = try operatorLook(
      request, action: "track of device", role: .contactTracer, device: name, venue: id,
      isOfFormerHolder: { $0.isOfFormerHolder(span) }, now: now)
    guard let venue = preprocessor.catalog[id] else {
      throw Problem(404, .noSuchVenue, "this server does not serve that venue", field: "venue")
    }
    guard let device, device.venue == id else {
      throw Problem(404, .noSuchDevice, "no such device", field: "device")
    }
    return Query(
      .track(
        TrackQuery(
          venue: venue, device: device.number, span: device.ofOneHolder(span), after: after, limit: limit)),
      by: .operator(who.id), settings: settings)
  }
}
