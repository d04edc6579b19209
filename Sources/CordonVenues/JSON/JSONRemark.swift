/// A deviation from the JSON standard that the parser accepted.
package struct JSONRemark: Hashable, Sendable {
  enum Kind: String, Hashable, Sendable {
    case byteOrderMark = "byte-order-mark"
    case trailingComma = "trailing-comma"
    case unusableNumber = "unusable-number"
    case duplicateKey = "duplicate-key"
  }

  var kind: Kind
  /// Byte offset from the start of the file.
  var offset: Int
}
