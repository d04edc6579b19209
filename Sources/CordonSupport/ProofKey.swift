/// The proof that the program that redeems an authorization code is the one that asked for it: PKCE, method S256 (RFC 7636).
package struct ProofKey: Hashable, Sendable {
  /// The secret of one attempt.
  package let verifier: String

  /// Makes the proof of a verifier: 43 to 128 unreserved characters.
  package init(verifier: String) { self.verifier = verifier }

  /// The SHA-256 of the verifier, which the authorization request carries.
  package var challenge: String {
    var digest = SHA256()
    digest.update(verifier)
    return Base64.encodeURL(digest.finalize())
  }
}
