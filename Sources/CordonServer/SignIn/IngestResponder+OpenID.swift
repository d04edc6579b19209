internal import CordonCore
internal import CordonIngest
internal import CordonOperators
internal import CordonSupport
internal import HTTPTypes
internal import Hummingbird
internal import Logging

/// Signing in at an OpenID provider.
extension IngestResponder {
  private static let noProvider = Problem(404, .noSuchAddress, "this server knows no OpenID provider")

  /// What pages say when the provider, or the way to it, fails. The reason is in the log.
  private static let failed = Problem(
    503, .notReady, "Signing in there did not work. Please try again, or ask an administrator.")

  /// `GET /console/openid?next=…`: sends the browser to the provider; with `confirm=1` to prove again who is there.
  func openIDStart(_ request: Request, _ desk: OperatorDesk, peer: String) async throws(Problem) -> Response {
    guard let provider = desk.provider else { throw Self.noProvider }
    let next = LocalPath.checked(parameter("next", of: request))
    let isConfirmation = parameter("confirm", of: request) != nil
    let header = request.headers[.cookie]
    let known = desk.cookie.token(isConfirmation ? .session : .signingIn, in: header)
    let token: SessionToken
    if let known {
      token = known
    } else {
      guard !isConfirmation else { return redirection(to: SignInRoute.signIn.rawValue) }
      token = await desk.newToken()
    }
    let attempt = try await desk.run { (sessions, now) throws(Problem) in
      try sessions.beginOpenID(
        browser: token, isConfirmation: isConfirmation, next: next, address: peer, now: now)
    }
    do {
      let address = try await provider.address(for: attempt, now: clock())
      let cookie = desk.cookie.field(.signingIn, token.text, seconds: 3_600)
      return redirection(to: address, cookies: known == nil ? [cookie] : [])
    } catch {
      logger.warning("the OpenID provider cannot be used", metadata: ["reason": "\(error)"])
      return try await signInForm(request, desk, next: next, problem: Self.failed)
    }
  }

  /// `GET /console/openid/callback`: the provider's answer.
  func openIDCallback(_ request: Request, _ desk: OperatorDesk) async throws(Problem) -> Response {
    guard let provider = desk.provider else { throw Self.noProvider }
    let header = request.headers[.cookie]
    let browsers = [SessionCookie.Purpose.session, .signingIn].compactMap { desk.cookie.token($0, in: header) }
    let state = parameter("state", of: request) ?? ""
    do throws(Problem) {
      let attempt = try await desk.run { (sessions, now) throws(Problem) in
        try sessions.takeOpenID(state: state, browsers: browsers, now: now)
      }
      guard let code = parameter("code", of: request), parameter("error", of: request) == nil else {
        throw Problem(403, .badCredentials, "the provider refused to sign you in")
      }
      let identity = try await identity(
        code, issuer: parameter("iss", of: request), for: attempt, from: provider)
      let settings = provider.settings
      let token = try await desk.change { (sessions, now) throws(Problem) in
        try sessions.finish(attempt, identity, browsers: browsers, settings: settings, now: now)
      }
      return redirection(
        to: attempt.next, cookies: [desk.cookie.removal(.signingIn), desk.cookie.field(.session, token.text)])
    } catch {
      return try await signInForm(request, desk, next: "/", problem: error)
    }
  }

  private func identity(
    _ code: String, issuer: String?, for attempt: OpenIDAttempt, from provider: OpenIDClient
  ) async throws(Problem) -> OpenIDIdentity {
    do {
      return try await provider.identity(code: code, issuer: issuer, for: attempt, now: clock())
    } catch {
      logger.warning("sign-in at the OpenID provider failed", metadata: ["reason": "\(error)"])
      throw Self.failed
    }
  }
}
