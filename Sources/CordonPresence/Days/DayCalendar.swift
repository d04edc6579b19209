package import CordonCore

/// The calendar days of a person: the offset from UTC, and its changes by summer time and by travel.
///
/// A day has 23 or 25 hours when clocks change. A flight can shorten a day, or bring back a date that had already ended: its
/// parts are one day.
package struct DayCalendar: Hashable, Sendable {
  /// A change of the offset.
  package struct Change: Hashable, Sendable {
    /// The first instant of the new offset.
    package var from: Instant
    /// The new offset, positive to the east.
    package var offset: TimeSpan

    /// Creates a change.
    package init(from: Instant, offset: TimeSpan) {
      self.from = from
      self.offset = offset
    }
  }

  /// A time in which the date and the offset stay the same.
  struct Stretch: Hashable {
    /// Days since 1970-01-01 on the local clock.
    var date: Int64
    /// Milliseconds since 1970.
    var start: Int64
    /// Milliseconds since 1970; not part of the stretch.
    var end: Int64
    /// Milliseconds since 1970 at which the local clock showed midnight, or would have.
    var midnight: Int64
  }

  /// The offset before the first change.
  package let offset: TimeSpan
  /// The changes in the order of their times.
  package let changes: [Change]

  /// The milliseconds of a day on a clock.
  static let dayLength: Int64 = 86_400_000

  /// Creates a calendar.
  /// - Parameters:
  ///   - offset: the time from UTC to local time before the first change, positive to the east.
  ///   - changes: in any order; of several at one instant the last one holds. Offsets are limited to a day.
  package init(offset: TimeSpan = .zero, changes: [Change] = []) {
    self.offset = DayCalendar.usable(offset)
    let order = changes.indices.sorted { (changes[$0].from, $0) < (changes[$1].from, $1) }
    self.changes = order.map { Change(from: changes[$0].from, offset: DayCalendar.usable(changes[$0].offset)) }
  }

  /// Returns the stretch of an instant.
  /// - Complexity: linear in the number of changes.
  func stretch(at time: Int64) -> Stretch {
    var (from, to) = (Int64.min, Int64.max)
    var offset = self.offset.milliseconds
    for change in changes {
      guard change.from.milliseconds <= time else {
        to = change.from.milliseconds
        break
      }
      from = change.from.milliseconds
      offset = change.offset.milliseconds
    }
    let date = DayCalendar.day(time + offset)
    let midnight = date * DayCalendar.dayLength - offset
    return Stretch(
      date: date, start: max(from, midnight), end: min(to, midnight + DayCalendar.dayLength), midnight: midnight)
  }

  /// Returns the length of a date in milliseconds: 24 hours, except for changes of the clock and travel.
  func length(of date: Int64) -> Int64 { stretches(of: date).reduce(0) { $0 + $1.end - $1.start } }

  /// Returns the parts of a date in the order of time: one, except for travel and changes of the clock.
  func stretches(of date: Int64) -> [Stretch] {
    var found: [Stretch] = []
    var from = Int64.min
    for index in 0...changes.count {
      let offset = (index == 0 ? self.offset : changes[index - 1].offset).milliseconds
      let to = index < changes.count ? changes[index].from.milliseconds : .max
      let midnight = date * DayCalendar.dayLength - offset
      let part = Stretch(
        date: date, start: max(from, midnight), end: min(to, midnight + DayCalendar.dayLength), midnight: midnight)
      if part.start < part.end { found.append(part) }
      from = to
    }
    return found
  }

  /// Clocks differ from UTC by less than a day.
  private static func usable(_ offset: TimeSpan) -> TimeSpan {
    .milliseconds(min(max(offset.milliseconds, -dayLength), dayLength))
  }

  private static func day(_ milliseconds: Int64) -> Int64 {
    let (quotient, rest) = milliseconds.quotientAndRemainder(dividingBy: dayLength)
    return rest < 0 ? quotient - 1 : quotient
  }
}
