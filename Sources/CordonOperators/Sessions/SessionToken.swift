package import CordonIngest
internal import CordonSupport
internal import Crypto
internal import Foundation

/// The value of a session's cookie: 32 random bytes, from which everything else of the session follows.
package struct SessionToken: Hashable, Sendable {
  /// The value of the cookie: 43 characters of base 64.
  package let text: String
  private let bytes: [UInt8]

  /// A new token.
  package init(_ random: inout RandomBits) {
    bytes = random.bytes(32)
    text = Base64.encodeURL(bytes)
  }

  /// Reads a cookie's value; `nil` for anything but a token.
  package init?(_ text: String) {
    guard text.utf8.count == 43, let bytes = Base64.decode(text), bytes.count == 32 else { return nil }
    self.text = text
    self.bytes = bytes
  }

  /// SHA-256 of it, which is what the store keeps.
  package var hash: [UInt8] {
    var digest = CordonSupport.SHA256()
    digest.update(bytes)
    return digest.finalize()
  }

  /// The CSRF token of the session. It follows from the cookie, which pages of other origins can send and not read.
  package var proof: String { Base64.encodeURL(CordonSupport.HMAC.code(of: Array("cordon csrf".utf8), key: bytes)) }

  /// Whether a text is the CSRF token of the session.
  package func isProved(by text: String?) -> Bool {
    guard let text else { return false }
    return isSameSecret(Array(text.utf8), Array(proof.utf8))
  }

  private var sealingKey: SymmetricKey {
    SymmetricKey(data: CordonSupport.HMAC.code(of: Array("cordon sealing".utf8), key: bytes))
  }

  /// Encrypts a text so that only the holder of the cookie can open it (AES-256-GCM).
  func seal(_ text: String) -> [UInt8]? {
    (try? AES.GCM.seal(Array(text.utf8), using: sealingKey).combined).map { Array($0) }
  }

  /// Opens what ``seal(_:)`` made; `nil` for anything else.
  func open(_ sealed: [UInt8]) -> String? {
    guard let box = try? AES.GCM.SealedBox(combined: sealed), let data = try? AES.GCM.open(box, using: sealingKey)
    else { return nil }
    return String(validating: data, as: UTF8.self)
  }
}

/// The cookies of signing in.
package struct SessionCookie: Hashable, Sendable {
  /// The cookies that there are.
  package enum Purpose: String, Hashable, Sendable {
    /// A session.
    case session = "cordon"
    /// Somebody who is about to sign in: the form's CSRF token and an answer of a provider belong to it.
    case signingIn = "cordon-sign-in"
  }

  /// Whether browsers reach the server by TLS only.
  package var isSecure: Bool

  /// Cookies of a server.
  package init(isSecure: Bool) { self.isSecure = isSecure }

  /// The name of a cookie. With the prefix `__Host-` no other host and no page without TLS can set it.
  package func name(_ purpose: Purpose) -> String { isSecure ? "__Host-\(purpose.rawValue)" : purpose.rawValue }

  /// The value of `Set-Cookie` that stores a token until the browser ends or a time passes.
  /// - Parameter seconds: `nil` for as long as the browser runs.
  package func field(_ purpose: Purpose, _ value: String, seconds: Int? = nil) -> String {
    var text = "\(name(purpose))=\(value); Path=/; HttpOnly; SameSite=Lax"
    if isSecure { text += "; Secure" }
    if let seconds { text += "; Max-Age=\(seconds)" }
    return text
  }

  /// The value of `Set-Cookie` that deletes a cookie.
  package func removal(_ purpose: Purpose) -> String { field(purpose, "", seconds: 0) }

  /// Returns the token in a request's `Cookie` field. Of several values of one name none counts: a neighbour may have set one.
  package func token(_ purpose: Purpose, in header: String?) -> SessionToken? {
    guard let header else { return nil }
    let name = name(purpose)
    var found: [Substring] = []
    for part in header.split(separator: ";") {
      let pair = part.split(separator: "=", maxSplits: 1, omittingEmptySubsequences: false)
      guard pair.count == 2, pair[0].drop(while: { $0 == " " }) == name else { continue }
      found.append(pair[1])
    }
    return found.count == 1 ? found.first.flatMap { SessionToken(String($0)) } : nil
  }
}
