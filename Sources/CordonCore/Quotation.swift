/// Text from outside, as an error or a note may quote it: on one line, short, and nothing that a terminal obeys.
package enum Quotation {
  /// The most characters that are quoted.
  package static let limit = 200

  /// The text with its control characters escaped (`\u{1B}`), cut at a length; `(binary)` for other bytes.
  package static func of(_ text: some StringProtocol, limit: Int = limit) -> String {
    var result = ""
    var count = 0
    for scalar in text.unicodeScalars {
      // What was no UTF-8, or bytes of numbers.
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
