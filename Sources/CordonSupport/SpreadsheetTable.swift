/// A fault in a table, with its place.
package struct TableError: Error, Hashable, Sendable, CustomStringConvertible {
  /// The name of the file; empty if the table was not read from one.
  package var file: String
  /// The line, from 1; 0 for the whole file.
  package var line: Int
  /// The column, from 1; 0 for the whole line.
  package var column: Int
  /// The heading of the column; may be empty.
  package var heading: String
  /// A message of one sentence.
  package var message: String

  /// Creates an error from its parts.
  package init(file: String = "", line: Int, column: Int = 0, heading: String = "", message: String) {
    self.file = file
    self.line = line
    self.column = column
    self.heading = heading
    self.message = message
  }

  /// The place in the file, such as `line 12, column 3 (Room 1)`; may be empty.
  package var place: String {
    [
      line > 0 ? "line \(line)" : "",
      column > 0 ? "column \(column)" + (heading.isEmpty ? "" : " (\(heading))") : "",
    ].filter { !$0.isEmpty }.joined(separator: ", ")
  }

  /// The error on one line, such as `counts.csv: line 12, column 3 (Room 1): 'x' is not a number`.
  package var description: String { [file, place, message].filter { !$0.isEmpty }.joined(separator: ": ") }
}

/// A table as spreadsheets write it: cells separated by semicolons, tabs or commas, with quotes where necessary.
///
/// The first line that is not empty holds the headings; it decides the separator. A byte order mark and line ends of
/// any kind are accepted. This is the one reader of tables that people write.
package struct SpreadsheetTable: Sendable {
  /// A row of cells without their quotes.
  package struct Row: Sendable {
    /// The line on which the row begins, from 1.
    package var line: Int
    /// The cells; spaces around them are removed.
    package var cells: [String]
  }

  /// The headings.
  package let headings: [String]
  /// The line of the headings.
  package let headingLine: Int
  /// The rows below the headings, without empty ones.
  package let rows: [Row]
  /// The separator of cells.
  package let separator: Character

  /// The maximum number of cells of a table.
  package static let maximumCells = 20_000_000

  /// Reads a table. Complexity: O(*n*) of the text's length.
  /// - Throws: ``TableError`` for a table without headings, an unclosed quote, a row that is too long, or too many cells.
  package init(parsing text: String) throws(TableError) {
    var bytes = Array(text.utf8)[...]
    if bytes.starts(with: [0xEF, 0xBB, 0xBF]) { bytes = bytes.dropFirst(3) }
    let separator = SpreadsheetTable.separator(of: bytes)
    var rows = try SpreadsheetTable.rows(of: bytes, separator: separator)
    guard let head = rows.first, !rows.isEmpty else {
      throw TableError(line: 1, message: "the table is empty")
    }
    rows.removeFirst()
    for row in rows where row.cells.count > head.cells.count {
      if row.cells[head.cells.count...].allSatisfy(\.isEmpty) { continue }
      throw TableError(
        line: row.line, column: head.cells.count + 1,
        message: "the line has \(row.cells.count) cells, and the headings are \(head.cells.count)"
          + (separator == UInt8(ascii: ",") ? "; quote numbers with a decimal comma, or separate cells with ';'" : ""))
    }
    headings = head.cells
    headingLine = head.line
    self.rows = rows
    self.separator = Character(UnicodeScalar(separator))
  }

  /// Returns the separator of the first line: the semicolon or the tab if it has one outside of quotes, else the comma.
  private static func separator(of bytes: ArraySlice<UInt8>) -> UInt8 {
    var isQuoted = false
    var found: Set<UInt8> = []
    for byte in bytes.drop(while: { $0 == 0x0A || $0 == 0x0D }) {
      if byte == 0x22 { isQuoted.toggle() }
      if isQuoted { continue }
      if byte == 0x0A || byte == 0x0D { break }
      if byte == UInt8(ascii: ";") || byte == 0x09 { found.insert(byte) }
    }
    return found.contains(UInt8(ascii: ";")) ? UInt8(ascii: ";") : found.contains(0x09) ? 0x09 : UInt8(ascii: ",")
  }

  private static func rows(of bytes: ArraySlice<UInt8>, separator: UInt8) throws(TableError) -> [Row] {
    var rows: [Row] = []
    var (cells, cell) = ([String](), [UInt8]())
    var (line, first, count) = (1, 1, 0)
    var openQuote: Int?
    var index = bytes.startIndex
    func trimmed(_ cell: [UInt8]) -> String {
      let text = String(decoding: cell, as: UTF8.self)
      let kept = text.drop(while: \.isWhitespace)
      return String(kept.prefix(kept.count - kept.reversed().prefix(while: \.isWhitespace).count))
    }
    func endRow() {
      cells.append(trimmed(cell))
      cell.removeAll(keepingCapacity: true)
      count += cells.count
      if !cells.allSatisfy(\.isEmpty) { rows.append(Row(line: first, cells: cells)) }
      cells.removeAll(keepingCapacity: true)
    }
    while index < bytes.endIndex {
      let byte = bytes[index]
      index += 1
      if openQuote != nil {
        if byte == 0x22, index < bytes.endIndex, bytes[index] == 0x22 {
          cell.append(0x22)
          index += 1
        } else if byte == 0x22 {
          openQuote = nil
        } else {
          if byte == 0x0A { line += 1 }
          cell.append(byte)
        }
      } else if byte == 0x22, cell.allSatisfy({ $0 == 0x20 }) {
        openQuote = line
        cell.removeAll(keepingCapacity: true)
      } else if byte == separator {
        cells.append(trimmed(cell))
        cell.removeAll(keepingCapacity: true)
      } else if byte == 0x0A || byte == 0x0D {
        if byte == 0x0D, index < bytes.endIndex, bytes[index] == 0x0A { index += 1 }
        endRow()
        line += 1
        first = line
      } else {
        cell.append(byte)
      }
      guard count <= maximumCells else {
        throw TableError(line: line, message: "the table has more than \(maximumCells) cells")
      }
    }
    if let openQuote { throw TableError(line: openQuote, message: "a quote (\") on this line is never closed") }
    if !cell.isEmpty || !cells.isEmpty { endRow() }
    return rows
  }

  /// Returns the index of the first column with one of some headings; upper and lower case do not matter.
  package func column(_ names: [String]) -> Int? {
    headings.firstIndex { names.contains(SpreadsheetTable.plain($0)) }
  }

  /// Returns a heading without upper case, and with `_` in place of spaces and hyphens.
  package static func plain(_ heading: String) -> String {
    heading.lowercased().map { $0 == " " || $0 == "-" ? "_" : String($0) }.joined()
  }

  /// Returns the text of a cell; empty if the row is shorter.
  package func text(_ row: Row, _ column: Int) -> String { column < row.cells.count ? row.cells[column] : "" }

  /// Returns the name in a cell, without the apostrophe that ``CSVCell`` puts before text that a spreadsheet would compute.
  package func name(_ row: Row, _ column: Int) -> String { CSVCell.plain(text(row, column)) }

  /// Returns the index of a column that the table needs.
  /// - Throws: ``TableError`` at the headings of a table without the column.
  package func required(_ name: String) throws(TableError) -> Int {
    guard let column = column([name]) else {
      throw TableError(line: headingLine, message: "needs a first line with a column '\(name)'")
    }
    return column
  }

  /// Returns an error at a cell.
  package func fault(_ row: Row, _ column: Int, _ message: String) -> TableError {
    TableError(
      line: row.line, column: column + 1, heading: column < headings.count ? headings[column] : "", message: message)
  }

  /// Returns the number of a cell, written with a decimal point or a decimal comma; `nil` for an empty cell.
  /// - Throws: ``TableError`` for a text that is not a number of `range`.
  package func number(
    _ row: Row, _ column: Int, in range: ClosedRange<Double> = 0...1e9, of what: String = "number"
  ) throws(TableError) -> Double? {
    let text = self.text(row, column)
    guard !text.isEmpty else { return nil }
    let hasComma = text.contains(",")
    guard !(hasComma && text.contains(".")) else {
      throw fault(
        row, column, "'\(text.prefix(40))' has a point and a comma; write numbers without separators of thousands")
    }
    guard let value = Double(hasComma ? text.replacing(",", with: ".") : text), value.isFinite else {
      throw fault(row, column, "'\(text.prefix(40))' is not a \(what)")
    }
    guard range.contains(value) else {
      throw fault(
        row, column, "\(text.prefix(40)) is not from \(Self.plain(range.lowerBound)) to \(Self.plain(range.upperBound))"
      )
    }
    return value
  }

  /// Returns the number of a cell as ``number(_:_:in:of:)``.
  /// - Throws: ``TableError`` for an empty cell too.
  package func requiredNumber(
    _ row: Row, _ column: Int, in range: ClosedRange<Double>, of what: String
  ) throws(TableError) -> Double {
    guard let value = try number(row, column, in: range, of: what) else {
      throw fault(row, column, "needs a \(what)")
    }
    return value
  }

  private static func plain(_ value: Double) -> String {
    value == value.rounded() && abs(value) < 1e15 ? String(Int(value)) : String(value)
  }
}
