package import CordonCore
package import CordonIngest
internal import CordonSupport

extension OperatorSessions {
  /// The most people who are at the provider at once.
  static let maximumAttempts = 1_000
  /// The most people of one address who are sent to the provider in the lifetime of an attempt, at one server. Nobody has shown
  /// anything by then, so that one address must not take the places of all.
  static let maximumAttemptsOfAddress: Int64 = 100

  /// Begins to sign somebody in at the provider.
  /// - Parameters:
  ///   - browser: the cookie of somebody who signs in, or of a session that is to be confirmed.
  ///   - isConfirmation: whether it is one of a session.
  ///   - address: the address of the browser.
  package func beginOpenID(
    browser: SessionToken, isConfirmation: Bool, next: String, address: String, now: Instant
  ) throws(Problem) -> OpenIDAttempt {
    let busy = Problem(429, .busy, "too many sign in at once; come again", retryAfter: 30)
    guard isConfirmation || mayBegin(address, now: now) else { throw busy }
    let attempt = OpenIDAttempt(
      isConfirmation: isConfirmation, browser: browser, next: next, random: &random, now: now)
    let isKept = try stored { () throws(SessionStoreFault) in
      try store.removeAttempts(createdBefore: now - OpenIDAttempt.lifetime)
      return try store.save(attempt.pending, maximum: Self.maximumAttempts)
    }
    guard isKept else { throw busy }
    return attempt
  }

  private func mayBegin(_ address: String, now: Instant) -> Bool {
    begun.expire(failuresAt: now)
    return begun.update([FailureSubject(.peer, address, key: [])]) { counts in
      if counts[0].ends <= now { counts[0].ends = now + OpenIDAttempt.lifetime }
      guard counts[0].failures < Self.maximumAttemptsOfAddress else { return false }
      counts[0].failures += 1
      return true
    }
  }

  /// Takes the attempt of a provider's answer, once, whichever server began it.
  /// - Parameter browsers: the cookies that the browser sent.
  package func takeOpenID(state: String, browsers: [SessionToken], now: Instant) throws(Problem) -> OpenIDAttempt {
    let pending = try stored { () throws(SessionStoreFault) in
      try store.takeAttempt(OpenIDAttempt.key(ofState: state))
    }
    guard let pending, let attempt = OpenIDAttempt(pending, state: state),
      now < attempt.created + OpenIDAttempt.lifetime,
      browsers.contains(where: { isSameSecret($0.hash, attempt.browser) })
    else { throw Problem(403, .csrf, "this sign-in did not begin in this browser, or took too long", field: "state") }
    return attempt
  }

  /// Ends an attempt: returns the token of the new or confirmed session. The roles are those of the person's groups, each time.
  /// - Parameter browsers: the cookies that the browser sent, of which one began the attempt.
  /// - Throws: 403 for a person none of whose groups has a role, and for a locked account.
  package func finish(
    _ attempt: OpenIDAttempt, _ identity: OpenIDIdentity, browsers: [SessionToken], settings: OpenIDSettings,
    now: Instant
  ) throws(Problem) -> SessionToken {
    let roles = settings.roles(of: identity.groups)
    let id = "op-" + random.bytes(6).map { String(UInt16($0) | 0x100, radix: 16).dropFirst() }.joined()
    let hasRole = roles.everywhere != nil || !roles.venues.isEmpty
    let changed = try change { list throws(Problem) -> OperatorAccount? in
      if let index = list.firstIndex(where: { $0.subject == identity.subject }) {
        list[index].name = identity.name
        list[index].everywhere = roles.everywhere
        list[index].roles = roles.venues
        return list[index]
      }
      guard hasRole else { return nil }
      var account = OperatorAccount(id: id, name: identity.name, everywhere: roles.everywhere, roles: roles.venues)
      account.subject = identity.subject
      list.append(account)
      return account
    }
    guard let account = changed, hasRole, !account.isDisabled else {
      if let changed { try note(.refusedSignIn, by: changed.id, about: changed.id, now: now) }
      throw Problem(403, .role, "you have no role here; ask an administrator")
    }
    guard attempt.isConfirmation else { return try start(account, .openID, idToken: identity.idToken, now: now) }
    guard let token = browsers.first(where: { isSameSecret($0.hash, attempt.browser) }),
      let found = try find(token, isActivity: true, now: now), found.account.id == account.id
    else { throw Problem(403, .signInAgain, "another person signed in than the one of this session") }
    return try renew(token, found, idToken: identity.idToken, now: now)
  }
}
