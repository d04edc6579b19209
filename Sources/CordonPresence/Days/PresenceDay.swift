import CordonCore

/// A calendar day of a person. All times are milliseconds.
package struct PresenceDay: Hashable, Sendable {
  /// Days since 1970-01-01 on the local clock.
  package var date: Int64
  /// The first instant of the day.
  package var start: Int64
  /// The length: 24 hours, except for changes of the clock and travel.
  package var length: Int64
  /// The number of fixes that were used.
  package var fixes = 0
  /// The time that fixes cover.
  package var covered: Int64 = 0
  /// The time at home.
  package var home: Int64 = 0
  /// The time away from home.
  package var away: Int64 = 0
  /// The expected time outdoors; a part of the time that is not at home.
  package var outdoors = 0.0
  /// The expected time indoors away from home.
  package var indoors = 0.0
  /// The time outdoors and indoors that was decided by a map of buildings.
  package var byMap: Int64 = 0
  /// The valid time: that between consecutive fixes, of which each gap counts up to a limit.
  package var valid: Int64 = 0
  /// The length of the filtered path in metres; gaps add nothing.
  package var distance = 0.0
  /// The number of gaps that are at least as long as the rules report, by the day on which they begin.
  package var gaps = 0
  /// The longest of them.
  package var longestGap: Int64 = 0
  /// The times of the first and the last fix; `nil` without a fix.
  package var firstFix: Int64?
  package var lastFix: Int64?
  /// Four numbers of milliseconds for each bin of the local clock from midnight on: at home, outdoors, indoors elsewhere,
  /// covered without knowing where. When clocks are set back, an hour is counted twice. Empty without a timeline.
  package var timeline: [Int32] = []

  /// The time that is neither at home nor away.
  package var unknown: Int64 { max(length - home - away, 0) }
  /// The time that fixes do not cover.
  package var uncovered: Int64 { max(length - covered, 0) }
  /// The covered time not at home of which nothing says whether it was outdoors.
  package var undetermined: Double { max(Double(covered - home) - outdoors - indoors, 0) }

  /// The classes of ``timeline``.
  package static let timelineClasses = 4

  init(date: Int64, start: Int64, length: Int64) {
    self.date = date
    self.start = start
    self.length = length
  }

  /// The date as `2026-01-31`.
  package var name: String { PresenceDay.name(of: date) }

  /// Returns a date as `2026-01-31`.
  /// - Parameter date: days since 1970-01-01.
  package static func name(of date: Int64) -> String {
    let text = Instant(milliseconds: date * DayCalendar.dayLength).rfc3339
    return String(text.prefix { $0 != "T" })
  }
}
