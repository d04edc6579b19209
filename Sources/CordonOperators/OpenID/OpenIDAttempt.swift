internal import CordonCore
internal import CordonIngest
internal import CordonSupport
internal import Foundation

/// Somebody who was sent to the provider and is expected back.
package struct OpenIDAttempt: Hashable, Sendable {
  /// Comes back with the answer, and shows to which attempt it belongs.
  package let state: String
  /// Stands in the ID token, and shows that it was made for this attempt.
  let nonce: String
  /// The secret without which nobody can use the code.
  let proof: ProofKey
  /// The hash of the cookie of the browser, so that nobody can make another browser finish the attempt.
  let browser: [UInt8]
  /// Whether it confirms a session: the provider must ask the person again.
  package let isConfirmation: Bool
  /// The page to show afterwards.
  package let next: String
  let created: Instant

  /// How long an attempt may take.
  static let lifetime = TimeSpan.minutes(10)

  init(isConfirmation: Bool, browser: SessionToken, next: String, random: inout RandomBits, now: Instant) {
    state = Base64.encodeURL(random.bytes(32))
    nonce = Base64.encodeURL(random.bytes(32))
    proof = ProofKey(verifier: Base64.encodeURL(random.bytes(32)))
    self.browser = browser.hash
    self.isConfirmation = isConfirmation
    self.next = next
    created = now
  }

  // MARK: In a store

  private struct Stored: Codable {
    var nonce: String
    var verifier: String
    var browser: [UInt8]
    var isConfirmation: Bool
    var next: String
  }

  /// The key under which the attempt of a state is kept: with the store alone nobody finishes an attempt.
  static func key(ofState state: String) -> [UInt8] {
    var digest = SHA256()
    digest.update(state)
    return digest.finalize()
  }

  /// The attempt as a store keeps it.
  var pending: PendingSignIn {
    let stored = Stored(
      nonce: nonce, verifier: proof.verifier, browser: browser, isConfirmation: isConfirmation, next: next)
    let value = (try? JSONEncoder().encode(stored)) ?? Data()
    return PendingSignIn(key: Self.key(ofState: state), value: Array(value), created: created)
  }

  /// Reads an attempt from a store; `nil` for one of another version.
  init?(_ pending: PendingSignIn, state: String) {
    guard let stored = try? JSONDecoder().decode(Stored.self, from: Data(pending.value)) else { return nil }
    self.state = state
    nonce = stored.nonce
    proof = ProofKey(verifier: stored.verifier)
    browser = stored.browser
    isConfirmation = stored.isConfirmation
    next = stored.next
    created = pending.created
  }
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
