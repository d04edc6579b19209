/// Recursive length prefix, the encoding of Ethereum's transactions (Yellow Paper, appendix B).
package indirect enum RLP: Hashable, Sendable {
  /// A text of bytes.
  case bytes([UInt8])
  /// A list.
  case list([RLP])

  /// A whole number: big-endian without zeros in front.
  package static func number(_ value: UInt64) -> RLP {
    .number(bigEndian: bigEndian(value))
  }

  /// Returns the eight bytes of a number, the highest one first.
  static func bigEndian(_ value: UInt64) -> [UInt8] {
    var bytes: [UInt8] = []
    for shift in stride(from: 56, through: 0, by: -8) {
      bytes.append(UInt8(truncatingIfNeeded: value >> UInt64(shift)))
    }
    return bytes
  }

  /// A large whole number in big-endian bytes.
  package static func number(bigEndian bytes: [UInt8]) -> RLP { .bytes(Array(bytes.drop { $0 == 0 })) }

  /// The encoding.
  package var encoded: [UInt8] {
    switch self {
    case .bytes(let bytes) where bytes.count == 1 && bytes[0] < 0x80: return bytes
    case .bytes(let bytes): return Self.head(bytes.count, 0x80) + bytes
    case .list(let items):
      let body = items.flatMap(\.encoded)
      return Self.head(body.count, 0xc0) + body
    }
  }

  private static func head(_ count: Int, _ base: UInt8) -> [UInt8] {
    guard count > 55 else { return [base + UInt8(count)] }
    var length: [UInt8] = []
    var rest = count
    while rest > 0 {
      length.insert(UInt8(rest & 0xff), at: 0)
      rest >>= 8
    }
    return [base + 55 + UInt8(length.count)] + length
  }

  /// Reads an encoding; `nil` for bytes that are not exactly one value in its shortest form.
  package init?(decoding bytes: [UInt8]) {
    var rest = bytes[...]
    guard let value = Self.value(&rest, depth: 0), rest.isEmpty else { return nil }
    self = value
  }

  private static func value(_ rest: inout ArraySlice<UInt8>, depth: Int) -> RLP? {
    guard depth < 8, let first = rest.popFirst() else { return nil }
    guard first >= 0x80 else { return .bytes([first]) }
    let isList = first >= 0xc0
    var count = Int(first) - (isList ? 0xc0 : 0x80)
    if count > 55 {
      let digits = rest.prefix(count - 55)
      guard digits.count == count - 55, digits.count <= 4, digits.first != 0 else { return nil }
      rest = rest.dropFirst(digits.count)
      count = digits.reduce(0) { $0 << 8 | Int($1) }
      guard count > 55 else { return nil }
    }
    guard rest.count >= count else { return nil }
    var body = rest.prefix(count)
    rest = rest.dropFirst(count)
    guard isList else {
      if count == 1, let byte = body.first, byte < 0x80 { return nil }
      return .bytes(Array(body))
    }
    var items: [RLP] = []
    while !body.isEmpty {
      guard let item = value(&body, depth: depth + 1) else { return nil }
      items.append(item)
    }
    return .list(items)
  }
}
