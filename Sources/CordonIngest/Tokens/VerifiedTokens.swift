internal import Foundation

/// The claims of tokens whose signature was found good a while ago: a device sends the same token for an hour.
///
/// Only the check of the signature is skipped: the expiry of a token and the generation of its device are checked
/// every time. A new set of keys gets a new cache.
///
/// `@unchecked Sendable` holds because `claims` is touched under `lock` only.
final class VerifiedTokens: @unchecked Sendable {
  /// The most tokens that are remembered; then all are forgotten. About ten megabytes.
  static let most = 20_000

  private let lock = NSLock()
  private var claims: [String: TokenClaims] = [:]

  subscript(token: String) -> TokenClaims? { lock.withLock { claims[token] } }

  func add(_ token: String, _ verified: TokenClaims) {
    lock.withLock {
      if claims.count >= Self.most { claims.removeAll(keepingCapacity: true) }
      claims[token] = verified
    }
  }
}
