internal import CordonCore

/// Parses times in the notations of files, and counts those without a zone.
struct TraceClock {
  private var zoned: ZonedClock

  init(_ options: TraceReadOptions) { zoned = ZonedClock(zone: options.columns.timeZone) }

  /// Returns the instant of a date and time, or of a number since 1970.
  mutating func instant(_ text: String) -> Instant? {
    if let stamp = Timestamp(text) { return Instant(milliseconds: zoned.milliseconds(of: stamp)) }
    return Double(text.trimmed).flatMap { Instant(epoch: $0) }
  }

  /// Returns the instant of a date, or of seconds to nanoseconds since 1970, distinguished by their size.
  mutating func instant(_ value: PlacedJSON?) -> Instant? {
    switch value {
    case .string(let text): instant(text)
    case .number(let number): Instant(epoch: number)
    default: nil
    }
  }

  /// A sentence about times without a zone; `nil` if there were none.
  var assumption: String? { zoned.assumption }
}

extension StringProtocol {
  /// The text without white space at the ends.
  var trimmed: String {
    var rest = Substring(self)
    while let first = rest.first, first.isWhitespace { rest.removeFirst() }
    while let last = rest.last, last.isWhitespace { rest.removeLast() }
    return String(rest)
  }
}
