import CordonCore
package import CordonSupport

/// Measured numbers of people by place and time: head counts, flows through doors, or devices that a server counted.
package struct MeasuredTable: Hashable, Sendable {
  /// A kind of number.
  package enum Quantity: String, Hashable, Sendable {
    /// People at a time.
    case people
    /// Devices at a time, as a server counts them.
    case devices
    /// People who came in during an interval.
    case entries
    /// People who went out during an interval.
    case exits
  }

  /// One number.
  package struct Value: Hashable, Sendable {
    /// The number of the day.
    package var day: Int
    /// Seconds since local midnight.
    package var second: Int
    /// The place as the file names it; empty for the whole venue.
    package var place: String
    /// The kind of number.
    package var quantity: Quantity
    /// The number.
    package var number: Double
  }

  /// A day of measurements.
  package struct Day: Hashable, Sendable {
    /// The number that orders the day.
    package var number: Int
    /// The day of the week, 0 for Monday to 6 for Sunday; `nil` if it is unknown. A holiday counts as a Sunday.
    package var weekday: Int?
    /// The date, or `day 3` for a day without one.
    package var label: String
  }

  /// The numbers, in the order of the file.
  package var values: [Value]
  /// The days, in ascending order.
  package var days: [Day]
  /// Whether times without a row had nobody, as in tables of presence that leave out empty bins.
  package var isSparse: Bool

  private static let peopleNames = ["count", "people", "mean_count", "occupancy", "anzahl", "personen"]
  private static let deviceNames = ["devices", "device_count", "mean_devices"]
  private static let inNames = ["in", "entries", "entered", "ein"]
  private static let outNames = ["out", "exits", "left", "aus"]
  private static let placeNames = ["space", "room", "raum", "area"]
  private static let placeTitles = ["name", "space_name"]
  private static let doorNames = ["door", "opening", "tuer", "entrance"]
  /// Columns of Cordon's own tables that are not rooms.
  private static let others = [
    "venue", "floor", "peak", "peak_count", "source", "space_kind", "area_m2", "end", "floor_name", "start_local",
    "end_local", "weekday", "holiday", "m2_per_person", "level_of_service",
  ]

  /// Reads a table.
  ///
  /// Columns of times and places are found by their headings. The numbers are in columns `count` or `people`, `devices`,
  /// `in` and `out`, or in columns that are named after rooms. A server's occupancy (`bin_start`, `mean`) counts devices.
  /// - Parameters:
  ///   - text: the contents of the file.
  ///   - date: the day of times without a date.
  ///   - clock: the local clock.
  /// - Throws: ``TableError`` with line and column.
  package init(parsing text: String, date: CalendarDay? = nil, clock: ScenarioClock) throws(TableError) {
    let table = try SpreadsheetTable(parsing: text)
    let times = try MeasuredTimes(table, date: date, clock: clock)
    let weekday = table.column(["weekday", "wochentag"])
    let holiday = table.column(["holiday", "feiertag"])
    let space = table.column(Self.placeNames)
    let title = table.column(Self.placeTitles)
    let source = table.column(["source"])
    let isServer = table.column(["bin_start"]) != nil && table.column(["mean"]) != nil
    let numbers = MeasuredTable.numbers(table, skipping: times.columns, isServer: isServer)
    guard !numbers.isEmpty else {
      throw TableError(
        line: table.headingLine,
        message: "needs a column of numbers: count, devices, in and out, or one named after a room")
    }
    var values: [Value] = []
    var days: [Int: Int?] = [:]
    for row in table.rows {
      // Runs hold the truth beside the observation; the truth is the head count.
      if let source, table.text(row, source) == "observed" { continue }
      let moment = try times.moment(row)
      var day: Int? = times.hasCalendar ? CalendarDay(number: moment.day).weekday : nil
      if let weekday, let number = try table.number(row, weekday, in: 0...6, of: "day of the week from 0 to 6") {
        day = Int(number)
      }
      if let holiday, try table.number(row, holiday) ?? 0 > 0 { day = 6 }
      days[moment.day] = day
      for column in numbers {
        guard let number = try table.number(row, column.index, of: "number of people") else { continue }
        // An identifier is unique, and a name may not be.
        let id = space.map { table.text(row, $0) } ?? ""
        let place = column.room ?? (id.isEmpty ? title.map { table.text(row, $0) } ?? "" : id)
        values.append(
          Value(day: moment.day, second: moment.second, place: place, quantity: column.quantity, number: number))
      }
    }
    guard !values.isEmpty else { throw TableError(line: 0, message: "has no numbers") }
    self.values = values
    self.days = days.keys.sorted().map { number in
      Day(
        number: number, weekday: days[number] ?? nil,
        label: times.hasCalendar ? CalendarDay(number: number).text : "day \(number)")
    }
    isSparse = isServer || table.column(["mean_count"]) != nil
  }

  private struct NumberColumn {
    var index: Int
    var quantity: Quantity
    /// The room that the column is named after; `nil` for a column that other columns give the place of.
    var room: String?
  }

  private static func numbers(
    _ table: SpreadsheetTable, skipping times: Set<Int>, isServer: Bool
  ) -> [NumberColumn] {
    let headings = table.headings.map(SpreadsheetTable.plain)
    var found: [NumberColumn] = []
    for (index, heading) in headings.enumerated() where !times.contains(index) {
      if isServer {
        if heading == "mean" { found.append(NumberColumn(index: index, quantity: .devices)) }
      } else if peopleNames.contains(heading) {
        found.append(NumberColumn(index: index, quantity: .people))
      } else if deviceNames.contains(heading) {
        found.append(NumberColumn(index: index, quantity: .devices))
      } else if inNames.contains(heading) {
        found.append(NumberColumn(index: index, quantity: .entries))
      } else if outNames.contains(heading) {
        found.append(NumberColumn(index: index, quantity: .exits))
      }
    }
    guard found.isEmpty else { return found }
    let known = placeNames + placeTitles + doorNames + others + MeasuredTimes.timeNames + ["wochentag", "feiertag"]
    for (index, heading) in headings.enumerated() where !times.contains(index) && !known.contains(heading) {
      guard !heading.isEmpty else { continue }
      found.append(NumberColumn(index: index, quantity: .people, room: table.headings[index]))
    }
    return found
  }
}

extension CalendarDay {
  /// The date as `2026-01-05`.
  package var text: String {
    String(Instant(milliseconds: Int64(number) * 86_400_000).rfc3339.prefix(10))
  }
}
