/// The place of a span in a trace, as the header `traceparent` carries it (W3C Trace Context, level 1).
struct TraceContext: Hashable, Sendable {
  /// The identifier of the trace, 16 bytes in two words; not 0.
  var trace: (high: UInt64, low: UInt64)
  /// The identifier of the span, 8 bytes; not 0.
  var span: UInt64
  /// Whether the span is recorded.
  var isSampled: Bool

  static func == (lhs: TraceContext, rhs: TraceContext) -> Bool {
    lhs.trace == rhs.trace && lhs.span == rhs.span && lhs.isSampled == rhs.isSampled
  }

  func hash(into hasher: inout Hasher) {
    hasher.combine(trace.high)
    hasher.combine(trace.low)
    hasher.combine(span)
  }

  init(trace: (high: UInt64, low: UInt64), span: UInt64, isSampled: Bool) {
    self.trace = trace
    self.span = span
    self.isSampled = isSampled
  }

  /// Reads a header; `nil` for one that does not follow the specification. Versions after 00 may have more parts.
  init?(parsing header: String) {
    let parts = header.split(separator: "-", omittingEmptySubsequences: false)
    guard parts.count >= 4, let version = Self.number(parts[0], digits: 2), version != 0xff,
      version > 0 || parts.count == 4, parts[1].utf8.count == 32,
      let high = Self.number(parts[1].prefix(16), digits: 16),
      let low = Self.number(parts[1].suffix(16), digits: 16), high | low != 0,
      let span = Self.number(parts[2], digits: 16), span != 0, let flags = Self.number(parts[3], digits: 2)
    else { return nil }
    self.init(trace: (high, low), span: span, isSampled: flags & 1 == 1)
  }

  /// The value of the header.
  var header: String { "00-\(traceText)-\(spanText)-\(isSampled ? "01" : "00")" }

  /// The identifier of the trace, 32 hexadecimal digits.
  var traceText: String { Self.text(trace.high) + Self.text(trace.low) }
  /// The identifier of the span, 16 hexadecimal digits.
  var spanText: String { Self.text(span) }

  /// 16 hexadecimal digits.
  static func text(_ number: UInt64) -> String {
    let digits = String(number, radix: 16)
    return String(repeating: "0", count: 16 - digits.count) + digits
  }

  /// Lower-case hexadecimal digits of an exact count.
  private static func number(_ text: Substring, digits: Int) -> UInt64? {
    guard text.utf8.count == digits,
      text.utf8.allSatisfy({ (0x30...0x39).contains($0) || (0x61...0x66).contains($0) })
    else { return nil }
    return UInt64(text, radix: 16)
  }
}
