import CordonCore

/// An evacuation as one page that loads nothing.
struct EvacuationPage {
  let report: EvacuationReport
  let origin: EvacuationOrigin

  init(_ report: EvacuationReport, origin: EvacuationOrigin) {
    self.report = report
    self.origin = origin
  }

  /// The purpose for which the result must not be used.
  static let limit =
    "This simulation must not be used for certification or as the proof of a design. It contains smoke only as the "
    + "scenario states it, and no heat, panic or work of rescuers."

  var html: String {
    let title = HTMLText.escaped(HTMLText.readable(report.title))
    let plan = EvacuationPlan(report: report)
    return """
      <!doctype html>
      <html lang="en"><head><meta charset="utf-8"><meta name="viewport" content="width=device-width, initial-scale=1">
      <meta name="color-scheme" content="light dark">
      <meta http-equiv="Content-Security-Policy" content="default-src 'none'; style-src 'unsafe-inline'; script-src 'unsafe-inline'; img-src data:">
      <title>Evacuation: \(title)</title><style>
      \(ReportStyle.css)
      \(Self.style)
      </style></head><body class="study evacuation">
      <header class="masthead"><p class="brand">Cordon <span>evacuation</span></p>
      <h1>\(title)</h1>\(report.isPartial ? "<p class=\"warning\">Interrupted: replicas are missing.</p>" : "")
      <p class="headline">\(HTMLText.escaped(headline))</p><p class="warning">\(HTMLText.escaped(Self.limit))</p></header>
      <main>
      \(section("Result", figures))
      \(section("How people leave", plan.player, note: Self.playerNote))
      \(section("People inside", insideChart))
      \(section("Exits", chart("People out, by exit", .exit) + exits))
      \(section("Stairs", stairs))
      \(section("Where people waited", bottlenecks))
      \(section("Densest moment of each square metre", plan.densest, note: Self.densestNote))
      \(section("Spaces", spaces))
      \(section("Assumptions", assumptions))
      </main><script>\(PlayerPart.script)</script></body></html>

      """
  }

  private static let playerNote =
    "The first replica. The time in brackets counts from the alarm. Green discs are the exits that people used."
  private static let densestNote =
    "The first replica. Levels of service for queues after Fruin (1971); level A has no colour. All squares are in "
    + "density.csv."

  private func section(_ title: String, _ body: String, note: String = "") -> String {
    let text = note.isEmpty ? "" : "<p>\(note)</p>"
    return body.isEmpty ? "" : "<section><div class=\"head\"><h2>\(title)</h2>\(text)</div>\(body)</section>"
  }

  /// The answer in one or two sentences.
  var headline: String {
    let people = report.figure("people").map { Quantity.decimal($0.mean, places: 0) } ?? "0"
    guard let last = report.figure("last_out_s"), last.count > 0 else { return "\(people) people; nobody got out." }
    let nearly = report.figure("time_95_s")
    var text =
      "\(people) people: the last one is out after \(words(last)), 95 % of them after "
      + "\(nearly.map(words) ?? "-")."
    let stuck = ["people_inside", "people_no_way_out", "people_need_help", "people_incapacitated"]
      .compactMap(report.figure).reduce(0) { $0 + $1.mean }
    if stuck > 0 {
      text += stuck == 1 ? " 1 person" : " \(Quantity.decimal(stuck, places: 1)) people"
      text +=
        (report.replicas.count > 1 ? " on average" : "") + (stuck == 1 ? " does not get out." : " do not get out.")
    }
    return text
  }

  /// Returns a time with its confidence interval: `4:05 min (3:58 to 4:12)`.
  private func words(_ figure: EvacuationReport.Figure) -> String {
    let text = Self.clock(figure.mean) + " min"
    guard figure.margin.isFinite else { return text }
    return
      "\(text) (\(Self.clock(figure.low)) to \(Self.clock(figure.high)))"
  }

  private var figures: String {
    let isOne = report.replicas.count == 1
    let columns = ["Figure"] + (isOne ? ["Value"] : ["Mean", "95 % confidence", "Minimum", "Maximum"])
    var table = HTMLTable(columns.map { HTMLTable.Column(name: $0) })
    func plain(_ value: Double) -> String { value.isFinite ? Quantity.decimal(value, places: 1) : "-" }
    for figure in report.figures where figure.count > 0 {
      let range = figure.margin.isFinite ? "\(plain(figure.low)) to \(plain(figure.high))" : "-"
      let cells = [plain(figure.mean), range, plain(figure.minimum), plain(figure.maximum)]
      table.add(HTMLText.escaped(figure.title), cells.prefix(isOne ? 1 : 4).map { HTMLTable.Cell(html: $0) })
    }
    guard !isOne else {
      return table.html(style: "pairs")
        + "<p class=\"note\">Of one replica. Others vary; run several for intervals.</p>"
    }
    return table.html(style: "pairs")
      + "<p class=\"note\">Over \(report.replicas.count) replicas. The interval is that of the mean; a single evacuation varies from the minimum to the maximum.</p>"
  }

