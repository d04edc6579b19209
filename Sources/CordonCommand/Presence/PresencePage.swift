import CordonConsole
import CordonCore
import CordonExchange
import CordonPresence
import CordonRun
import CordonSupport

/// The result of `cordon presence` as a page: one file, no network, no tiles.
struct PresencePage {
  private let result: PresenceResult
  private let title: String
  private var report: PresenceReport { result.report }
  /// The maximum number of days of the timeline.
  private static let mostRows = 400
  /// The maximum number of rows of visits and of trips, and of marks on the map.
  private static let mostVisits = 500
  private static let mostMarks = 40

  init(_ result: PresenceResult, title: String) {
    self.result = result
    self.title = title
  }

  var html: String {
    let body = [
      "<p class=\"lead\">\(MarkupText.escaped(lead))</p>", timeline, section("Days", days), section("Weeks", weeks),
      section("Map", map), section("Visits", visits), section("Trips", trips), section("Quality of the data", quality),
      StudyPage.notes(notes),
    ]
    return StudyPage.html(title: "Presence: \(title)", kind: "presence", body: body.joined(separator: "\n"))
  }

  private func section(_ name: String, _ body: String) -> String {
    body.isEmpty ? "" : "<h2 class=\"sub\">\(name)</h2>\(body)"
  }

  private var lead: String {
    let days = report.days.count
    guard report.hasHome, days > 0 else {
      return "\(Counted.of(days, "day")), \(Counted.of(report.counts.used, "fix", "fixes"))."
    }
    func mean(_ value: (PresenceDay) -> Double) -> String {
      PresenceResult.hours(Int64(report.days.reduce(0) { $0 + value($1) } / Double(days)))
    }
    let away = mean { Double($0.away) }
    return
      "\(Counted.of(days, "day")): \(mean { Double($0.home) }) h a day at home, \(away) h away, of which "
      + "\(mean { min($0.outdoors, Double($0.away)) }) h outdoors; \(mean { Double($0.unknown) }) h unknown."
  }

  private var notes: [String] {
    result.assumed + [
      "Days are those of the zone \(result.zone), or of the zone that --travel names.",
      "Time between two fixes belongs to the first one; of gaps of more than \(result.definition.rules.maximumGap) it is unknown.",
      "Distances are those of a filtered path; gaps add nothing to them.",
    ]
  }

  // MARK: Days

  private static let kinds: [TimelineChart.Kind] = [
    .init("at home", colour: 1), .init("outdoors", colour: 3), .init("indoors elsewhere", colour: 0),
    .init("not at home, in or out unknown", colour: 4),
  ]

  private var timeline: String {
    let shown = report.days.suffix(Self.mostRows)
    let rows = shown.map { day in
      TimelineChart.Row(
        day.name,
        title: "\(day.name): home \(PresenceResult.hours(day.home)), away \(PresenceResult.hours(day.away)), "
          + "outdoors \(PresenceResult.hours(Int64(day.outdoors))), unknown \(PresenceResult.hours(day.unknown))",
        spans: spans(of: day))
    }
    let left = report.days.count - shown.count
    let title = "Time of day" + (left > 0 ? ", the last \(shown.count) days" : "")
    return TimelineChart(title, rows: Array(rows), kinds: Self.kinds, emptyName: "unknown").html
  }

  /// The bins of a day, joined where neighbours are of the same kind. A bin that is covered for less than half is unknown.
  private func spans(of day: PresenceDay) -> [TimelineChart.Span] {
    let count = day.timeline.count / PresenceDay.timelineClasses
    guard count > 0 else { return [] }
    let width = 1_440 / Double(count)
    var spans: [TimelineChart.Span] = []
    var open: (start: Double, kind: Int)?
    func end(at minute: Double) { if let open { spans.append(.init(open.start, minute, kind: open.kind)) } }
    for bin in 0..<count {
      let first = bin * PresenceDay.timelineClasses
      let times = day.timeline[first..<(first + PresenceDay.timelineClasses)]
      let covered = times.reduce(0) { $0 + Int64($1) }
      let most = times.max() ?? 0
      let kind = Double(covered) * 2 < width * 60_000 ? nil : times.firstIndex(of: most).map { $0 - first }
      if kind != open?.kind {
        end(at: Double(bin) * width)
        open = kind.map { (Double(bin) * width, $0) }
      }
    }
    end(at: 1_440)
    return spans
  }

