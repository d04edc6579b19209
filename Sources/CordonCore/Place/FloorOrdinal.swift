/// The position of a floor in its building: 0 is the ground floor, 1 the one above, -1 the one below.
///
/// Maps also number mezzanines as halves (`0.5`), so an ordinal is a decimal number with at most
/// three digits after the point. It is never a height in metres. An unknown floor is `nil`
/// wherever a floor is optional; it is never ordinal 0.
public struct FloorOrdinal: Hashable, Comparable, Sendable, Codable, CustomStringConvertible {
  /// The ordinal times one thousand.
  public let thousandths: Int32

  /// A whole ordinal; values beyond ±1 000 000 are clamped.
  public init(_ ordinal: Int) {
    thousandths = Int32(min(max(ordinal, -1_000_000), 1_000_000) * 1_000)
  }

  /// `nil` unless the value is finite and within ±1 000 000; rounded to three decimals.
  public init?(_ ordinal: Double) {
    guard ordinal.isFinite, abs(ordinal) <= 1_000_000 else { return nil }
    thousandths = Int32((ordinal * 1_000).rounded())
  }

  /// Makes an ordinal of its thousandths, without a check of the range.
  public init(thousandths: Int32) {
    self.thousandths = thousandths
  }

  /// The ordinal as a number.
  public var value: Double { Double(thousandths) / 1_000 }

  /// Decodes a number.
  public init(from decoder: any Decoder) throws {
    let container = try decoder.singleValueContainer()
    guard let value = FloorOrdinal(try container.decode(Double.self)) else {
      throw DecodingError.dataCorruptedError(in: container, debugDescription: "not a floor ordinal")
    }
    self = value
  }

  /// Encodes a number, whole where it is whole.
  public func encode(to encoder: any Encoder) throws {
    var container = encoder.singleValueContainer()
    if thousandths % 1_000 == 0 {
      try container.encode(thousandths / 1_000)
    } else {
      try container.encode(value)
    }
  }

  /// Lower floors come first.
  public static func < (lhs: FloorOrdinal, rhs: FloorOrdinal) -> Bool {
    lhs.thousandths < rhs.thousandths
  }

  /// `0`, `-1`, `0.5`.
  public var description: String {
    thousandths % 1_000 == 0 ? String(thousandths / 1_000) : String(value)
  }
}
