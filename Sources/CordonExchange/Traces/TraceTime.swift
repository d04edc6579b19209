internal import CordonCore

/// Reads times as files write them, and counts those without a zone.
struct TraceClock {
  private var zoned: ZonedClock

  init(_ options: TraceReadOptions) { zoned = ZonedClock(zone: options.columns.timeZone) }

  /// A date and time, or a number since 1970.
  mutating func instant(_ text: String) -> Instant? {
    if let stamp = Timestamp(text) { return Instant(milliseconds: zoned.milliseconds(of: stamp)) }
    return Double(text.trimmed).flatMap { Instant(epoch: $0) }
  }

  /// Seconds, milliseconds, microseconds or nanoseconds since 1970, by size, or a date.
  mutating func instant(_ value: JSONValue?) -> Instant? {
    switch value {
    case .string(let text): instant(text)
    case .integer(let whole): Instant(epoch: Double(whole))
    case .number(let number): Instant(epoch: number)
    default: nil
    }
  }

  /// What was assumed, in a sentence.
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
