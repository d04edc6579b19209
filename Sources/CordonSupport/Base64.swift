/// The base 64 encodings of RFC 4648: that of URLs without padding for tokens, and the usual one for Basic credentials.
package enum Base64 {
  private static let urlDigits = Array("ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_".utf8)

  /// The URL form, without padding.
  package static func encodeURL(_ bytes: some Collection<UInt8>) -> String {
    var text: [UInt8] = []
    text.reserveCapacity(bytes.count * 4 / 3 + 3)
    var buffer: UInt32 = 0
    var bits: UInt32 = 0
    for byte in bytes {
      buffer = buffer << 8 | UInt32(byte)
      bits += 8
      while bits >= 6 {
        bits -= 6
        text.append(urlDigits[Int(buffer >> bits & 63)])
      }
    }
    if bits > 0 { text.append(urlDigits[Int(buffer << (6 - bits) & 63)]) }
    return String(decoding: text, as: UTF8.self)
  }

  /// Reads both alphabets; padding may follow. `nil` for anything else, also for stray bits in the last digit,
  /// so that a text has one reading and bytes have one text.
  package static func decode(_ text: some StringProtocol) -> [UInt8]? { decode(bytes: text.utf8) }

  /// Reads the UTF-8 bytes of a text, as ``decode(_:)`` does.
  package static func decode(bytes text: some Collection<UInt8>) -> [UInt8]? {
    var bytes: [UInt8] = []
    bytes.reserveCapacity(text.count / 4 * 3 + 2)
    var buffer: UInt32 = 0
    var bits: UInt32 = 0
    var digits = 0
    var padding = 0
    for character in text {
      if character == UInt8(ascii: "=") {
        padding += 1
        continue
      }
      if padding > 0 { return nil }
      let value: UInt32
      switch character {
      case UInt8(ascii: "A")...UInt8(ascii: "Z"): value = UInt32(character - 65)
      case UInt8(ascii: "a")...UInt8(ascii: "z"): value = UInt32(character - 97 + 26)
      case UInt8(ascii: "0")...UInt8(ascii: "9"): value = UInt32(character - 48 + 52)
      case UInt8(ascii: "-"), UInt8(ascii: "+"): value = 62
      case UInt8(ascii: "_"), UInt8(ascii: "/"): value = 63
      default: return nil
      }
      digits += 1
      buffer = buffer << 6 | value
      bits += 6
      if bits >= 8 {
        bits -= 8
        bytes.append(UInt8(truncatingIfNeeded: buffer >> bits))
      }
      buffer &= (1 << bits) - 1
    }
    guard digits % 4 != 1, buffer == 0, padding == 0 || (digits + padding) % 4 == 0 else { return nil }
    return bytes
  }
}
