import Cordon
import CordonCore
import CordonSupport
import CordonWire
import Foundation

/// Authorization codes: from a browser (RFC 6749, 4.1, with RFC 7636) or from an invitation.
extension SignInMachine {
  mutating func openBrowser() -> [Effect] {
    guard let metadata, let page = metadata.authorization else {
      return [.failed(.unsupported("sign-in in a browser"))]
    }
    guard let redirect = configuration.redirect else { return [.failed(.unsupported("a sign-in without a redirect"))] }
    let proof = ProofKey(random: &random)
    let (state, nonce) = (Base64.random(16, &random), Base64.random(16, &random))
    let fields = [
      ("response_type", "code"), ("client_id", configuration.client), ("redirect_uri", redirect.absoluteString),
      ("scope", configuration.scopes.joined(separator: " ")), ("state", state), ("nonce", nonce),
      ("code_challenge", proof.challenge), ("code_challenge_method", "S256"),
    ]
    guard var parts = URLComponents(url: page, resolvingAgainstBaseURL: true) else {
      return [.failed(.badProvider("authorization_endpoint"))]
    }
    let query = PercentEncoding.form(fields)
    parts.percentEncodedQuery = (parts.percentEncodedQuery.map { $0.isEmpty ? "" : $0 + "&" } ?? "") + query
    guard let url = parts.url else { return [.failed(.badProvider("authorization_endpoint"))] }
    step = .inBrowser(state: state, nonce: nonce, proof)
    return [.open(url)]
  }

  /// Handles the return of the browser. An address of another attempt changes nothing.
  mutating func takeRedirect(_ url: URL) -> [Effect] {
    guard case .inBrowser(let state, let nonce, let proof) = step, let metadata, let redirect = configuration.redirect
    else { return [.failed(.foreignAnswer)] }
    let items = URLComponents(url: url, resolvingAgainstBaseURL: true)?.queryItems ?? []
    func value(_ name: String) -> String? { items.first { $0.name == name }?.value }
    guard url.scheme?.lowercased() == redirect.scheme?.lowercased(), url.host == redirect.host,
      url.port == redirect.port,
      url.path == redirect.path, let returned = value("state"),
      isSameSecret(Array(returned.utf8), Array(state.utf8))
    else { return [.failed(.foreignAnswer)] }
    step = .idle
    // The issuer in the answer (RFC 9207) reveals a provider that was exchanged.
    if let issuer = value("iss"), issuer != metadata.issuer { return [.failed(.foreignAnswer)] }
    if let code = value("error") { return [.failed(.denied(SignInMachine.plain(code)))] }
    guard let code = value("code"), !code.isEmpty else { return [.failed(.foreignAnswer)] }
    step = .exchanging(client: configuration.client, nonce: nonce)
    return [
      SignInMachine.form(
        metadata.token,
        [
          ("grant_type", "authorization_code"), ("code", code), ("redirect_uri", redirect.absoluteString),
          ("client_id", configuration.client), ("code_verifier", proof.verifier),
        ])
    ]
  }

  /// Handles the answer to a redeemed invitation: the code of a grant, whose verifier is made of the token.
  mutating func takeGrant(_ answer: HTTPResponse, _ invitation: Invitation) -> [Effect] {
    switch answer.status {
    case 200: break
    case 404, 409, 410: return [.failed(.expired)]
    case 403: return [.failed(.denied("cancelled"))]
    default: return [.failed(.unreachable(SignInMachine.text(of: answer)))]
    }
    guard let value = try? JSONReader.value(of: answer.body), let grant = value["grant"],
      let code = grant["code"]?.stringValue, let client = grant["client_id"]?.stringValue,
      let redirect = grant["redirect_uri"]?.stringValue,
      let endpoint = value["token_endpoint"]?.stringValue.flatMap(URL.init(string:))
    else { return [.failed(.unreachable("the answer to the invitation is not a grant"))] }
    // Tokens of the platform are issued by the configured provider, at the host of the invitation.
    guard ProviderMetadata.isProtected(endpoint),
      ProviderMetadata.origin(of: endpoint) == ProviderMetadata.origin(of: invitation.redemption),
      ProviderMetadata.origin(of: endpoint) == ProviderMetadata.origin(of: configuration.issuer)
    else { return [.failed(.badInvitation("it is of another provider than the configured one"))] }
    step = .exchanging(client: client, nonce: nil)
    return [
      SignInMachine.form(
        endpoint,
        [
          ("grant_type", "authorization_code"), ("code", code), ("redirect_uri", redirect), ("client_id", client),
          ("code_verifier", invitation.verifier),
        ])
    ]
  }

  mutating func takeTokens(_ answer: HTTPResponse, client: String, nonce: String?, _ now: Instant) -> [Effect] {
    if answer.status == 200, let set = TokenSet(answer: answer.body, client: client, replacing: nil, at: now) {
      guard isAcceptable(set.identity, client: client, nonce: nonce, now) else { return [.failed(.foreignAnswer)] }
      return accept(set)
    }
    if let code = SignInMachine.error(of: answer) {
      return [.failed(code == "invalid_grant" ? .expired : .denied(code))]
    }
    return [.failed(.unreachable(SignInMachine.text(of: answer)))]
  }

  /// Whether an identity token belongs to this sign-in. It came from the token endpoint over TLS, which stands for its
  /// signature (OpenID Connect Core, 3.1.3.7).
  private func isAcceptable(_ token: String?, client: String, nonce: String?, _ now: Instant) -> Bool {
    guard let token else { return true }
    let parts = token.split(separator: ".", omittingEmptySubsequences: false)
    guard parts.count == 3, let bytes = Base64.decode(parts[1]), let claims = try? JSONReader.value(of: bytes) else {
      return false
    }
    let audiences =
      claims["aud"]?.elements?.compactMap(\.stringValue) ?? [claims["aud"]?.stringValue].compactMap(\.self)
    guard audiences.contains(client) else { return false }
    if let metadata, claims["iss"]?.stringValue != metadata.issuer { return false }
    if let nonce, claims["nonce"]?.stringValue != nonce { return false }
    // A clock that is wrong by an hour must not prevent a sign-in.
    if let end = claims["exp"]?.integerValue, Instant(milliseconds: end &* 1_000) + .hours(1) < now { return false }
    return true
  }

  /// Returns the error code of an answer of the token endpoint (RFC 6749, 5.2); `nil` when the body is not such an error.
  static func error(of answer: HTTPResponse) -> String? {
    guard (400..<500).contains(answer.status), let value = try? JSONReader.value(of: answer.body) else { return nil }
    return value["error"]?.stringValue.map(plain)
  }

  /// Returns an error code as text for people: at most 64 letters, digits and underscores.
  static func plain(_ code: String) -> String {
    String(code.filter { $0.isASCII && ($0.isLetter || $0.isNumber || $0 == "_") }.prefix(64))
  }
}
