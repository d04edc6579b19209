import CordonIngest
internal import Crypto

/// HMAC-SHA-256 by the platform's cryptography library.
package struct HMACSigner: TokenSigner {
  /// A signer.
  package init() {}

  /// The 32 bytes of the code.
  package func authenticationCode(of message: [UInt8], key: [UInt8]) -> [UInt8] {
    Array(HMAC<SHA256>.authenticationCode(for: message, using: SymmetricKey(data: key)))
  }
}
