internal import CordonCore
internal import CordonIngest
internal import CordonSupport

/// Somebody who was sent to the provider and is expected back.
package struct OpenIDAttempt: Hashable, Sendable {
  /// The use of an identity.
  enum Purpose: Hashable, Sendable {
    case signIn
    /// Confirms a session.
    case confirmation(SessionToken)
  }

  /// Comes back with the answer, and shows to which attempt it belongs.
  package let state: String
  /// Stands in the ID token, and shows that it was made for this attempt.
  let nonce: String
  /// The secret of PKCE (RFC 7636), without which nobody can use the code.
  let verifier: String
  /// The hash of the cookie of the browser, so that nobody can make another browser finish the attempt.
  let browser: [UInt8]
  let purpose: Purpose
  /// The page to show afterwards.
  package let next: String
  let created: Instant

  /// How long an attempt may take.
  static let lifetime = TimeSpan.minutes(10)

  init(_ purpose: Purpose, browser: SessionToken, next: String, random: inout RandomBits, now: Instant) {
    state = Base64.encodeURL(random.bytes(32))
    nonce = Base64.encodeURL(random.bytes(32))
    verifier = Base64.encodeURL(random.bytes(32))
    self.browser = browser.hash
    self.purpose = purpose
    self.next = next
    created = now
  }

  /// The challenge of PKCE, method S256.
  var challenge: String {
    var digest = SHA256()
    digest.update(verifier)
    return Base64.encodeURL(digest.finalize())
  }

  /// Whether the provider must ask the person again.
  var isConfirmation: Bool { purpose != .signIn }
}

/// A person as the provider describes them.
package struct OpenIDIdentity: Hashable, Sendable {
  /// The provider, and its name of the person.
  package var subject: OperatorAccount.Subject
  /// The name of the person.
  package var name: String
  /// Their groups.
  package var groups: Set<String>
  /// The token that says so, which the provider's sign-out asks for.
  package var idToken: String
}

/// Parameters of addresses and forms.
enum FormText {
  private static let plain = Set("ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-._~".utf8)

  /// Returns a text percent-encoded (RFC 3986).
  static func encoded(_ text: String) -> String {
    var result = ""
    for byte in text.utf8 {
      if plain.contains(byte) {
        result.unicodeScalars.append(UnicodeScalar(byte))
      } else {
        result += "%" + String(UInt16(byte) | 0x100, radix: 16).dropFirst().uppercased()
      }
    }
    return result
  }

  /// Returns pairs as a query or a form.
  static func text(_ pairs: [(String, String)]) -> String {
    pairs.map { "\(encoded($0.0))=\(encoded($0.1))" }.joined(separator: "&")
  }
}
