extension JSONReader {
  /// A string as it lies in the text, between its quotes.
  package struct Text {
    let bytes: UnsafeBufferPointer<UInt8>
    let hasEscapes: Bool
    let offset: Int

    /// Whether the string is exactly this word, which has no backslash in it; with its escapes resolved.
    @inline(__always)
    package func equals(_ word: StaticString) -> Bool {
      // A string with escapes is longer than its resolved text.
      guard bytes.count == word.utf8CodeUnitCount else { return hasEscapes && equalsUnescaped(word) }
      for index in 0..<bytes.count where bytes[index] != word.utf8Start[index] { return false }
      return true
    }

    @inline(never)
    private func equalsUnescaped(_ word: StaticString) -> Bool {
      guard let text = try? unescaped() else { return false }
      return text.utf8.elementsEqual(UnsafeBufferPointer(start: word.utf8Start, count: word.utf8CodeUnitCount))
    }

    /// Whether the same bytes lie between the quotes.
    package func isSame(as other: Text) -> Bool {
      guard bytes.count == other.bytes.count else { return false }
      // Eight at a time: hashes of 64 digits are compared for each row.
      let (one, two) = (UnsafeRawBufferPointer(bytes), UnsafeRawBufferPointer(other.bytes))
      var offset = 0
      while offset &+ 8 <= one.count {
        let word = one.loadUnaligned(fromByteOffset: offset, as: UInt64.self)
        if word != two.loadUnaligned(fromByteOffset: offset, as: UInt64.self) { return false }
        offset &+= 8
      }
      while offset < one.count {
        if one[offset] != two[offset] { return false }
        offset &+= 1
      }
      return true
    }

    /// The string, with its escapes resolved.
    package func string() throws(WireError) -> String {
      if !hasEscapes {
        guard let string = String(validating: bytes, as: UTF8.self) else {
          throw WireError(offset: offset, "not UTF-8")
        }
        return string
      }
      return try unescaped()
    }

    private func unescaped() throws(WireError) -> String {
      var result: [UInt8] = []
      result.reserveCapacity(bytes.count)
      var index = 0
      func unit(_ at: Int) throws(WireError) -> UInt32 {
        guard at + 4 <= bytes.count else { throw WireError(offset: offset + at, "expected four hexadecimal digits") }
        var value: UInt32 = 0
        for digit in bytes[at..<at + 4] {
          guard let nibble = Text.nibble(digit) else {
            throw WireError(offset: offset + at, "expected four hexadecimal digits")
          }
          value = value << 4 | nibble
        }
        return value
      }
      while index < bytes.count {
        guard bytes[index] == UInt8(ascii: "\\") else {
          result.append(bytes[index])
          index += 1
          continue
        }
        // The scanner made sure that a character follows a backslash.
        let escape = bytes[index + 1]
        index += 2
        switch escape {
        case UInt8(ascii: "\""), UInt8(ascii: "\\"), UInt8(ascii: "/"): result.append(escape)
        case UInt8(ascii: "b"): result.append(0x08)
        case UInt8(ascii: "f"): result.append(0x0C)
        case UInt8(ascii: "n"): result.append(0x0A)
        case UInt8(ascii: "r"): result.append(0x0D)
        case UInt8(ascii: "t"): result.append(0x09)
        case UInt8(ascii: "u"):
          var value = try unit(index)
          index += 4
          if (0xD800..<0xDC00).contains(value) {
            guard index + 2 <= bytes.count, bytes[index] == UInt8(ascii: "\\"), bytes[index + 1] == UInt8(ascii: "u")
            else { throw WireError(offset: offset + index, "half of a surrogate pair") }
            let low = try unit(index + 2)
            guard (0xDC00..<0xE000).contains(low) else {
              throw WireError(offset: offset + index, "half of a surrogate pair")
            }
            index += 6
            value = 0x10000 + (value - 0xD800) << 10 + (low - 0xDC00)
          }
          guard let scalar = Unicode.Scalar(value) else {
            throw WireError(offset: offset + index, "half of a surrogate pair")
          }
          result.append(contentsOf: Array(String(Character(scalar)).utf8))
        default: throw WireError(offset: offset + index - 1, "not an escape")
        }
      }
      guard let string = String(validating: result, as: UTF8.self) else { throw WireError(offset: offset, "not UTF-8") }
      return string
    }

    static func nibble(_ digit: UInt8) -> UInt32? {
      switch digit {
      case UInt8(ascii: "0")...UInt8(ascii: "9"): UInt32(digit - UInt8(ascii: "0"))
      case UInt8(ascii: "a")...UInt8(ascii: "f"): UInt32(digit - UInt8(ascii: "a") + 10)
      case UInt8(ascii: "A")...UInt8(ascii: "F"): UInt32(digit - UInt8(ascii: "A") + 10)
      default: nil
      }
    }
  }

  /// Consumes a string.
  @inline(__always)
  package mutating func text() throws(WireError) -> Text {
    guard peek() == UInt8(ascii: "\"") else { throw fault("expected a string") }
    position += 1
    let start = position
    var hasEscapes = false
    while position < bytes.count {
      let byte = bytes[position]
      if byte == UInt8(ascii: "\"") {
        let slice = UnsafeBufferPointer(rebasing: bytes[start..<position])
        position += 1
        return Text(bytes: slice, hasEscapes: hasEscapes, offset: start)
      }
      if byte == UInt8(ascii: "\\") {
        hasEscapes = true
        position += 1
        if position == bytes.count { break }
      } else if byte < 0x20 {
        throw fault("a control character in a string")
      }
      position += 1
    }
    throw fault("a string without an end")
  }

  /// Consumes a string.
  package mutating func string() throws(WireError) -> String { try text().string() }
}
