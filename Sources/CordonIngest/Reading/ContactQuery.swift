internal import CordonContacts
internal import CordonCore
internal import CordonGeometry
import CordonSupport

/// Which contacts: of a venue, of a device, in a span of time. One that reaches over the edge of the span counts.
struct ContactQuery: Sendable {
  var venue: VenueID
  var device: Int64?
  /// Milliseconds.
  var span: ClosedRange<Int64>
  var minimumDuration: TimeSpan
  /// Those behind it.
  var after: ContactCursor?
  /// `nil` for all of them.
  var limit: Int?
  var isCSV: Bool

  /// At most `limit` contacts, and where the next page begins if there is one.
  func page(_ limit: Int, from store: any PositionStore) throws(StoreFault) -> (
    rows: [ContactRow], next: ContactCursor?
  ) {
    guard let place = try store.venues().first(where: { $0.id == venue }) else { return ([], nil) }
    let frame = LocalFrame(origin: place.origin)
    var selection = ContactSelection(
      venue: place.number, device: device, span: span.lowerBound * 1_000...span.upperBound * 1_000, limit: limit + 1)
    selection.minimumDuration = minimumDuration.milliseconds * 1_000
    selection.after = after
    let found = try store.contacts(selection)
    var names = DeviceNames(store)
    var rows: [ContactRow] = []
    rows.reserveCapacity(min(found.count, limit))
    for contact in found.prefix(limit) {
      let (first, second) = (try names[contact.first], try names[contact.second])
      rows.append(ContactRow(contact: contact, first: first, second: second, place: frame.unproject(contact.point)))
    }
    return (rows, found.count > limit ? rows.last.map { ContactCursor($0.contact) } : nil)
  }

  /// The answer with at most `limit` contacts. A query for all contacts has no such answer: it is written in parts.
  func answer(_ limit: Int, from store: any PositionStore) throws(StoreFault) -> IngestResponse {
    let (rows, next) = try page(limit, from: store)
    // As text row by row: a tree of a hundred thousand contacts takes ten times the room.
    var text: [UInt8] = []
    guard isCSV else {
      text += Array(#"{"contacts":["#.utf8)
      for (index, row) in rows.enumerated() {
        if index > 0 { text.append(UInt8(ascii: ",")) }
        text += Array(row.json.text().utf8)
      }
      let after = JSONValue(next?.description).text()
      text += Array(#"],"next_after":\#(after),"is_complete":\#(next == nil)}"#.utf8)
      return .json(200, bytes: text)
    }
    text += CSVText.lines([ContactRow.header])
    for row in rows { text += CSVText.lines([row.cells]) }
    var headers = Self.headersOfCSV + [.init("x-is-complete", next == nil ? "true" : "false")]
    if let next { headers.append(.init("x-next-after", next.description)) }
    return IngestResponse(200, headers: headers, body: text)
  }

  static let headersOfCSV: [IngestRequest.Header] = [
    .init("content-type", "text/csv; charset=utf-8"), .init("cache-control", "no-store"),
    .init("content-disposition", "attachment; filename=\"contacts.csv\""),
  ]
}

extension Contact {
  var point: PlanePoint { PlanePoint(x: x, y: y) }
}

/// The names of devices by their numbers; those of erased devices are not kept.
struct DeviceNames {
  private let store: any PositionStore
  private var names: [Int32: String] = [:]

  init(_ store: any PositionStore) { self.store = store }

  subscript(number: Int32) -> String {
    mutating get throws(StoreFault) {
      if let name = names[number] { return name }
      let name = try store.deviceID(Int64(number))?.rawValue ?? ""
      names[number] = name
      return name
    }
  }
}

/// A contact as operators see it.
struct ContactRow {
  var contact: Contact
  var first: String
  var second: String
  var place: Coordinate

  static let header = [
    "first", "second", "start", "end", "duration_s", "floor", "minimum_distance_m", "closest", "longitude", "latitude",
    "wall_share",
  ]

  private func time(_ microseconds: Int64) -> String { Instant(milliseconds: microseconds / 1_000).rfc3339 }

  private var floor: FloorOrdinal? {
    contact.floor == Segment.unknownFloor ? nil : FloorOrdinal(thousandths: contact.floor)
  }

  private static func rounded(_ value: Double, _ scale: Double) -> Double { (value * scale).rounded() / scale }

  /// For what share of the contact a wall was between the two.
  private var wallShare: Double? { contact.obstructedShare.map { Self.rounded($0, 1e3) } }

  var json: JSONValue {
    [
      "first": .string(first), "second": .string(second), "start": .string(time(contact.start)),
      "end": .string(time(contact.end)), "duration_s": .number(Self.rounded(Double(contact.duration) / 1e6, 1e3)),
      "floor": JSONValue(floor?.value), "minimum_distance_m": .number(Self.rounded(contact.minimumDistance, 1e3)),
      "closest": .string(time(contact.minimumDistanceTime)),
      "lonlat": [.number(Self.rounded(place.longitude, 1e7)), .number(Self.rounded(place.latitude, 1e7))],
      "wall_share": JSONValue(wallShare),
    ]
  }

  var cells: [String] {
    [
      first, second, time(contact.start), time(contact.end), String(Self.rounded(Double(contact.duration) / 1e6, 1e3)),
      floor.map(\.description) ?? "", String(Self.rounded(contact.minimumDistance, 1e3)),
      time(contact.minimumDistanceTime), String(Self.rounded(place.longitude, 1e7)),
      String(Self.rounded(place.latitude, 1e7)), wallShare.map { String($0) } ?? "",
    ]
  }
}

extension Ingest {
  func venueParameter(_ request: IngestRequest) throws(Problem) -> VenueID {
    guard let text = request.parameter("venue"), let id = VenueID(text) else {
      throw Problem(400, .badParameter, "venue: a venue is needed", field: "venue")
    }
    return id
  }

  /// `POST /v1/operator/contacts`
  func contactQuery(_ request: IngestRequest, now: Instant) throws(Problem) -> Query {
    let request = try withBodyParameters(
      request, "venue", "device", "from", "to", "minimum_duration_s", "after", "limit", "format", "reason")
    let venue = try venueParameter(request)
    let span = try Parameters.span(request, now: now)
    let minimum = try Parameters.integer(request, "minimum_duration_s") ?? 0
    guard (0...86_400).contains(minimum) else {
      throw Problem(400, .badParameter, "minimum_duration_s: 0 to 86400", field: "minimum_duration_s")
    }
    let name = request.parameter("device")
    let isCSV = try Parameters.isCSV(request)
    // A table is taken as a whole, a list page by page.
    let limit = try Parameters.limitOrAll(request, default: isCSV ? nil : 1_000, most: 100_000)
    var after: ContactCursor?
    if let text = request.parameter("after"), !text.isEmpty {
      guard let cursor = ContactCursor(text) else {
        throw Problem(400, .badParameter, "after: what next_after said is needed", field: "after")
      }
      after = cursor
    }
    let (who, device) = try operatorLook(
      request, action: name == nil ? "list contacts" : "contacts of device", role: .contactTracer, device: name,
      venue: venue, isOfFormerHolder: { $0.isOfFormerHolder(span) }, now: now)
    if name != nil, device == nil { throw Problem(404, .noSuchDevice, "no such device", field: "device") }
    return Query(
      .contacts(
        ContactQuery(
          venue: venue, device: device?.number, span: device?.ofOneHolder(span) ?? span,
          minimumDuration: .seconds(minimum), after: after,
          limit: limit, isCSV: isCSV)), by: .operator(who.id), settings: settings)
  }
}
