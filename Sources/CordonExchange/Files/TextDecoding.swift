/// Makes UTF-8 with line feeds of the text of a file, piece by piece.
struct TextDecoding {
  enum Encoding: Hashable {
    /// All bytes so far are ASCII.
    case ascii
    case utf8
    case windows1252
    case utf16LittleEndian
    case utf16BigEndian
  }

  private(set) var encoding: Encoding
  /// Whether lines end in carriage returns alone; unknown until the first bytes were decoded.
  private var endsLinesWithReturns: Bool?
  /// The bytes of a character whose rest is to come.
  private var rest: [UInt8] = []

  /// - Parameter head: the beginning of the file.
  init(head: UnsafeBufferPointer<UInt8>) {
    if head.starts(with: [0xFF, 0xFE]), !head.starts(with: [0xFF, 0xFE, 0, 0]) {
      encoding = .utf16LittleEndian
    } else if head.starts(with: [0xFE, 0xFF]) {
      encoding = .utf16BigEndian
    } else if head.prefix(1 << 16).contains(0) {
      // Not text.
      (encoding, endsLinesWithReturns) = (.utf8, false)
    } else {
      encoding = .ascii
      endsLinesWithReturns = TextDecoding.endsLinesWithReturns(head)
    }
  }

  /// A sentence for each difference from UTF-8 with line feeds.
  var remarks: [String] {
    let encoding: String? =
      switch encoding {
      case .ascii, .utf8: nil
      case .windows1252: "text that is not UTF-8 is read as Windows-1252"
      case .utf16LittleEndian, .utf16BigEndian: "the text is read as UTF-16"
      }
    return [encoding, endsLinesWithReturns == true ? "lines end with carriage returns" : nil].compactMap(\.self)
  }

  /// Whether the next bytes can be used as they are; the first ones that are not ASCII decide.
  mutating func isPlain(_ bytes: UnsafeBufferPointer<UInt8>) -> Bool {
    if encoding == .ascii, !TextDecoding.isASCII(bytes) {
      encoding = TextDecoding.isUTF8(bytes) ? .utf8 : .windows1252
    }
    return (encoding == .ascii || encoding == .utf8) && endsLinesWithReturns == false
  }

  /// The next bytes as UTF-8 with line feeds.
  mutating func decoded(_ bytes: UnsafeBufferPointer<UInt8>, isLast: Bool) -> [UInt8] {
    if isPlain(bytes) { return Array(bytes) }
    var text: [UInt8]
    switch encoding {
    case .ascii, .utf8: text = Array(bytes)
    case .windows1252: text = TextDecoding.windows1252(bytes)
    case .utf16LittleEndian, .utf16BigEndian: text = utf16(bytes, isLast: isLast)
    }
    if endsLinesWithReturns == nil {
      endsLinesWithReturns = text.withUnsafeBufferPointer(TextDecoding.endsLinesWithReturns)
    }
    if endsLinesWithReturns == true {
      for k in text.indices where text[k] == 0x0D { text[k] = 0x0A }
    }
    return text
  }

  private static func endsLinesWithReturns(_ head: UnsafeBufferPointer<UInt8>) -> Bool {
    let head = head.prefix(1 << 16)
    return head.contains(0x0D) && !head.contains(0x0A)
  }

  private mutating func utf16(_ bytes: UnsafeBufferPointer<UInt8>, isLast: Bool) -> [UInt8] {
    let all = rest + bytes
    let (low, high) = encoding == .utf16LittleEndian ? (0, 1) : (1, 0)
    var units: [UInt16] = []
    units.reserveCapacity(all.count / 2)
    for k in stride(from: 0, to: all.count - 1, by: 2) {
      units.append(UInt16(all[k + low]) | UInt16(all[k + high]) << 8)
    }
    // The second half of a character is to come.
    if !isLast, let last = units.last, (0xD800..<0xDC00).contains(last) { units.removeLast() }
    rest = Array(all[(units.count * 2)...])
    return Array(String(decoding: units, as: UTF16.self).utf8)
  }

  private static func isASCII(_ bytes: UnsafeBufferPointer<UInt8>) -> Bool {
    var all: UInt8 = 0
    for byte in bytes { all |= byte }
    return all < 0x80
  }

  /// Whether bytes are UTF-8; the last character may be cut.
  static func isUTF8(_ bytes: UnsafeBufferPointer<UInt8>) -> Bool {
    var k = 0
    while k < bytes.count {
      let more: Int
      switch bytes[k] {
      case ..<0x80: more = 0
      case 0xC2...0xDF: more = 1
      case 0xE0...0xEF: more = 2
      case 0xF0...0xF4: more = 3
      default: return false
      }
      for place in (k + 1)..<(k + 1 + more) {
        if place >= bytes.count { return true }
        if bytes[place] & 0xC0 != 0x80 { return false }
      }
      k += 1 + more
    }
    return true
  }

  /// The characters of the bytes 80 to 9F; those that have none are controls.
  private static let windows1252: [UInt16] = [
    0x20AC, 0x81, 0x201A, 0x0192, 0x201E, 0x2026, 0x2020, 0x2021, 0x02C6, 0x2030, 0x0160, 0x2039, 0x0152, 0x8D, 0x017D,
    0x8F, 0x90, 0x2018, 0x2019, 0x201C, 0x201D, 0x2022, 0x2013, 0x2014, 0x02DC, 0x2122, 0x0161, 0x203A, 0x0153, 0x9D,
    0x017E, 0x0178,
  ]

  private static func windows1252(_ bytes: UnsafeBufferPointer<UInt8>) -> [UInt8] {
    let units = bytes.map { (0x80..<0xA0).contains($0) ? windows1252[Int($0) - 0x80] : UInt16($0) }
    return Array(String(decoding: units, as: UTF16.self).utf8)
  }
}
