internal import CordonIngest
internal import CordonSupport
internal import Crypto
internal import CryptoExtras
internal import Foundation

/// A password as it is kept: a hash by scrypt (RFC 7914), which costs memory as well as time, with its salt and cost.
///
/// The text is `$scrypt$ln=16,r=8,p=2$SALT$HASH`, with salt and hash in base 64.
package struct PasswordHash: Hashable, Sendable {
  /// The work of one hash. It needs 128 · 2^`logarithm` · `blockSize` bytes of memory.
  package struct Cost: Hashable, Sendable {
    /// The logarithm to base 2 of the number of rounds.
    package var logarithm: Int
    /// The block size.
    package var blockSize: Int
    /// The number of passes.
    package var passes: Int

    /// A cost.
    package init(logarithm: Int, blockSize: Int, passes: Int) {
      self.logarithm = logarithm
      self.blockSize = blockSize
      self.passes = passes
    }

    /// 64 MiB and two passes (OWASP Password Storage Cheat Sheet, one of its equivalent settings for scrypt).
    package static let standard = Cost(logarithm: 16, blockSize: 8, passes: 2)

    /// Whether it is within what this program computes: at most 256 MiB.
    var isAllowed: Bool {
      (1...18).contains(logarithm) && (1...16).contains(blockSize) && (1...16).contains(passes)
        && blockSize << logarithm <= 1 << 21
    }
  }

  /// The cost with which it was made.
  package let cost: Cost
  private let salt: [UInt8]
  private let hash: [UInt8]

  /// Hashes a password; `nil` when the cost is not allowed, or memory is missing.
  /// - Parameters:
  ///   - password: compared as its UTF-8 bytes in Unicode's composed form, so that keyboards do not matter.
  ///   - salt: 16 random bytes.
  package init?(of password: String, cost: Cost = .standard, salt: [UInt8]) {
    guard let hash = Self.derived(password, cost, salt, count: 32) else { return nil }
    (self.cost, self.salt, self.hash) = (cost, salt, hash)
  }

  /// Reads the text of a hash; `nil` for anything else.
  package init?(_ text: String) {
    let parts = text.split(separator: "$", omittingEmptySubsequences: false)
    guard parts.count == 5, parts[0].isEmpty, parts[1] == "scrypt" else { return nil }
    var values: [String: Int] = [:]
    for pair in parts[2].split(separator: ",") {
      let sides = pair.split(separator: "=")
      guard sides.count == 2, let value = Int(sides[1]) else { return nil }
      values[String(sides[0])] = value
    }
    guard let logarithm = values["ln"], let blockSize = values["r"], let passes = values["p"],
      let salt = Base64.decode(parts[3]), let hash = Base64.decode(parts[4]), hash.count >= 16
    else { return nil }
    cost = Cost(logarithm: logarithm, blockSize: blockSize, passes: passes)
    guard cost.isAllowed else { return nil }
    (self.salt, self.hash) = (salt, hash)
  }

  /// The text that ``init(_:)`` reads.
  package var text: String {
    "$scrypt$ln=\(cost.logarithm),r=\(cost.blockSize),p=\(cost.passes)$\(Base64.encodeURL(salt))"
      + "$\(Base64.encodeURL(hash))"
  }

  /// Whether a password is the one that was hashed. It takes as long as hashing does.
  package func matches(_ password: String) -> Bool {
    guard let other = Self.derived(password, cost, salt, count: hash.count) else { return false }
    return isSameSecret(hash, other)
  }

  /// Returns bytes that scrypt derives of a password.
  static func derived(_ password: String, _ cost: Cost, _ salt: [UInt8], count: Int) -> [UInt8]? {
    guard cost.isAllowed, !password.isEmpty, !salt.isEmpty else { return nil }
    let bytes = Array(password.precomposedStringWithCanonicalMapping.utf8)
    let key = try? KDF.Scrypt.deriveKey(
      from: bytes, salt: salt, outputByteCount: count, rounds: 1 << cost.logarithm, blockSize: cost.blockSize,
      parallelism: cost.passes)
    return key?.withUnsafeBytes { Array($0) }
  }
}

/// The rules for passwords (NIST SP 800-63B: length counts, composition does not).
package enum PasswordRules {
  /// The fewest characters.
  package static let minimumLength = 12
  /// The most characters, so that nobody makes the server hash novels.
  package static let maximumLength = 256

  /// Returns what is wrong with a password; `nil` for one that may be used.
  /// - Parameter names: words that the password must not be, such as the sign-in name.
  package static func issue(with password: String, names: [String]) -> String? {
    guard password.count >= minimumLength else { return "a password has at least \(minimumLength) characters" }
    guard password.count <= maximumLength else { return "a password has at most \(maximumLength) characters" }
    let plain = password.lowercased()
    guard Set(plain).count >= 5 else { return "a password has at least five different characters" }
    for name in names where name.count >= 3 && plain.contains(name.lowercased()) {
      return "a password does not contain the name of its operator"
    }
    return nil
  }
}
