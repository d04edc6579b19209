import Cordon
import CordonCore
import CordonSupport
package import Foundation

/// Access tokens, and their renewal with rotation.
extension SignInMachine {
  mutating func needToken(_ now: Instant) -> [Effect] {
    guard let tokens else { return [.noToken(lastEnd ?? .signedOut)] }
    if tokens.isFresh(at: now) { return [.token(tokens.access)] }
    switch step {
    case .refreshing, .discovering(.refresh):
      return []
    case .idle, .inBrowser, .showingCode: break
    default: return [.noToken(.busy)]
    }
    guard tokens.refresh != nil else { return end("expired") }
    guard now >= notBefore else { return [.noToken(.unreachable("the next attempt waits"))] }
    // A sign-in that waits for the person starts again afterwards.
    guard case .idle = step else { return [.noToken(.busy)] }
    return discover(for: .refresh)
  }

  mutating func refresh() -> [Effect] {
    guard let metadata, let tokens, let token = tokens.refresh else { return end("expired") }
    step = .refreshing(tokens)
    return [
      SignInMachine.form(
        metadata.token, [("grant_type", "refresh_token"), ("refresh_token", token), ("client_id", tokens.client)])
    ]
  }

  mutating func takeRefresh(_ answer: HTTPResponse, _ old: TokenSet, _ now: Instant) -> [Effect] {
    if answer.status == 200, let set = TokenSet(answer: answer.body, client: old.client, replacing: old, at: now) {
      tokens = set
      failures = 0
      notBefore = .epoch
      return [.keep(set), .token(set.access)]
    }
    switch SignInMachine.error(of: answer) {
    case "invalid_grant": return end("invalid_grant")
    case let error?: return refreshFailed(.denied(error), now)
    // A page of a portal, or a server that fails, does not judge the token.
    case nil: return refreshFailed(.unreachable(SignInMachine.text(of: answer)), now)
    }
  }

  /// The refresh failed, but the sign-in may go on: the next attempt waits 5 s, 10 s, 20 s ... and at most 15 minutes.
  mutating func refreshFailed(_ error: SignInError, _ now: Instant) -> [Effect] {
    step = .idle
    failures += 1
    notBefore = now + min(.seconds(5 << Int64(min(failures - 1, 8))), .minutes(15))
    return [.noToken(error)]
  }

  private mutating func end(_ code: String) -> [Effect] {
    let ended = tokens
    step = .idle
    tokens = nil
    let error = SignInError.ended(code)
    lastEnd = error
    return [.forget(ended), .noToken(error)]
  }

  /// Ends the sign-in on the device first; the provider is informed as well as possible.
  mutating func signOut() -> [Effect] {
    let old = tokens
    tokens = nil
    lastEnd = nil
    step = .idle
    var effects: [Effect] = [.forget(nil), .noToken(.signedOut)]
    if let old, let endpoint = metadata?.revocation {
      step = .revoking
      let isRefresh = old.refresh != nil
      effects.append(
        SignInMachine.form(
          endpoint,
          [
            ("token", old.refresh ?? old.access), ("token_type_hint", isRefresh ? "refresh_token" : "access_token"),
            ("client_id", old.client),
          ]))
    }
    return effects
  }

  /// The page that ends the session in the browser too; `nil` when the provider has none.
  package static func signOutPage(_ metadata: ProviderMetadata, tokens: TokenSet) -> URL? {
    guard let page = metadata.endSession, let identity = tokens.identity,
      var parts = URLComponents(url: page, resolvingAgainstBaseURL: true)
    else { return nil }
    let query = PercentEncoding.form([("id_token_hint", identity), ("client_id", tokens.client)])
    parts.percentEncodedQuery = query
    return parts.url
  }
}
