import CordonConsole
import CordonCore
import CordonExchange
import CordonGeometry
import CordonPresence
import CordonSupport

/// The result of `cordon presence`, as lines and as an object.
struct PresenceResult {
  static let schema = "cordon.presence/1"

  private(set) var report: PresenceReport
  let reading: FixReading
  let definition: PresenceDefinition
  let zone: String
  /// What became of each day; empty without an earlier run.
  private(set) var changes: [PresenceLedger.Change] = []

  init(report: PresenceReport, reading: FixReading, definition: PresenceDefinition, zone: String) {
    self.report = report
    self.reading = reading
    self.definition = definition
    self.zone = zone
  }

  /// Compares the days with those of an earlier run.
  mutating func mark(_ ledger: PresenceLedger?) {
    guard var ledger else { return }
    changes = ledger.record(report.days)
  }

  /// Leaves out all other days, with their visits and trips; false if the day has no fix.
  mutating func keep(day name: String) -> Bool {
    guard let place = report.days.firstIndex(where: { $0.name == name }), report.days[place].fixes > 0 else {
      return false
    }
    if !changes.isEmpty { changes = [changes[place]] }
    let day = report.days[place]
    report.days = [day]
    let end = day.start + day.length
    report.visits = report.visits.filter { $0.departure >= day.start && $0.arrival < end }
    report.trips = report.trips.filter { $0.end >= day.start && $0.start < end }
    return true
  }

  /// One sentence for each assumption.
  var assumed: [String] {
    var sentences = reading.remarks
    if !report.hasHome { sentences.append("no home is given, so that time at home and away is unknown") }
    if isFarFromHomes {
      sentences.append("no visit or trip is within 500 km of a home; --home begins with the longitude")
    }
    if definition.rules.outdoors.buildings == nil {
      let metres = Self.plain(definition.rules.outdoors.accuracy, places: 1)
      sentences.append(
        "fixes with an accuracy radius below \(metres) m count as outdoors; no map of buildings is given")
    }
    if report.withoutAccuracy > 0 {
      let fixes = Counted.of(report.withoutAccuracy, "fix", "fixes")
      sentences.append("\(fixes) without an accuracy: neither outdoors nor indoors")
    }
    if reading.mocked > 0 { sentences.append("\(Counted.of(reading.mocked, "position")) made by software left out") }
    return sentences
  }

  /// Whether homes are so far from all visits and trips that their longitude and latitude may be exchanged.
  private var isFarFromHomes: Bool {
    let homes = definition.rules.homes.homes
    let places = report.visits.map(\.coordinate) + report.trips.map(\.startCoordinate)
    guard !homes.isEmpty, !places.isEmpty else { return false }
    return homes.allSatisfy { home in
      places.allSatisfy { Geodesic.distance(from: home.coordinate, to: $0) > 500_000 }
    }
  }

  // MARK: JSON

  var json: JSONValue {
    let counts = report.counts
    return [
      "schema": .string(Self.schema), "time_zone": .string(zone),
      "homes": .array(definition.rules.homes.homes.map(home)),
      "maximum_gap_s": .number(definition.rules.maximumGap.seconds),
      "outdoor_accuracy_m": .number(definition.rules.outdoors.accuracy),
      "buildings": .count(definition.rules.outdoors.buildings?.count ?? 0),
      "fixes": .count(counts.used), "duplicates": .count(counts.duplicates), "late": .count(counts.late),
      "invalid": .count(counts.invalid + reading.leftOut), "mocked": .count(reading.mocked),
      "days": .array(report.days.indices.map(day)), "gaps": gaps,
      "accuracy": [
        "indoors": accuracy(report.indoors), "outdoors": accuracy(report.outdoors),
        "unknown": .count(report.withoutAccuracy),
      ],
      "visits": .array(report.visits.map(visit)), "trips": .array(report.trips.map(trip)),
      "assumed": .array(assumed.map { .string($0) }),
    ]
  }

  private func home(_ home: HomePlace) -> JSONValue {
    [
      "center": home.coordinate.json, "radius_m": .number(home.radius),
      "from": home.from.map { .time(milliseconds: $0.milliseconds) } ?? .null,
    ]
  }

  private func day(_ index: Int) -> JSONValue {
    let day = report.days[index]
    func seconds(_ time: Int64) -> JSONValue { .number(Double(time) / 1_000) }
    func known(_ time: Int64) -> JSONValue { report.hasHome ? seconds(time) : .null }
    func rounded(_ time: Double) -> JSONValue { .number(time.rounded() / 1_000) }
    func time(_ time: Int64?) -> JSONValue { time.map { .time(milliseconds: $0) } ?? .null }
    let change = changes.indices.contains(index) ? changes[index] : nil
    return [
      "date": .string(day.name), "start": time(day.start), "length_s": seconds(day.length), "fixes": .count(day.fixes),
      "home_s": known(day.home), "away_s": known(day.away), "unknown_s": known(day.unknown),
      "covered_s": seconds(day.covered), "outdoors_s": rounded(day.outdoors), "indoors_s": rounded(day.indoors),
      "undetermined_s": rounded(day.undetermined), "by_map_s": seconds(day.byMap), "valid_s": seconds(day.valid),
      "distance_m": .number((day.distance * 1_000).rounded() / 1_000), "gaps": .count(day.gaps),
      "longest_gap_s": seconds(day.longestGap), "first_fix": time(day.firstFix), "last_fix": time(day.lastFix),
      "revision": .count(change?.revision ?? 0), "is_updated": .bool(change?.isUpdated ?? false),
    ]
  }

