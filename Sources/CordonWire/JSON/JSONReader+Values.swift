import CordonCore
package import CordonSupport

extension JSONReader {
  /// Reads a text that is one JSON value.
  package static func value(of text: [UInt8]) throws(WireError) -> JSONValue {
    try read(text) { reader throws(WireError) in
      let value = try reader.value()
      try reader.expectEnd()
      return value
    }
  }

  /// Consumes any value. Whole numbers of at most 18 digits keep all of them.
  package mutating func value() throws(WireError) -> JSONValue { try value(depth: 0) }

  private mutating func value(depth: Int) throws(WireError) -> JSONValue {
    guard depth <= JSONReader.maximumDepth else { throw fault("nested deeper than \(JSONReader.maximumDepth)") }
    switch peek() {
    case UInt8(ascii: "{"):
      try expect(UInt8(ascii: "{"))
      var members: [JSONValue.Member] = []
      var isFirst = true
      while let key = try nextKey(&isFirst) { members.append(.init(try key.string(), try value(depth: depth + 1))) }
      return .object(members)
    case UInt8(ascii: "["):
      try expect(UInt8(ascii: "["))
      var values: [JSONValue] = []
      var isFirst = true
      while try nextElement(&isFirst) { values.append(try value(depth: depth + 1)) }
      return .array(values)
    case UInt8(ascii: "\""): return .string(try string())
    case UInt8(ascii: "t"), UInt8(ascii: "f"): return .bool(try bool())
    case UInt8(ascii: "n"):
      _ = try takeNull()
      return .null
    default:
      let start = position
      if let whole = try? integer() { return .integer(whole) }
      position = start
      return .number(try double())
    }
  }
}
