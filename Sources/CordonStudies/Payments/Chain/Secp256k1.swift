internal import CSecp256k1

/// The reason why transactions cannot be signed. It never holds the key.
package enum ChainKeyError: Error, Hashable, Sendable, CustomStringConvertible {
  /// The library of the curve is not on this machine.
  case noLibrary
  /// A text is not 64 hexadecimal digits, or their number is not a private key.
  case notAKey
  /// The library did not sign, or its signature is not that of the key.
  case notSigned

  package var description: String {
    switch self {
    case .noLibrary:
      "signing payments needs libsecp256k1 with its recovery module; on Debian install the package libsecp256k1-1"
    case .notAKey: "not a private key: 64 hexadecimal digits, with or without 0x before them"
    case .notSigned: "libsecp256k1 did not sign"
    }
  }
}

/// A signature of ECDSA on the curve secp256k1, with which the public key can be computed.
package struct ChainSignature: Hashable, Sendable {
  /// 32 bytes, big-endian.
  package var r: [UInt8]
  /// 32 bytes, big-endian: the smaller one of both values.
  package var s: [UInt8]
  /// 1 when the point of the nonce has an odd ordinate, otherwise 0.
  package var parity: Int

  /// Creates a signature.
  package init(r: [UInt8], s: [UInt8], parity: Int) {
    self.r = r
    self.s = s
    self.parity = parity
  }
}

/// The library libsecp256k1, found when the program runs.
///
/// `@unchecked Sendable` holds because its functions never change, and share no state.
package struct Secp256k1: @unchecked Sendable {
  private let library: cordon_secp256k1

  /// The file names of its versions: Debian 12 has the first one, macOS the last two.
  package static let names =
    [1, 2, 5, 6, 0].map { "libsecp256k1.so.\($0)" } + ["libsecp256k1.dylib", "/opt/homebrew/lib/libsecp256k1.dylib"]

  /// Finds the library. It stays loaded.
  /// - Parameter names: the names to try.
  /// - Throws: ``ChainKeyError/noLibrary``.
  package init(names: [String] = Self.names) throws(ChainKeyError) {
    var library = cordon_secp256k1()
    guard names.contains(where: { cordon_secp256k1_open($0, &library) }) else { throw .noLibrary }
    self.library = library
  }

  private static func seed() -> [UInt8] {
    var random = SystemRandomNumberGenerator()
    return (0..<32).map { _ in UInt8.random(in: 0...255, using: &random) }
  }

  /// Returns the public key of a private one: 65 bytes; `nil` for bytes that are not a key.
  func publicKey(of key: [UInt8]) -> [UInt8]? {
    guard key.count == 32 else { return nil }
    var point = [UInt8](repeating: 0, count: 65)
    let isDone = withUnsafePointer(to: library) { cordon_secp256k1_public_key($0, key, Self.seed(), &point) }
    return isDone ? point : nil
  }

  /// Signs a digest of 32 bytes. The same digest and key give the same signature (RFC 6979).
  func signature(of digest: [UInt8], key: [UInt8]) -> ChainSignature? {
    guard digest.count == 32, key.count == 32 else { return nil }
    var bytes = [UInt8](repeating: 0, count: 64)
    var recovery: Int32 = 0
    let isDone = withUnsafePointer(to: library) {
      cordon_secp256k1_sign($0, key, Self.seed(), digest, &bytes, &recovery)
    }
    // 2 and 3 stand for a nonce whose point is beyond the order of the curve: nobody has ever seen one.
    guard isDone, (0...1).contains(recovery) else { return nil }
    return ChainSignature(r: Array(bytes[..<32]), s: Array(bytes[32...]), parity: Int(recovery))
  }

  /// Returns the public key whose signature of a digest this is: 65 bytes.
  func publicKey(of signature: ChainSignature, digest: [UInt8]) -> [UInt8]? {
    guard digest.count == 32, signature.r.count == 32, signature.s.count == 32 else { return nil }
    var point = [UInt8](repeating: 0, count: 65)
    let isDone = withUnsafePointer(to: library) {
      cordon_secp256k1_recover($0, digest, signature.r + signature.s, Int32(signature.parity), &point)
    }
    return isDone ? point : nil
  }
}
