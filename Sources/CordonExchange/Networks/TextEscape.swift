internal import CordonCore

/// Encodings of text and numbers for file formats.
package enum TextEscape {
  /// Returns a CSV field: quoted if necessary, and never evaluated by a spreadsheet.
  package static func csv(_ text: String) -> String { CSVCell.text(text) }

  /// Returns a JSON string with its quotes.
  package static func json(_ text: String) -> String {
    var output = ""
    JSONValue.writeQuoted(text, to: &output)
    return output
  }

  /// Returns microseconds as seconds with up to six decimals.
  package static func seconds(_ microseconds: Int64) -> String {
    let sign = microseconds < 0 ? "-" : ""
    let (whole, rest) = microseconds.magnitude.quotientAndRemainder(dividingBy: 1_000_000)
    guard rest > 0 else { return "\(sign)\(whole)" }
    var digits = String(rest)
    digits = String(repeating: "0", count: 6 - digits.count) + digits
    while digits.hasSuffix("0") { digits.removeLast() }
    return "\(sign)\(whole).\(digits)"
  }

  /// Returns metres with up to four decimals; an empty text for a value that is not finite.
  package static func metres(_ value: Double) -> String {
    guard value.isFinite, abs(value) < 1e14 else { return "" }
    let tenths = Int64((value * 1e4).rounded())
    let sign = tenths < 0 ? "-" : ""
    let (whole, rest) = tenths.magnitude.quotientAndRemainder(dividingBy: 10_000)
    guard rest > 0 else { return "\(sign)\(whole)" }
    var digits = String(rest)
    digits = String(repeating: "0", count: 4 - digits.count) + digits
    while digits.hasSuffix("0") { digits.removeLast() }
    return "\(sign)\(whole).\(digits)"
  }
}
