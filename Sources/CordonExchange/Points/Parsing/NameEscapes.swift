import CordonCore
import CordonSupport

/// Names as they are meant: doubled quotes and guards of CSV, backslashes of JSON.
enum NameEscapes {
  /// The bytes that a name stands for; `nil` when an escape means nothing, or a control character, which would break
  /// the lines of what is written.
  static func plain(_ bytes: UnsafeBufferPointer<UInt8>, isJSON: Bool) -> [UInt8]? {
    isJSON ? json(bytes) : csv(bytes)
  }

  private static func csv(_ bytes: UnsafeBufferPointer<UInt8>) -> [UInt8] {
    var plain: [UInt8] = []
    var k = 0
    while k < bytes.count {
      plain.append(bytes[k])
      k += bytes[k] == 0x22 && k + 1 < bytes.count && bytes[k + 1] == 0x22 ? 2 : 1
    }
    return plain.withUnsafeBufferPointer { isGuarded($0) }
      ? Array(CSVCell.plain(String(decoding: plain, as: UTF8.self)).utf8) : plain
  }

  /// Whether a cell may be one that ``CSVCell`` guarded: with an apostrophe in front, or an escaped control character.
  @inline(__always)
  static func isGuarded(_ bytes: UnsafeBufferPointer<UInt8>) -> Bool {
    bytes.first == 0x27 || bytes.contains(0x5C)
  }

  private static func json(_ bytes: UnsafeBufferPointer<UInt8>) -> [UInt8]? {
    var plain: [UInt8] = []
    var k = 0
    while k < bytes.count {
      guard bytes[k] == 0x5C else {
        plain.append(bytes[k])
        k += 1
        continue
      }
      guard k + 1 < bytes.count else { return nil }
      switch bytes[k + 1] {
      case 0x22, 0x5C, 0x2F:
        plain.append(bytes[k + 1])
        k += 2
      case 0x75:
        guard var code = unit(bytes, at: k) else { return nil }
        k += 6
        if (0xD800..<0xDC00).contains(code) {
          // Two halves of one character.
          guard let low = unit(bytes, at: k), (0xDC00..<0xE000).contains(low) else { return nil }
          code = 0x10000 + (code - 0xD800) << 10 + (low - 0xDC00)
          k += 6
        }
        guard code >= 0x20, let scalar = Unicode.Scalar(code) else { return nil }
        plain += Array(String(Character(scalar)).utf8)
      default:
        return nil
      }
    }
    return plain
  }

  /// The four digits after `\u` at a place.
  private static func unit(_ bytes: UnsafeBufferPointer<UInt8>, at k: Int) -> UInt32? {
    guard k + 6 <= bytes.count, bytes[k] == 0x5C, bytes[k + 1] == 0x75 else { return nil }
    var code: UInt32 = 0
    for byte in bytes[(k + 2)..<(k + 6)] {
      guard let digit = Character(Unicode.Scalar(byte)).hexDigitValue else { return nil }
      code = code << 4 | UInt32(digit)
    }
    return code
  }
}
