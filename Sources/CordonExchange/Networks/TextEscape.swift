internal import CordonCore
import CordonSupport

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
  package static func seconds(_ microseconds: Int64) -> String { decimal(microseconds, places: 6) }

  /// Returns metres with up to four decimals; an empty text for a value that is not finite.
  package static func metres(_ value: Double) -> String {
    guard value.isFinite, abs(value) < 1e14 else { return "" }
    return decimal(Int64((value * 1e4).rounded()), places: 4)
  }

  /// Returns a number of units of the last decimal, without trailing zeros.
  private static func decimal(_ units: Int64, places: Int) -> String {
    let sign = units < 0 ? "-" : ""
    let divisor = (0..<places).reduce(1 as UInt64) { power, _ in power * 10 }
    let (whole, rest) = units.magnitude.quotientAndRemainder(dividingBy: divisor)
    guard rest > 0 else { return "\(sign)\(whole)" }
    var digits = String(rest)
    digits = String(repeating: "0", count: places - digits.count) + digits
    while digits.hasSuffix("0") { digits.removeLast() }
    return "\(sign)\(whole).\(digits)"
  }
}
