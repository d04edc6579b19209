/// One value or object key of a parsed JSON text, with 16 bytes on the tape of a ``JSONDocument``.
///
/// Nodes are in document order. The payload of a container contains the end of its subtree, so it can be skipped in one
/// step.
struct JSONNode: Sendable {
  enum Kind: UInt8, Sendable {
    case null, `true`, `false`
    /// The payload is an Int64.
    case integer
    /// The payload is the bit pattern of a finite double.
    case number
    /// A number that JSON does not allow: NaN, Infinity, 1e400.
    case unusableNumber
    /// The payload is the number of bytes between the quotes.
    case string
    /// A string with backslashes; the payload is the number of bytes between the quotes.
    case escapedString
    /// The payload is (end of subtree, count of elements).
    case array
    /// The payload is (end of subtree, count of members); keys and values alternate.
    case object
  }

  /// Byte offset from the start of the text; for strings, of the first byte after the quote.
  var offset: UInt32
  var kind: Kind
  var payload: UInt64

  init(_ kind: Kind, at offset: Int, payload: UInt64 = 0) {
    self.offset = UInt32(truncatingIfNeeded: offset)
    self.kind = kind
    self.payload = payload
  }

  /// The index after the last node of a container's subtree.
  var end: Int { Int(payload >> 32) }
  /// The number of elements of an array or members of an object.
  var count: Int { Int(payload & 0xFFFF_FFFF) }
  /// The number of bytes between the quotes of a string, before escapes are resolved.
  var byteCount: Int { Int(payload & 0xFFFF_FFFF) }

  static func containerPayload(end: Int, count: Int) -> UInt64 {
    UInt64(truncatingIfNeeded: end) << 32 | UInt64(truncatingIfNeeded: count) & 0xFFFF_FFFF
  }
}