  private var gaps: JSONValue {
    let gaps = report.gaps
    return [
      "minimum_s": .number(definition.rules.reportedGap.seconds), "count": .count(gaps.count),
      "over_midnight": .count(gaps.countOverMidnight), "total_s": .number(Double(gaps.total) / 1_000),
      "longest_s": .number(Double(gaps.longest) / 1_000), "farthest_m": .rounded(gaps.farthest, 1),
      "farther_than_200_m": .count(gaps.farCount),
      "first": .array(
        gaps.first.prefix(1_000).map { gap in
          [
            "start": .time(milliseconds: gap.start), "end": .time(milliseconds: gap.end),
            "distance_m": .rounded(gap.distance, 1), "over_midnight": .bool(gap.crossesMidnight),
          ]
        }),
    ]
  }

  private func accuracy(_ statistics: AccuracyStatistics) -> JSONValue {
    func metres(_ value: Double?) -> JSONValue { value.map { .rounded($0, 2) } ?? .null }
    return [
      "fixes": .count(statistics.count), "mean_m": metres(statistics.mean), "sd_m": metres(statistics.deviation),
      "p25_m": metres(statistics.quantile(0.25)), "p50_m": metres(statistics.quantile(0.5)),
      "p75_m": metres(statistics.quantile(0.75)),
    ]
  }

  /// Seconds; `null` for a time without a limit.
  private func span(_ time: Int64?) -> JSONValue { time.map { .number(Double($0) / 1_000) } ?? .null }

  private func visit(_ visit: PresenceVisit) -> JSONValue {
    [
      "place": JSONValue(definition.name(of: visit.place)), "center": visit.coordinate.rounded.json,
      "arrival": .time(milliseconds: visit.arrival), "departure": .time(milliseconds: visit.departure),
      "arrival_known": .bool(visit.isArrivalKnown), "departure_known": .bool(visit.isDepartureKnown),
      "arrival_uncertainty_s": span(visit.arrivalUncertainty),
      "departure_uncertainty_s": span(visit.departureUncertainty),
      "dwell_s": .number(Double(visit.dwell) / 1_000), "unknown_s": .number(Double(visit.unknown) / 1_000),
    ]
  }

  private func trip(_ trip: PresenceTrip) -> JSONValue {
    [
      "start": .time(milliseconds: trip.start), "end": .time(milliseconds: trip.end),
      "start_place": JSONValue(definition.name(of: trip.startPlace)),
      "end_place": JSONValue(definition.name(of: trip.endPlace)), "start_location": trip.startCoordinate.json,
      "end_location": trip.endCoordinate.json, "start_known": .bool(trip.isStartKnown),
      "end_known": .bool(trip.isEndKnown), "duration_s": .number(Double(trip.duration) / 1_000),
      "distance_m": .rounded(trip.distance, 1), "fixes": .count(trip.fixes),
    ]
  }

  // MARK: Lines

  var text: String {
    var lines = ["date        home     away     outdoors  unknown  distance   fixes"]
    for (index, day) in report.days.enumerated() {
      func column(_ text: String, _ width: Int) -> String {
        text + String(repeating: " ", count: max(width - text.count, 0))
      }
      let isUpdated = changes.indices.contains(index) && changes[index].isUpdated
      let unknown = report.hasHome ? Self.hours(day.unknown) : "-"
      let isUndetermined = day.undetermined > 0 && day.outdoors + day.indoors == 0
      let outdoors = isUndetermined ? "-" : Self.hours(Int64(day.outdoors))
      lines.append(
        column(day.name, 12) + column(report.hasHome ? Self.hours(day.home) : "-", 9)
          + column(report.hasHome ? Self.hours(day.away) : "-", 9) + column(outdoors, 10)
          + column(unknown, 9) + column("\(Self.plain(day.distance / 1_000, places: 2)) km", 11)
          + "\(day.fixes)" + (isUpdated ? "  updated" : ""))
    }
    lines.append(
      "\(Counted.of(report.visits.count, "visit")), \(Counted.of(report.trips.count, "trip")), "
        + "\(Counted.of(report.gaps.count, "gap")) of more than \(definition.rules.reportedGap)")
    lines += assumed.map { "assumed: \($0)" }
    return lines.joined(separator: "\n") + "\n"
  }

  /// A time as `7:05`.
  static func hours(_ time: Int64) -> String {
    let minutes = (time + 30_000) / 60_000
    return "\(minutes / 60):\(minutes % 60 < 10 ? "0" : "")\(minutes % 60)"
  }

  /// A number with a limited number of digits behind the point.
  static func plain(_ value: Double, places: Int) -> String {
    var scale = 1.0
    for _ in 0..<places { scale *= 10 }
    let rounded = (value * scale).rounded() / scale
    return rounded == rounded.rounded() && abs(rounded) < 1e15 ? String(Int64(rounded)) : String(rounded)
  }
}

extension Coordinate {
  /// The position to about a centimetre.
  var rounded: Coordinate {
    Coordinate(longitude: (longitude * 1e7).rounded() / 1e7, latitude: (latitude * 1e7).rounded() / 1e7)
  }
}
