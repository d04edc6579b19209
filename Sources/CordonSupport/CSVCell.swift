/// Cells of comma-separated values (RFC 4180) that a spreadsheet displays and never evaluates.
///
/// Spreadsheets run a cell that begins with `=`, `+`, `-`, `@`, `|`, `%`, a tab or a line break as a formula. Names
/// come from untrusted files and maps, so such a text gets an apostrophe in front. A text that already begins with
/// apostrophes before such a character gets one more, so that different texts have different cells. A number with a sign,
/// such as the floor `-1`, stays as it is. Control
/// characters other than tabs and line ends are written as `\u{1b}`, so that a terminal does not run them.
package enum CSVCell {
  /// Returns a text as a cell, quoted if necessary.
  package static func text(_ text: String) -> String {
    guard needsCare(text.utf8) else { return text }
    var bytes: [UInt8] = []
    append(text, to: &bytes)
    return String(decoding: bytes, as: UTF8.self)
  }

  /// Appends a text as a cell.
  package static func append(_ text: String, to bytes: inout [UInt8]) {
    let text = hasControl(text.utf8) ? escaped(text) : text
    let isQuoted = text.utf8.contains { mustBeQuoted($0) }
    if isQuoted { bytes.append(UInt8(ascii: "\"")) }
    if isComputed(text.utf8) { bytes.append(UInt8(ascii: "'")) }
    if isQuoted {
      for byte in text.utf8 {
        if byte == UInt8(ascii: "\"") { bytes.append(byte) }
        bytes.append(byte)
      }
      bytes.append(UInt8(ascii: "\""))
    } else {
      bytes.append(contentsOf: text.utf8)
    }
  }

  /// Returns the text of a cell without its quotes: the inverse of ``text(_:)``.
  package static func plain(_ cell: String) -> String {
    let text = cell.utf8.first == 0x27 && isComputed(cell.utf8) ? String(cell.dropFirst()) : cell
    return text.utf8.contains(UInt8(ascii: "\\")) ? unescaped(text) : text
  }

  /// Begins an escaped character, and is escaped itself where a text contains it.
  private static let mark = "\\u{"

  /// Whether the text has a byte that may belong to a control character, or to the mark of one.
  private static func hasControl(_ cell: some Collection<UInt8>) -> Bool {
    cell.contains { ($0 < 0x20 && $0 != 0x09 && $0 != 0x0A && $0 != 0x0D) || $0 == 0x5C || $0 == 0x7F || $0 == 0xC2 }
  }

  private static func isControl(_ scalar: Unicode.Scalar) -> Bool {
    switch scalar {
    case "\t", "\n", "\r": false
    case "\u{0}"..."\u{1f}", "\u{7f}"..."\u{9f}": true
    default: false
    }
  }

  private static func escaped(_ text: String) -> String {
    var result = ""
    var rest = text.unicodeScalars[...]
    while let scalar = rest.first {
      if isControl(scalar) || (scalar == "\\" && rest.starts(with: mark.unicodeScalars)) {
        result += mark + String(scalar.value, radix: 16) + "}"
      } else {
        result.unicodeScalars.append(scalar)
      }
      rest.removeFirst()
    }
    return result
  }

  private static func unescaped(_ text: String) -> String {
    var result = ""
    var rest = text.unicodeScalars[...]
    while let scalar = rest.first {
      if scalar == "\\", rest.starts(with: mark.unicodeScalars), let end = rest.firstIndex(of: "}"),
        let value = UInt32(String(rest[..<end].dropFirst(mark.unicodeScalars.count)), radix: 16),
        let character = Unicode.Scalar(value), isControl(character) || character == "\\"
      {
        result.unicodeScalars.append(character)
        rest = rest[rest.index(after: end)...]
      } else {
        result.unicodeScalars.append(scalar)
        rest.removeFirst()
      }
    }
    return result
  }

  /// Whether a cell is a sign with decimal digits, which a spreadsheet reads as a number.
  private static func isSignedNumber(_ cell: some Collection<UInt8>) -> Bool {
    guard let sign = cell.first, sign == UInt8(ascii: "-") || sign == UInt8(ascii: "+") else { return false }
    let parts = cell.dropFirst().split(separator: UInt8(ascii: "."), omittingEmptySubsequences: false)
    return parts.count <= 2 && parts.allSatisfy { !$0.isEmpty && $0.allSatisfy { (0x30...0x39).contains($0) } }
  }

  /// Whether a cell, after any apostrophes, begins like a formula.
  private static func isComputed(_ cell: some Collection<UInt8>) -> Bool {
    if isSignedNumber(cell) { return false }
    return switch cell.first(where: { $0 != 0x27 }) {
    case UInt8(ascii: "="), UInt8(ascii: "+"), UInt8(ascii: "-"), UInt8(ascii: "@"), UInt8(ascii: "|"),
      UInt8(ascii: "%"), 0x09, 0x0A, 0x0D:
      true
    default: false
    }
  }

  private static func mustBeQuoted(_ byte: UInt8) -> Bool {
    // Locales with a decimal comma separate cells with a semicolon.
    byte == 0x22 || byte == 0x2C || byte == 0x3B || byte == 0x0A || byte == 0x0D
  }

  private static func needsCare(_ cell: String.UTF8View) -> Bool {
    isComputed(cell) || hasControl(cell) || cell.contains { mustBeQuoted($0) }
  }
}
