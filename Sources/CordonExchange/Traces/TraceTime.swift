internal import CordonCore

/// Times in the notations of files.
enum TraceTime {
  /// Parses a date and time in any notation of `Timestamp`. A missing zone counts as UTC (`isZoneless` is then true).
  static func instant(_ text: String) -> (instant: Instant, isZoneless: Bool)? {
    Timestamp(text).map { ($0.instant, !$0.hasZone) }
  }

  /// Returns a time from a date, or from seconds, milliseconds, microseconds or nanoseconds since 1970, distinguished
  /// by their size.
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
  /// The text without white space at the ends.
  var trimmed: String {
    var rest = Substring(self)
    while let first = rest.first, first.isWhitespace { rest.removeFirst() }
    while let last = rest.last, last.isWhitespace { rest.removeLast() }
    return String(rest)
  }
}
