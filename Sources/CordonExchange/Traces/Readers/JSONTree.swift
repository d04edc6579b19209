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
  mutating func next() throws(TraceError) -> (value: PlacedJSON, line: Int)? {
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

  private mutating func value(_ depth: Int) throws(WireError) -> PlacedJSON {
    guard depth < maximumDepth else { throw reader.fault("values lie more than \(maximumDepth) deep") }
    switch reader.peek() {
    case UInt8(ascii: "{"):
      let offset = reader.position
      try reader.expect(UInt8(ascii: "{"))
      var members: [PlacedJSON.Object.Member] = []
      var isFirst = true
      while let key = try reader.nextKey(&isFirst) {
        let name = try key.string()
        members.append((name, try value(depth + 1)))
      }
      return .object(PlacedJSON.Object(offset: offset, members: members))
    case UInt8(ascii: "["):
      try reader.expect(UInt8(ascii: "["))
      var values: [PlacedJSON] = []
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
}

/// A JSON value whose objects know where they start in their file, for the lines of points and messages.
enum PlacedJSON {
  case null
  case bool(Bool)
  case number(Double)
  case string(String)
  case array([PlacedJSON])
  case object(Object)

  struct Object {
    typealias Member = (key: String, value: PlacedJSON)

    /// The byte where the object starts.
    var offset: Int
    var members: [Member]
  }

  static var emptyObject: PlacedJSON { .object(Object(offset: 0, members: [])) }

  var text: String? { if case .string(let text) = self { text } else { nil } }
  var elements: [PlacedJSON]? { if case .array(let values) = self { values } else { nil } }
  var bool: Bool? { if case .bool(let value) = self { value } else { nil } }
  /// A number, or a text that is one.
  var double: Double? {
    switch self {
    case .number(let number): number
    case .string(let text): Double(text)
    default: nil
    }
  }
  var isObject: Bool { if case .object = self { true } else { false } }
  var isNull: Bool { if case .null = self { true } else { false } }
  /// The byte where an object starts; 0 for other values.
  var offset: Int { if case .object(let object) = self { object.offset } else { 0 } }

  /// The value of the first member with this key; `nil` for other values and missing keys.
  subscript(key: String) -> PlacedJSON? {
    guard case .object(let object) = self else { return nil }
    return object.members.first { $0.key == key }?.value
  }

  /// Returns the first value of several keys that is present and not null.
  func first(_ keys: String...) -> PlacedJSON? {
    for key in keys { if let value = self[key], !value.isNull { return value } }
    return nil
  }
}
