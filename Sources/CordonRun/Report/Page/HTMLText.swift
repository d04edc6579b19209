import CordonCore
import CordonSupport

/// The text of a page. All external text must pass through ``escaped(_:)``.
package enum HTMLText {
  /// Returns text for use between tags and in quoted attributes.
  ///
  /// Control characters, which HTML forbids, become spaces.
  package static func escaped(_ text: String) -> String {
    var shown = String.UnicodeScalarView()
    for scalar in text.unicodeScalars where !isUnreadable(scalar) {
      switch scalar {
      case "\u{0}"..."\u{8}", "\u{b}"..."\u{1f}", "\u{7f}"..."\u{9f}": shown.append(" ")
      default: shown.append(scalar)
      }
    }
    return MarkupText.escaped(String(shown))
  }

  /// Returns a name without characters that a page cannot show.
  ///
  /// Marks that change the direction of writing would reorder the text around the name. Characters of private use have
  /// a meaning only in the map maker's font.
  static func readable(_ text: String) -> String {
    let kept = text.unicodeScalars.filter { !isUnreadable($0) }
    let words = String(String.UnicodeScalarView(kept)).split(separator: " ")
    return words.joined(separator: " ")
  }

  private static func isUnreadable(_ scalar: Unicode.Scalar) -> Bool {
    switch scalar.value {
    case 0x202a...0x202e, 0x2066...0x2069, 0xe000...0xf8ff, 0xf0000...0x10ffff: true
    default: false
    }
  }

  /// Replaces every `{{name}}` of a template in one pass, so that values are never searched for names. A name without a value
  /// stays, so that tests see it.
  package static func fill(_ template: String, _ values: [String: String]) -> String {
    var result = ""
    var rest = Substring(template)
    while let open = rest.firstRange(of: "{{"), let close = rest[open.upperBound...].firstRange(of: "}}") {
      result += rest[..<open.lowerBound]
      let name = String(rest[open.upperBound..<close.lowerBound])
      result += values[name] ?? "{{\(name)}}"
      rest = rest[close.upperBound...]
    }
    return result + rest
  }

  /// Returns a whole number with its groups of digits kept on one line.
  static func number(_ value: Int) -> String { Quantity.grouped(value).replacing(" ", with: "\u{202f}") }

  /// Returns a number with its noun in the singular or plural: `1 person`, `2 people`.
  static func count(_ value: Int, _ one: String, _ many: String) -> String {
    "\(number(value)) \(value == 1 ? one : many)"
  }

  /// Returns a bar with its amount; `share` is the filled part, 0 ... 1.
  static func bar(_ share: Double, amount: String, colour: String) -> String {
    let width = Quantity.decimal(min(max(share.isFinite ? share : 0, 0), 1) * 100, places: 1)
    return """
      <span class="bar \(colour)"><span class="rail"><span style="--v:\(width)%"></span></span>\
      <span class="amount">\(escaped(amount))</span></span>
      """
  }
}
