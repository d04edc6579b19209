internal import Crypto
internal import Foundation

/// The key of a device for one sharing, and its certificate. Neither is kept.
package struct ShareIdentity: Sendable {
  private let key: P256.Signing.PrivateKey

  /// Creates a key (P-256) from the random source of the system.
  package init() { key = P256.Signing.PrivateKey() }

  /// The public key (SubjectPublicKeyInfo, RFC 5480).
  package var publicKey: [UInt8] { Array(key.publicKey.derRepresentation) }

  /// The private key in PEM, for the library of TLS.
  package var privateKeyPEM: String { key.pemRepresentation }

  /// Returns a certificate that the key signs itself, in DER (RFC 5280). It only carries the key: a short code takes the place
  /// of an authority, so name and time mean nothing.
  /// - Throws: ``ShareError`` when the system refuses to sign.
  package func certificate() throws(ShareError) -> [UInt8] {
    let algorithm = DER.sequence([DER.objectIdentifier([0x2A, 0x86, 0x48, 0xCE, 0x3D, 0x04, 0x03, 0x02])])
    let name = DER.sequence([
      DER.element(
        0x31, DER.sequence([DER.objectIdentifier([0x55, 0x04, 0x03]), DER.element(0x0C, Array("cordon".utf8))]))
    ])
    // 2000-01-01, and the time that stands for no end.
    let validity = DER.sequence([
      DER.element(0x17, Array("000101000000Z".utf8)), DER.element(0x18, Array("99991231235959Z".utf8)),
    ])
    let contents = DER.sequence([
      DER.element(0xA0, DER.element(0x02, [2])), DER.element(0x02, [1]), algorithm, name, validity, name, publicKey,
    ])
    guard let signature = try? key.signature(for: Data(contents)) else {
      throw ShareError(.system, "the certificate cannot be signed")
    }
    return DER.sequence([contents, algorithm, DER.element(0x03, [0] + Array(signature.derRepresentation))])
  }

  /// Returns the signature of bytes (ECDSA with SHA-256, 64 bytes).
  /// - Throws: ``ShareError`` when the system refuses to sign.
  func signature(of bytes: [UInt8]) throws(ShareError) -> [UInt8] {
    guard let signature = try? key.signature(for: Data(bytes)) else {
      throw ShareError(.system, "the records cannot be signed")
    }
    return Array(signature.rawRepresentation)
  }

  /// Whether a key is one of P-256, the only kind that devices may have.
  package static func isUsable(_ publicKey: [UInt8]) -> Bool {
    (try? P256.Signing.PublicKey(derRepresentation: publicKey)) != nil
  }

  /// Whether a signature of bytes is that of a public key.
  static func isValid(_ signature: [UInt8], of bytes: [UInt8], by publicKey: [UInt8]) -> Bool {
    guard let key = try? P256.Signing.PublicKey(derRepresentation: publicKey),
      let read = try? P256.Signing.ECDSASignature(rawRepresentation: signature)
    else { return false }
    return key.isValidSignature(read, for: Data(bytes))
  }
}

/// The few elements of DER (X.690) of which a certificate consists.
enum DER {
  /// An element with a length of at most 65 535 bytes.
  static func element(_ tag: UInt8, _ contents: [UInt8]) -> [UInt8] {
    let count = contents.count
    if count < 0x80 { return [tag, UInt8(count)] + contents }
    if count < 0x100 { return [tag, 0x81, UInt8(count)] + contents }
    return [tag, 0x82, UInt8(truncatingIfNeeded: count >> 8), UInt8(truncatingIfNeeded: count)] + contents
  }

  static func sequence(_ elements: [[UInt8]]) -> [UInt8] { element(0x30, Array(elements.joined())) }

  static func objectIdentifier(_ bytes: [UInt8]) -> [UInt8] { element(0x06, bytes) }
}
