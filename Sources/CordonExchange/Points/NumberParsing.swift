internal import CordonCore
internal import Foundation

/// Numbers in text, as bytes.
enum NumberParsing {
  private static let powersOfTen: [Double] = [
    1, 1e1, 1e2, 1e3, 1e4, 1e5, 1e6, 1e7, 1e8, 1e9, 1e10, 1e11, 1e12, 1e13, 1e14, 1e15, 1e16, 1e17,
    1e18, 1e19, 1e20,
    1e21, 1e22,
  ]

  /// A decimal number, or `nil` when the bytes are anything else. Exactly rounded: a significand below 2^53 and a power of
  /// ten up to 22 are exact doubles, so one operation rounds once (Clinger 1990); the rest goes to the C library.
  @inline(__always)
  static func double(_ bytes: UnsafeBufferPointer<UInt8>) -> Double? {
    var k = 0
    let count = bytes.count
    guard count > 0 else { return nil }
    var isNegative = false
    if bytes[0] == 0x2D || bytes[0] == 0x2B {
      isNegative = bytes[0] == 0x2D
      k = 1
    }
    var significand: UInt64 = 0
    var digits = 0
    var decimals = 0
    var hasPoint = false
    while k < count {
      let byte = bytes[k]
      if byte &- 0x30 < 10 {
        significand = significand &* 10 &+ UInt64(byte &- 0x30)
        digits &+= 1
        if hasPoint { decimals &+= 1 }
      } else if byte == 0x2E, !hasPoint {
        hasPoint = true
      } else {
        return slow(bytes)
      }
      k &+= 1
    }
    guard digits > 0 else { return nil }
    guard digits <= 19, significand < 1 << 53, decimals <= 22 else { return slow(bytes) }
    let value = Double(significand) / powersOfTen[decimals]
    return isNegative ? -value : value
  }

  @inline(never)
  private static func slow(_ bytes: UnsafeBufferPointer<UInt8>) -> Double? {
    guard bytes.allSatisfy({ $0 < 0x80 && $0 > 0x20 }) else { return nil }
    // Double reads "inf" and "nan" too; they are no coordinates.
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

  /// An RFC 3339 time in milliseconds, or `nil`.
  static func instant(_ bytes: UnsafeBufferPointer<UInt8>) -> Int64? {
    guard bytes.count >= 20, bytes.count < 40 else { return nil }
    return try? Instant(rfc3339: String(decoding: bytes, as: UTF8.self)).milliseconds
  }
}
