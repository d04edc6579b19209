/// A point in time: whole milliseconds since 1970-01-01T00:00:00Z, leap seconds not counted.
///
/// All stored, sent and compared times in Cordon are instants. The core never reads the system's clock.
public struct Instant: Hashable, Comparable, Sendable, Codable {
  /// Milliseconds since the Unix epoch; negative before 1970.
  public var milliseconds: Int64

  /// Creates an instant from milliseconds since the Unix epoch.
  @inlinable
  public init(milliseconds: Int64) {
    self.milliseconds = milliseconds
  }

  /// The Unix epoch.
  public static let epoch = Instant(milliseconds: 0)

  /// Decodes a bare integer number of milliseconds.
  public init(from decoder: any Decoder) throws {
    milliseconds = try decoder.singleValueContainer().decode(Int64.self)
  }

  /// Encodes a bare integer number of milliseconds.
  public func encode(to encoder: any Encoder) throws {
    var container = encoder.singleValueContainer()
    try container.encode(milliseconds)
  }

  /// Compares times.
  @inlinable
  public static func < (lhs: Instant, rhs: Instant) -> Bool {
    lhs.milliseconds < rhs.milliseconds
  }

  /// The instant `span` later. Saturates at the ends of the 64-bit range instead of trapping.
  @inlinable
  public static func + (lhs: Instant, rhs: TimeSpan) -> Instant {
    let (sum, overflow) = lhs.milliseconds.addingReportingOverflow(rhs.milliseconds)
    return Instant(milliseconds: overflow ? (rhs.milliseconds > 0 ? .max : .min) : sum)
  }

  /// The instant `span` earlier. Saturates at the ends of the 64-bit range instead of trapping.
  @inlinable
  public static func - (lhs: Instant, rhs: TimeSpan) -> Instant {
    let (difference, overflow) = lhs.milliseconds.subtractingReportingOverflow(rhs.milliseconds)
    return Instant(milliseconds: overflow ? (rhs.milliseconds > 0 ? .min : .max) : difference)
  }

  /// The time from `rhs` to `lhs`; negative when `lhs` is earlier. Saturates.
  @inlinable
  public static func - (lhs: Instant, rhs: Instant) -> TimeSpan {
    let (difference, overflow) = lhs.milliseconds.subtractingReportingOverflow(rhs.milliseconds)
    return TimeSpan(milliseconds: overflow ? (lhs > rhs ? .max : .min) : difference)
  }

  /// The number of whole `width`s since the epoch, rounded towards minus infinity.
  ///
  /// Truncating division would make the bucket around 1970 twice as wide.
  /// - Precondition: none; a width of zero or less returns 0.
  @inlinable
  public func bucket(of width: TimeSpan) -> Int64 {
    guard width.milliseconds > 0 else { return 0 }
    let (quotient, remainder) = milliseconds.quotientAndRemainder(dividingBy: width.milliseconds)
    return remainder < 0 ? quotient - 1 : quotient
  }
}
