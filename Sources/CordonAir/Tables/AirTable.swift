import CordonSupport

/// A fault in a table: the line, from 1, and a message.
package struct AirTableFault: Error, Hashable, Sendable {
  /// The line.
  package var line: Int
  /// A message of one sentence.
  package var message: String

  /// Creates a fault.
  package init(line: Int, message: String) {
    self.line = line
    self.message = message
  }
}

/// Comma-separated values with a first line that names the columns.
///
/// Names are not case-sensitive, and further columns are ignored. A cell in quotes may contain commas.
package struct AirTable {
  /// The line numbers and cells of the rows.
  package private(set) var rows: [(line: Int, cells: [String])] = []
  private let head: [String]

  /// Reads a table.
  /// - Throws: ``AirTableFault`` for a row with too few cells, and for a table without rows.
  package init(parsing text: String) throws(AirTableFault) {
    let lines = text.split(omittingEmptySubsequences: false) { $0.isNewline }
    head = Self.cells(of: lines.first ?? "").map { $0.filter { $0 != "\u{feff}" }.lowercased() }
    for (index, line) in lines.enumerated().dropFirst() where !line.allSatisfy(\.isWhitespace) {
      let cells = Self.cells(of: line)
      guard cells.count >= head.count else {
        throw AirTableFault(line: index + 1, message: "has \(cells.count) of \(head.count) cells")
      }
      rows.append((index + 1, cells))
    }
    guard !rows.isEmpty else { throw AirTableFault(line: 1, message: "has no rows") }
  }

  /// Returns the number of a column; `nil` without it.
  package func column(_ name: String) -> Int? { head.firstIndex(of: name) }

  /// Returns the number of a column.
  func required(_ name: String) throws(AirTableFault) -> Int {
    guard let column = column(name) else {
      throw AirTableFault(line: 1, message: "needs a first line with a column '\(name)'")
    }
    return column
  }

  /// Returns a number in a range; `fallback` without the column or for an empty cell.
  static func number(
    _ row: (line: Int, cells: [String]), _ column: Int?, _ name: String, in range: ClosedRange<Double>,
    fallback: Double? = nil
  ) throws(AirTableFault) -> Double {
    if let fallback, column.map({ row.cells[$0].isEmpty }) ?? true { return fallback }
    guard let column, let value = Double(row.cells[column]), range.contains(value) else {
      let text = column.map { row.cells[$0] } ?? ""
      throw AirTableFault(
        line: row.line,
        message: "'\(text.prefix(40))' is not a valid \(name): \(plain(range.lowerBound)) to \(plain(range.upperBound))"
      )
    }
    return value
  }

  private static func plain(_ value: Double) -> String {
    value == value.rounded() && abs(value) < 1e15 ? String(Int(value)) : String(value)
  }

  private static func cells(of line: some StringProtocol) -> [String] {
    var (cells, cell, isQuoted) = ([String](), "", false)
    var rest = line[...]
    while let character = rest.popFirst() {
      if character == "\"", isQuoted, rest.first == "\"" {
        cell.append(character)
        rest.removeFirst()
      } else if character == "\"", isQuoted || cell.allSatisfy(\.isWhitespace) {
        isQuoted.toggle()
      } else if character == ",", !isQuoted {
        cells.append(trimmed(cell))
        cell = ""
      } else {
        cell.append(character)
      }
    }
    return cells + [trimmed(cell)]
  }

  private static func trimmed(_ text: String) -> String {
    let start = text.drop(while: \.isWhitespace)
    guard let end = start.lastIndex(where: { !$0.isWhitespace }) else { return "" }
    return CSVCell.plain(String(start[...end]))
  }
}
