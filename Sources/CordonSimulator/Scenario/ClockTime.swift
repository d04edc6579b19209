public import CordonCore
import Foundation

/// A time of day as clocks show it: seconds since midnight, 0 ... 86 400.
public struct ClockTime: Hashable, Comparable, Sendable, CustomStringConvertible {
  /// Seconds since midnight.
  public var seconds: Int

  /// Creates a time from its seconds, without a check.
  public init(seconds: Int) { self.seconds = seconds }

  /// Reads `8:30`, `08:30`, `08:30:15` or `24:00`; returns `nil` for other texts.
  public init?(_ text: String) {
    let parts = text.split(separator: ":", omittingEmptySubsequences: false)
    guard parts.count == 2 || parts.count == 3, parts.allSatisfy({ (1...2).contains($0.count) }) else { return nil }
    let values = parts.compactMap { part in part.utf8.allSatisfy { (48...57).contains($0) } ? Int(part) : nil }
    guard values.count == parts.count, values[1] < 60, values.count < 3 || values[2] < 60 else { return nil }
    let seconds = values[0] * 3_600 + values[1] * 60 + (values.count == 3 ? values[2] : 0)
    guard seconds <= 86_400 else { return nil }
    self.seconds = seconds
  }

  /// Compares two times of a day.
  public static func < (lhs: ClockTime, rhs: ClockTime) -> Bool { lhs.seconds < rhs.seconds }

  /// The time as `08:30`, or as `08:30:15` if it has seconds.
  public var description: String {
    let (hours, minutes, rest) = (seconds / 3_600, seconds / 60 % 60, seconds % 60)
    func two(_ value: Int) -> String { value < 10 ? "0\(value)" : "\(value)" }
    return "\(two(hours)):\(two(minutes))" + (rest == 0 ? "" : ":\(two(rest))")
  }
}

/// A part of the day. A window that ends before it begins extends past midnight.
public struct ClockWindow: Hashable, Sendable {
  /// The beginning of the window.
  public var from: ClockTime
  /// The end of the window.
  public var to: ClockTime

  /// Creates a window from its times.
  public init(from: ClockTime, to: ClockTime) {
    self.from = from
    self.to = to
  }

  /// The whole day.
  public static let wholeDay = ClockWindow(from: ClockTime(seconds: 0), to: ClockTime(seconds: 86_400))
}

/// A date without a time.
public struct CalendarDay: Hashable, Comparable, Sendable {
  /// Days since 1970-01-01 in the proleptic Gregorian calendar.
  public var number: Int

  /// Creates a day from its number.
  public init(number: Int) { self.number = number }

  /// Creates a day from its parts; returns `nil` if there is no such day, or if the year is not in 1970 ... 2099.
  ///
  /// The algorithm is H. Hinnant's `days_from_civil`.
  public init?(year: Int, month: Int, day: Int) {
    guard (1...12).contains(month), (1_970...2_099).contains(year), day >= 1 else { return nil }
    let isLeap = year % 4 == 0 && (year % 100 != 0 || year % 400 == 0)
    let lengths = [31, isLeap ? 29 : 28, 31, 30, 31, 30, 31, 31, 30, 31, 30, 31]
    guard day <= lengths[month - 1] else { return nil }
    let shifted = month <= 2 ? year - 1 : year
    let era = shifted / 400
    let yearOfEra = shifted - era * 400
    let dayOfYear = (153 * (month + (month > 2 ? -3 : 9)) + 2) / 5 + day - 1
    number = era * 146_097 + yearOfEra * 365 + yearOfEra / 4 - yearOfEra / 100 + dayOfYear - 719_468
  }

  /// The day of the week: 0 for Monday to 6 for Sunday.
  public var weekday: Int { ((number + 3) % 7 + 7) % 7 }

  /// Compares two days.
  public static func < (lhs: CalendarDay, rhs: CalendarDay) -> Bool { lhs.number < rhs.number }
}

/// A time zone that converts dates and clock times to instants and back, including daylight saving time.
public struct ScenarioClock: Hashable, Sendable {
  /// The IANA name of the zone.
  public let zone: String
  private let timeZone: TimeZone

  /// Creates a clock from an IANA name (`Europe/Berlin`, `UTC`); returns `nil` for an unknown name.
  public init?(zone: String) {
    guard let timeZone = zone == "UTC" ? TimeZone(secondsFromGMT: 0) : TimeZone(identifier: zone) else { return nil }
    self.zone = zone
    self.timeZone = timeZone
  }

  private init(utc: TimeZone) {
    zone = "UTC"
    timeZone = utc
  }

  /// The clock of UTC.
  public static let utc = ScenarioClock(utc: .gmt)

  /// Returns the offset of the local time from UTC at an instant, in seconds; positive in the east.
  public func offset(at instant: Instant) -> Int {
    timeZone.secondsFromGMT(for: Date(timeIntervalSince1970: Double(instant.milliseconds) / 1_000))
  }

  /// Returns the instant at which local clocks show a time on a day.
  ///
  /// A time that clocks skip is converted with the offset before the change. Of a time that they show twice, the first
  /// is returned.
  public func instant(_ day: CalendarDay, _ time: ClockTime) -> Instant {
    let local = Int64(day.number) * 86_400 + Int64(time.seconds)
    let before = offset(at: Instant(milliseconds: (local - 86_400) * 1_000))
    let first = Instant(milliseconds: (local - Int64(before)) * 1_000)
    let after = offset(at: first)
    guard after != before else { return first }
    let second = Instant(milliseconds: (local - Int64(after)) * 1_000)
    return offset(at: second) == after ? second : first
  }

  /// Returns the local date and time to the minute, such as `2026-01-05 08:30`.
  public func text(of instant: Instant) -> String {
    let local = Instant(milliseconds: instant.milliseconds + Int64(offset(at: instant)) * 1_000)
    return String(local.rfc3339.prefix(16)).replacing("T", with: " ")
  }

  /// Returns the local day at an instant.
  public func day(at instant: Instant) -> CalendarDay {
    let local = instant.milliseconds + Int64(offset(at: instant)) * 1_000
    return CalendarDay(number: Int((Double(local) / 86_400_000).rounded(.down)))
  }

  /// Returns the local days that a span of time touches, in order.
  public func days(from start: Instant, to end: Instant) -> [CalendarDay] {
    let first = day(at: start).number
    let last = day(at: Instant(milliseconds: max(start.milliseconds, end.milliseconds - 1))).number
    return (first...max(first, last)).map(CalendarDay.init(number:))
  }
}
