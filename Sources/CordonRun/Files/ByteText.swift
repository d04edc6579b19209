/// Text as bytes, for writers of many rows.
extension [UInt8] {
  mutating func append(_ text: StaticString) {
    text.withUTF8Buffer { append(contentsOf: $0) }
  }

  mutating func append(text: String) {
    append(contentsOf: text.utf8)
  }

  /// Appends a whole number in decimal digits.
  mutating func append(integer value: Int64) {
    if value < 0 { append(UInt8(ascii: "-")) }
    append(digits: value.magnitude, atLeast: 1)
  }

  /// Appends a number of thousandths as a decimal number without trailing zeros: 1250 gives `1.25`.
  mutating func append(thousandths value: Int64) {
    append(decimal: value, places: 3)
  }

  /// Appends a number of 10^-places as a decimal number without trailing zeros.
  mutating func append(decimal value: Int64, places: Int) {
    if value < 0 { append(UInt8(ascii: "-")) }
    var scale: UInt64 = 1
    for _ in 0..<places { scale *= 10 }
    append(digits: value.magnitude / scale, atLeast: 1)
    var fraction = value.magnitude % scale
    guard fraction > 0 else { return }
    var places = places
    while fraction % 10 == 0 {
      fraction /= 10
      places -= 1
    }
    append(UInt8(ascii: "."))
    append(digits: fraction, atLeast: places)
  }

  /// Appends a number rounded to a number of decimal places, without trailing zeros.
  ///
  /// Appends nothing if the number is not finite or too large for that many digits.
  mutating func append(_ value: Double, places: Int) {
    var scale = 1.0
    for _ in 0..<places { scale *= 10 }
    let scaled = (value * scale).rounded()
    guard abs(scaled) < 9e18 else { return }
    append(decimal: Int64(scaled), places: places)
  }

  private mutating func append(digits value: UInt64, atLeast count: Int) {
    // At most twenty digits, the last one first, then all at once: millions of rows pass through here.
    withUnsafeTemporaryAllocation(of: UInt8.self, capacity: 24) { digits in
      var rest = value
      var start = digits.count
      repeat {
        start -= 1
        let (quotient, digit) = rest.quotientAndRemainder(dividingBy: 10)
        digits[start] = UInt8(ascii: "0") + UInt8(truncatingIfNeeded: digit)
        rest = quotient
      } while rest > 0
      while digits.count - start < count, start > 0 {
        start -= 1
        digits[start] = UInt8(ascii: "0")
      }
      append(contentsOf: UnsafeBufferPointer(rebasing: digits[start...]))
    }
  }
}
