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
  /// The secret without which nobody can use the code.
  let proof: ProofKey
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
    proof = ProofKey(verifier: Base64.encodeURL(random.bytes(32)))
    self.browser = browser.hash
    self.purpose = purpose
    self.next = next
    created = now
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