  private func known(_ time: Int64) -> String { report.hasHome ? PresenceResult.hours(time) : "-" }

  private static let timeColumns: [StudyPage.Column] = [
    .number("at home, h"), .number("away, h"), .number("outdoors, h"), .number("unknown, h"), .number("distance, km"),
  ]

  private func cells(_ days: some Collection<PresenceDay>) -> [String] {
    func sum(_ value: (PresenceDay) -> Int64) -> Int64 { days.reduce(0) { $0 + value($1) } }
    return [
      known(sum(\.home)), known(sum(\.away)), PresenceResult.hours(sum { Int64($0.outdoors) }),
      report.hasHome ? PresenceResult.hours(sum(\.unknown)) : PresenceResult.hours(sum(\.uncovered)),
      PresenceResult.plain(days.reduce(0) { $0 + $1.distance } / 1_000, places: 2),
    ]
  }

  private var days: String {
    let columns =
      [StudyPage.Column.text("day")] + Self.timeColumns + [.number("fixes"), .number("valid, h"), .text("data")]
    let rows = report.days.enumerated().map { index, day -> (style: String, cells: [String]) in
      let change = result.changes.indices.contains(index) ? result.changes[index] : nil
      let state = change?.isUpdated == true ? "updated by later data" : day.fixes == 0 ? "no fix" : ""
      return (
        "", [day.name] + cells([day]) + ["\(day.fixes)", PresenceResult.hours(day.valid), state]
      )
    }
    return StudyPage.table(columns, rows)
  }

  private var weeks: String {
    guard report.days.count > 1 else { return "" }
    var groups: [(name: String, days: [PresenceDay])] = []
    for day in report.days {
      // 1970-01-01 was a Thursday; weeks begin on Monday.
      let monday = (day.date + 3) - ((day.date + 3) % 7 + 7) % 7 - 3
      let name = PresenceDay.name(of: monday)
      if groups.last?.name == name { groups[groups.count - 1].days.append(day) } else { groups.append((name, [day])) }
    }
    let rows = groups.map { group -> (style: String, cells: [String]) in
      ("", [group.name, "\(group.days.count)"] + cells(group.days))
    }
    return StudyPage.table([.text("week from Monday"), .number("days")] + Self.timeColumns, rows)
  }

  // MARK: Places

  private var map: String {
    let homes = result.definition.rules.homes.homes.map {
      TrackMap.Circle($0.coordinate, radius: $0.radius, name: "home, \(Int($0.radius)) m")
    }
    let marks = report.visits.enumerated().filter { $0.element.place != .home }.prefix(Self.mostMarks).map {
      TrackMap.Mark($1.coordinate, label: "\($0 + 1)", title: "visit \($0 + 1)")
    }
    return TrackMap(
      "The filtered path, homes and numbered visits", lines: report.track, circles: homes,
      areas: result.definition.areas, marks: Array(marks)
    ).html
  }

  private func time(_ milliseconds: Int64, _ isKnown: Bool) -> String {
    // Times of the trace's days would need the zone of each; UTC is unambiguous.
    let text = String(Instant(milliseconds: milliseconds).rfc3339.prefix(16)).replacing("T", with: " ")
    return isKnown ? text : "(\(text))"
  }

  private func name(_ place: VisitPlace) -> String {
    MarkupText.escaped(result.definition.name(of: place) ?? "other place")
  }

