/// A date and time as programs write it: RFC 3339, and similar forms of ISO 8601 and of databases.
///
/// It reads `2026-01-31T09:30:00Z` and, in any combination:
/// - the offsets `Z`, `UTC`, `+01`, `+0100`, `+01:00`, with or without a space before them, and none;
/// - a space in place of the `T`, and a zone in brackets after the offset (`+01:00[Europe/Berlin]`), which is
///   skipped;
/// - no seconds (`09:30Z`), a point or a comma before a fraction of any length;
/// - the dates `2026-01-31`, `2026/01/31`, `20260131` and `31.01.2026`, and the time of day `093000`.
///
/// It rejects a day without a time of day, and `01/02/2026`, which is ambiguous.
package struct Timestamp: Hashable, Sendable {
  /// The instant; a text without a zone counts as UTC.
  package var instant: Instant
  /// Whether the text gives its offset from UTC.
  package var hasZone: Bool

  /// Reads a text; `nil` when it is not a date and time. Ignores space around it.
  package init?(_ text: some StringProtocol) {
    var text = String(text)
    guard let found = text.withUTF8({ Timestamp(bytes: $0) }) else { return nil }
    self = found
  }

  /// Reads ASCII; `nil` when it is not a date and time.
  package init?(bytes: UnsafeBufferPointer<UInt8>) {
    var scanner = TimestampScanner(bytes: bytes)
    guard let found = scanner.timestamp() else { return nil }
    self = found
  }

  init(instant: Instant, hasZone: Bool) {
    self.instant = instant
    self.hasZone = hasZone
  }
}

extension Instant {
  /// Reads a date and time that gives its zone, in any of the forms that readers of files accept; `nil` for anything else.
  public init?(timestamp text: some StringProtocol) {
    guard let found = Timestamp(text), found.hasZone else { return nil }
    self = found.instant
  }

  /// Reads a time since 1970 and infers its unit from its size: up to 11 digits are seconds, up to 14 milliseconds,
  /// up to 17 microseconds, and more are nanoseconds. Returns `nil` outside of the years 1678 to 2261. Drops
  /// fractions of a millisecond, towards the past.
  public init?(epoch number: Double) {
    let size = abs(number)
    let milliseconds: Double
    switch size {
    case ..<1e11: milliseconds = (number * 1_000).rounded()
    case ..<1e14: milliseconds = number.rounded(.down)
    case ..<1e17: milliseconds = (number / 1e3).rounded(.down)
    // A double holds this many nanoseconds to within 256, so a whole millisecond may read slightly too low.
    case ..<9.2e18: milliseconds = (number / 1e6 + 5e-4).rounded(.down)
    default: return nil
    }
    guard abs(milliseconds) <= 9.2e12 else { return nil }
    self.init(milliseconds: Int64(milliseconds))
  }
}

private struct TimestampScanner {
  let bytes: UnsafeBufferPointer<UInt8>
  var position = 0

  init(bytes: UnsafeBufferPointer<UInt8>) { self.bytes = bytes }

  mutating func timestamp() -> Timestamp? {
    skipSpace()
    guard let days = date(), separator(), let (milliseconds, isLeap) = timeOfDay() else { return nil }
    skipSpace()
    var offset = 0
    let hasZone = position < bytes.count
    if hasZone {
      guard let minutes = zone() else { return nil }
      offset = minutes
      skipSpace()
      guard position == bytes.count else { return nil }
    }
    let time = days * 86_400_000 + milliseconds - Int64(offset) * 60_000
    // Leap seconds end a UTC day.
    if isLeap, time % 86_400_000 != 0 { return nil }
    return Timestamp(instant: Instant(milliseconds: time), hasZone: hasZone)
  }

