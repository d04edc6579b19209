/// Quotes outside text in an error or a note: on one line, short, and without characters that a terminal interprets.
package enum Quotation {
  /// The maximum number of quoted characters.
  package static let limit = 200

  /// Returns the text with its control characters escaped (`\u{1B}`) and its length limited; `(binary)` for other
  /// bytes.
  package static func of(_ text: some StringProtocol, limit: Int = limit) -> String {
    var result = ""
    var count = 0
    for scalar in text.unicodeScalars {
      // The bytes are not UTF-8, or hold binary numbers.
      if scalar == "\u{FFFD}" || scalar == "\u{0}" { return "(binary)" }
      if count == limit { return result + "…" }
      count += 1
      switch scalar.properties.generalCategory {
      case .control, .format, .lineSeparator, .paragraphSeparator, .surrogate, .privateUse, .unassigned:
        result += "\\u{" + String(scalar.value, radix: 16, uppercase: true) + "}"
      default: result.unicodeScalars.append(scalar)
      }
    }
    return result
  }
}
