import CordonRun
import CordonSupport

/// Pages of studies in the look of the report: one file, no network. A script sorts tables and opens closed parts for paper.
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
    <meta http-equiv="Content-Security-Policy" content="default-src 'none'; style-src 'unsafe-inline'; script-src 'unsafe-inline'">
    <title>\(MarkupText.escaped(title))</title><style>
    \(ReportStyle.css)
    </style></head><body class="study">
    <header class="masthead"><p class="brand">Cordon <span>\(MarkupText.escaped(kind))</span></p>
    <h1>\(MarkupText.escaped(title))</h1></header>
    <main><section>
    \(body)
    </section></main>
    <script>\(PageScript.ofTables)</script></body></html>

    """
  }

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
      <div class="scroll"><table class="rows sortable"><thead><tr>\(head.joined())</tr></thead>
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
