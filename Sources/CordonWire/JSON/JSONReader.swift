/// A cursor over the bytes of one JSON text (RFC 8259): no tree is built, unknown members are skipped.
///
/// Depth is limited, numbers are read exactly, and every fault names its byte.
package struct JSONReader {
  let bytes: UnsafeBufferPointer<UInt8>
  package var position = 0
  /// The deepest nesting that is read.
  static let maximumDepth = 32

  package init(_ bytes: UnsafeBufferPointer<UInt8>) { self.bytes = bytes }

  package func fault(_ reason: String) -> WireError { WireError(offset: position, reason) }

  @inline(__always)
  package mutating func skipSpace() {
    while position < bytes.count {
      switch bytes[position] {
      case 0x20, 0x0A, 0x0D, 0x09: position += 1
      default: return
      }
    }
  }

  /// The next byte that is not space, not consumed; 0 at the end.
  @inline(__always)
  package mutating func peek() -> UInt8 {
    skipSpace()
    return position < bytes.count ? bytes[position] : 0
  }

  /// Consumes a byte that must come next.
  @inline(__always)
  package mutating func expect(_ byte: UInt8) throws(WireError) {
    guard peek() == byte else {
      throw fault("expected '\(Character(Unicode.Scalar(byte)))'")
    }
    position += 1
  }

  /// Consumes a byte if it comes next.
  @inline(__always)
  package mutating func take(_ byte: UInt8) -> Bool {
    guard peek() == byte else { return false }
    position += 1
    return true
  }

  /// Fails unless only space is left.
  package mutating func expectEnd() throws(WireError) {
    skipSpace()
    if position < bytes.count { throw fault("expected the end of the text") }
  }

  /// Moves to the next member of an object whose `{` was consumed, and gives its key; `nil` after the last.
  @inline(__always)
  package mutating func nextKey(_ isFirst: inout Bool) throws(WireError) -> Text? {
    if take(UInt8(ascii: "}")) { return nil }
    if !isFirst { try expect(UInt8(ascii: ",")) }
    isFirst = false
    let key = try text()
    try expect(UInt8(ascii: ":"))
    return key
  }

  /// Moves to the next element of an array whose `[` was consumed; `false` after the last.
  @inline(__always)
  package mutating func nextElement(_ isFirst: inout Bool) throws(WireError) -> Bool {
    if take(UInt8(ascii: "]")) { return false }
    if !isFirst { try expect(UInt8(ascii: ",")) }
    isFirst = false
    return true
  }

  /// Consumes `null` if it comes next.
  package mutating func takeNull() throws(WireError) -> Bool {
    guard peek() == UInt8(ascii: "n") else { return false }
    try literal("null")
    return true
  }

  package mutating func bool() throws(WireError) -> Bool {
    switch peek() {
    case UInt8(ascii: "t"):
      try literal("true")
      return true
    case UInt8(ascii: "f"):
      try literal("false")
      return false
    default: throw fault("expected true or false")
    }
  }

  private mutating func literal(_ word: StaticString) throws(WireError) {
    guard position + word.utf8CodeUnitCount <= bytes.count else { throw fault("expected \(word)") }
    for index in 0..<word.utf8CodeUnitCount where bytes[position + index] != word.utf8Start[index] {
      throw fault("expected \(word)")
    }
    position += word.utf8CodeUnitCount
  }

  /// Consumes any value.
  package mutating func skipValue() throws(WireError) {
    try skipValue(depth: 0)
  }

  private mutating func skipValue(depth: Int) throws(WireError) {
    if depth > JSONReader.maximumDepth { throw fault("nested deeper than \(JSONReader.maximumDepth)") }
    switch peek() {
    case UInt8(ascii: "{"):
      position += 1
      var isFirst = true
      while try nextKey(&isFirst) != nil { try skipValue(depth: depth + 1) }
    case UInt8(ascii: "["):
      position += 1
      var isFirst = true
      while try nextElement(&isFirst) { try skipValue(depth: depth + 1) }
    case UInt8(ascii: "\""): _ = try text()
    case UInt8(ascii: "t"): try literal("true")
    case UInt8(ascii: "f"): try literal("false")
    case UInt8(ascii: "n"): try literal("null")
    default:
      do throws(WireError) {
        _ = try double()
      } catch {
        // A number that no double holds is still JSON, and was read to its end.
        if error.kind != .numberOutOfRange { throw error }
      }
    }
  }
}