  private var visits: String {
    guard !report.visits.isEmpty else { return "" }
    let rows = report.visits.prefix(Self.mostVisits).enumerated().map {
      index, visit -> (style: String, cells: [String]) in
      (
        "",
        [
          "\(index + 1)", name(visit.place), time(visit.arrival, visit.isArrivalKnown),
          time(visit.departure, visit.isDepartureKnown), PresenceResult.hours(visit.dwell),
          PresenceResult.hours(visit.unknown),
        ]
      )
    }
    return StudyPage.table(
      [
        .text("visit"), .text("place"), .text("arrival, UTC"), .text("departure, UTC"), .number("dwell, h"),
        .number("unknown, h"),
      ], rows) + more(report.visits.count, "visits")
      + "<p class=\"note\">Times in brackets are those of the first or the last fix; the arrival or the departure was not "
      + "recorded.</p>"
  }

  private var trips: String {
    guard !report.trips.isEmpty else { return "" }
    let rows = report.trips.prefix(Self.mostVisits).map { trip -> (style: String, cells: [String]) in
      (
        "",
        [
          time(trip.start, trip.isStartKnown), time(trip.end, trip.isEndKnown), name(trip.startPlace),
          name(trip.endPlace),
          PresenceResult.hours(trip.duration), PresenceResult.plain(trip.distance / 1_000, places: 2),
        ]
      )
    }
    return StudyPage.table(
      [
        .text("start, UTC"), .text("end, UTC"), .text("from"), .text("to"), .number("duration, h"),
        .number("distance, km"),
      ], rows) + more(report.trips.count, "trips")
  }

  private func more(_ count: Int, _ noun: String) -> String {
    count > Self.mostVisits
      ? "<p class=\"note\">The first \(Self.mostVisits) of \(count) \(noun); --json has all.</p>" : ""
  }

  // MARK: Quality

  private var quality: String {
    let gaps = report.gaps
    func metres(_ value: Double?) -> String { value.map { PresenceResult.plain($0, places: 1) } ?? "-" }
    func row(_ name: String, _ statistics: AccuracyStatistics) -> (style: String, cells: [String]) {
      (
        "",
        [
          name, "\(statistics.count)", metres(statistics.mean), metres(statistics.deviation),
          metres(statistics.quantile(0.25)), metres(statistics.quantile(0.5)), metres(statistics.quantile(0.75)),
        ]
      )
    }
    let rule =
      result.definition.rules.outdoors.buildings == nil ? "by the accuracy itself" : "by the buildings of the map"
    let table = StudyPage.table(
      [
        .text("accuracy radius, m"), .number("fixes"), .number("mean"), .number("standard deviation"),
        .number("25 %"), .number("50 %"), .number("75 %"),
      ], [row("indoors", report.indoors), row("outdoors", report.outdoors)])
    let ends =
      gaps.farCount == 0
      ? "No gap has ends that are more than 200 m apart."
      : "\(Counted.of(gaps.farCount, "gap has", "gaps have")) ends that are more than 200 m apart, "
        + "at most \(PresenceResult.plain(gaps.farthest, places: 0)) m."
    let times =
      gaps.count == 0
      ? ""
      : " (\(gaps.countOverMidnight) over midnight): \(PresenceResult.hours(gaps.total)) h in all, "
        + "\(PresenceResult.hours(gaps.longest)) h at most. \(ends)"
    return """
      <p>\(Counted.of(gaps.count, "gap")) of more than \(result.definition.rules.reportedGap)\(times)</p>
      <p>\(Counted.of(report.counts.used, "fix", "fixes")), \(report.withoutAccuracy) without an accuracy; left out: \
      \(report.counts.duplicates) with the time of an earlier fix, \
      \(report.counts.invalid + result.reading.leftOut) that cannot be used. Indoors and outdoors are distinguished \(rule).</p>
      \(table)
      """
  }
}
