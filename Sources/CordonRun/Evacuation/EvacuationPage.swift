import CordonCore

/// An evacuation as one page: no script, no network.
struct EvacuationPage {
  let report: EvacuationReport
  let origin: EvacuationOrigin

  init(_ report: EvacuationReport, origin: EvacuationOrigin) {
    self.report = report
    self.origin = origin
  }

  /// The purpose for which the result must not be used.
  static let limit =
    "This simulation must not be used for certification or as the proof of a design. It contains neither smoke nor heat, "
    + "toxic gas, panic or the work of rescuers."

  var html: String {
    let title = HTMLText.escaped(HTMLText.readable(report.title))
    return """
      <!doctype html>
      <html lang="en"><head><meta charset="utf-8"><meta name="viewport" content="width=device-width, initial-scale=1">
      <meta name="color-scheme" content="light dark">
      <meta http-equiv="Content-Security-Policy" content="default-src 'none'; style-src 'unsafe-inline'">
      <title>Evacuation: \(title)</title><style>
      \(ReportStyle.css)
      \(Self.style)
      </style></head><body class="evacuation">
      <header class="masthead"><p class="brand">Cordon <span>evacuation</span></p>
      <h1>\(title)</h1>\(report.isPartial ? "<p class=\"warning\">Interrupted: replicas are missing.</p>" : "")
      <p class="headline">\(HTMLText.escaped(headline))</p><p class="warning">\(HTMLText.escaped(Self.limit))</p></header>
      <main>
      \(section("Result", figures))
      \(section("People inside", insideChart))
      \(section("Exits", chart("People out, by exit", .exit) + exits))
      \(section("Stairs", stairs))
      \(section("Where people waited", bottlenecks))
      \(section("Densest moment of each square metre", EvacuationPlan.legend + EvacuationPlan(report: report).html))
      \(section("Spaces", spaces))
      \(section("Assumptions", assumptions))
      </main></body></html>

      """
  }

  private func section(_ title: String, _ body: String) -> String {
    body.isEmpty ? "" : "<section><div class=\"head\"><h2>\(title)</h2></div>\(body)</section>"
  }

  /// The answer in one or two sentences.
  var headline: String {
    let people = report.figure("people").map { Quantity.decimal($0.mean, places: 0) } ?? "0"
    guard let last = report.figure("last_out_s"), last.count > 0 else { return "\(people) people; nobody got out." }
    let nearly = report.figure("time_95_s")
    var text =
      "\(people) people: the last one is out after \(words(last)), 95 % of them after "
      + "\(nearly.map(words) ?? "-")."
    let stuck = ["people_inside", "people_no_way_out", "people_need_help"].compactMap(report.figure).reduce(0) {
      $0 + $1.mean
    }
    if stuck > 0 { text += " \(Quantity.decimal(stuck, places: 1)) people on average do not get out." }
    return text
  }

  /// Returns a time with its confidence interval: `4:05 min (3:58 to 4:12)`.
  private func words(_ figure: EvacuationReport.Figure) -> String {
    let text = EvacuationChart.clock(figure.mean) + " min"
    guard figure.margin.isFinite else { return text }
    return
      "\(text) (\(EvacuationChart.clock(figure.mean - figure.margin)) to \(EvacuationChart.clock(figure.mean + figure.margin)))"
  }

  private var figures: String {
    var table = HTMLTable([
      .init(name: "Figure"), .init(name: "Mean"), .init(name: "95 % confidence"), .init(name: "Minimum"),
      .init(name: "Maximum"),
    ])
    func plain(_ value: Double) -> String { value.isFinite ? Quantity.decimal(value, places: 1) : "-" }
    for figure in report.figures where figure.count > 0 {
      let range =
        figure.margin.isFinite
        ? "\(plain(figure.mean - figure.margin)) to \(plain(figure.mean + figure.margin))" : "one replica"
      table.add(
        HTMLText.escaped(figure.title),
        [plain(figure.mean), range, plain(figure.minimum), plain(figure.maximum)].map { HTMLTable.Cell(html: $0) })
    }
    let count = HTMLText.count(report.replicas.count, "replica", "replicas")
    return table.html()
      + "<p class=\"note\">Over \(count). The interval is that of the mean; a single evacuation varies from the minimum to the maximum.</p>"
  }

  private var insideChart: String {
    let counts = report.insideByTime
    guard !counts.isEmpty else { return "" }
    let means = counts.map { Double($0.reduce(0, +)) / Double(max($0.count, 1)) }
    var chart = EvacuationChart(
      title: "People inside over time" + (report.replicas.count > 1 ? ": mean, minimum and maximum" : ""),
      yName: "people", lines: [.init(name: "mean", values: means)])
    if report.replicas.count > 1 {
      chart.band = (counts.map { Double($0.min() ?? 0) }, counts.map { Double($0.max() ?? 0) })
    }
    return chart.html + "<p class=\"note\">The table is inside.csv.</p>"
  }

