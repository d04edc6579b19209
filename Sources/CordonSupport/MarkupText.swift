/// Text in XML and HTML documents.
package enum MarkupText {
  /// Returns text for element content and quoted attributes of XML 1.0 and HTML.
  ///
  /// `&`, `<`, `>` and both quotes become references. Tab, line feed and carriage return become references too, because
  /// parsers change them in attributes. Characters that XML 1.0 forbids even as references become U+FFFD: the other
  /// controls below U+0020, U+FFFE and U+FFFF. A parser returns every other text unchanged.
  package static func escaped(_ text: String) -> String {
    guard text.utf8.contains(where: needsCare) else { return text }
    var result = ""
    result.reserveCapacity(text.utf8.count + 16)
    for scalar in text.unicodeScalars {
      switch scalar {
      case "&": result += "&amp;"
      case "<": result += "&lt;"
      case ">": result += "&gt;"
      case "\"": result += "&quot;"
      case "'": result += "&#39;"
      case "\t", "\n", "\r": result += "&#\(scalar.value);"
      case "\u{0}"..."\u{1F}", "\u{FFFE}", "\u{FFFF}": result += "\u{FFFD}"
      default: result.unicodeScalars.append(scalar)
      }
    }
    return result
  }

  private static func needsCare(_ byte: UInt8) -> Bool {
    switch byte {
    // 0xEF begins U+FFFE and U+FFFF.
    case 0..<0x20, UInt8(ascii: "&"), UInt8(ascii: "<"), UInt8(ascii: ">"), UInt8(ascii: "\""), UInt8(ascii: "'"), 0xEF:
      true
    default: false
    }
  }
}
