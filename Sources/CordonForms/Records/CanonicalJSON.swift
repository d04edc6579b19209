package import CordonSupport

extension JSONValue {
  /// The value in its one canonical form (RFC 8785): keys in ascending order of their UTF-16 code units, numbers and texts as
  /// ECMAScript writes them. Equal values have equal bytes, in Swift and in a browser, so that hashes agree.
  package var canonicalText: String {
    var output = ""
    writeCanonical(to: &output)
    return output
  }

  private func writeCanonical(to output: inout String) {
    switch self {
    case .null: output += "null"
    case .bool(let value): output += value ? "true" : "false"
    case .integer(let value): output += CanonicalNumber.text(of: Double(value))
    case .number(let value): output += CanonicalNumber.text(of: value)
    case .string(let text): JSONValue.writeCanonical(text, to: &output)
    case .array(let values):
      output += "["
      for (index, value) in values.enumerated() {
        if index > 0 { output += "," }
        value.writeCanonical(to: &output)
      }
      output += "]"
    case .object(let members):
      output += "{"
      for (index, member) in members.sorted(by: { $0.key.utf16.lexicographicallyPrecedes($1.key.utf16) }).enumerated() {
        if index > 0 { output += "," }
        JSONValue.writeCanonical(member.key, to: &output)
        output += ":"
        member.value.writeCanonical(to: &output)
      }
      output += "}"
    }
  }

  private static func writeCanonical(_ text: String, to output: inout String) {
    output += "\""
    if text.utf8.allSatisfy({ $0 >= 0x20 && $0 != UInt8(ascii: "\"") && $0 != UInt8(ascii: "\\") }) {
      output += text
    } else {
      for scalar in text.unicodeScalars {
        switch scalar {
        case "\"": output += "\\\""
        case "\\": output += "\\\\"
        case "\u{8}": output += "\\b"
        case "\t": output += "\\t"
        case "\n": output += "\\n"
        case "\u{c}": output += "\\f"
        case "\r": output += "\\r"
        case "\u{0}"..<" ":
          let digits = String(scalar.value, radix: 16)
          output += "\\u" + String(repeating: "0", count: 4 - digits.count) + digits
        default: output.unicodeScalars.append(scalar)
        }
      }
    }
    output += "\""
  }
}

/// Numbers as ECMAScript writes them (ECMA-262, Number::toString).
enum CanonicalNumber {
  /// Returns the text of a number; `null` for one that is not finite.
  static func text(of value: Double) -> String {
    guard value.isFinite else { return "null" }
    if value == value.rounded(), abs(value) < 9_007_199_254_740_992 { return String(Int64(value)) }
    let (digits, point) = decimal(abs(value))
    let sign = value < 0 ? "-" : ""
    let count = digits.count
    if point >= count, point <= 21 { return sign + digits + String(repeating: "0", count: point - count) }
    if point > 0, point <= 21 { return sign + digits.prefix(point) + "." + digits.dropFirst(point) }
    if point > -6, point <= 0 { return sign + "0." + String(repeating: "0", count: -point) + digits }
    let exponent = point - 1
    let mantissa = count == 1 ? digits : digits.prefix(1) + "." + digits.dropFirst()
    return sign + mantissa + "e" + (exponent < 0 ? "-" : "+") + String(abs(exponent))
  }

  /// The shortest digits that read back to a positive number, without zeros at their ends, and the place of the point after them.
  private static func decimal(_ value: Double) -> (digits: String, point: Int) {
    let parts = value.description.split(separator: "e")
    let exponent = parts.count > 1 ? Int(parts[1]) ?? 0 : 0
    let pieces = (parts.first ?? "0").split(separator: ".", omittingEmptySubsequences: false)
    let whole = String(pieces.first ?? "")
    var digits = whole + (pieces.count > 1 ? pieces[1] : "")
    var point = whole.count + exponent
    let zeros = digits.prefix { $0 == "0" }.count
    digits.removeFirst(min(zeros, digits.count - 1))
    point -= zeros
    while digits.count > 1, digits.last == "0" { digits.removeLast() }
    return (digits, point)
  }
}
