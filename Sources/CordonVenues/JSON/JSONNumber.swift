/// Conversion of decimal text to the nearest double.
///
/// Three methods are used, each correctly rounded:
/// - for short numbers, an exact product or quotient of two exact doubles (Clinger 1990);
/// - for up to 19 digits and 27 decimals, as in coordinates, one 128-by-64-bit division;
/// - for all others, Swift's own parser.
enum JSONNumber {
  enum Value: Equatable {
    case integer(Int64)
    case double(Double)
    /// A number by the grammar, but too large for a double.
    case overflow
  }

  /// Scans a number at `start` (a digit or a minus sign), and returns its value and the index after its last byte.
  ///
  /// If the text is not a JSON number, the value is `nil` and the index is that of the offending byte.
  @inline(__always)
  static func scan(_ bytes: UnsafeBufferPointer<UInt8>, from start: Int) -> (value: Value?, end: Int) {
    var index = start
    let isNegative = bytes[index] == 0x2D
    if isNegative { index += 1 }
    var mantissa: UInt64 = 0
    var digits = 0
    let firstDigit = index
    while index < bytes.count {
      let digit = bytes[index] &- 0x30
      if digit > 9 { break }
      mantissa = mantissa &* 10 &+ UInt64(digit)
      index += 1
    }
    digits = index - firstDigit
    if digits == 0 || (digits > 1 && bytes[firstDigit] == 0x30) { return (nil, index) }
    var exponent = 0
    var isInteger = true
    if index < bytes.count, bytes[index] == 0x2E {
      isInteger = false
      index += 1
      let firstDecimal = index
      while index < bytes.count {
        let digit = bytes[index] &- 0x30
        if digit > 9 { break }
        mantissa = mantissa &* 10 &+ UInt64(digit)
        index += 1
      }
      if index == firstDecimal { return (nil, index) }
      exponent = firstDecimal - index
      digits += index - firstDecimal
    }
    if index < bytes.count, bytes[index] | 0x20 == 0x65 {
      isInteger = false
      index += 1
      var isExponentNegative = false
      if index < bytes.count, bytes[index] == 0x2B || bytes[index] == 0x2D {
        isExponentNegative = bytes[index] == 0x2D
        index += 1
      }
      let firstExponent = index
      var written = 0
      while index < bytes.count {
        let digit = bytes[index] &- 0x30
        if digit > 9 { break }
        // Larger exponents give 0 or infinity regardless of the digits.
        if written < 1_000_000 { written = written * 10 + Int(digit) }
        index += 1
      }
      if index == firstExponent { return (nil, index) }
      exponent += isExponentNegative ? -written : written
    }
    // 19 digits always fit in 64 bits; more digits may have wrapped.
    if digits <= 19 {
      if isInteger, mantissa <= UInt64(Int64.max) {
        // A negative zero is not an integer.
        if !(isNegative && mantissa == 0) {
          return (.integer(isNegative ? -Int64(mantissa) : Int64(mantissa)), index)
        }
      }
      if let magnitude = nearest(mantissa, exponent) {
        return (.double(isNegative ? -magnitude : magnitude), index)
      }
    }
    let text = String(decoding: UnsafeBufferPointer(rebasing: bytes[start..<index]), as: UTF8.self)
    guard let value = Double(text), value.isFinite else { return (.overflow, index) }
    return (.double(value), index)
  }

  /// Returns `mantissa` times ten to the power of `exponent`, correctly rounded; `nil` if that needs longer arithmetic.
  @inline(__always)
  static func nearest(_ mantissa: UInt64, _ exponent: Int) -> Double? {
    if mantissa == 0 { return 0 }
    if mantissa < 1 << 53, abs(exponent) <= 22 {
      // Both operands are exact, so one operation rounds once.
      let power = powersOfTen[abs(exponent)]
      return exponent < 0 ? Double(mantissa) / power : Double(mantissa) * power
    }
    guard exponent < 0, exponent >= -27 else { return nil }
    // mantissa / 10^k = (mantissa / 5^k) / 2^k. With both operands normalised to 64 bits, the quotient has 63 or 64
    // significant bits. The remainder decides ties, so it is folded into the last bit before the only rounding.
    let divisor = powersOfFive[-exponent]
    let divisorShift = divisor.leadingZeroBitCount
    let mantissaShift = mantissa.leadingZeroBitCount
    let dividend = mantissa << UInt64(mantissaShift)
    let (quotient, remainder) = (divisor << UInt64(divisorShift)).dividingFullWidth((dividend >> 1, dividend << 63))
    let rounded = Double(quotient | (remainder == 0 ? 0 : 1))
    let scale = divisorShift - mantissaShift - 63 + exponent
    return rounded * Double(bitPattern: UInt64(1023 + scale) << 52)
  }

  private static let powersOfTen: [Double] = [
    1e0, 1e1, 1e2, 1e3, 1e4, 1e5, 1e6, 1e7, 1e8, 1e9, 1e10, 1e11, 1e12, 1e13, 1e14, 1e15, 1e16, 1e17, 1e18, 1e19,
    1e20, 1e21, 1e22,
  ]

  private static let powersOfFive: [UInt64] = {
    var powers: [UInt64] = [1]
    for _ in 1...27 { powers.append(powers[powers.count - 1] * 5) }
    return powers
  }()
}
