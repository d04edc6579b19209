import CordonCore
package import CordonSupport

/// The people in spaces over time, read from a table.
package struct OccupancyTable: Hashable, Sendable {
  /// One row: a person, or a number of people, in a space.
  package struct Row: Hashable, Sendable {
    /// The number of the person; for counts the number of the row.
    package var person: Int32
    /// The index of the space.
    package var space: Int
    /// The start and end in milliseconds since 1970.
    package var start: Int64
    package var end: Int64
    /// The number of people.
    package var people: Double
    /// How many of them are infectious.
    package var infectious: Double
  }

  /// The rows with a positive length, in the order of the table.
  package private(set) var rows: [Row] = []
  /// The names of the people; empty for counts.
  package private(set) var people: [String] = []
  /// Whether each person is infectious.
  package private(set) var isInfectious: [Bool] = []

  /// Reads a table of stays, or one of counts.
  ///
  /// Stays have the columns `person`, `space`, `start`, `end` and optionally `infectious` (0 or 1). Counts have `space`,
  /// `time`, `people` and optionally `infectious` (a number); each row holds until the next of its space, and the last one
  /// until the latest time of the table. Times are in RFC 3339.
  /// - Throws: ``TableError`` with line and column.
  package init(parsing text: String, spaces: [AirSpace]) throws(TableError) {
    let table = try SpreadsheetTable(air: text)
    let numbers = Dictionary(uniqueKeysWithValues: spaces.enumerated().map { ($0.element.id, $0.offset) })
    if table.column(["person"]) != nil {
      try readStays(table, numbers)
    } else {
      try readCounts(table, numbers)
    }
  }

  private mutating func readStays(_ table: SpreadsheetTable, _ spaces: [String: Int]) throws(TableError) {
    let columns = (
      person: try table.required("person"), space: try table.required("space"), start: try table.required("start"),
      end: try table.required("end")
    )
    let infectious = table.column(["infectious"])
    var numbers: [String: Int32] = [:]
    for row in table.rows {
      let name = table.name(row, columns.person)
      let person = numbers[name] ?? Int32(people.count)
      let sheds = try table.number(row, infectious, in: 0...1, of: "value (0 or 1)") ?? 0 > 0
      if numbers[name] == nil {
        numbers[name] = person
        people.append(name)
        isInfectious.append(sheds)
      } else if sheds {
        isInfectious[Int(person)] = true
      }
      let (start, end) = (try Self.time(table, row, columns.start), try Self.time(table, row, columns.end))
      guard start <= end else { throw table.fault(row, columns.end, "ends before it starts") }
      let space = try Self.space(table, row, columns.space, spaces)
      guard start < end else { continue }
      rows.append(Row(person: person, space: space, start: start, end: end, people: 1, infectious: 0))
    }
    for index in rows.indices where isInfectious[Int(rows[index].person)] { rows[index].infectious = 1 }
  }

  private mutating func readCounts(_ table: SpreadsheetTable, _ spaces: [String: Int]) throws(TableError) {
    let (space, time) = (try table.required("space"), try table.required("time"))
    let people = try table.required("people")
    let infectious = table.column(["infectious"])
    var last: [Int: Int] = [:]
    var latest = Int64.min
    for row in table.rows {
      let now = try Self.time(table, row, time)
      let count = try table.requiredNumber(row, people, in: 0...1e6, of: "number of people")
      let sheds = try table.number(row, infectious, in: 0...count, of: "number of infectious people") ?? 0
      let number = try Self.space(table, row, space, spaces)
      if let previous = last[number] {
        guard rows[previous].start <= now else {
          throw table.fault(row, time, "the times of a space must not decrease")
        }
        rows[previous].end = now
      }
      last[number] = rows.count
      latest = max(latest, now)
      rows.append(
        Row(person: Int32(rows.count), space: number, start: now, end: now, people: count, infectious: sheds))
    }
    for index in rows.indices where last[rows[index].space] == index { rows[index].end = latest }
    rows.removeAll { $0.start >= $0.end || $0.people <= 0 }
  }

  private static func time(
    _ table: SpreadsheetTable, _ row: SpreadsheetTable.Row, _ column: Int
  ) throws(TableError) -> Int64 {
    let text = table.text(row, column)
    guard let time = try? Instant(rfc3339: text) else {
      throw table.fault(row, column, "'\(text.prefix(40))' is not a time such as 2026-01-05T09:30:00Z")
    }
    return time.milliseconds
  }

  private static func space(
    _ table: SpreadsheetTable, _ row: SpreadsheetTable.Row, _ column: Int, _ spaces: [String: Int]
  ) throws(TableError) -> Int {
    let name = table.name(row, column)
    guard let space = spaces[name] else {
      throw table.fault(row, column, "'\(name.prefix(60))' is not in the table of spaces")
    }
    return space
  }
}

extension SpreadsheetTable {
  /// Reads a table of spaces or occupancy.
  /// - Throws: ``TableError``, also for a table without rows.
  init(air text: String) throws(TableError) {
    try self.init(parsing: text)
    guard !rows.isEmpty else { throw TableError(line: headingLine, message: "has no rows") }
  }

  /// Returns the number of a cell; `nil` without the column, and for an empty cell.
  func number(
    _ row: Row, _ column: Int?, in range: ClosedRange<Double>, of what: String
  ) throws(TableError) -> Double? {
    guard let column else { return nil }
    return try number(row, column, in: range, of: what)
  }
}

extension OccupancyTable {
  /// Returns the stays and loads for one activity of everybody. A row of counts with infectious people gives two stays.
  package func stays(_ activity: AirActivity, exhaledMask: Double, inhaledMask: Double) -> (
    stays: [AirStay], loads: [AirLoad]
  ) {
    let loads = [false, true].map {
      activity.load(isInfectious: $0, exhaled: exhaledMask, inhaled: inhaledMask)
    }
    var stays: [AirStay] = []
    for row in rows {
      for (load, count) in [(0, row.people - row.infectious), (1, row.infectious)] where count > 0 {
        stays.append(
          AirStay(person: row.person, space: row.space, load: load, start: row.start, end: row.end, people: count))
      }
    }
    return (stays, loads)
  }
}
