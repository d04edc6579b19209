internal import CordonCore
import CordonSupport

/// The quality of what the devices of a venue sent in a span of time, counted device by device.
struct QualityQuery: Sendable {
  var venue: ServedVenue
  /// Milliseconds since 1970.
  var span: ClosedRange<Int64>
  /// Refused rows of the span by reason, since the server started.
  var refused: [(reason: String, rows: Int)]
  var settings: IngestSettings

  /// The time without a sign between two fixes of a device from which on it is a gap.
  static let gap = TimeSpan.minutes(5)
}

/// A quality query under way. A step reads some thousand positions.
struct QualityRun: Sendable {
  private let query: QualityQuery
  private var scope: (venue: Int64, devices: [Int64])?
  private var index = 0
  private var after: FixID?
  private var lastSign: Int64?
  private var counts = Counts()

  private struct Counts {
    var rows = 0
    var devices = 0
    var usable = 0
    var withFloor = 0
    var withSpace = 0
    var gaps = 0
    /// Milliseconds.
    var gapTime: Int64 = 0
    /// Rows by their accuracy in decimetres, the last for all that are larger.
    var accuracies = [Int](repeating: 0, count: 2_001)
  }

  private static let pageSize = 5_000

  init(_ query: QualityQuery) { self.query = query }

  /// Reads on; returns the answer when there is nothing left to read.
  mutating func advance(from store: any PositionStore) throws(StoreFault) -> IngestResponse? {
    if scope == nil {
      guard let place = try store.venues().first(where: { $0.id == query.venue.id }) else { return answer }
      scope = (place.number, try store.devices(in: place.number, during: query.span))
    }
    guard let scope else { return answer }
    var budget = Self.pageSize
    while budget > 0 {
      guard index < scope.devices.count else { return answer }
      let page = try store.track(
        of: scope.devices[index], venue: scope.venue, in: query.span, after: after, limit: Self.pageSize)
      // A device without rows costs something, too.
      budget -= page.count + 20
      count(page)
      guard counts.rows <= query.settings.maximumQueryRows else {
        return Problem(
          413, .tooMuch,
          "there are more than \(query.settings.maximumQueryRows) positions between from and to; ask for a shorter span",
          field: "from"
        ).response
      }
      if page.count < Self.pageSize {
        index += 1
        (after, lastSign) = (nil, nil)
      } else {
        after = page.last?.id
      }
    }
    return nil
  }

  private mutating func count(_ page: [StoredPosition]) {
    if after == nil, !page.isEmpty { counts.devices += 1 }
    for row in page {
      counts.rows += 1
      if query.settings.isNearEnough(row.accuracy) { counts.usable += 1 }
      if row.floor != nil { counts.withFloor += 1 }
      if row.space != nil { counts.withSpace += 1 }
      counts.accuracies[Int(min(row.accuracy / 100, Int64(counts.accuracies.count - 1)))] += 1
      if let last = lastSign, row.time - last > QualityQuery.gap.milliseconds {
        counts.gaps += 1
        counts.gapTime += row.time - last
      }
      lastSign = max(lastSign ?? row.time, row.stillUntil ?? row.time)
    }
  }

  /// The accuracy in metres that a share of the rows keeps; `nil` without rows.
  private func accuracy(_ share: Double) -> Double? {
    guard counts.rows > 0 else { return nil }
    var rest = Int((share * Double(counts.rows)).rounded(.up))
    for (decimetres, rows) in counts.accuracies.enumerated() {
      rest -= rows
      if rest <= 0 { return Double(decimetres) / 10 }
    }
    return nil
  }

  private var answer: IngestResponse {
    .json(
      200,
      [
        "venue": .string(query.venue.id.rawValue), "from": .integer(query.span.lowerBound),
        "to": .integer(query.span.upperBound), "rows": JSONValue(counts.rows), "devices": JSONValue(counts.devices),
        "accuracy_median_m": JSONValue(accuracy(0.5)), "accuracy_p90_m": JSONValue(accuracy(0.9)),
        "contact_accuracy_m": .number(query.settings.contactAccuracy), "usable": JSONValue(counts.usable),
        "with_floor": JSONValue(counts.withFloor), "with_space": JSONValue(counts.withSpace),
        "gaps": JSONValue(counts.gaps), "gap_s": .integer(counts.gapTime / 1_000),
        "refused": .array(
          query.refused.map { ["reason": .string($0.reason), "rows": JSONValue($0.rows)] }),
      ])
  }
}

/// Refused rows by venue, hour and reason since the server started. In memory and bounded.
struct RefusalLedger {
  private var hours: [VenueID: [Int64: [String: Int]]] = [:]
  /// The hours that are kept of a venue.
  static let maximumHours = 31 * 24

  mutating func add(_ rows: Int, _ reason: String, venue: VenueID, at time: Instant) {
    let hour = time.milliseconds / 3_600_000
    var known = hours[venue] ?? [:]
    if known[hour] == nil, known.count >= Self.maximumHours, let oldest = known.keys.min() { known[oldest] = nil }
    known[hour, default: [:]][reason, default: 0] += rows
    hours[venue] = known
  }

  /// Rows of the hours that begin in a span, by reason.
  func rows(of venue: VenueID, in span: ClosedRange<Int64>) -> [(reason: String, rows: Int)] {
    var sums: [String: Int] = [:]
    for (hour, reasons) in hours[venue] ?? [:] where span.contains(hour * 3_600_000) {
      sums.merge(reasons, uniquingKeysWith: +)
    }
    return sums.sorted { $0.key < $1.key }.map { ($0.key, $0.value) }
  }
}

extension Ingest {
  /// `GET /v1/operator/quality?venue=…&from=…&to=…`
  func qualityQuery(_ request: IngestRequest, now: Instant) throws(Problem) -> Query {
    let id = try venueParameter(request)
    let span = try Parameters.span(request, now: now)
    guard span.upperBound - span.lowerBound <= TimeSpan.days(31).milliseconds else {
      throw Problem(400, .badParameter, "from: at most 31 days before to", field: "from")
    }
    let (who, _) = try operatorLook(request, action: "quality", role: .operator, device: nil, venue: id, now: now)
    guard let venue = preprocessor.catalog[id] else {
      throw Problem(404, .noSuchVenue, "this server does not serve that venue", field: "venue")
    }
    return Query(
      .quality(
        QualityQuery(venue: venue, span: span, refused: refusals.rows(of: id, in: span), settings: settings)),
      by: .operator(who.id), settings: settings)
  }
}
