internal import Foundation

/// Numbers in text, as bytes.
enum NumberParsing {
  fileprivate static let powersOfTen: [Double] = [
    1, 1e1, 1e2, 1e3, 1e4, 1e5, 1e6, 1e7, 1e8, 1e9, 1e10, 1e11, 1e12, 1e13, 1e14, 1e15, 1e16, 1e17,
    1e18, 1e19,
  ]

  /// The digits of a number, as they stand.
  struct Digits {
    fileprivate var significand: UInt64 = 0
    fileprivate var count: Int32 = 0
    fileprivate var decimalCount: Int32 = 0
    fileprivate var isNegative = false
    fileprivate var hasPoint = false

    /// The number of digits behind the point.
    var decimals: Int { Int(decimalCount) }

    /// The number, exactly rounded: a significand below 2^53 and a power of ten up to 22 are exact doubles, so one operation
    /// rounds once (Clinger 1990); up to 19 digits are divided as whole numbers. `nil` when there are more.
    @inline(__always)
    var double: Double? {
      guard count <= 19, decimalCount <= 19 else { return nil }
      let value =
        significand < 1 << 53
        ? Double(Int64(significand)) / NumberParsing.powersOfTen[Int(decimalCount)]
        : quotient(significand, Int(decimalCount))
      return isNegative ? -value : value
    }

    /// The number if it is a whole one without a point, of up to 18 digits.
    @inline(__always)
    var whole: Int64? {
      guard !hasPoint, count <= 18 else { return nil }
      return isNegative ? -Int64(significand) : Int64(significand)
    }
  }

  /// Reads a sign, digits, and a point with more digits, and goes on to the byte after them; `nil` without a digit.
  @inline(__always)
  static func digits(_ bytes: UnsafePointer<UInt8>, at place: inout Int, before end: Int) -> Digits? {
    var found = Digits()
    var k = place
    if k < end, bytes[k] == 0x2D {
      found.isNegative = true
      k &+= 1
    }
    let first = k
    var value: UInt64 = 0
    DigitRun.read(bytes, at: &k, before: end, into: &value)
    found.count = Int32(truncatingIfNeeded: k &- first)
    if k < end, bytes[k] == 0x2E {
      k &+= 1
      let point = k
      DigitRun.read(bytes, at: &k, before: end, into: &value)
      found.hasPoint = true
      found.decimalCount = Int32(truncatingIfNeeded: k &- point)
      found.count &+= found.decimalCount
    }
    found.significand = value
    place = k
    return found.count > 0 ? found : nil
  }

  /// A decimal number, or `nil` when the bytes are anything else; what has an exponent or many digits goes to the C library.
  @inline(__always)
  static func double(_ bytes: UnsafeBufferPointer<UInt8>) -> Double? {
    guard let base = bytes.baseAddress, bytes.count > 0 else { return nil }
    var k = base[0] == 0x2B ? 1 : 0
    guard let digits = digits(base, at: &k, before: bytes.count), k == bytes.count else { return slow(bytes) }
    return digits.double ?? slow(bytes)
  }

  private static let wholePowersOfTen: [UInt64] = powersOfTen.prefix(20).map { UInt64($0) }

  /// `significand` / 10^`decimals`, rounded once: the quotient of the two, both shifted to the left as far as they go, has 63 or
  /// 64 bits, and the last one says whether something remains beyond it.
  @inline(__always)
  fileprivate static func quotient(_ significand: UInt64, _ decimals: Int) -> Double {
    let divisor = wholePowersOfTen[decimals]
    let (up, down) = (significand.leadingZeroBitCount, divisor.leadingZeroBitCount)
    let shifted = significand << UInt64(up)
    let (bits, rest) = (divisor << UInt64(down)).dividingFullWidth((shifted >> 1, shifted << 63))
    return Double(
      sign: .plus, exponent: down - up - 63, significand: Double(bits | (rest == 0 ? 0 : 1)))
  }

  @inline(never)
  private static func slow(_ bytes: UnsafeBufferPointer<UInt8>) -> Double? {
    // Nor does a file of points mean "0x1" as a number.
    guard bytes.allSatisfy({ $0 < 0x80 && $0 > 0x20 && $0 | 0x20 != 0x78 }) else { return nil }
    // Double reads "inf" and "nan" too; they are not coordinates.
    guard let value = Double(String(decoding: bytes, as: UTF8.self)), value.isFinite else {
      return nil
    }
    return value
  }

  /// A whole number, or `nil`.
  @inline(__always)
  static func integer(_ bytes: UnsafeBufferPointer<UInt8>) -> Int64? {
    var k = 0
    guard bytes.count > 0, bytes.count <= 19 else { return nil }
    let isNegative = bytes[0] == 0x2D
    if isNegative { k = 1 }
    guard k < bytes.count else { return nil }
    var value: Int64 = 0
    while k < bytes.count {
      let digit = bytes[k] &- 0x30
      guard digit < 10 else { return nil }
      let (product, overflow) = value.multipliedReportingOverflow(by: 10)
      if overflow { return nil }
      value = product &+ Int64(digit)
      if value < 0 { return nil }
      k &+= 1
    }
    return isNegative ? -value : value
  }

  /// The digits of a number with a decimal comma, or `nil` when the bytes are anything else.
  @inline(never)
  static func digits(withComma bytes: UnsafeBufferPointer<UInt8>) -> Digits? {
    guard bytes.count(where: { $0 == 0x2C }) == 1, bytes.count < 40 else { return nil }
    let pointed = bytes.map { $0 == 0x2C ? 0x2E : $0 }
    return pointed.withUnsafeBufferPointer { pointed in
      var k = 0
      guard let base = pointed.baseAddress, let found = digits(base, at: &k, before: pointed.count), k == pointed.count,
        found.double != nil
      else { return nil }
      return found
    }
  }
}
