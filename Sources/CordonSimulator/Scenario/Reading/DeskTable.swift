import CordonGeometry
import CordonSupport

/// The reader of a table of desks, as comma-separated values with a first line that names the columns.
///
/// The columns are `space` and `count` (1 without it), or `x`, `y` and `floor`, or `longitude`, `latitude` and `floor`.
/// Column names are not case-sensitive; further columns are ignored.
struct DeskTable {
  let rows: [DeskRule.Row]

  /// Maximum number of desks of a table.
  private static let maximum = 100_000

  /// A fault in a table: the line, from 1, and a message.
  struct Fault: Error, Hashable {
    var line: Int
    var message: String
  }

  private enum Columns {
    case spaces(name: Int, count: Int?)
    case points(x: Int, y: Int, floor: Int)
    case coordinates(longitude: Int, latitude: Int, floor: Int)
  }

  init(parsing text: String) throws(Fault) {
    let lines = text.split(omittingEmptySubsequences: false) { $0.isNewline }
    let head = Self.cells(of: lines.first ?? "").map { $0.filter { $0 != "\u{feff}" }.lowercased() }
    let columns = try Self.columns(head)
    var rows: [DeskRule.Row] = []
    var desks = 0
    for (index, line) in lines.enumerated().dropFirst() where !line.allSatisfy(\.isWhitespace) {
      let cells = Self.cells(of: line)
      guard cells.count >= head.count else {
        throw Fault(line: index + 1, message: "has \(cells.count) of \(head.count) cells")
      }
      let location = try Self.location(cells, columns, line: index + 1)
      if case .space(_, let count) = location { desks += count } else { desks += 1 }
      guard desks <= Self.maximum else {
        throw Fault(line: index + 1, message: "more than \(Self.maximum) desks; this is the maximum")
      }
      rows.append(DeskRule.Row(line: index + 1, location: location))
    }
    guard desks > 0 else { throw Fault(line: 1, message: "has no desks") }
    self.rows = rows
  }

  private static func columns(_ head: [String]) throws(Fault) -> Columns {
    func column(_ name: String) -> Int? { head.firstIndex(of: name) }
    if let floor = column("floor") {
      if let x = column("x"), let y = column("y") { return .points(x: x, y: y, floor: floor) }
      if let longitude = column("longitude"), let latitude = column("latitude") {
        return .coordinates(longitude: longitude, latitude: latitude, floor: floor)
      }
    }
    guard let name = column("space") else {
      throw Fault(
        line: 1,
        message: "needs a first line with the columns 'space' and 'count', or 'x', 'y' and 'floor', or 'longitude', "
          + "'latitude' and 'floor'")
    }
    return .spaces(name: name, count: column("count"))
  }

  private static func location(_ cells: [String], _ columns: Columns, line: Int) throws(Fault) -> DeskRule.Location {
    func number(_ column: Int, _ name: String, _ range: ClosedRange<Double>) throws(Fault) -> Double {
      guard let value = Double(cells[column]), range.contains(value) else {
        throw Fault(line: line, message: "'\(cells[column].prefix(40))' is not a valid \(name)")
      }
      return value
    }
    switch columns {
    case .spaces(let name, let count):
      guard let count else { return .space(CSVCell.plain(cells[name]), desks: 1) }
      guard let desks = Int(cells[count]), (0...maximum).contains(desks) else {
        throw Fault(line: line, message: "'\(cells[count].prefix(40))' is not a number of desks")
      }
      return .space(CSVCell.plain(cells[name]), desks: desks)
    case .points(let x, let y, let floor):
      let point = PlanePoint(x: try number(x, "x", -1e6...1e6), y: try number(y, "y", -1e6...1e6))
      return .point(point, floor: cells[floor])
    case .coordinates(let longitude, let latitude, let floor):
      let coordinate = Coordinate(
        longitude: try number(longitude, "longitude", -180...180),
        latitude: try number(latitude, "latitude", -90...90))
      return .coordinate(coordinate, floor: cells[floor])
    }
  }

  /// Returns the cells of a line without the white space around them. A cell in quotes may contain commas, and doubled
  /// quotes stand for one.
  private static func cells(of line: some StringProtocol) -> [String] {
    var cells: [String] = []
    var cell = ""
    var isQuoted = false
    var rest = line[...]
    while let character = rest.first {
      rest = rest.dropFirst()
      if character == "\"", isQuoted, rest.first == "\"" {
        cell.append(character)
        rest = rest.dropFirst()
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
    return String(start[...end])
  }
}
