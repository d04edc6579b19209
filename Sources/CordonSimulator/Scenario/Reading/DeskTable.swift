import CordonGeometry
import CordonSupport

/// The reader of a table of desks, with a first line that names the columns.
///
/// The columns are `space` and `count` (1 without it), or `x`, `y` and `floor`, or `longitude`, `latitude` and `floor`.
/// Column names are not case-sensitive; further columns are ignored.
struct DeskTable {
  let rows: [DeskRule.Row]

  /// Maximum number of desks of a table.
  private static let maximum = 100_000

  private enum Columns {
    case spaces(name: Int, count: Int?)
    case points(x: Int, y: Int, floor: Int)
    case coordinates(longitude: Int, latitude: Int, floor: Int)
  }

  init(parsing text: String) throws(TableError) {
    let table = try SpreadsheetTable(parsing: text)
    let columns = try Self.columns(table)
    var rows: [DeskRule.Row] = []
    var desks = 0
    for row in table.rows {
      guard row.cells.count >= table.headings.count else {
        throw TableError(line: row.line, message: "has \(row.cells.count) of \(table.headings.count) cells")
      }
      let location = try Self.location(row, columns, of: table)
      if case .space(_, let count) = location { desks += count } else { desks += 1 }
      guard desks <= Self.maximum else {
        throw TableError(line: row.line, message: "more than \(Self.maximum) desks; this is the maximum")
      }
      rows.append(DeskRule.Row(line: row.line, location: location))
    }
    guard desks > 0 else { throw TableError(line: table.headingLine, message: "has no desks") }
    self.rows = rows
  }

  private static func columns(_ table: SpreadsheetTable) throws(TableError) -> Columns {
    func column(_ name: String) -> Int? { table.column([name]) }
    if let floor = column("floor") {
      if let x = column("x"), let y = column("y") { return .points(x: x, y: y, floor: floor) }
      if let longitude = column("longitude"), let latitude = column("latitude") {
        return .coordinates(longitude: longitude, latitude: latitude, floor: floor)
      }
    }
    guard let name = column("space") else {
      throw TableError(
        line: table.headingLine,
        message: "needs a first line with the columns 'space' and 'count', or 'x', 'y' and 'floor', or 'longitude', "
          + "'latitude' and 'floor'")
    }
    return .spaces(name: name, count: column("count"))
  }

  private static func location(
    _ row: SpreadsheetTable.Row, _ columns: Columns, of table: SpreadsheetTable
  ) throws(TableError) -> DeskRule.Location {
    func number(_ column: Int, _ name: String, _ range: ClosedRange<Double>) throws(TableError) -> Double {
      try table.requiredNumber(row, column, in: range, of: name)
    }
    switch columns {
    case .spaces(let name, let count):
      guard let count else { return .space(table.name(row, name), desks: 1) }
      guard let desks = Int(table.text(row, count)), (0...maximum).contains(desks) else {
        throw table.fault(row, count, "'\(table.text(row, count).prefix(40))' is not a number of desks")
      }
      return .space(table.name(row, name), desks: desks)
    case .points(let x, let y, let floor):
      let point = PlanePoint(x: try number(x, "x", -1e6...1e6), y: try number(y, "y", -1e6...1e6))
      return .point(point, floor: table.name(row, floor))
    case .coordinates(let longitude, let latitude, let floor):
      let coordinate = Coordinate(
        longitude: try number(longitude, "longitude", -180...180),
        latitude: try number(latitude, "latitude", -90...90))
      return .coordinate(coordinate, floor: table.name(row, floor))
    }
  }
}
