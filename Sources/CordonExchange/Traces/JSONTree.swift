internal import CordonCore
internal import CordonWire

/// A reader of consecutive JSON values: one document, or one value on each line.
struct JSONTree {
  private var reader: JSONReader
  private let bytes: UnsafeBufferPointer<UInt8>
  private let maximumDepth: Int
  private var counted = (offset: 0, line: 1)

  init(_ bytes: UnsafeBufferPointer<UInt8>, maximumDepth: Int) {
    self.bytes = bytes
    self.maximumDepth = maximumDepth
    reader = JSONReader(bytes)
    if bytes.starts(with: [0xEF, 0xBB, 0xBF]) { reader.position = 3 }
  }

  /// Returns the next value and the line where it starts; `nil` at the end.
  mutating func next() throws(TraceError) -> (value: JSONValue, line: Int)? {
    do throws(WireError) {
      reader.skipSpace()
      guard reader.position < bytes.count else { return nil }
      let line = line(at: reader.position)
      return (try value(0), line)
    } catch {
      throw TraceError(.malformed, "is not JSON: \(error.reason)", line: line(at: min(error.offset, bytes.count)))
    }
  }

  /// Returns the line of a byte offset. With ascending offsets, each byte is examined once.
  mutating func line(at offset: Int) -> Int {
    if offset < counted.offset { counted = (0, 1) }
    for index in counted.offset..<offset where bytes[index] == 0x0A { counted.line += 1 }
    counted.offset = offset
    return counted.line
  }

  private mutating func value(_ depth: Int) throws(WireError) -> JSONValue {
    guard depth < maximumDepth else { throw reader.fault("values lie more than \(maximumDepth) deep") }
    switch reader.peek() {
    case UInt8(ascii: "{"):
      try reader.expect(UInt8(ascii: "{"))
      var members: [JSONValue.Member] = []
      // The offset of an object is kept for error messages.
      members.append(.init(JSONTree.placeKey, .integer(Int64(reader.position - 1))))
      var isFirst = true
      while let key = try reader.nextKey(&isFirst) {
        let name = try key.string()
        members.append(.init(name, try value(depth + 1)))
      }
      return .object(members)
    case UInt8(ascii: "["):
      try reader.expect(UInt8(ascii: "["))
      var values: [JSONValue] = []
      var isFirst = true
      while try reader.nextElement(&isFirst) { values.append(try value(depth + 1)) }
      return .array(values)
    case UInt8(ascii: "\""): return .string(try reader.string())
    case UInt8(ascii: "t"), UInt8(ascii: "f"): return .bool(try reader.bool())
    case UInt8(ascii: "n"):
      guard try reader.takeNull() else { throw reader.fault("expected a value") }
      return .null
    default: return .number(try reader.double())
    }
  }

  /// A key that no document contains; its value is the byte offset where its object starts.
  static let placeKey = "\u{0}place"
}

extension JSONValue {
  var text: String? { if case .string(let text) = self { text } else { nil } }
  var elements: [JSONValue]? { if case .array(let values) = self { values } else { nil } }
  var double: Double? {
    switch self {
    case .number(let number): number
    case .integer(let whole): Double(whole)
    case .string(let text): Double(text)
    default: nil
    }
  }
  var isObject: Bool { if case .object = self { true } else { false } }
  /// The byte offset where an object starts.
  var place: Int {
    if case .object(let members) = self, let first = members.first, case .integer(let offset) = first.value {
      return Int(offset)
    }
    return 0
  }

  /// Returns the first value of several keys that is present and not null.
  func first(_ keys: String...) -> JSONValue? {
    for key in keys { if let value = self[key], value != .null { return value } }
    return nil
  }

  /// The value without the offsets of objects.
  var plain: JSONValue {
    switch self {
    case .object(let members):
      .object(members.filter { $0.key != JSONTree.placeKey }.map { Member($0.key, $0.value.plain) })
    case .array(let values): .array(values.map(\.plain))
    default: self
    }
  }
}