  /// The cumulative flow of the places of a kind in the first replica, those with most people first.
  private func chart(_ title: String, _ kind: EvacuationReplica.Place.Kind) -> String {
    guard let replica = report.replicas.first else { return "" }
    let passages = replica.passages.filter { $0.place.kind == kind }
      .sorted { $0.times.count != $1.times.count ? $0.times.count > $1.times.count : $0.place < $1.place }
    guard !passages.isEmpty else { return "" }
    let lines = passages.map { passage in
      EvacuationChart.Line(
        name: name(passage.place), values: passage.cumulative(bins: replica.inside.count).map(Double.init))
    }
    let note =
      lines.count > EvacuationChart.maximumLines
      ? "<p class=\"note\">The \(EvacuationChart.maximumLines) busiest; all are in flows.csv.</p>" : ""
    return EvacuationChart(title: title + ", first replica", yName: "people", lines: lines).html + note
  }

  private func name(_ place: EvacuationReplica.Place) -> String {
    place.kind == .stairs ? "\(place.name), from floor \(place.floor)" : place.name
  }

  private var exits: String {
    var table = HTMLTable([
      .init(name: "Exit"), .init(name: "Floor"), .init(name: "Width, m"), .init(name: "People, mean"),
      .init(name: "Last, min"), .init(name: "Most in a minute"),
    ])
    for exit in report.exits {
      let passage = report.replicas.first?.passages.first { $0.place.kind == .exit && $0.place.id == exit.id }
      table.add(
        HTMLText.escaped(HTMLText.readable(exit.name)),
        [
          .init(html: "\(exit.floor)"),
          .init(html: Quantity.decimal(exit.width, places: 2) + (exit.isAssumedWidth ? " (assumed)" : "")),
          .init(html: exit.isClosed ? "closed" : Quantity.decimal(report.mean(of: exit), places: 1)),
          .init(html: passage?.times.last.map(EvacuationChart.clock) ?? "-"),
          .init(html: "\(passage?.maximumPerMinute ?? 0)"),
        ])
    }
    return table.html()
  }

  private var stairs: String {
    let list = report.passages.filter { $0.place.kind == .stairs }.sorted { $0.place < $1.place }
    guard !list.isEmpty else { return "" }
    var table = HTMLTable([
      .init(name: "Stairs"), .init(name: "From floor"), .init(name: "People, mean"), .init(name: "Last, min"),
      .init(name: "Most in a minute"), .init(name: "Waited, s each"),
    ])
    for item in list {
      let passage = report.replicas.first?.passages.first { $0.place == item.place }
      table.add(
        HTMLText.escaped(HTMLText.readable(item.place.name)),
        [
          .init(html: "\(item.place.floor)"), .init(html: Quantity.decimal(item.passed, places: 1)),
          .init(html: passage?.times.last.map(EvacuationChart.clock) ?? "-"),
          .init(html: "\(passage?.maximumPerMinute ?? 0)"),
          .init(html: Quantity.decimal(item.waiting / max(item.passed, 1e-9), places: 1)),
        ])
    }
    return chart("People who passed, by stairs and floor of departure", .stairs) + table.html()
  }

  private var bottlenecks: String {
    let list = report.passages.filter { $0.waiting > 0 }
    guard !list.isEmpty else { return "<p>Nobody waited.</p>" }
    var table = HTMLTable([
      .init(name: "Place"), .init(name: "Kind", isText: true), .init(name: "Floor"), .init(name: "People, mean"),
      .init(name: "Waited, s each"), .init(name: "Longest wait, s"), .init(name: "Most who waited"),
    ])
    for item in list.prefix(20) {
      let passage = report.replicas.first?.passages.first { $0.place == item.place }
      table.add(
        HTMLText.escaped(HTMLText.readable(item.place.name)),
        [
          .init(html: item.place.kind.rawValue), .init(html: "\(item.place.floor)"),
          .init(html: Quantity.decimal(item.passed, places: 1)),
          .init(html: Quantity.decimal(item.waiting / max(item.passed, 1e-9), places: 1)),
          .init(html: Quantity.decimal(item.longest, places: 1)), .init(html: "\(passage?.peakQueue ?? 0)"),
        ])
    }
    return table.html()
      + "<p class=\"note\">People wait while they walk slower than 0.2 m/s; the wait counts for the next door, stairs or exit that they pass. All places are in bottlenecks.csv.</p>"
  }

