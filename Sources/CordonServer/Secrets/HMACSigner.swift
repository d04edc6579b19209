public import CordonIngest
internal import Crypto

/// HMAC-SHA-256 by the platform's cryptography library.
public struct HMACSigner: TokenSigner {
  /// A signer.
  public init() {}

  /// The 32 bytes of the code.
  public func authenticationCode(of message: [UInt8], key: [UInt8]) -> [UInt8] {
    Array(HMAC<SHA256>.authenticationCode(for: message, using: SymmetricKey(data: key)))
  }
}
