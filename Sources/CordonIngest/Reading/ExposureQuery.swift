internal import CordonContacts
internal import CordonCore
import CordonSupport

/// With whom an index case had how much contact.
struct ExposureQuery: Sendable {
  var venue: VenueID
  var device: Int64
  /// Milliseconds.
  var span: ClosedRange<Int64>
  var rule: ExposureRule
  var isCSV: Bool

  private static let header = [
    "device", "contacts", "total_s", "maximum_in_window_s", "window_start", "minimum_distance_m", "is_exposure",
  ]

  /// The most contacts that are looked through.
  static let maximumContacts = 200_000

  func answer(from store: any PositionStore) throws(StoreFault) -> IngestResponse {
    var exposures: [Exposure] = []
    if let place = try store.venues().first(where: { $0.id == venue }) {
      let found = try store.contacts(
        in: place.number, device: device, overlapping: span.lowerBound * 1_000...span.upperBound * 1_000,
        limit: Self.maximumContacts + 1)
      guard found.count <= Self.maximumContacts else {
        return Problem(
          413, .tooMuch,
          "the device has more than \(Self.maximumContacts) contacts between from and to; ask for a shorter span",
          field: "from"
        ).response
      }
      exposures = Exposure.list(of: found, rule: rule)
    }
    // The longest contact comes first.
    exposures.sort { ($1.maximumInWindow, $0.first, $0.second) < ($0.maximumInWindow, $1.first, $1.second) }
    var names = DeviceNames(store)
    var list: [JSONValue] = []
    var rows: [[String]] = []
    for exposure in exposures {
      let name = try names[Int64(exposure.first) == device ? exposure.second : exposure.first]
      let distance = (exposure.minimumDistance * 1e3).rounded() / 1e3
      let start = Instant(milliseconds: exposure.windowStart / 1_000).rfc3339
      list.append([
        "device": .string(name), "contacts": JSONValue(exposure.contacts),
        "total_s": .number(Double(exposure.total) / 1e6),
        "maximum_in_window_s": .number(Double(exposure.maximumInWindow) / 1e6),
        "window_start": .string(start), "minimum_distance_m": .number(distance),
        "is_exposure": .bool(exposure.isExposure),
      ])
      rows.append([
        name, String(exposure.contacts), String(Double(exposure.total) / 1e6),
        String(Double(exposure.maximumInWindow) / 1e6), start, String(distance), String(exposure.isExposure),
      ])
    }
    if isCSV {
      let headers: [IngestRequest.Header] = [
        .init("content-type", "text/csv; charset=utf-8"), .init("cache-control", "no-store"),
        .init("content-disposition", "attachment; filename=\"exposures.csv\""),
      ]
      return IngestResponse(200, headers: headers, body: CSVText.table(Self.header, rows))
    }
    return .json(
      200,
      [
        "rule": .string(rule.name), "distance_m": .number(rule.distance),
        "threshold_s": .number(rule.threshold.seconds), "window_s": .number(rule.window.seconds),
        "exposures": .array(list),
      ])
  }
}

extension Ingest {
  /// `POST /v1/operator/exposures`
  func exposureQuery(_ request: IngestRequest, now: Instant) throws(Problem) -> Query {
    let request = try withBodyParameters(
      request, "venue", "device", "from", "to", "threshold_minutes", "format", "reason")
    let venue = try venueParameter(request)
    let to = try Parameters.instant(request, "to") ?? now
    let from = try Parameters.instant(request, "from") ?? to - .days(2)
    guard from <= to else { throw Problem(400, .badParameter, "from: is after to", field: "from") }
    let minutes = try Parameters.integer(request, "threshold_minutes") ?? 15
    guard (1...1_440).contains(minutes) else {
      throw Problem(400, .badParameter, "threshold_minutes: 1 to 1440", field: "threshold_minutes")
    }
    guard let name = request.parameter("device") else {
      throw Problem(400, .badParameter, "device: the index case is needed", field: "device")
    }
    let isCSV = try Parameters.isCSV(request)
    let span = from.milliseconds...to.milliseconds
    let (who, device) = try operatorLook(
      request, action: "exposures of device", role: .contactTracer, device: name, venue: venue,
      isOfFormerHolder: { $0.isOfFormerHolder(span) }, now: now)
    guard let device else { throw Problem(404, .noSuchDevice, "no such device", field: "device") }
    // The distance is the one that contacts are found at; only time can be chosen afterwards.
    let rule = ExposureRule(
      name: "within-\(settings.contactDistance)m", distance: settings.contactDistance, threshold: .minutes(minutes),
      window: .hours(24), source: "settings of this server")
    return Query(
      .exposures(
        ExposureQuery(
          venue: venue, device: device.number, span: device.ofOneHolder(span), rule: rule, isCSV: isCSV)),
      by: .operator(who.id), settings: settings)
  }
}
