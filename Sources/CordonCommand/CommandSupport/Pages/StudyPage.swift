import CordonRun
import CordonSupport

/// Pages of studies in the look of the report: one file, no script, no network.
enum StudyPage {
  /// Returns a page.
  /// - Parameters:
  ///   - title: the heading.
  ///   - kind: the kind of page, beside the name of the program.
  ///   - body: the contents as HTML.
  static func html(title: String, kind: String, body: String) -> String {
    """
    <!doctype html>
    <html lang="en"><head><meta charset="utf-8"><meta name="viewport" content="width=device-width, initial-scale=1">
    <meta name="color-scheme" content="light dark">
    <meta http-equiv="Content-Security-Policy" content="default-src 'none'; style-src 'unsafe-inline'">
    <title>\(MarkupText.escaped(title))</title><style>
    \(ReportStyle.css)
    \(style)
    </style></head><body class="study">
    <header class="masthead"><p class="brand">Cordon <span>\(MarkupText.escaped(kind))</span></p>
    <h1>\(MarkupText.escaped(title))</h1></header>
    <main><section>
    \(body)
    </section></main></body></html>

    """
  }

  /// The rules for plots, which reports do not have.
  private static let style = """
    .study main > section { border-top: 1px solid var(--line); }
    .study { --good: #1b7f5c; --bad: #b3372c; }
    .study h1 { font-size: clamp(1.6rem, 4vw, 2.4rem); }
    .study p { max-width: 60em; overflow-wrap: anywhere; }
    .study td, .study th { vertical-align: middle; }
    .pass .verdict { color: var(--good); } .fail .verdict { color: var(--bad); font-weight: 600; }
    .no { color: var(--bad); font-weight: 600; }
    .band, .bar-band { fill: var(--truth-soft); } .reference { stroke: var(--soft); stroke-width: 1.5; } .value { fill: var(--ink); }
    .study figure { display: inline-block; margin: 0 24px 24px 0; width: 480px; max-width: 100%; vertical-align: top; }
    .study figure svg, .study .wideplot { display: block; width: 100%; height: auto; overflow: visible; }
    .study .wideplot { max-width: 720px; }
    .study .interval { width: 200px; max-width: 100%; height: 20px; }
    .study figcaption { font-weight: 600; margin-bottom: 4px; }
    .study svg text { font: 13px var(--sans); fill: var(--ink); }
    .study svg .axis { fill: none; stroke: var(--soft); }
    .study svg polyline { fill: none; stroke-width: 1.8; }
    .c0 { --c: #b5560f; } .c1 { --c: #2b66a8; } .c2 { --c: #7a4bb0; } .c3 { --c: #1b7f5c; } .c4 { --c: #6a747d; }
    .study polyline, .study .line { stroke: var(--c); } .study circle.dot { fill: var(--c); }
    .study svg text.coloured { fill: var(--c); }
    .legend-list { list-style: none; margin: 6px 0 0; padding: 0; font-size: .875rem; }
    .legend-list li { display: flex; gap: 8px; align-items: center; }
    .legend-list i { width: 18px; height: 3px; background: var(--c); flex: none; }
    @media screen and (prefers-color-scheme: dark) {
      .study { --good: #5fc9a0; --bad: #f0857b; }
      .c0 { --c: #f0a361; } .c1 { --c: #82b5ee; } .c2 { --c: #bd9aec; } .c3 { --c: #5fc9a0; } .c4 { --c: #a3adb6; }
    }
    @media screen and (max-width: 760px) {
      .study .rows td.words, .study .rows td.plot { grid-column: 1 / -1; }
    }
    @media print { .study figure { break-inside: avoid; } }
    @media (max-width: 560px) { .study figure { margin-right: 0; } }
    """

  /// A column of a table.
  struct Column {
    let name: String
    var isNumber = false
    /// A class of the cells.
    var style = ""

    static func number(_ name: String) -> Column { Column(name: name, isNumber: true) }
    static func text(_ name: String, style: String = "") -> Column { Column(name: name, style: style) }
  }

  /// Returns a table; on a narrow screen each row becomes a block in which every value has the name of its column.
  /// - Parameters:
  ///   - columns: the columns; the first one holds the headings of the rows.
  ///   - rows: the cells as HTML, with a class of each row.
  static func table(_ columns: [Column], _ rows: [(style: String, cells: [String])]) -> String {
    let head = columns.map { column in
      "<th scope=\"col\"\(column.isNumber ? " class=\"n\"" : "")>\(MarkupText.escaped(column.name))</th>"
    }
    let lines = rows.map { row in
      let cells = zip(columns, row.cells).dropFirst().map { column, cell in
        let names = [column.isNumber ? "n" : "", column.style].filter { !$0.isEmpty }.joined(separator: " ")
        return
          "<td\(names.isEmpty ? "" : " class=\"\(names)\"") data-l=\"\(MarkupText.escaped(column.name))\">\(cell)</td>"
      }
      let style = row.style.isEmpty ? "" : " class=\"\(row.style)\""
      return "<tr\(style)><th scope=\"row\" class=\"name\">\(row.cells.first ?? "")</th>\(cells.joined())</tr>"
    }
    return """
      <div class="scroll"><table class="rows"><thead><tr>\(head.joined())</tr></thead>
      <tbody>\(lines.joined(separator: "\n"))</tbody></table></div>
      """
  }

  /// Returns the assumptions as an HTML list; empty when there are none.
  static func notes(_ notes: [String]) -> String {
    guard !notes.isEmpty else { return "" }
    return "<h2 class=\"sub\">Assumptions</h2><ul class=\"note\">"
      + notes.map { "<li>\(MarkupText.escaped($0))</li>" }.joined() + "</ul>"
  }
}

/// Round numbers on an axis.
enum AxisTicks {
  /// Returns at most seven multiples of 1, 2 or 5 times a power of ten from `low` to `high`.
  static func list(from low: Double, to high: Double) -> [Double] {
    let extent = high - low
    guard extent > 0, extent.isFinite else { return [low] }
    var step = 1.0
    while extent / step > 1_000 { step *= 10 }
    while extent / step < 1 { step /= 10 }
    while extent / step > 6 {
      // 1, 2, 5, 10 ...
      let digit = leadingDigit(step)
      step *= digit == 2 ? 2.5 : 2
    }
    let first = (low / step).rounded(.up)
    return (0...Int((high / step + 1e-9 - first).rounded(.down))).map { (first + Double($0)) * step }
  }

  private static func leadingDigit(_ value: Double) -> Int {
    var value = value
    while value >= 9.99 { value /= 10 }
    while value < 0.999 { value *= 10 }
    return Int(value.rounded())
  }
}
