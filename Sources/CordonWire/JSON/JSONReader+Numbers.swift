extension JSONReader {
  /// Consumes a number. The nearest double, whatever its form.
  package mutating func double() throws(WireError) -> Double {
    skipSpace()
    let start = position
    let isNegative = position < bytes.count && bytes[position] == UInt8(ascii: "-")
    if isNegative { position += 1 }
    var mantissa: UInt64 = 0
    var digits = 0
    var exponent = 0
    let first = position
    while position < bytes.count, let digit = JSONReader.digit(bytes[position]) {
      if digits < 19 { mantissa = mantissa &* 10 &+ digit } else { exponent += 1 }
      if mantissa > 0 { digits += 1 }
      position += 1
    }
    if position == first { throw WireError(offset: start, "expected a number") }
    if position - first > 1, bytes[first] == UInt8(ascii: "0") {
      throw WireError(offset: start, "a number with a leading zero")
    }
    if position < bytes.count, bytes[position] == UInt8(ascii: ".") {
      position += 1
      let fraction = position
      while position < bytes.count, let digit = JSONReader.digit(bytes[position]) {
        if digits < 19 {
          mantissa = mantissa &* 10 &+ digit
          exponent -= 1
        }
        if mantissa > 0 { digits += 1 }
        position += 1
      }
      if position == fraction { throw fault("expected a digit") }
    }
    if position < bytes.count, bytes[position] | 0x20 == UInt8(ascii: "e") {
      position += 1
      var power = 0
      let sign = position < bytes.count ? bytes[position] : 0
      if sign == UInt8(ascii: "-") || sign == UInt8(ascii: "+") { position += 1 }
      let start = position
      while position < bytes.count, let digit = JSONReader.digit(bytes[position]) {
        if power < 100_000 { power = power * 10 + Int(digit) }
        position += 1
      }
      if position == start { throw fault("expected a digit") }
      exponent += sign == UInt8(ascii: "-") ? -power : power
    }
    // Both factors are exact, so the quotient or product is rounded once (Clinger 1990).
    if mantissa <= 1 << 53, exponent >= -22, exponent <= 22 {
      let value = Double(mantissa)
      let result = exponent < 0 ? value / JSONReader.powers[-exponent] : value * JSONReader.powers[exponent]
      return isNegative ? -result : result
    }
    let text = String(decoding: bytes[start..<position], as: UTF8.self)
    guard let value = Double(text), value.isFinite else {
      throw WireError(.numberOutOfRange, offset: start, "a number out of range")
    }
    return value
  }

  /// Consumes a whole number; a fraction of zero (`5.0`) and an exponent are read too.
  package mutating func integer() throws(WireError) -> Int64 {
    skipSpace()
    let start = position
    var index = position
    let isNegative = index < bytes.count && bytes[index] == UInt8(ascii: "-")
    if isNegative { index += 1 }
    var value: Int64 = 0
    let first = index
    while index < bytes.count, index - first < 18, let digit = JSONReader.digit(bytes[index]) {
      value = value * 10 + Int64(digit)
      index += 1
    }
    let next = index < bytes.count ? bytes[index] : 0
    let isPlain = JSONReader.digit(next) == nil && next != UInt8(ascii: ".") && next | 0x20 != UInt8(ascii: "e")
    if index > first, isPlain, index - first == 1 || bytes[first] != UInt8(ascii: "0") {
      position = index
      return isNegative ? -value : value
    }
    let number = try double()
    guard number == number.rounded(), let whole = Int64(exactly: number) else {
      throw WireError(offset: start, "expected a whole number")
    }
    return whole
  }

  @inline(__always)
  static func digit(_ byte: UInt8) -> UInt64? {
    let value = byte &- UInt8(ascii: "0")
    return value < 10 ? UInt64(value) : nil
  }

  private static let powers: [Double] = [
    1, 1e1, 1e2, 1e3, 1e4, 1e5, 1e6, 1e7, 1e8, 1e9, 1e10, 1e11, 1e12, 1e13, 1e14, 1e15, 1e16, 1e17, 1e18, 1e19, 1e20,
    1e21, 1e22,
  ]
}