  private static let maximumLines = 5
  private static let timeAxis = ChartAxis("minutes after the start", low: 0, isClock: true)

  /// The number of intervals up to the last one in which anybody left in a replica, with a tenth more: nothing changes afterwards.
  private var shownBins: Int {
    let ends = report.replicas.map { replica in
      replica.inside.indices.dropFirst().last { replica.inside[$0] != replica.inside[$0 - 1] } ?? 0
    }
    let last = (ends.max() ?? 0) + 2
    return last + last / 10
  }

  private var insideChart: String {
    let all = report.insideByTime
    let counts = all.prefix(shownBins)
    guard !counts.isEmpty else { return "" }
    func time(_ bin: Int) -> Double { Double(bin) * EvacuationReport.bin }
    let means = counts.enumerated().map { bin, values in
      LineChart.Point(time(bin), Double(values.reduce(0, +)) / Double(max(values.count, 1)))
    }
    let isOne = report.replicas.count == 1
    let band = LineChart.Band(
      counts.enumerated().map { (time($0), Double($1.min() ?? 0), Double($1.max() ?? 0)) })
    let chart = LineChart(
      "People inside over time" + (isOne ? "" : ": mean, and the band from minimum to maximum"), x: Self.timeAxis,
      y: ChartAxis("people"), series: [.init(isOne ? "people" : "mean", means, colour: 1)], bands: isOne ? [] : [band])
    let isCut = counts.count < all.count && counts.last?.contains { $0 > 0 } == true
    return chart.html
      + (isCut ? "<p class=\"note\">After this time nobody else left until the end of the run.</p>" : "")
  }

  /// The cumulative flow of the places of a kind in the first replica, those with most people first.
  func chart(_ title: String, _ kind: EvacuationReplica.Place.Kind) -> String {
    guard let replica = report.replicas.first else { return "" }
    let passages = replica.passages.filter { $0.place.kind == kind }
      .sorted { $0.times.count != $1.times.count ? $0.times.count > $1.times.count : $0.place < $1.place }
    guard !passages.isEmpty else { return "" }
    let series = passages.prefix(Self.maximumLines).enumerated().map { index, passage in
      LineChart.Series(
        HTMLText.readable(name(passage.place)),
        passage.cumulative(bins: min(replica.inside.count, shownBins)).enumerated().map {
          .init(Double($0) * EvacuationReport.bin, Double($1))
        }, colour: index)
    }
    let note =
      passages.count > Self.maximumLines
      ? "<p class=\"note\">The chart has the \(Self.maximumLines) with most people; all are in flows.csv.</p>" : ""
    let chart = LineChart(title + ", first replica", x: Self.timeAxis, y: ChartAxis("people"), series: series)
    return chart.html + note
  }

  /// Returns minutes and seconds: `4:05`.
  static func clock(_ seconds: Double) -> String {
    let whole = Int(seconds.rounded())
    return "\(whole / 60):\(whole % 60 < 10 ? "0" : "")\(whole % 60)"
  }

  private static let style = """
    .evacuation .pictures { margin-top: 14px; }
    .evacuation .legend i.exit { border-radius: 50%; width: 12px; }
    .exit { --c: var(--exit); fill: var(--exit); stroke: var(--card); stroke-width: 12; }
    .los-B { --c: #f6d96b; } .los-C { --c: #f2b04c; } .los-D { --c: #e57f3a; } .los-E { --c: #c9472f; }
    .los-F { --c: #8d1d3a; }
    .picture path[class^=los] { fill: var(--c); }
    .assumed div { display: grid; grid-template-columns: minmax(8em, 16em) 1fr; gap: 2px 16px; padding: 3px 0; }
    .assumed dt { color: var(--soft); } .assumed dd { margin: 0; overflow-wrap: anywhere; }
    .evacuation code { overflow-wrap: anywhere; }
    @media (max-width: 560px) { .assumed div { grid-template-columns: 1fr; } }
    @media print {
      .picture, .picture path { print-color-adjust: exact; -webkit-print-color-adjust: exact; }
    }
    """
}
