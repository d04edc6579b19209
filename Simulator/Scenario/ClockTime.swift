public import CordonCore
import Foundation

/// A time of day as clocks show it: seconds since midnight, 0 ... 86 400.
public struct ClockTime: Hashable, Comparable, Sendable, CustomStringConvertible {
  /// Seconds since midnight.
  public var seconds: Int

  /// Takes the seconds as they are.
  public init(seconds: Int) { self.seconds = seconds }

  /// Reads `8:30`, `08:30`, `08:30:15` or `24:00`; `nil` for anything else.
  public init?(_ text: String) {
    let parts = text.split(separator: ":", omittingEmptySubsequences: false)
    guard parts.count == 2 || parts.count == 3, parts.allSatisfy({ (1...2).contains($0.count) }) else { return nil }
    let values = parts.compactMap { part in part.utf8.allSatisfy { (48...57).contains($0) } ? Int(part) : nil }
    guard values.count == parts.count, values[1] < 60, values.count < 3 || values[2] < 60 else { return nil }
    let seconds = values[0] * 3_600 + values[1] * 60 + (values.count == 3 ? values[2] : 0)
    guard seconds <= 86_400 else { return nil }
    self.seconds = seconds
  }

  /// Earlier in the day.
  public static func < (lhs: ClockTime, rhs: ClockTime) -> Bool { lhs.seconds < rhs.seconds }

  /// `08:30`
  public var description: String {
    let (hours, minutes, rest) = (seconds / 3_600, seconds / 60 % 60, seconds % 60)
    func two(_ value: Int) -> String { value < 10 ? "0\(value)" : "\(value)" }
    return "\(two(hours)):\(two(minutes))" + (rest == 0 ? "" : ":\(two(rest))")
  }
}

/// A part of the day. One that ends before it begins goes on past midnight.
public struct ClockWindow: Hashable, Sendable {
  /// When it begins.
  public var from: ClockTime
  /// When it ends.
  public var to: ClockTime

  /// Takes the times as they are.
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

  /// Takes the number as it is.
  public init(number: Int) { self.number = number }

  /// A date by its parts; `nil` when there is no such day. (Days from civil dates: H. Hinnant's published algorithm.)
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

  /// 0 for Monday ... 6 for Sunday.
  public var weekday: Int { ((number + 3) % 7 + 7) % 7 }

  /// Earlier.
  public static func < (lhs: CalendarDay, rhs: CalendarDay) -> Bool { lhs.number < rhs.number }
}

/// A time zone: turns dates and clock times into instants and back, daylight saving included.
public struct ScenarioClock: Hashable, Sendable {
  /// IANA name.
  public let zone: String
  private let timeZone: TimeZone

  /// A zone by its IANA name (`Europe/Berlin`, `UTC`); `nil` for one that does not exist.
  public init?(zone: String) {
    guard let timeZone = zone == "UTC" ? TimeZone(secondsFromGMT: 0) : TimeZone(identifier: zone) else { return nil }
    self.zone = zone
    self.timeZone = timeZone
  }

  /// Seconds that clocks there are ahead of UTC.
  public func offset(at instant: Instant) -> Int {
    timeZone.secondsFromGMT(for: Date(timeIntervalSince1970: Double(instant.milliseconds) / 1_000))
  }

  /// When the clocks show a time on a day. A time that the clocks skip counts as if they had not been put
  /// forward yet; of a time that they show twice, the first is meant.
  public func instant(_ day: CalendarDay, _ time: ClockTime) -> Instant {
    let local = Int64(day.number) * 86_400 + Int64(time.seconds)
    let before = offset(at: Instant(milliseconds: (local - 86_400) * 1_000))
    let first = Instant(milliseconds: (local - Int64(before)) * 1_000)
    let after = offset(at: first)
    guard after != before else { return first }
    let second = Instant(milliseconds: (local - Int64(after)) * 1_000)
    return offset(at: second) == after ? second : first
  }

  /// What clocks and calendars show there, to the minute: `2026-01-05 08:30`.
  public func text(of instant: Instant) -> String {
    let local = Instant(milliseconds: instant.milliseconds + Int64(offset(at: instant)) * 1_000)
    return String(local.rfc3339.prefix(16)).replacing("T", with: " ")
  }

  /// The day that it is there.
  public func day(at instant: Instant) -> CalendarDay {
    let local = instant.milliseconds + Int64(offset(at: instant)) * 1_000
    return CalendarDay(number: Int((Double(local) / 86_400_000).rounded(.down)))
  }

  /// The days that a span of time touches, in order.
  public func days(from start: Instant, to end: Instant) -> [CalendarDay] {
    let first = day(at: start).number
    let last = day(at: Instant(milliseconds: max(start.milliseconds, end.milliseconds - 1))).number
    return (first...max(first, last)).map(CalendarDay.init(number:))
  }
}
