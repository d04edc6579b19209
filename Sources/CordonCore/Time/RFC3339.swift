/// An error in a date and time of RFC 3339, with its position.
public struct RFC3339Error: Error, Hashable, Sendable, CustomStringConvertible {
  /// The kind of error.
  public enum Reason: String, Hashable, Sendable {
    /// An unexpected character, or the end of the text.
    case malformed
    /// A number is out of range: month 13, 30 February, hour 24, offset +25:00.
    case outOfRange = "out-of-range"
    /// Text follows the time.
    case trailingText = "trailing-text"
  }

  /// The kind of error.
  public var reason: Reason
  /// The position, in UTF-8 bytes from the start of the text.
  public var offset: Int

  /// Makes an error at a byte of the text.
  public init(_ reason: Reason, at offset: Int) {
    self.reason = reason
    self.offset = offset
  }

  /// A description on one line.
  public var description: String {
    switch reason {
    case .malformed: "not a date and time such as 2026-01-31T09:30:00Z (at character \(offset + 1))"
    case .outOfRange: "a number is out of range (at character \(offset + 1))"
    case .trailingText: "more text follows the time (at character \(offset + 1))"
    }
  }
}

extension Instant {
  /// Reads a date and time with its offset from UTC, such as `2026-01-31T09:30:00.250Z` or
  /// `2026-01-31T10:30:00+01:00`.
  ///
  /// The calendar is the proleptic Gregorian one, years 0000 to 9999. A lower-case `t` or `z` and a space in place of
  /// `T` are read, as RFC 3339 section 5.6 allows. Digits of a fraction beyond the third are dropped, so the time is
  /// rounded towards the past. A leap second (`23:59:60` in UTC) becomes the first moment of the next minute, since
  /// an ``Instant`` does not count leap seconds.
  public init(rfc3339 text: String) throws(RFC3339Error) {
    var scanner = RFC3339Scanner(text)
    self = try scanner.instant()
  }

  /// The instant in UTC with milliseconds: `2026-01-31T09:30:00.250Z`.
  ///
  /// Years outside 0000 to 9999, which RFC 3339 cannot write, get a sign and at least five digits
  /// (ISO 8601, expanded): unambiguous, but not readable by ``init(rfc3339:)``.
  public var rfc3339: String {
    var bytes: [UInt8] = []
    bytes.reserveCapacity(24)
    appendRFC3339(to: &bytes)
    return String(decoding: bytes, as: UTF8.self)
  }

  /// Formats whole microseconds since 1970 in UTC: `2026-01-31T09:30:00.250000Z`.
  ///
  /// For results that are finer than an ``Instant``, such as the beginning and end of a contact.
  package static func rfc3339(microseconds: Int64) -> String {
    var bytes: [UInt8] = []
    bytes.reserveCapacity(27)
    appendRFC3339(microseconds: microseconds, to: &bytes)
    return String(decoding: bytes, as: UTF8.self)
  }

  /// Appends what ``rfc3339(microseconds:)`` returns, as ASCII.
  package static func appendRFC3339(microseconds: Int64, to bytes: inout [UInt8]) {
    let rest = microseconds % 1_000
    let (millisecond, microsecond) = rest < 0 ? (microseconds / 1_000 - 1, rest + 1_000) : (microseconds / 1_000, rest)
    Instant(milliseconds: millisecond).appendRFC3339(to: &bytes)
    bytes.removeLast()
    for divisor in [100, 10, 1] as [Int64] { bytes.append(UInt8(ascii: "0") + UInt8(microsecond / divisor % 10)) }
    bytes.append(UInt8(ascii: "Z"))
  }

  /// Appends ``rfc3339`` as ASCII, without a string for each of many rows.
  package func appendRFC3339(to bytes: inout [UInt8]) {
    let day = bucket(of: .days(1))
    let remainder = Int(milliseconds % 86_400_000)
    let millisecondOfDay = remainder < 0 ? remainder + 86_400_000 : remainder
    let date = CivilDate(daysSinceEpoch: day)
    if (0...9_999).contains(date.year) {
      append(Int(date.year), digits: 4)
    } else {
      bytes.append(date.year < 0 ? UInt8(ascii: "-") : UInt8(ascii: "+"))
      append(Int(date.year.magnitude), digits: max(5, String(date.year.magnitude).utf8.count))
    }
    bytes.append(UInt8(ascii: "-"))
    append(date.month, digits: 2)
    bytes.append(UInt8(ascii: "-"))
    append(date.day, digits: 2)
    bytes.append(UInt8(ascii: "T"))
    append(millisecondOfDay / 3_600_000, digits: 2)
    bytes.append(UInt8(ascii: ":"))
    append(millisecondOfDay / 60_000 % 60, digits: 2)
    bytes.append(UInt8(ascii: ":"))
    append(millisecondOfDay / 1_000 % 60, digits: 2)
    bytes.append(UInt8(ascii: "."))
    append(millisecondOfDay % 1_000, digits: 3)
    bytes.append(UInt8(ascii: "Z"))

    func append(_ number: Int, digits: Int) {
      var divisor = 1
      for _ in 1..<digits { divisor *= 10 }
      while divisor > 0 {
        bytes.append(UInt8(ascii: "0") + UInt8(number / divisor % 10))
        divisor /= 10
      }
    }
  }
}

/// A day of the proleptic Gregorian calendar.
///
/// Counted in years that begin on 1 March, so that the leap day comes last, and in cycles of 400
/// years, which have 146 097 days.
struct CivilDate: Hashable {
  var year: Int64
  var month: Int
  var day: Int

