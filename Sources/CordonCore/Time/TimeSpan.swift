/// A length of time in whole milliseconds; may be negative.
public struct TimeSpan: Hashable, Comparable, Sendable, Codable {
  /// Milliseconds.
  public var milliseconds: Int64

  /// Makes a span from milliseconds.
  @inlinable
  public init(milliseconds: Int64) {
    self.milliseconds = milliseconds
  }

  /// The empty span.
  public static let zero = TimeSpan(milliseconds: 0)

  /// Returns a span of milliseconds.
  @inlinable
  public static func milliseconds(_ count: Int64) -> TimeSpan { TimeSpan(milliseconds: count) }

  /// Returns a span of whole seconds. Saturates.
  @inlinable
  public static func seconds(_ count: Int64) -> TimeSpan { TimeSpan(count, times: 1_000) }

  /// Returns a span of minutes. Saturates.
  @inlinable
  public static func minutes(_ count: Int64) -> TimeSpan { TimeSpan(count, times: 60_000) }

  /// Returns a span of hours. Saturates.
  @inlinable
  public static func hours(_ count: Int64) -> TimeSpan { TimeSpan(count, times: 3_600_000) }

  /// Returns a span of 24-hour days. Saturates.
  @inlinable
  public static func days(_ count: Int64) -> TimeSpan { TimeSpan(count, times: 86_400_000) }

  @inlinable
  init(_ count: Int64, times factor: Int64) {
    let (product, overflow) = count.multipliedReportingOverflow(by: factor)
    milliseconds = overflow ? (count > 0 ? .max : .min) : product
  }

  /// The span in seconds.
  @inlinable
  public var seconds: Double { Double(milliseconds) / 1_000 }

  /// Decodes a bare integer number of milliseconds.
  public init(from decoder: any Decoder) throws {
    milliseconds = try decoder.singleValueContainer().decode(Int64.self)
  }

  /// Encodes a bare integer number of milliseconds.
  public func encode(to encoder: any Encoder) throws {
    var container = encoder.singleValueContainer()
    try container.encode(milliseconds)
  }

  /// Compares lengths.
  @inlinable
  public static func < (lhs: TimeSpan, rhs: TimeSpan) -> Bool {
    lhs.milliseconds < rhs.milliseconds
  }

  /// The sum of two spans. Saturates.
  @inlinable
  public static func + (lhs: TimeSpan, rhs: TimeSpan) -> TimeSpan {
    let (sum, overflow) = lhs.milliseconds.addingReportingOverflow(rhs.milliseconds)
    return TimeSpan(milliseconds: overflow ? (rhs.milliseconds > 0 ? .max : .min) : sum)
  }

  /// The difference of two spans. Saturates.
  @inlinable
  public static func - (lhs: TimeSpan, rhs: TimeSpan) -> TimeSpan {
    let (difference, overflow) = lhs.milliseconds.subtractingReportingOverflow(rhs.milliseconds)
    return TimeSpan(milliseconds: overflow ? (rhs.milliseconds > 0 ? .min : .max) : difference)
  }
}

extension TimeSpan {
  /// Reads a duration such as `50ms`, `5s`, `2h`, `1.5h`, `1h30m` or `2d`; a number without a unit is one of seconds.
  ///
  /// The units are `ms`, `s`, `m` or `min`, `h` and `d`, in descending order, each at most once. A leading minus sign
  /// is read, so that the caller can report a negative duration as such.
  public init?(parsing text: String) {
    var rest = Substring(text)
    let isNegative = rest.first == "-"
    if isNegative { rest = rest.dropFirst() }
    guard !rest.isEmpty else { return nil }
    var total = 0.0
    var previousUnit = Double.infinity
    while !rest.isEmpty {
      let digits = rest.prefix { ("0"..."9").contains($0) || $0 == "." }
      guard digits.first != ".", digits.last != ".", let value = Double(digits) else { return nil }
      rest = rest.dropFirst(digits.count)
      let name = rest.prefix { $0.isLetter }
      rest = rest.dropFirst(name.count)
      let unit: Double
      switch name {
      case "" where rest.isEmpty && previousUnit == .infinity: unit = 1_000
      case "ms": unit = 1
      case "s": unit = 1_000
      case "m", "min": unit = 60_000
      case "h": unit = 3_600_000
      case "d": unit = 86_400_000
      default: return nil
      }
      guard unit < previousUnit else { return nil }
      previousUnit = unit
      total += value * unit
    }
    guard total <= 9e15 else { return nil }
    milliseconds = Int64((isNegative ? -total : total).rounded())
  }
}

extension TimeSpan: CustomStringConvertible {
  /// The span with its unit, in the form that ``init(parsing:)`` reads: `2h`, `1h30m`, `500ms`.
  public var description: String {
    if milliseconds == 0 { return "0s" }
    var rest = milliseconds.magnitude
    var text = milliseconds < 0 ? "-" : ""
    for (unit, name) in [(86_400_000, "d"), (3_600_000, "h"), (60_000, "m"), (1_000, "s"), (1, "ms")] {
      let (count, left) = rest.quotientAndRemainder(dividingBy: UInt64(unit))
      if count > 0 { text += "\(count)\(name)" }
      rest = left
    }
    return text
  }
}
