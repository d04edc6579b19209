/// A JSON value whose objects keep the order of their keys, for output that people and scripts read. The modules that
/// receive JSON have their own readers.
package enum JSONValue: Hashable, Sendable {
  /// `null`
  case null
  /// `true` or `false`
  case bool(Bool)
  /// A whole number.
  case integer(Int64)
  /// A number; one that is not finite is written as `null`, since JSON has no such numbers.
  case number(Double)
  /// A text.
  case string(String)
  /// A list.
  case array([JSONValue])
  /// Members in the order in which they are written.
  case object([Member])

  /// A member of an object.
  package struct Member: Hashable, Sendable {
    /// The key.
    package var key: String
    /// The value.
    package var value: JSONValue

    /// A key and its value.
    package init(_ key: String, _ value: JSONValue) {
      self.key = key
      self.value = value
    }
  }

  /// A number, or `null` for `nil`.
  package init(_ value: Double?) { self = value.map(JSONValue.number) ?? .null }

  /// A whole number, or `null` for `nil`.
  package init(_ value: Int?) { self = value.map { .integer(Int64($0)) } ?? .null }

  /// A text, or `null` for `nil`.
  package init(_ value: String?) { self = value.map(JSONValue.string) ?? .null }

  /// The value of the first member with this key; `nil` for other values and missing keys.
  package subscript(key: String) -> JSONValue? {
    guard case .object(let members) = self else { return nil }
    return members.first { $0.key == key }?.value
  }

  /// A text; `nil` for other values.
  package var stringValue: String? { if case .string(let text) = self { text } else { nil } }
  /// A whole number; `nil` for other values.
  package var integerValue: Int64? { if case .integer(let number) = self { number } else { nil } }
  /// The elements of a list; `nil` for other values.
  package var elements: [JSONValue]? { if case .array(let elements) = self { elements } else { nil } }
  /// The members of an object; `nil` for other values.
  package var members: [Member]? { if case .object(let members) = self { members } else { nil } }
}

extension JSONValue: ExpressibleByDictionaryLiteral, ExpressibleByArrayLiteral, ExpressibleByStringLiteral,
  ExpressibleByIntegerLiteral, ExpressibleByFloatLiteral, ExpressibleByBooleanLiteral, ExpressibleByNilLiteral
{
  /// An object with the members in the order written.
  package init(dictionaryLiteral elements: (String, JSONValue)...) {
    self = .object(elements.map { Member($0.0, $0.1) })
  }

  /// A list.
  package init(arrayLiteral elements: JSONValue...) { self = .array(elements) }

  /// A text.
  package init(stringLiteral value: String) { self = .string(value) }

  /// A whole number.
  package init(integerLiteral value: Int64) { self = .integer(value) }

  /// A number.
  package init(floatLiteral value: Double) { self = .number(value) }

  /// A truth value.
  package init(booleanLiteral value: Bool) { self = .bool(value) }

  /// `null`
  package init(nilLiteral: ()) { self = .null }
}

extension JSONValue {
  /// Returns the text of the value: on one line, or indented by two spaces when `pretty`.
  ///
  /// Numbers are written with the fewest digits that read back to the same number.
  package func text(pretty: Bool = false) -> String {
    var output = ""
    write(to: &output, indent: pretty ? 0 : nil)
    return output
  }

  private func write(to output: inout String, indent: Int?) {
    switch self {
    case .null: output += "null"
    case .bool(let value): output += value ? "true" : "false"
    case .integer(let value): output += String(value)
    case .number(let value): output += JSONValue.text(of: value)
    case .string(let value): JSONValue.writeQuoted(value, to: &output)
    case .array(let values):
      JSONValue.writeList(values, in: ("[", "]"), to: &output, indent: indent) { value, output, indent in
        value.write(to: &output, indent: indent)
      }
    case .object(let members):
      JSONValue.writeList(members, in: ("{", "}"), to: &output, indent: indent) { member, output, indent in
        JSONValue.writeQuoted(member.key, to: &output)
        output += indent == nil ? ":" : ": "
        member.value.write(to: &output, indent: indent)
      }
    }
  }

  private static func writeList<Element>(
    _ elements: [Element], in brackets: (String, String), to output: inout String, indent: Int?,
    element write: (Element, inout String, Int?) -> Void
  ) {
    output += brackets.0
    for (index, element) in elements.enumerated() {
      if index > 0 { output += "," }
      if let indent { output += "\n" + String(repeating: " ", count: indent + 2) }
      write(element, &output, indent.map { $0 + 2 })
    }
    if let indent, !elements.isEmpty { output += "\n" + String(repeating: " ", count: indent) }
    output += brackets.1
  }

  private static func text(of value: Double) -> String {
    guard value.isFinite else { return "null" }
    if value == value.rounded(), abs(value) < 1e15 { return String(Int64(value)) }
    return value.description
  }

  /// Whether a UTF-8 byte needs no escape, and does not begin a character that needs one.
  private static func isPlain(_ byte: UInt8) -> Bool {
    switch byte {
    case 0..<0x20, 0x7f, 0xc2, 0xd8, 0xe2, UInt8(ascii: "\""), UInt8(ascii: "\\"), UInt8(ascii: "<"): false
    default: true
    }
  }

  /// Appends `text` as a JSON string. Escapes `<` and U+2028/2029, so that the result is safe inside a script element
  /// of a page. Also escapes control characters and those that change the direction of text, since a terminal
  /// interprets them.
  package static func writeQuoted(_ text: String, to output: inout String) {
    output += "\""
    // Nearly every text is plain, and needs no scan of its characters.
    if text.utf8.allSatisfy(isPlain) {
      output += text
      output += "\""
      return
    }
    for scalar in text.unicodeScalars {
      switch scalar {
      case "\"": output += "\\\""
      case "\\": output += "\\\\"
      case "\n": output += "\\n"
      case "\r": output += "\\r"
      case "\t": output += "\\t"
      case "<", "\u{2028}", "\u{2029}",
        _ where scalar.controlsTerminal:
        let digits = String(scalar.value, radix: 16)
        output += "\\u" + String(repeating: "0", count: 4 - digits.count) + digits
      default: output.unicodeScalars.append(scalar)
      }
    }
    output += "\""
  }
}
