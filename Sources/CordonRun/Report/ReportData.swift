import CordonCore
import CordonSupport

/// The data for the page's script as JSON.
struct ReportData {
  let page: ReportPage

  var text: String {
    let contents = page.contents
    let occupancy = page.occupancy
    let bin = occupancy.binMilliseconds
    let isObserved = contents.truth.isEmpty
    let air = contents.air?.layers(from: contents.parameters.start, to: contents.parameters.end) ?? []
    let player = PlayerData(
      venue: contents.venue, storeys: page.storeys, segments: contents.shownSegments,
      people: contents.people.map(\.population), start: contents.parameters.start, end: contents.parameters.end,
      layers: contents.layers + air, noun: isObserved ? "device" : "person", busiestStorey: busiestStorey)
    let areas = contents.venue.spaces.map(\.area)
    let densest =
      occupancy.sources.flatMap { source in
        (occupancy.records[source]?.spaces ?? [:]).map { ($0.value.means.max() ?? 0) / max(areas[$0.key], 1) * 10 }
      }.max() ?? 0
    let members: [JSONValue.Member] = [
      .init("start", .integer(contents.parameters.start.milliseconds)),
      .init("end", .integer(contents.parameters.end.milliseconds)),
      .init("zone", .string(page.clock.zone)),
      .init(
        "offsets",
        .array(
          page.clock.offsets(from: contents.parameters.start, to: contents.parameters.end).map {
            [.integer($0.from), .integer($0.offset)]
          })),
      .init("bin", .integer(bin)),
      .init("binStart", .integer(occupancy.start)),
      .init("bins", JSONValue(occupancy.binCount)),
      .init("measure", .string(occupancy.isMostlyInSpaces || contents.shownSegments.isEmpty ? "count" : "ground")),
      .init(
        "limits",
        [
          "count": ReportData.list(ReportPlan.scale(of: occupancy).limits, places: 3),
          "density": ReportData.list(HeatScale(maximum: densest).limits, places: 3),
        ]),
      .init(
        "spaces",
        .array(
          contents.venue.spaces.indices.map { index in
            ["title": .string(page.storeys.titles[index]), "area": .number((areas[index] * 10).rounded() / 10)]
          }
            // Groups follow the spaces.
            + contents.venue.groups.map { group in
              [
                "title": .string(HTMLText.readable(group.name)),
                "area": .number(contents.venue.area(of: group).rounded()),
              ]
            })),
      .init("top", .array(charts.map { JSONValue($0) })),
      .init("occupancy", .object(occupancy.sources.map { .init($0.rawValue, record($0)) })),
      .init("player", player.json),
    ]
    return JSONValue.object(members).text()
  }

  private func record(_ source: RunSource) -> JSONValue {
    guard let record = page.occupancy.records[source] else { return .null }
    let first = page.contents.venue.spaces.count
    let series =
      record.spaces.keys.sorted().compactMap { space in record.spaces[space].map { (space, $0) } }
      + record.groups.keys.sorted().compactMap { group in record.groups[group].map { (first + group, $0) } }
    return [
      "total": ReportData.list(record.total, places: 2),
      "spaces": .object(series.map { .init(String($0), ReportData.list($1.means, places: 2)) }),
      "maxima": .object(series.map { .init(String($0), .array($1.maxima.map { JSONValue($0) })) }),
    ]
  }

  /// The places whose charts are shown at first: groups, then the spaces with the most presence.
  private var charts: [Int] {
    let groups = page.occupancy.first?.groups.keys.sorted() ?? []
    return groups.map { page.contents.venue.spaces.count + $0 } + page.occupancy.top
  }

  /// The index of the storey with the most presence; the first of several equal ones.
  private var busiestStorey: Int {
    guard let floors = page.occupancy.first?.floors else { return 0 }
    let sums = page.storeys.list.map { floors[$0.ordinal.thousandths] ?? 0 }
    return sums.indices.max { sums[$0] < sums[$1] } ?? 0
  }

  private static func list(_ values: [Double], places: Int) -> JSONValue {
    var scale = 1.0
    for _ in 0..<places { scale *= 10 }
    return .array(values.map { .number(($0 * scale).rounded() / scale) })
  }
}
