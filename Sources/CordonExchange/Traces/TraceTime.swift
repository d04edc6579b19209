internal import CordonCore

/// Times as files write them.
enum TraceTime {
  /// RFC 3339, where a missing zone is taken for UTC (`isZoneless` then), and seconds may be missing.
  static func instant(_ text: String) -> (instant: Instant, isZoneless: Bool)? {
    let trimmed = text.trimmed
    if let instant = try? Instant(rfc3339: trimmed) { return (instant, false) }
    if let instant = try? Instant(rfc3339: trimmed + "Z") { return (instant, true) }
    // Minutes only, as ISO 8601 allows: 2026-01-31T09:30Z.
    if trimmed.utf8.count >= 16, trimmed.hasSuffix("Z") {
      let start = trimmed.dropLast()
      if start.utf8.count == 16, let instant = try? Instant(rfc3339: start + ":00Z") { return (instant, false) }
    }
    return nil
  }

  /// Seconds or milliseconds since 1970, by size, or a date.
  static func instant(_ value: JSONValue?) -> (instant: Instant, isZoneless: Bool)? {
    switch value {
    case .string(let text): instant(text)
    case .integer(let whole): instant(number: Double(whole)).map { ($0, false) }
    case .number(let number): instant(number: number).map { ($0, false) }
    default: nil
    }
  }

  static func instant(number: Double) -> Instant? {
    guard number.isFinite, abs(number) < 9e15 else { return nil }
    // Ten digits are seconds until the year 2286; thirteen are milliseconds.
    let milliseconds = abs(number) < 1e11 ? number * 1_000 : number
    return Instant(milliseconds: Int64(milliseconds.rounded()))
  }
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