  init(year: Int64, month: Int, day: Int) {
    self.year = year
    self.month = month
    self.day = day
  }

  init(daysSinceEpoch: Int64) {
    // 0000-03-01 is 719 468 days before 1970-01-01.
    let days = daysSinceEpoch + 719_468
    let cycle = (days >= 0 ? days : days - 146_096) / 146_097
    let dayOfCycle = days - cycle * 146_097
    let yearOfCycle = (dayOfCycle - dayOfCycle / 1_460 + dayOfCycle / 36_524 - dayOfCycle / 146_096) / 365
    let dayOfYear = Int(dayOfCycle - (365 * yearOfCycle + yearOfCycle / 4 - yearOfCycle / 100))
    // Five months from March on have 153 days, in a pattern that repeats.
    let monthFromMarch = (5 * dayOfYear + 2) / 153
    day = dayOfYear - (153 * monthFromMarch + 2) / 5 + 1
    month = monthFromMarch < 10 ? monthFromMarch + 3 : monthFromMarch - 9
    year = cycle * 400 + yearOfCycle + (month <= 2 ? 1 : 0)
  }

  var daysSinceEpoch: Int64 {
    let shifted = month <= 2 ? year - 1 : year
    let cycle = (shifted >= 0 ? shifted : shifted - 399) / 400
    let yearOfCycle = shifted - cycle * 400
    let dayOfYear = Int64((153 * (month > 2 ? month - 3 : month + 9) + 2) / 5 + day - 1)
    return cycle * 146_097 + yearOfCycle * 365 + yearOfCycle / 4 - yearOfCycle / 100 + dayOfYear - 719_468
  }

  static func daysInMonth(_ month: Int, year: Int) -> Int {
    switch month {
    case 2: year % 4 == 0 && (year % 100 != 0 || year % 400 == 0) ? 29 : 28
    case 4, 6, 9, 11: 30
    default: 31
    }
  }
}

private struct RFC3339Scanner {
  let bytes: [UInt8]
  var position = 0

  init(_ text: String) { bytes = Array(text.utf8) }

  mutating func instant() throws(RFC3339Error) -> Instant {
    let year = try number(digits: 4, in: 0...9_999)
    try expect("-")
    let month = try number(digits: 2, in: 1...12)
    try expect("-")
    let day = try number(digits: 2, in: 1...CivilDate.daysInMonth(month, year: year))
    try expect("T", "t", " ")
    let hour = try number(digits: 2, in: 0...23)
    try expect(":")
    let minute = try number(digits: 2, in: 0...59)
    try expect(":")
    let secondPosition = position
    let second = try number(digits: 2, in: 0...60)
    let millisecond = try fraction()
    let offsetMinutes = try offset()
    guard position == bytes.count else { throw RFC3339Error(.trailingText, at: position) }

    let days = CivilDate(year: Int64(year), month: month, day: day).daysSinceEpoch
    let minutes = days * 1_440 + Int64(hour * 60 + minute - offsetMinutes)
    if second == 60 {
      // Leap seconds end a UTC day.
      guard (minutes + 1) % 1_440 == 0 else { throw RFC3339Error(.outOfRange, at: secondPosition) }
      return Instant(milliseconds: (minutes + 1) * 60_000)
    }
    return Instant(milliseconds: minutes * 60_000 + Int64(second * 1_000 + millisecond))
  }

  /// The milliseconds of a fraction, if there is one.
  private mutating func fraction() throws(RFC3339Error) -> Int {
    guard position < bytes.count, bytes[position] == UInt8(ascii: ".") else { return 0 }
    position += 1
    var value = 0
    var count = 0
    while position < bytes.count, let digit = digit(at: position) {
      if count < 3 { value = value * 10 + digit }
      count += 1
      position += 1
    }
    guard count > 0 else { throw RFC3339Error(.malformed, at: position) }
    for _ in min(count, 3)..<3 { value *= 10 }
    return value
  }

  private mutating func offset() throws(RFC3339Error) -> Int {
    guard position < bytes.count else { throw RFC3339Error(.malformed, at: position) }
    let sign: Int
    switch bytes[position] {
    case UInt8(ascii: "Z"), UInt8(ascii: "z"):
      position += 1
      return 0
    case UInt8(ascii: "+"): sign = 1
    case UInt8(ascii: "-"): sign = -1
    default: throw RFC3339Error(.malformed, at: position)
    }
    position += 1
    let hours = try number(digits: 2, in: 0...23)
    try expect(":")
    return sign * (hours * 60 + (try number(digits: 2, in: 0...59)))
  }

  private mutating func number(digits: Int, in range: ClosedRange<Int>) throws(RFC3339Error) -> Int {
    let start = position
    var value = 0
    for _ in 0..<digits {
      guard let digit = digit(at: position) else { throw RFC3339Error(.malformed, at: position) }
      value = value * 10 + digit
      position += 1
    }
    guard range.contains(value) else { throw RFC3339Error(.outOfRange, at: start) }
    return value
  }

  private mutating func expect(_ characters: Unicode.Scalar...) throws(RFC3339Error) {
    guard position < bytes.count, characters.contains(Unicode.Scalar(bytes[position])) else {
      throw RFC3339Error(.malformed, at: position)
    }
    position += 1
  }

  private func digit(at index: Int) -> Int? {
    guard index < bytes.count, (0x30...0x39).contains(bytes[index]) else { return nil }
    return Int(bytes[index]) - 0x30
  }
}
