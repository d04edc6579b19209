/// Something in a JSON text that the standard does not allow and the parser read over.
struct JSONRemark: Hashable, Sendable {
  enum Kind: String, Hashable, Sendable {
    case byteOrderMark = "byte-order-mark"
    case trailingComma = "trailing-comma"
    case unusableNumber = "unusable-number"
    case duplicateKey = "duplicate-key"
  }

  var kind: Kind
  /// Bytes from the start of the file.
  var offset: Int
}
