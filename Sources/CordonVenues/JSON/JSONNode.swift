/// One value (or object key) of a parsed JSON text: 16 bytes on the tape of a ``JSONDocument``.
///
/// Nodes lie in document order. A container's payload says where its subtree ends, so skipping it
/// costs one step however much it holds.
struct JSONNode: Sendable {
  enum Kind: UInt8, Sendable {
    case null, `true`, `false`
    /// The payload is an Int64.
    case integer
    /// The payload is the bit pattern of a finite double.
    case number
    /// A number that JSON has no place for: NaN, Infinity, 1e400.
    case unusableNumber
    /// The payload is the length in bytes between the quotes.
    case string
    /// The same, with backslashes in it.
    case escapedString
    /// The payload is (end of subtree, count of elements).
    case array
    /// The payload is (end of subtree, count of members); keys and values alternate.
    case object
  }

  /// Bytes from the start of the text; for strings, of the first byte after the quote.
  var offset: UInt32
  var kind: Kind
  var payload: UInt64

  init(_ kind: Kind, at offset: Int, payload: UInt64 = 0) {
    self.offset = UInt32(truncatingIfNeeded: offset)
    self.kind = kind
    self.payload = payload
  }

  /// One past the last node of a container's subtree.
  var end: Int { Int(payload >> 32) }
  /// Elements of an array or members of an object.
  var count: Int { Int(payload & 0xFFFF_FFFF) }
  /// Bytes of a string between its quotes, escapes not yet resolved.
  var byteCount: Int { Int(payload & 0xFFFF_FFFF) }

  static func containerPayload(end: Int, count: Int) -> UInt64 {
    UInt64(truncatingIfNeeded: end) << 32 | UInt64(truncatingIfNeeded: count) & 0xFFFF_FFFF
  }
}
