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

  private let columns: [Column]
  private var rows = ""

  /// Creates a table without rows; the first column is the heading of its rows.
  init(_ columns: [Column]) { self.columns = columns }

  var isEmpty: Bool { rows.isEmpty }

  /// Adds a row.
  /// - Parameters:
  ///   - heading: the text of the first column, escaped.
  ///   - cells: the other columns.
  ///   - style: a class of the row.
  mutating func add(_ heading: String, _ cells: [Cell], style: String = "") {
    rows += "<tr\(style.isEmpty ? "" : " class=\"\(style)\"")><th scope=\"row\" class=\"name\">\(heading)</th>"
    for (cell, column) in zip(cells, columns.dropFirst()) {
      let names = [column.isText ? "" : "n", cell.level > 0 ? "heat l\(cell.level)" : ""].filter { !$0.isEmpty }
      rows += "<td\(names.isEmpty ? "" : " class=\"\(names.joined(separator: " "))\"")"
      if let value = cell.value { rows += " data-v=\"\(Quantity.decimal(value, places: 4))\"" }
      rows += " data-l=\"\(HTMLText.escaped(column.name))\">\(cell.html)</td>"
    }
    rows += "</tr>\n"
  }

  /// Returns the table; with an identifier, the script makes it sortable.
  func html(id: String = "", caption: String = "", style: String = "") -> String {
    let head = columns.enumerated().map { index, column in
      let title = column.title.isEmpty ? "" : " title=\"\(HTMLText.escaped(column.title))\""
      return
        "<th scope=\"col\"\(index == 0 || column.isText ? "" : " class=\"n\"")\(title)>\(HTMLText.escaped(column.name))</th>"
    }
    let names = "rows" + (style.isEmpty ? "" : " " + style)
    return """
      <div class="scroll"><table class="\(names)"\(id.isEmpty ? "" : " id=\"\(id)\"")>\
      \(caption.isEmpty ? "" : "<caption>\(caption)</caption>")\
      <thead><tr>\(head.joined())</tr></thead><tbody>
      \(rows)</tbody></table></div>
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
