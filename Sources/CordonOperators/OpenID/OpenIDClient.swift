package import CordonCore
internal import CordonIngest
internal import CordonSupport
internal import Foundation

/// The conversation with a provider: discovery, the code's exchange, keys, and the address of its sign-out.
///
/// It keeps the provider's description for an hour, and its keys until a token names one that is not among them.
package actor OpenIDClient {
  /// The provider.
  package nonisolated let settings: OpenIDSettings
  private let client: any ProviderClient
  private var metadata: (document: Metadata, read: Instant)?
  private var keys: (keys: WebKeys, read: Instant)?

  /// The provider's description of itself (OpenID Connect Discovery).
  private struct Metadata: Decodable, Sendable {
    var issuer: String
    var authorizationEndpoint: String
    var tokenEndpoint: String
    var jwksUri: String
    var endSessionEndpoint: String?
    var codeChallengeMethodsSupported: [String]?
    var tokenEndpointAuthMethodsSupported: [String]?
  }

  private struct Tokens: Decodable {
    var idToken: String
  }

  private static var decoder: JSONDecoder {
    let decoder = JSONDecoder()
    decoder.keyDecodingStrategy = .convertFromSnakeCase
    return decoder
  }

  /// A conversation with a provider.
  package init(settings: OpenIDSettings, client: any ProviderClient) {
    self.settings = settings
    self.client = client
  }

  /// How long a description is used.
  static let metadataLifetime = TimeSpan.hours(1)
  /// How often keys are read again at most: a token with an invented key must not cause a request at each attempt.
  static let keyInterval = TimeSpan.seconds(30)

  /// Whether an address may be asked: by TLS, or on this machine.
  static func isSafe(_ address: String) -> Bool {
    guard let url = URL(string: address), let host = url.host?.lowercased(), url.user == nil, url.fragment == nil else {
      return false
    }
    return url.scheme == "https" || url.scheme == "http" && ["localhost", "127.0.0.1", "::1", "[::1]"].contains(host)
  }

  private func description(now: Instant) async throws(OpenIDFault) -> Metadata {
    if let metadata, now < metadata.read + Self.metadataLifetime { return metadata.document }
    let base = settings.issuer.hasSuffix("/") ? String(settings.issuer.dropLast()) : settings.issuer
    guard Self.isSafe(base) else { throw OpenIDFault("the issuer is not an https address") }
    let answer = await client.send(ProviderRequest(base + "/.well-known/openid-configuration"))
    guard answer.status == 200, let document = try? Self.decoder.decode(Metadata.self, from: Data(answer.body)) else {
      throw OpenIDFault("the provider does not describe itself (status \(answer.status))")
    }
    guard document.issuer == settings.issuer else { throw OpenIDFault("the provider calls itself otherwise") }
    let addresses = [document.authorizationEndpoint, document.tokenEndpoint, document.jwksUri]
    guard addresses.allSatisfy(Self.isSafe), document.endSessionEndpoint.map(Self.isSafe) ?? true else {
      throw OpenIDFault("an address of the provider is not https")
    }
    if let methods = document.codeChallengeMethodsSupported, !methods.contains("S256") {
      throw OpenIDFault("the provider does not support PKCE with S256")
    }
    metadata = (document, now)
    return document
  }

  private func key(_ id: String?, now: Instant) async throws(OpenIDFault) -> WebKeys {
    if let keys {
      if keys.keys.hasKey(id), now < keys.read + Self.metadataLifetime { return keys.keys }
      if now < keys.read + Self.keyInterval { throw OpenIDFault("the ID token names a key that the provider has not") }
    }
    let answer = await client.send(ProviderRequest(try await description(now: now).jwksUri))
    guard answer.status == 200, let read = WebKeys(answer.body) else {
      throw OpenIDFault("the keys of the provider cannot be read (status \(answer.status))")
    }
    keys = (read, now)
    return read
  }

  // MARK: The code flow

  /// Returns the address to which a browser is sent.
  package func address(for attempt: OpenIDAttempt, now: Instant) async throws(OpenIDFault) -> String {
    let endpoint = try await description(now: now).authorizationEndpoint
    var scopes = settings.scopes
    if !scopes.contains("openid") { scopes.insert("openid", at: 0) }
    var pairs = [
      ("response_type", "code"), ("client_id", settings.clientID), ("redirect_uri", settings.redirectAddress),
      ("scope", scopes.joined(separator: " ")), ("state", attempt.state), ("nonce", attempt.nonce),
      ("code_challenge", attempt.proof.challenge), ("code_challenge_method", "S256"),
    ]
    // An age asks for the claim auth_time. With 0 some providers ask again and again: a second has passed when they check it.
    if attempt.isConfirmation { pairs += [("prompt", "login"), ("max_age", "60")] }
    return endpoint + (endpoint.contains("?") ? "&" : "?") + PercentEncoding.form(pairs)
  }

  /// Exchanges a code for the identity of a person.
  /// - Parameter issuer: the parameter `iss` of the answer (RFC 9207); `nil` when there is none.
  package func identity(
    code: String, issuer: String?, for attempt: OpenIDAttempt, now: Instant
  ) async throws(OpenIDFault) -> OpenIDIdentity {
    if let issuer, issuer != settings.issuer { throw OpenIDFault("the answer is of another provider") }
    let metadata = try await description(now: now)
    var pairs = [
      ("grant_type", "authorization_code"), ("code", code), ("redirect_uri", settings.redirectAddress),
      ("code_verifier", attempt.proof.verifier),
    ]
    var authorization: String?
    if let secret = settings.clientSecret {
      let methods = metadata.tokenEndpointAuthMethodsSupported ?? ["client_secret_basic"]
      if methods.contains("client_secret_basic") || !methods.contains("client_secret_post") {
        let text = "\(PercentEncoding.encode(settings.clientID)):\(PercentEncoding.encode(secret))"
        authorization = "Basic " + Data(text.utf8).base64EncodedString()
      } else {
        pairs += [("client_id", settings.clientID), ("client_secret", secret)]
      }
    } else {
      pairs.append(("client_id", settings.clientID))
    }
    let answer = await client.send(
      ProviderRequest(metadata.tokenEndpoint, form: PercentEncoding.form(pairs), authorization: authorization))
    guard answer.status == 200, let tokens = try? Self.decoder.decode(Tokens.self, from: Data(answer.body)) else {
      throw OpenIDFault("the provider does not take the code (status \(answer.status))")
    }
    return try await identity(tokens.idToken, for: attempt, now: now)
  }

  private func identity(
    _ text: String, for attempt: OpenIDAttempt, now: Instant
  ) async throws(OpenIDFault) -> OpenIDIdentity {
    let token = try IDToken(text)
    let keys = try await key(token.keyID, now: now)
    guard keys.verify(token.signature, of: token.message, algorithm: token.algorithm, key: token.keyID) else {
      throw OpenIDFault("the signature of the ID token is wrong")
    }
    let subject = try token.check(
      settings, nonce: attempt.nonce, confirmedSince: attempt.isConfirmation ? attempt.created : nil, now: now)
    let name = ["name", "preferred_username"].compactMap { token.claims[$0]?.texts.first }.first { !$0.isEmpty }
    return OpenIDIdentity(
      subject: .init(issuer: settings.issuer, name: subject), name: String((name ?? "operator").prefix(200)),
      groups: Set(token.claims[settings.groupsClaim]?.texts ?? []), idToken: text)
  }

  /// Returns the address that ends the person's session at the provider (OpenID Connect RP-Initiated Logout); `nil` where the
  /// provider has none, or does not answer.
  package func signOutAddress(idToken: String?, now: Instant) async -> String? {
    guard let endpoint = try? await description(now: now).endSessionEndpoint else { return nil }
    var pairs = [("client_id", settings.clientID), ("post_logout_redirect_uri", settings.address + "/console/sign-in")]
    if let idToken { pairs.insert(("id_token_hint", idToken), at: 0) }
    return endpoint + (endpoint.contains("?") ? "&" : "?") + PercentEncoding.form(pairs)
  }
}
