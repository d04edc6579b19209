/// HMAC-SHA-256 (RFC 2104, FIPS 198-1), for devices, which link no cryptography library.
package enum HMAC {
  /// Returns the 32-byte code of a message under a key of any length.
  package static func code(of message: [UInt8], key: [UInt8]) -> [UInt8] {
    var block = key
    if block.count > 64 {
      var digest = SHA256()
      digest.update(key)
      block = digest.finalize()
    }
    block += Array(repeating: 0, count: 64 - block.count)
    var inner = SHA256()
    inner.update(block.map { $0 ^ 0x36 })
    inner.update(message)
    var outer = SHA256()
    outer.update(block.map { $0 ^ 0x5c })
    outer.update(inner.finalize())
    return outer.finalize()
  }
}

/// Compares two secrets in a time that depends on their lengths only.
package func isSameSecret(_ lhs: [UInt8], _ rhs: [UInt8]) -> Bool {
  guard lhs.count == rhs.count else { return false }
  var difference: UInt8 = 0
  for (a, b) in zip(lhs, rhs) { difference |= a ^ b }
  return difference == 0
}
