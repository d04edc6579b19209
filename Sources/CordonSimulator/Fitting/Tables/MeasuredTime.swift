import CordonCore
import CordonSupport

/// Readings of the times in a measured table: the columns of day and time, and the rules for both.
struct MeasuredTimes {
  /// The day and the time of day of a row.
  struct Moment {
    /// The number that orders the day: days since 1970, or the value of `DayId`.
    var day: Int
    /// Seconds since local midnight.
    var second: Int
  }

  private let table: SpreadsheetTable
  private let clock: ScenarioClock
  private let date: CalendarDay?
  private let time: Int
  private let dayID: Int?
  private let dateColumn: Int?

  /// The headings of columns of times.
  static let timeNames = [
    "time", "timestamp", "datetime", "date_time", "bin_start", "start", "zeit", "uhrzeit", "zeitpunkt", "tid", "heure",
  ]
  static let dateNames = ["date", "day", "datum", "tag", "dato"]
  static let dayNames = ["dayid", "day_id"]

  /// The columns that hold days and times.
  var columns: Set<Int> { Set([time] + [dayID, dateColumn].compactMap(\.self)) }
  /// Whether the days are calendar days, whose days of the week are known.
  var hasCalendar: Bool { dayID == nil }

  /// Finds the columns.
  /// - Parameters:
  ///   - table: the table.
  ///   - date: the day of times without a date.
  ///   - clock: the local clock.
  init(_ table: SpreadsheetTable, date: CalendarDay?, clock: ScenarioClock) throws(TableError) {
    self.table = table
    self.clock = clock
    self.date = date
    dayID = table.column(Self.dayNames)
    let dates = table.column(Self.dateNames)
    guard let time = table.column(Self.timeNames) ?? dates else {
      throw TableError(
        line: table.headingLine,
        message: "needs a column 'time' (or timestamp, bin_start, date); the headings are "
          + table.headings.joined(separator: ", "))
    }
    self.time = time
    dateColumn = time == dates ? nil : dates
  }

  /// Returns the moment of a row.
  func moment(_ row: SpreadsheetTable.Row) throws(TableError) -> Moment {
    let text = table.text(row, time)
    if let dayID {
      guard let day = Int(table.text(row, dayID)) else {
        throw table.fault(row, dayID, "'\(table.text(row, dayID).prefix(40))' is not the number of a day")
      }
      return Moment(day: day, second: try ofDay(text, row))
    }
    if let dateColumn {
      let written = table.text(row, dateColumn)
      guard let day = CalendarDay(written: written) else {
        throw table.fault(row, dateColumn, "'\(written.prefix(40))' is not a date such as 2026-01-05 or 05.01.2026")
      }
      return Moment(day: day.number, second: try ofDay(text, row))
    }
    if text.contains("T") || text.contains("t"), let instant = try? Instant(rfc3339: text) {
      let local = instant.milliseconds / 1_000 + Int64(clock.offset(at: instant))
      return Moment(day: clock.day(at: instant).number, second: Int((local % 86_400 + 86_400) % 86_400))
    }
    let parts = text.split(whereSeparator: { $0 == " " || $0 == "T" })
    if parts.count == 2, let day = CalendarDay(written: String(parts[0])), let time = ClockTime(whole: String(parts[1]))
    {
      return Moment(day: day.number, second: time.seconds)
    }
    guard ClockTime(whole: text) != nil else {
      throw table.fault(
        row, time,
        "'\(text.prefix(40))' is not a time such as 2026-01-05T07:00:00Z, 2026-01-05 07:00, 05.01.2026 07:00 or 07:00")
    }
    guard let date else { throw table.fault(row, time, "'\(text)' has no date: give the day with --date 2026-01-05") }
    return Moment(day: date.number, second: try ofDay(text, row))
  }

  private func ofDay(_ text: String, _ row: SpreadsheetTable.Row) throws(TableError) -> Int {
    guard let clock = ClockTime(whole: text) else {
      throw table.fault(row, time, "'\(text.prefix(40))' is not a time of day such as 07:00 or 07:00:30")
    }
    return clock.seconds
  }
}

extension ClockTime {
  /// Reads a time of day below 24:00; a fraction of a second is dropped.
  fileprivate init?(whole text: String) {
    guard let time = ClockTime(String(text.prefix { $0 != "." })), time.seconds < 86_400 else { return nil }
    self = time
  }
}

extension CalendarDay {
  /// Reads `2026-01-05`, `05.01.2026` or `20260105`; returns `nil` for other texts. Dates with slashes are ambiguous, and
  /// are not read.
  package init?(written text: String) {
    let parts = text.split(whereSeparator: { $0 == "-" || $0 == "." }).map(String.init)
    let numbers = parts.compactMap { $0.utf8.allSatisfy { (48...57).contains($0) } ? Int($0) : nil }
    if numbers.count == 3, parts.count == 3 {
      let isYearFirst = parts[0].count == 4
      self.init(
        year: isYearFirst ? numbers[0] : numbers[2], month: numbers[1], day: isYearFirst ? numbers[2] : numbers[0])
    } else if parts.count == 1, let number = numbers.first, text.count == 8 {
      self.init(year: number / 10_000, month: number / 100 % 100, day: number % 100)
    } else {
      return nil
    }
  }
}
