/// A table of the page. On a narrow screen each row becomes a block in which every value has the name of its column.
struct HTMLTable {
  /// A column.
  struct Column {
    let name: String
    /// Whether the values are words, not numbers.
    var isText = false
    /// The name in full, where the heading is short.
    var title = ""
  }

  /// A cell.
  struct Cell {
    /// The text, escaped.
    let html: String
    /// The value that rows are sorted by; the text for `nil`.
    var value: Double?
    /// The class of the heat scale, 1 ... 6; 0 for none.
    var level = 0
  }

  /// A row: its heading, escaped, the cells of the other columns, and a class.
  private struct Row {
    let heading: String
    let cells: [Cell]
    let style: String
  }

  private let columns: [Column]
  private var rows: [Row] = []
  /// Whether a column is left out if no row has a value in it.
  var omitsEmptyColumns = false

  /// Creates a table without rows; the first column is the heading of its rows.
  init(_ columns: [Column]) { self.columns = columns }

  var isEmpty: Bool { rows.isEmpty }

  /// Adds a row.
  /// - Parameters:
  ///   - heading: the text of the first column, escaped.
  ///   - cells: the other columns.
  ///   - style: a class of the row.
  mutating func add(_ heading: String, _ cells: [Cell], style: String = "") {
    rows.append(Row(heading: heading, cells: cells, style: style))
  }

  /// The numbers of the columns to show, without that of the headings.
  private var shown: [Int] {
    columns.indices.dropFirst().filter { column in
      guard omitsEmptyColumns else { return true }
      return rows.contains { column <= $0.cells.count && !["", "-"].contains($0.cells[column - 1].html) }
    }
  }

  private func line(_ row: Row, _ shown: [Int]) -> String {
    var html = "<tr\(row.style.isEmpty ? "" : " class=\"\(row.style)\"")>"
    html += "<th scope=\"row\" class=\"name\">\(row.heading)</th>"
    for number in shown where number <= row.cells.count {
      let (column, cell) = (columns[number], row.cells[number - 1])
      let names = [column.isText ? "" : "n", cell.level > 0 ? "heat l\(cell.level)" : ""].filter { !$0.isEmpty }
      html += "<td\(names.isEmpty ? "" : " class=\"\(names.joined(separator: " "))\"")"
      if let value = cell.value { html += " data-v=\"\(Quantity.decimal(value, places: 4))\"" }
      html += " data-l=\"\(HTMLText.escaped(column.name))\">\(cell.html)</td>"
    }
    return html + "</tr>\n"
  }

  /// Returns the table; with an identifier, the script makes it sortable.
  func html(id: String = "", caption: String = "", style: String = "") -> String {
    let shown = self.shown
    let head = ([0] + shown).map { index in
      let column = columns[index]
      let title = column.title.isEmpty ? "" : " title=\"\(HTMLText.escaped(column.title))\""
      return
        "<th scope=\"col\"\(index == 0 || column.isText ? "" : " class=\"n\"")\(title)>\(HTMLText.escaped(column.name))</th>"
    }
    let names = "rows" + (style.isEmpty ? "" : " " + style)
    return """
      <div class="scroll"><table class="\(names)"\(id.isEmpty ? "" : " id=\"\(id)\"")>\
      \(caption.isEmpty ? "" : "<caption>\(caption)</caption>")\
      <thead><tr>\(head.joined())</tr></thead><tbody>
      \(rows.map { line($0, shown) }.joined())</tbody></table></div>
      """
  }

  /// Returns the table in a part of the page that can be closed; empty without rows.
  func details(_ title: String, open: Bool = false, note: String = "") -> String {
    guard !isEmpty else { return "" }
    return """
      <details\(open ? " open" : "")><summary>\(title)</summary>\(html())\
      \(note.isEmpty ? "" : "<p class=\"note\">\(note)</p>")</details>
      """
  }
}
