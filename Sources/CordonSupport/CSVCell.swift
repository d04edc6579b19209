/// Cells of comma-separated values (RFC 4180) that a spreadsheet displays and never evaluates.
///
/// Spreadsheets run a cell that begins with `=`, `+`, `-`, `@`, `|`, `%`, a tab or a line break as a formula. Names
/// come from untrusted files and maps, so such a text gets an apostrophe in front. A text that already begins with
/// apostrophes before such a character gets one more, so that different texts have different cells.
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
    cell.utf8.first == 0x27 && isComputed(cell.utf8) ? String(cell.dropFirst()) : cell
  }

  /// Whether a cell, after any apostrophes, begins like a formula.
  private static func isComputed(_ cell: some Collection<UInt8>) -> Bool {
    switch cell.first(where: { $0 != 0x27 }) {
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
    isComputed(cell) || cell.contains { mustBeQuoted($0) }
  }
}
