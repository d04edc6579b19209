import ArgumentParser
import CordonCommandLine
import CordonCore
import CordonSimulator
import CordonSupport
import Foundation

/// Where the cases of a validation go, and in which form.
struct ValidationDestination: ParsableArguments {
  @OptionGroup(title: "Output") var output: PageOptions
  @OptionGroup(title: "Processing") var workers: WorkerThreads

  /// Whether no progress is shown.
  var quiet: Bool { output.quiet }

  /// Checks the page before anything is computed.
  func check() throws { _ = try output.destination(inputs: []) }

  /// Prints the cases, writes the page, and fails with status 1 when one does not pass.
  func put(
    _ cases: [ValidationCase], plots: [ReferencePlot], isPartial: Bool, title: String, schema: String
  ) throws {
    let page = ValidationPage(title: title, cases: cases, plots: plots, isPartial: isPartial)
    try output.destination(inputs: [])?.write(page.html)
    let failed = cases.count { !$0.passes }
    try output.report(
      [
        "schema": .string(schema),
        "cases": .array(
          cases.map { item in
            [
              "subject": .string(item.subject), "figure": .string(item.figure), "value": .number(item.value),
              "reference": .number(item.reference),
              "band": [.number(item.band.lowerBound), .number(item.band.upperBound)],
              "pass": .bool(item.passes), "source": .string(item.source),
            ]
          }),
        "passed": JSONValue(cases.count - failed), "failed": JSONValue(failed),
        "partial": .bool(isPartial),
      ], page.text)
    if isPartial {
      throw CommandError(
        "interrupted: the figures are of fewer runs than asked for", code: "interrupted", status: .interrupted)
    }
    if failed > 0 {
      throw CommandError(
        "\(failed) of \(cases.count) figures lie outside of their bands", code: "validation", status: .findings)
    }
  }
}

/// Cases as a page and as lines.
struct ValidationPage {
  let title: String
  let cases: [ValidationCase]
  var plots: [ReferencePlot] = []
  var isPartial = false

  /// The note on a partial result.
  static let partialNote = "Interrupted: the figures are of fewer runs than asked for."

  var text: String {
    (isPartial ? Self.partialNote + "\n" : "")
      + cases.map { item in
        let band = "\(ValidationPage.plain(item.band.lowerBound)) to \(ValidationPage.plain(item.band.upperBound))"
        let verdict = item.passes ? "pass" : "FAIL"
        return "\(verdict)  \(item.subject): \(item.figure): \(ValidationPage.plain(item.value))  (\(band))\n"
      }.joined()
  }

  var html: String {
    let rows = cases.map { item in
      """
      <tr class="\(item.passes ? "pass" : "fail")"><th scope="row">\(MarkupText.escaped(item.subject))</th>\
      <td>\(MarkupText.escaped(item.figure))</td><td class="n">\(ValidationPage.plain(item.value))</td>\
      <td>\(plot(item))</td><td class="n">\(ValidationPage.plain(item.band.lowerBound)) to \
      \(ValidationPage.plain(item.band.upperBound))</td><td>\(item.passes ? "pass" : "fail")</td>\
      <td>\(MarkupText.escaped(item.source))</td></tr>
      """
    }
    return StudyPage.html(
      title: title,
      body: """
        \(isPartial ? "<p><strong>\(Self.partialNote)</strong></p>" : "")
        \(plots.map { PlotFigure($0).html }.joined(separator: "\n"))
        <table><thead><tr><th scope="col">model</th><th scope="col">figure</th><th scope="col" class="n">value</th>\
        <th scope="col">value in its band</th><th scope="col" class="n">band</th><th scope="col">verdict</th>\
        <th scope="col">measured by</th></tr></thead><tbody>\(rows.joined(separator: "\n"))</tbody></table>
        """)
  }

  /// The band as a bar, the reference as a line, the value as a dot.
  private func plot(_ item: ValidationCase) -> String {
    let (low, high) = (item.band.lowerBound, item.band.upperBound)
    let width = max(high - low, 1e-9)
    func x(_ value: Double) -> Double { (40 + min(max((value - low) / width, -0.35), 1.35) * 120).rounded() }
    return """
      <svg viewBox="0 0 200 20" width="200" height="20" role="img" aria-label="\(item.passes ? "inside" : "outside")">\
      <rect class="band" x="40" y="6" width="120" height="8"/><line class="reference" x1="\(x(item.reference))" y1="3" \
      x2="\(x(item.reference))" y2="17"/><circle class="value" cx="\(x(item.value))" cy="10" r="4"/></svg>
      """
  }

  static func plain(_ value: Double) -> String {
    let rounded = (value * 1_000).rounded() / 1_000
    return rounded == rounded.rounded() && abs(rounded) < 1e12 ? String(Int64(rounded)) : String(rounded)
  }
}

/// Pages of studies: one file, no script, no network.
enum StudyPage {
  static func html(title: String, body: String) -> String {
    """
    <!doctype html>
    <html lang="en"><head><meta charset="utf-8"><meta name="viewport" content="width=device-width, initial-scale=1">
    <meta name="color-scheme" content="light dark">
    <meta http-equiv="Content-Security-Policy" content="default-src 'none'; style-src 'unsafe-inline'">
    <title>\(MarkupText.escaped(title))</title><style>
    :root{color-scheme:light dark;--ink:#16202c;--soft:#5a6877;--line:#d5dce4;--good:#1b7f5c;--bad:#b3372c;--bar:#cfe3f5;--paper:#fff}
    @media screen and (prefers-color-scheme:dark){:root{--ink:#e8edf2;--soft:#9fb0c0;--line:#34414e;--good:#5fc9a0;--bad:#f0857b;--bar:#274a68;--paper:#12181f}}
    body{font:16px/1.5 system-ui,sans-serif;color:var(--ink);background:var(--paper);max-width:72rem;margin:2rem auto;padding:0 1rem}
    table{border-collapse:collapse;width:100%}th,td{text-align:left;padding:.35rem .6rem;border-bottom:1px solid var(--line);vertical-align:middle}
    .n{text-align:right;font-variant-numeric:tabular-nums}.pass td:nth-last-child(2){color:var(--good)}.fail td:nth-last-child(2){color:var(--bad);font-weight:600}
    .band,.bar{fill:var(--bar)}.reference{stroke:var(--soft);stroke-width:1.5}.value{fill:var(--ink)}.note{color:var(--soft)}
    figure{display:inline-block;margin:0 1rem 1rem 0;max-width:100%}figure svg{max-width:100%;height:auto}
    .a{stroke:var(--soft)}.b{stroke:var(--good)}polyline{fill:none;stroke-width:1.6}.scroll{overflow-x:auto}
    </style></head><body><h1>\(MarkupText.escaped(title))</h1>
    \(body)
    </body></html>

    """
  }

  /// Returns the assumptions as an HTML list; empty when there are none.
  static func notes(_ notes: [String]) -> String {
    guard !notes.isEmpty else { return "" }
    return "<h2>Taken for granted</h2><ul class=\"note\">" + notes.map { "<li>\(MarkupText.escaped($0))</li>" }.joined()
      + "</ul>"
  }
}
