import CordonVenues

/// A JSON value for output: members in the given order, numbers in the shortest form that reads back equal.
enum JSONOutput {
  case null
  case bool(Bool)
  case integer(Int)
  case number(Double)
  case string(String)
  case array([JSONOutput])
  /// An array with each element on its own line.
  case rows([JSONOutput])
  case object([(String, JSONOutput)])
  /// A text that is known to be JSON.
  case source(String)

  /// Returns the bytes of the value without spaces, followed by a line feed.
  func encoded() -> [UInt8] {
    var bytes: [UInt8] = []
    write(to: &bytes)
    bytes.append(0x0A)
    return bytes
  }

  private func write(to bytes: inout [UInt8]) {
    switch self {
    case .null: bytes += Array("null".utf8)
    case .bool(let value): bytes += Array((value ? "true" : "false").utf8)
    case .integer(let value): bytes += Array(String(value).utf8)
    case .number(let value): JSONOutput.write(value, to: &bytes)
    case .string(let value): JSONOutput.write(value, to: &bytes)
    case .source(let text): bytes += Array(text.utf8)
    case .array(let elements):
      bytes.append(0x5B)
      for (index, element) in elements.enumerated() {
        if index > 0 { bytes.append(0x2C) }
        element.write(to: &bytes)
      }
      bytes.append(0x5D)
    case .rows(let elements):
      bytes += [0x5B, 0x0A]
      for (index, element) in elements.enumerated() {
        if index > 0 { bytes += [0x2C, 0x0A] }
        element.write(to: &bytes)
      }
      bytes += [0x0A, 0x5D]
    case .object(let members):
      bytes.append(0x7B)
      for (index, member) in members.enumerated() {
        if index > 0 { bytes.append(0x2C) }
        JSONOutput.write(member.0, to: &bytes)
        bytes.append(0x3A)
        member.1.write(to: &bytes)
      }
      bytes.append(0x7D)
    }
  }

  private static func write(_ value: Double, to bytes: inout [UInt8]) {
    // JSON has no infinities, and a whole number needs no decimal point.
    guard value.isFinite else {
      bytes += Array("null".utf8)
      return
    }
    if value == value.rounded(), abs(value) < 1e15 {
      bytes += Array(String(Int64(value)).utf8)
    } else {
      bytes += Array(value.description.utf8)
    }
  }

  private static func write(_ text: String, to bytes: inout [UInt8]) {
    let digits = Array("0123456789abcdef".utf8)
    bytes.append(0x22)
    for byte in text.utf8 {
      switch byte {
      case 0x22: bytes += [0x5C, 0x22]
      case 0x5C: bytes += [0x5C, 0x5C]
      case 0x0A: bytes += [0x5C, 0x6E]
      case 0x09: bytes += [0x5C, 0x74]
      case 0x0D: bytes += [0x5C, 0x72]
      case 0..<0x20: bytes += [0x5C, 0x75, 0x30, 0x30, digits[Int(byte >> 4)], digits[Int(byte & 15)]]
      default: bytes.append(byte)
      }
    }
    bytes.append(0x22)
  }
}

extension JSONOutput {
  /// Returns a text, or `null` for `nil`.
  package static func optional(_ text: String?) -> JSONOutput { text.map(JSONOutput.string) ?? .null }

  /// Returns text by language: one string if the language is unknown, and an object otherwise.
  static func localized(_ text: LocalizedText) -> JSONOutput {
    if text.values.isEmpty { return .string("") }
    if text.values.count == 1, let only = text.values[""] { return .string(only) }
    return labels(text)
  }

  /// Returns text by language as an object, with languages in byte order.
  static func labels(_ text: LocalizedText, unknown: String = "") -> JSONOutput {
    let sorted = text.values.sorted { $0.key.utf8.lexicographicallyPrecedes($1.key.utf8) }
    return .object(sorted.map { ($0.key.isEmpty ? unknown : $0.key, .string($0.value)) })
  }
}
