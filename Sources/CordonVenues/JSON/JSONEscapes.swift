/// Backslash escapes of JSON strings.
enum JSONEscapes {
  /// Returns the offset of the first escape that RFC 8259 does not define; `nil` if there is none.
  static func firstInvalidByte(in bytes: UnsafeBufferPointer<UInt8>) -> Int? {
    var index = 0
    while index < bytes.count {
      guard bytes[index] == 0x5C else {
        index += 1
        continue
      }
      guard index + 1 < bytes.count else { return index }
      switch bytes[index + 1] {
      case 0x22, 0x5C, 0x2F, 0x62, 0x66, 0x6E, 0x72, 0x74: index += 2
      case 0x75:
        guard codeUnit(in: bytes, at: index + 2) != nil else { return index }
        index += 6
      default: return index
      }
    }
    return nil
  }

  /// Returns the text of a string node. Unpaired surrogates become U+FFFD.
  static func text(of node: JSONNode, in bytes: UnsafeBufferPointer<UInt8>) -> String {
    let start = Int(node.offset)
    let content = UnsafeBufferPointer(rebasing: bytes[start..<start + node.byteCount])
    return node.kind == .escapedString ? unescape(content) : String(decoding: content, as: UTF8.self)
  }

  private static func unescape(_ bytes: UnsafeBufferPointer<UInt8>) -> String {
    var units: [UInt8] = []
    units.reserveCapacity(bytes.count)
    var index = 0
    while index < bytes.count {
      guard bytes[index] == 0x5C, index + 1 < bytes.count else {
        units.append(bytes[index])
        index += 1
        continue
      }
      index += 2
      switch bytes[index - 1] {
      case 0x62: units.append(0x08)
      case 0x66: units.append(0x0C)
      case 0x6E: units.append(0x0A)
      case 0x72: units.append(0x0D)
      case 0x74: units.append(0x09)
      case 0x75:
        var scalar = Unicode.Scalar(0xFFFD as UInt16)
        if let high = codeUnit(in: bytes, at: index) {
          index += 4
          if high & 0xFC00 == 0xD800, index + 1 < bytes.count, bytes[index] == 0x5C, bytes[index + 1] == 0x75,
            let low = codeUnit(in: bytes, at: index + 2), low & 0xFC00 == 0xDC00
          {
            index += 6
            scalar = Unicode.Scalar(0x10000 + (UInt32(high) & 0x3FF) << 10 + (UInt32(low) & 0x3FF))
          } else {
            scalar = Unicode.Scalar(high) ?? scalar
          }
        }
        units.append(contentsOf: String(Character(scalar ?? "\u{FFFD}")).utf8)
      default: units.append(bytes[index - 1])
      }
    }
    return String(decoding: units, as: UTF8.self)
  }

  private static func codeUnit(in bytes: UnsafeBufferPointer<UInt8>, at start: Int) -> UInt16? {
    guard start + 4 <= bytes.count else { return nil }
    var unit: UInt16 = 0
    for byte in bytes[start..<start + 4] {
      let digit: UInt8
      switch byte {
      case 0x30...0x39: digit = byte - 0x30
      case 0x41...0x46: digit = byte - 0x41 + 10
      case 0x61...0x66: digit = byte - 0x61 + 10
      default: return nil
      }
      unit = unit << 4 | UInt16(digit)
    }
    return unit
  }
}
