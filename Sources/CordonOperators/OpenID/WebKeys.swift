internal import CordonIngest
internal import CordonSupport
internal import Crypto
internal import CryptoExtras
internal import Foundation

/// The public keys of a provider (RFC 7517), of the kinds that this server verifies: RSA for RS256, P-256 for ES256.
///
/// Everything else in the document is skipped, such as keys for encryption.
struct WebKeys: Sendable {
  private struct Key: Sendable {
    enum Material: Sendable {
      case rsa(modulus: [UInt8], exponent: [UInt8])
      case p256(x: [UInt8], y: [UInt8])
    }

    var id: String?
    var material: Material
  }

  private struct Document: Decodable {
    struct Entry: Decodable {
      var kty: String?
      var kid: String?
      var use: String?
      var alg: String?
      var n: String?
      var e: String?
      var crv: String?
      var x: String?
      var y: String?
    }
    var keys: [Entry]
  }

  private var keys: [Key] = []

  /// Reads a document; `nil` for anything else.
  init?(_ bytes: [UInt8]) {
    guard let document = try? JSONDecoder().decode(Document.self, from: Data(bytes)) else { return nil }
    for entry in document.keys.prefix(100) where entry.use == nil || entry.use == "sig" {
      func number(_ text: String?) -> [UInt8]? { text.flatMap { Base64.decode($0) } }
      switch (entry.kty, entry.alg) {
      case ("RSA", nil), ("RSA", "RS256"):
        guard let n = number(entry.n), let e = number(entry.e) else { continue }
        keys.append(Key(id: entry.kid, material: .rsa(modulus: n, exponent: e)))
      case ("EC", nil), ("EC", "ES256"):
        guard entry.crv == "P-256", let x = number(entry.x), let y = number(entry.y), x.count == 32, y.count == 32
        else { continue }
        keys.append(Key(id: entry.kid, material: .p256(x: x, y: y)))
      default: continue
      }
    }
  }

  /// Whether there is a key of a name. A token without a name is verified with every key.
  func hasKey(_ id: String?) -> Bool { id == nil ? !keys.isEmpty : keys.contains { $0.id == id } }

  /// Whether a signature is of one of the keys.
  ///
  /// The algorithm decides which kind of key counts, so that a token cannot make one pass for another; `none` and the algorithms
  /// with shared secrets are none here.
  func verify(_ signature: [UInt8], of message: [UInt8], algorithm: String, key id: String?) -> Bool {
    keys.contains { key in
      guard id == nil || key.id == id else { return false }
      switch (algorithm, key.material) {
      case ("RS256", .rsa(let modulus, let exponent)):
        // Moduli below 2048 bits are refused.
        guard let rsa = try? _RSA.Signing.PublicKey(n: modulus, e: exponent) else { return false }
        return rsa.isValidSignature(
          _RSA.Signing.RSASignature(rawRepresentation: signature), for: message, padding: .insecurePKCS1v1_5)
      case ("ES256", .p256(let x, let y)):
        guard let curve = try? P256.Signing.PublicKey(x963Representation: [4] + x + y),
          let pair = try? P256.Signing.ECDSASignature(rawRepresentation: signature)
        else { return false }
        return curve.isValidSignature(pair, for: message)
      default: return false
      }
    }
  }
}
