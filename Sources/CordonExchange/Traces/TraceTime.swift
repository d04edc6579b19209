internal import CordonCore

/// Times as files write them.
enum TraceTime {
  /// A date and time in any form of `Timestamp`, where a missing zone is taken for UTC (`isZoneless` then).
  static func instant(_ text: String) -> (instant: Instant, isZoneless: Bool)? {
    Timestamp(text).map { ($0.instant, !$0.hasZone) }
  }

  /// Seconds, milliseconds, microseconds or nanoseconds since 1970, by size, or a date.
  static func instant(_ value: JSONValue?) -> (instant: Instant, isZoneless: Bool)? {
    switch value {
    case .string(let text): instant(text)
    case .integer(let whole): instant(number: Double(whole)).map { ($0, false) }
    case .number(let number): instant(number: number).map { ($0, false) }
    default: nil
    }
  }

  static func instant(number: Double) -> Instant? { Instant(epoch: number) }
}

extension StringProtocol {
  /// Without space at the ends.
  var trimmed: String {
    var rest = Substring(self)
    while let first = rest.first, first.isWhitespace { rest.removeFirst() }
    while let last = rest.last, last.isWhitespace { rest.removeLast() }
    return String(rest)
  }
}
