public import Cordon
import CordonCore
public import CordonMonitoring
public import Foundation

/// Sign-in at the provider of a sink, for apps.
extension SinkEndpoint {
  /// Returns the endpoint with the tokens of a sign-in (OpenID Connect) in place of a fixed token.
  ///
  /// ```swift
  /// let platform = try SinkEndpoint.fhirPositions(url: base, patient: "40001", device: "70001")
  ///   .signedIn(issuer: issuer, client: "my-app", redirect: redirect, file: path, sealer: sealer)
  /// ```
  /// - Parameters:
  ///   - issuer: the issuer of the provider.
  ///   - client: the identifier of the app at the provider. There is no secret.
  ///   - redirect: the address to which the browser returns, such as `my-app://signed-in`.
  ///   - scopes: the requested scopes.
  ///   - file: the path of the file of tokens.
  ///   - sealer: seals the file, such as `AESGCMSealer` with the Keychain.
  public func signedIn(
    issuer: URL, client: String, redirect: URL? = nil, scopes: [String] = ["openid"], file: String,
    sealer: any Sealer
  ) -> SinkEndpoint {
    let configuration = SignInMachine.Configuration(
      issuer: issuer, client: client, redirect: redirect, scopes: scopes)
    return signedIn(
      SignInSession(configuration, vault: SealedTokenVault(path: file, sealer: sealer, issuer: issuer)))
  }

  /// Returns the endpoint with the tokens of a session.
  package func signedIn(_ session: SignInSession) -> SinkEndpoint {
    var endpoint = self
    endpoint.format = SignedInFormat(format, session: session, receiver: url)
    return endpoint
  }

  /// Signs in with a browser: authorization code with PKCE.
  /// - Parameter open: opens a page, and returns the address to which the browser was sent back.
  public func signIn(open: @Sendable (URL) async throws -> URL) async throws {
    try await session().signIn(browser: open)
  }

  /// Signs in with a link or a code of an invitation.
  public func signIn(invitation: String) async throws {
    try await session().signIn(invitation: try Invitation(invitation))
  }

  /// Deletes the tokens, and asks the provider to revoke them. The queue stays.
  public func signOut() async throws { try await session().signOut() }

  /// Whether somebody is signed in. The access token may have to be renewed.
  public var isSignedIn: Bool {
    get async {
      guard let session = try? session() else { return false }
      return await session.isSignedIn
    }
  }

  private func session() throws(SignInError) -> SignInSession {
    guard let format = format as? SignedInFormat else { throw .unsupported("sign-in: the endpoint has none") }
    return format.session
  }
}