  /// Days since 1970.
  private mutating func date() -> Int64? {
    let year: Int
    let month: Int
    let day: Int
    if position + 2 < bytes.count, bytes[position + 2] == UInt8(ascii: ".") {
      guard let first = number(2), take("."), let second = number(2), take("."), let third = number(4) else {
        return nil
      }
      (day, month, year) = (first, second, third)
    } else {
      guard let first = number(4) else { return nil }
      let mark: Unicode.Scalar? = take("-") ? "-" : take("/") ? "/" : nil
      guard let second = number(2), mark.map({ take($0) }) ?? true, let third = number(2) else { return nil }
      (year, month, day) = (first, second, third)
    }
    guard (1...12).contains(month), (1...CivilDate.daysInMonth(month, year: year)).contains(day) else { return nil }
    return CivilDate(year: Int64(year), month: month, day: day).daysSinceEpoch
  }

  private mutating func separator() -> Bool {
    if take("T") || take("t") { return true }
    let start = position
    skipSpace()
    return position > start
  }

  /// Milliseconds since midnight; a leap second is the first one of the next minute.
  private mutating func timeOfDay() -> (milliseconds: Int64, isLeap: Bool)? {
    // Spreadsheets write morning hours with one digit.
    let isShort = digit(at: position + 1) == nil
    guard let hour = number(isShort ? 1 : 2), hour < 24 else { return nil }
    let hasMarks = take(":")
    guard hasMarks || !isShort, let minute = number(2), minute < 60 else { return nil }
    var second = 0
    var millisecond = 0
    if hasMarks ? take(":") : digit(at: position) != nil {
      guard let found = number(2), found <= 60 else { return nil }
      second = found
      if take(".") || take(",") {
        guard let found = fraction() else { return nil }
        millisecond = second == 60 ? 0 : found
      }
    }
    return (Int64((hour * 60 + minute) * 60 + second) * 1_000 + Int64(millisecond), second == 60)
  }

  private mutating func fraction() -> Int? {
    var value = 0
    var count = 0
    while let digit = digit(at: position) {
      if count < 3 { value = value * 10 + digit }
      count += 1
      position += 1
    }
    guard count > 0 else { return nil }
    for _ in min(count, 3)..<3 { value *= 10 }
    return value
  }

  /// Minutes east of UTC.
  private mutating func zone() -> Int? {
    var minutes = 0
    if take("Z") || take("z") {
    } else if take("+") {
      guard let found = offset() else { return nil }
      minutes = found
    } else if take("-") {
      guard let found = offset() else { return nil }
      minutes = -found
    } else if word("utc") || word("gmt") {
    } else {
      return nil
    }
    if take("[") {
      while position < bytes.count, bytes[position] != UInt8(ascii: "]") { position += 1 }
      guard take("]") else { return nil }
    }
    return minutes
  }

  private mutating func offset() -> Int? {
    guard let hours = number(2), hours < 24 else { return nil }
    let hasMark = take(":")
    guard hasMark || digit(at: position) != nil else { return hours * 60 }
    guard let minutes = number(2), minutes < 60 else { return nil }
    return hours * 60 + minutes
  }

  private mutating func word(_ word: StaticString) -> Bool {
    guard position + word.utf8CodeUnitCount <= bytes.count else { return false }
    for index in 0..<word.utf8CodeUnitCount where bytes[position + index] | 0x20 != word.utf8Start[index] {
      return false
    }
    position += word.utf8CodeUnitCount
    return true
  }

  private mutating func number(_ digits: Int) -> Int? {
    var value = 0
    for _ in 0..<digits {
      guard let digit = digit(at: position) else { return nil }
      value = value * 10 + digit
      position += 1
    }
    return value
  }

  private mutating func take(_ scalar: Unicode.Scalar) -> Bool {
    guard position < bytes.count, UInt32(bytes[position]) == scalar.value else { return false }
    position += 1
    return true
  }

  private mutating func skipSpace() {
    while position < bytes.count, bytes[position] == 0x20 || (0x09...0x0D).contains(bytes[position]) { position += 1 }
  }

  private func digit(at index: Int) -> Int? {
    guard index < bytes.count, (0x30...0x39).contains(bytes[index]) else { return nil }
    return Int(bytes[index]) - 0x30
  }
}
