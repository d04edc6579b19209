import CordonForms
import CordonRun
import CordonSupport

/// A page with a chart for each field of a form, each with its values as a table, in the style of the reports.
struct FormSummaryPage {
  let form: Form
  let charts: [FormChart]
  let records: Int
  let leftOut: Int

  private var language: String { form.languages.first ?? "en" }

  private func text(_ text: LocalizedText) -> String { MarkupText.escaped(text.text(in: language)) }

  /// The document in UTF-8: one file that loads nothing.
  var bytes: [UInt8] {
    let note = leftOut > 0 ? " \(leftOut) are left out because they are not valid." : ""
    let document = """
      <!DOCTYPE html>
      <html lang="\(MarkupText.escaped(language))">
      <head>
      <meta charset="utf-8">
      <meta name="viewport" content="width=device-width, initial-scale=1">
      <meta http-equiv="Content-Security-Policy" content="default-src 'none'; style-src 'unsafe-inline'; img-src data:">
      <title>\(text(form.title))</title>
      <link rel="icon" href="data:,">
      <style>\(ReportStyle.css)\(Self.style)</style>
      </head>
      <body>
      <main>
      <h1>\(text(form.title))</h1>
      <p>\(MarkupText.escaped(form.id)), version \(form.version): \(records) records.\(note)</p>
      \(charts.enumerated().map { figure($1, $0) }.joined(separator: "\n"))
      </main>
      </body>
      </html>

      """
    return Array(document.utf8)
  }

  private func figure(_ chart: FormChart, _ index: Int) -> String {
    let heads = chart.columns.map { "<th scope=\"col\">\(text($0))</th>" }.joined()
    let rows = chart.rows.map { row in
      let cells = row.numbers.map { "<td class=\"n\">\(JSONValue.number($0).text())</td>" }.joined()
      return "<tr><th scope=\"row\">\(text(row.name))</th>\(cells)</tr>"
    }.joined()
    return """
      <figure class="chart form-chart" aria-labelledby="chart-\(index)">
      <h2 id="chart-\(index)">\(text(chart.title))</h2>
      <p>\(chart.answered) of \(chart.records)</p>
      \(chart.drawing)
      <details><summary>\(text(FormChart.tableTitle))</summary>
      <div class="scroll" tabindex="0" role="group" aria-labelledby="chart-\(index)"><table><thead><tr>\(heads)</tr></thead>\
      <tbody>\(rows)</tbody></table></div></details>
      </figure>
      """
  }

  private static let style = """
    .form-chart { margin: 0 0 28px; } .form-chart svg { width: 100%; max-width: 600px; height: auto; }
    .form-drawing .t { font: 13px var(--sans, system-ui); fill: var(--ink); }
    .form-drawing .axis, .form-drawing .frame { stroke: var(--line); fill: none; }
    .form-drawing .line { stroke: var(--truth); stroke-width: 2; fill: none; }
    .form-drawing .c0 { fill: #2f6db5; } .form-drawing .c1 { fill: #d9822b; } .form-drawing .c2 { fill: #2f8f6b; }
    .form-drawing .c3 { fill: #a4508b; } .form-drawing .c4 { fill: #8a6d3b; } .form-drawing .c5 { fill: #5b6b7b; }
    .form-drawing .c6 { fill: #c0504d; } .form-drawing .c7 { fill: #7a9a01; } .form-drawing .dot { fill-opacity: .6; }
    """
}
