internal import CordonCore

/// Reads times of one column, all in one unit.
struct PointClock {
  private enum Scale {
    case seconds, milliseconds, microseconds, nanoseconds
  }

  private var zoned: ZonedClock

  private var scale: Scale?
  /// The range of the numbers that may be times since 1970, as they are written.
  private var least = Double.infinity
  private var largest = 0.0
  /// The first line whose time was a hundred times an earlier one or more, or a hundredth: no record is that long.
  private var mixed: (line: Int, time: Double, other: Double)?
  /// The first time, when it is too small to recognise its unit.
  private var unclear: (line: Int, time: Double)?

  /// - Parameter zone: the zone of dates that give none; `nil` for UTC, as for columns whose name ends in `utc`.
  init(unit: PointFileOptions.TimeUnit, column: String, zone: LocalZone?) {
    let name = column.lowercased()
    isUTC = name.hasSuffix("utc") || name.hasPrefix("utc") || name.hasSuffix("gmt")
    zoned = ZonedClock(zone: isUTC ? nil : zone)
    switch unit {
    case .seconds: scale = .seconds
    case .milliseconds: scale = .milliseconds
    case .microseconds: scale = .microseconds
    case .nanoseconds: scale = .nanoseconds
    case .auto:
      if name.hasSuffix("_ms") { scale = .milliseconds }
      if name.hasSuffix("_s") { scale = .seconds }
      if name.hasSuffix("_us") { scale = .microseconds }
      if name.hasSuffix("_ns") { scale = .nanoseconds }
    }
  }

  /// Whether the column's name says that its times are UTC.
  private let isUTC: Bool

  /// The assumption, as a sentence.
  var assumption: String? { isUTC ? nil : zoned.assumption }

  /// Milliseconds since 1970; `nil` for a text that is not a time.
  /// - Parameter date: the day, when the field may be a time of day; else empty.
  @inline(__always)
  mutating func milliseconds(_ field: PointFieldText, date: PointFieldText, line: Int) -> Int64? {
    if let whole = field.whole { return milliseconds(whole: whole, line: line) }
    if let number = field.double { return milliseconds(number: number, line: line) }
    return text(field.bytes, date: date.bytes)
  }

  /// Milliseconds since 1970 of a whole number; `nil` for one that is not a time.
  @inline(__always)
  mutating func milliseconds(whole: Int64, line: Int) -> Int64? {
    note(Double(whole), line)
    if scale == nil { choose(Double(whole), line) }
    switch scale {
    case .seconds: return whole.magnitude < 1 << 50 ? whole * 1_000 : nil
    case .microseconds: return whole.flooredQuotient(by: 1_000)
    case .nanoseconds: return whole.flooredQuotient(by: 1_000_000)
    default: return whole
    }
  }

  /// Milliseconds since 1970 of a number; `nil` for one that is not a time.
  @inline(__always)
  mutating func milliseconds(number: Double, line: Int) -> Int64? {
    note(number, line)
    if scale == nil { choose(number, line) }
    let milliseconds: Double
    switch scale {
    case .seconds: milliseconds = (number * 1_000).rounded()
    case .microseconds: milliseconds = (number / 1_000).rounded(.down)
    case .nanoseconds: milliseconds = (number / 1_000_000).rounded(.down)
    default: milliseconds = number.rounded()
    }
    return abs(milliseconds) < 9e15 ? Int64(milliseconds) : nil
  }

  /// Milliseconds since 1970 of a reading of a clock without a zone.
  /// - Parameter reading: milliseconds since 1970, if the reading were UTC.
  mutating func milliseconds(reading: Int64) -> Int64 { zoned.milliseconds(reading: reading) }

  /// A date, or a time of day and a day from a column of its own.
  @inline(never)
  private mutating func text(_ bytes: UnsafeBufferPointer<UInt8>, date: UnsafeBufferPointer<UInt8>) -> Int64? {
    if let stamp = Timestamp(bytes: bytes) { return zoned.milliseconds(of: stamp) }
    guard !date.isEmpty, date.count < 40, bytes.count < 40 else { return nil }
    let both = Array(date) + [0x20] + Array(bytes)
    return both.withUnsafeBufferPointer { Timestamp(bytes: $0) }.map { zoned.milliseconds(of: $0) }
  }

  @inline(__always)
  private mutating func note(_ number: Double, _ line: Int) {
    // Below a hundred million it may be a time since the beginning of the record.
    let size = abs(number)
    guard size >= 1e8 else { return }
    if size < least {
      least = size
      if mixed == nil, largest >= size * 100 { mixed = (line, number, largest) }
    }
    if size > largest {
      largest = size
      if mixed == nil, size >= least * 100 { mixed = (line, number, least) }
    }
  }

  /// Seconds since 1970 have nine or ten digits, milliseconds twelve or thirteen, microseconds up to seventeen, nanoseconds
  /// more. Fewer are a time since the beginning of the record, in whatever unit.
  private mutating func choose(_ number: Double, _ line: Int) {
    switch abs(number) {
    case ..<1e8:
      unclear = (line, number)
      scale = number == number.rounded() ? .milliseconds : .seconds
    case ..<1e11: scale = .seconds
    case ..<1e14: scale = .milliseconds
    case ..<1e17: scale = .microseconds
    default: scale = .nanoseconds
    }
  }

  private static func text(_ time: Double) -> String { Int64(exactly: time.rounded()).map { String($0) } ?? "\(time)" }

  /// The error of times in mixed units, or in an unknown unit.
  var problem: PointFileError? {
    if let mixture { return mixture }
    guard let unclear else { return nil }
    return PointFileError(
      .unknownUnit,
      """
      the time \(PointClock.text(unclear.time)) is not since 1970, and nothing says its unit; name it with \
      --time-unit s, ms, us or ns, or in the name of the column: t_s, t_ms, t_us, t_ns
      """, line: unclear.line)
  }

  /// The error of times in mixed units.
  var mixture: PointFileError? {
    guard let mixed else { return nil }
    return PointFileError(
      .mixedUnits,
      """
      times are in mixed units: \(PointClock.text(mixed.time)) here and \(PointClock.text(mixed.other)) before; convert \
      those of one unit, or read the parts apart and name the unit of each
      """, line: mixed.line)
  }
}

extension Int64 {
  /// The quotient, towards the past.
  @inline(__always)
  func flooredQuotient(by divisor: Int64) -> Int64 {
    let (quotient, remainder) = quotientAndRemainder(dividingBy: divisor)
    return remainder < 0 ? quotient - 1 : quotient
  }
}
