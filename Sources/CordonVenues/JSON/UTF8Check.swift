/// Validation of UTF-8 by RFC 3629: no overlong forms, no surrogates, and nothing above U+10FFFF.
enum UTF8Check {
  /// Returns the offset of the first invalid byte; `nil` if there is none.
  static func firstInvalidByte(in bytes: UnsafeBufferPointer<UInt8>) -> Int? {
    var index = 0
    while index < bytes.count {
      let lead = bytes[index]
      if lead < 0x80 {
        index += 1
        continue
      }
      let length: Int
      var lower: UInt8 = 0x80
      var upper: UInt8 = 0xBF
      switch lead {
      case 0xC2...0xDF: length = 2
      case 0xE0: (length, lower) = (3, 0xA0)
      case 0xED: (length, upper) = (3, 0x9F)
      case 0xE1...0xEF: length = 3
      case 0xF0: (length, lower) = (4, 0x90)
      case 0xF1...0xF3: length = 4
      case 0xF4: (length, upper) = (4, 0x8F)
      default: return index
      }
      guard index + length <= bytes.count else { return index }
      guard bytes[index + 1] >= lower, bytes[index + 1] <= upper else { return index }
      for position in (index + 2)..<(index + max(length, 2)) where bytes[position] & 0xC0 != 0x80 {
        return index
      }
      index += length
    }
    return nil
  }
}