  private var spaces: String {
    let list = (report.replicas.first?.spaces ?? []).sorted {
      $0.peak != $1.peak ? $0.peak > $1.peak : $0.number < $1.number
    }
    guard !list.isEmpty else { return "" }
    var table = HTMLTable([
      .init(name: "Space"), .init(name: "Floor"), .init(name: "At the start"), .init(name: "Most people"),
      .init(name: "Level of service", isText: true), .init(name: "Empty after, min"),
    ])
    for space in list.prefix(30) {
      let place = report.venue.spaces[space.number]
      table.add(
        HTMLText.escaped(HTMLText.readable(place.title)),
        [
          .init(html: "\(report.venue.floors[place.floor].ordinal)"), .init(html: "\(space.start)"),
          .init(html: "\(space.peak)"), .init(html: report.level(of: space).rawValue),
          .init(html: space.cleared.map(EvacuationChart.clock) ?? "not empty"),
        ])
    }
    return table.html()
      + "<p class=\"note\">First replica. Levels of service for queues after Fruin (1971). All spaces are in spaces.csv.</p>"
  }

  private var assumptions: String {
    let rows = report.parameters.map {
      "<div><dt>\(HTMLText.escaped($0.name))</dt><dd>\(HTMLText.escaped(HTMLText.readable($0.value)))</dd></div>"
    }
    let notes = report.notes.map { "<li>\(HTMLText.escaped(HTMLText.readable($0)))</li>" }
    let command = origin.command.map { $0.contains(" ") ? "'\($0)'" : $0 }.joined(separator: " ")
    return """
      <dl class="assumed">\(rows.joined())</dl>\(notes.isEmpty ? "" : "<ul class=\"note\">\(notes.joined())</ul>")
      <p class="note">Repeat with: <code>\(HTMLText.escaped(command))</code></p>
      """
  }

  private static let style = """
    .evacuation .chart { margin: 0 0 24px; max-width: 720px; }
    .evacuation .chart svg { display: block; width: 100%; height: auto; }
    .evacuation figcaption { font-weight: 600; margin-bottom: 4px; }
    .evacuation svg text { font: 13px var(--sans); fill: var(--ink); }
    .evacuation .axis { fill: none; stroke: var(--soft); }
    .evacuation polyline { fill: none; stroke: var(--c); stroke-width: 1.8; }
    .evacuation .range { fill: var(--truth-soft); }
    .k0 { --c: #2b66a8; } .k1 { --c: #b5560f; } .k2 { --c: #1b7f5c; } .k3 { --c: #7a4bb0; }
    .k4 { --c: #6a747d; } .k5 { --c: #a05a6b; } .k6 { --c: #256f9b; } .k7 { --c: #8a6d1d; }
    .legend-list { list-style: none; margin: 6px 0 14px; padding: 0; font-size: .875rem; display: flex; flex-wrap: wrap; gap: 4px 18px; }
    .legend-list li { display: flex; gap: 8px; align-items: center; }
    .legend-list i { width: 18px; height: 3px; background: var(--c); flex: none; }
    .legend-list i.los { height: 12px; width: 12px; }
    .evacuation .plan { margin: 0 0 22px; }
    .evacuation .plan svg { display: block; width: 100%; height: auto; max-height: 80vh; background: var(--card); }
    .plan path { vector-effect: non-scaling-stroke; fill: none; }
    .plan .outline { stroke: var(--line); stroke-width: 1; }
    .plan .s { fill: var(--h0); stroke: var(--line); stroke-width: .5; } .plan .void { fill: var(--void); }
    .plan .wall { stroke: var(--wall); stroke-width: 1.4; } .plan .door { stroke: var(--door); stroke-width: 1.4; }
    .los-B { --l: #f6d96b; } .los-C { --l: #f2b04c; } .los-D { --l: #e57f3a; } .los-E { --l: #c9472f; }
    .los-F { --l: #8d1d3a; } .exit { --l: #1b7f5c; }
    .plan path[class^=los] { fill: var(--l); } .legend-list i.los { background: var(--l); }
    .plan .exit { fill: var(--l); stroke: var(--card); stroke-width: 12; }
    .assumed div { display: grid; grid-template-columns: minmax(8em, 16em) 1fr; gap: 2px 16px; padding: 3px 0; }
    .assumed dt { color: var(--soft); } .assumed dd { margin: 0; overflow-wrap: anywhere; }
    .evacuation code { overflow-wrap: anywhere; }
    @media screen and (prefers-color-scheme: dark) {
      .k0 { --c: #82b5ee; } .k1 { --c: #f0a361; } .k2 { --c: #5fc9a0; } .k3 { --c: #bd9aec; }
      .k4 { --c: #a3adb6; } .k5 { --c: #cf8795; } .k6 { --c: #6fb6dd; } .k7 { --c: #d8bd6a; }
    }
    @media (max-width: 560px) { .assumed div { grid-template-columns: 1fr; } }
    @media print { .evacuation .chart, .evacuation .plan { break-inside: avoid; } }
    """
}
