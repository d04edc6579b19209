package import CordonCore
package import CordonIngest
internal import CordonSupport

/// The state machine of signing in: attempts and tokens in with the time, sessions and refusals out.
///
/// It has no clock, no sockets and no randomness of its own, and belongs to one thread at a time. Hashing a password takes long, so it
/// is left to the caller: ``beginSignIn(_:address:now:)`` returns the attempt, and ``finish(_:isRight:now:)`` takes the result.
package final class OperatorSessions {
  /// How operators sign in.
  package let settings: SessionSettings
  let accounts: any OperatorAccounts
  let store: any SessionStore
  var random: RandomBits
  var limiter: AttemptLimiter
  /// Counts the people of an address who were sent to the OpenID provider.
  let begun = MemoryFailureStore()
  /// The accounts as of the last change or reload.
  private(set) var known: [String: OperatorAccount] = [:]
  /// The revision of the accounts that are known; `nil` before they were read, and for accounts of one server.
  private var revision: Int64?
  private var nextSweep = Instant.epoch
  /// The hash that is checked for a name that nobody has, so that the answer takes as long.
  let decoy: String

  /// Sessions over accounts and a store. Without a connection to a database that has the accounts there are none until
  /// ``refresh()``.
  /// - Parameter failureKey: the key of the hashes under which failed attempts are counted; the same at all servers of a database.
  /// - Throws: what the accounts throw when they cannot be read.
  package init(
    settings: SessionSettings, accounts: any OperatorAccounts, store: any SessionStore, random: RandomBits,
    failureKey: [UInt8] = []
  ) throws {
    limiter = AttemptLimiter(store: store.failures ?? MemoryFailureStore(), key: failureKey)
    self.settings = settings
    self.accounts = accounts
    self.store = store
    self.random = random
    let cost = settings.cost
    decoy =
      "$scrypt$ln=\(cost.logarithm),r=\(cost.blockSize),p=\(cost.passes)$AAAAAAAAAAAAAAAAAAAAAA$"
      + Base64.encodeURL([UInt8](repeating: 0, count: 32))
    try reload()
  }

  /// Reads the accounts again. Sessions of accounts that are gone or locked end. Without a connection to a database that has the
  /// accounts the known ones stay until ``refresh()``.
  package func reload() throws {
    do {
      // A revision that is too old costs another reading, one that is too new would hide a change.
      let current = try accounts.revision()
      use(try accounts.accounts())
      revision = current
    } catch let fault as StoreFault where fault.kind == .unavailable {
      return
    }
  }

  /// Reads the accounts again if another server changed them.
  /// - Throws: 503 when they cannot be read.
  package func refresh() throws(Problem) {
    do {
      guard let current = try accounts.revision(), current != revision else { return }
      try reload()
    } catch {
      throw Self.unavailable
    }
  }

  private func use(_ list: [OperatorAccount]) { known = Dictionary(list.map { ($0.id, $0) }) { first, _ in first } }

  /// Changes the accounts and uses the result.
  func change<T>(_ body: (inout [OperatorAccount]) throws(Problem) -> T) throws(Problem) -> T {
    var changed: [OperatorAccount] = []
    do {
      let value = try accounts.changeAccounts { list in
        let value = try body(&list)
        changed = list
        return value
      }
      use(changed)
      return value
    } catch let problem as Problem {
      throw problem
    } catch {
      throw Self.unavailable
    }
  }

  static let unavailable = Problem(503, .storeFailed, "the server cannot store at the moment", retryAfter: 10)

  /// Runs what may fail in the counts of failed attempts.
  func counted<T>(_ body: () throws(StoreFault) -> T) throws(Problem) -> T {
    do throws(StoreFault) {
      return try body()
    } catch {
      throw Self.unavailable
    }
  }

  /// Runs what may fail in the store of sessions.
  func stored<T>(_ body: () throws(SessionStoreFault) -> T) throws(Problem) -> T {
    do throws(SessionStoreFault) {
      return try body()
    } catch {
      throw Self.unavailable
    }
  }

  /// Deletes sessions and events that ended. To be called now and then; it works once a minute.
  package func tick(now: Instant) {
    guard now >= nextSweep else { return }
    nextSweep = now + .minutes(1)
    try? store.removeSessions(createdBefore: now - settings.lifetime, lastSeenBefore: now - settings.idle)
    try? store.removeEvents(before: now - settings.eventRetention)
    try? store.removeAttempts(createdBefore: now - OpenIDAttempt.lifetime)
  }

  // MARK: Finding

  /// A session that has not ended, with its operator.
  package struct Found: Hashable, Sendable {
    /// The session.
    package var session: OperatorSession
    /// The account as it is now.
    package var account: OperatorAccount
  }

  /// Returns the session of a token, unless it ended; an ended one is deleted.
  /// - Parameter isActivity: whether the request shows that somebody is there. Requests that pages repeat do not.
  package func find(_ token: SessionToken, isActivity: Bool, now: Instant) throws(Problem) -> Found? {
    guard var session = try stored({ () throws(SessionStoreFault) in try store.session(token.hash) }) else {
      return nil
    }
    guard let account = known[session.operator], account.operator?.role != nil, now < session.end(settings),
      session.created <= now + .minutes(5)
    else {
      let number = session.number
      try stored { () throws(SessionStoreFault) in _ = try store.removeSession(number) }
      return nil
    }
    if isActivity, now >= session.lastSeen + .minutes(1) {
      session.lastSeen = now
      let changed = session
      try stored { () throws(SessionStoreFault) in _ = try store.save(changed) }
    }
    return Found(session: session, account: account)
  }

  /// Returns the session of a request with a token in the core's form; `nil` when it ended.
  /// - Parameter proof: the CSRF token that the request carries.
  package func present(
    _ token: SessionToken, proof: String?, isActivity: Bool, now: Instant
  ) throws(Problem) -> PresentedSession? {
    guard let found = try find(token, isActivity: isActivity, now: now), let who = found.account.operator else {
      return nil
    }
    let session = found.session
    let freshUntil = session.confirmed + settings.confirmation
    return PresentedSession(
      operator: who, isProved: token.isProved(by: proof), isFresh: now < freshUntil,
      members: [
        .init("csrf_token", .string(token.proof)), .init("name", .string(found.account.name)),
        .init("method", .string(session.method.rawValue)),
        .init("fresh_until", now < freshUntil ? .integer(freshUntil.milliseconds) : .null),
        .init("expires", .integer(session.end(settings).milliseconds)),
        .init("one_time_codes", .bool(found.account.codeSecret != nil)),
      ])
  }

  // MARK: Starting and ending

  /// Returns a new token that belongs to no session.
  package func newToken() -> SessionToken { SessionToken(&random) }

  /// Starts a session of an account and returns its token, which is shown to nobody else.
  func start(
    _ account: OperatorAccount, _ method: OperatorSession.Method, idToken: String? = nil, now: Instant
  ) throws(Problem) -> SessionToken {
    let token = SessionToken(&random)
    let session = OperatorSession(
      tokenHash: token.hash, operator: account.id, method: method, now: now,
      sealedToken: idToken.flatMap { token.seal($0) })
    try stored { () throws(SessionStoreFault) in
      try store.save(session)
      try store.save(AccountEvent(time: now, operator: account.id, action: .signIn))
    }
    return token
  }

  /// Gives a session a new token after its operator proved again who they are; the former one is of no use any more.
  func renew(
    _ former: SessionToken, _ found: Found, idToken: String? = nil, now: Instant
  ) throws(Problem) -> SessionToken {
    let token = SessionToken(&random)
    var session = found.session
    let hint = idToken ?? session.sealedToken.flatMap { former.open($0) }
    session.tokenHash = token.hash
    session.sealedToken = hint.flatMap { token.seal($0) }
    session.confirmed = now
    session.lastSeen = now
    let changed = session
    try stored { () throws(SessionStoreFault) in
      try store.save(changed)
      try store.save(AccountEvent(time: now, operator: changed.operator, action: .confirmPassword))
    }
    return token
  }

  /// Ends the session of a token; returns the ID token of the provider where one was used, which its sign-out asks for.
  @discardableResult
  package func signOut(_ token: SessionToken, now: Instant) throws(Problem) -> EndedSession? {
    guard let session = try stored({ () throws(SessionStoreFault) in try store.session(token.hash) }) else {
      return nil
    }
    try stored { () throws(SessionStoreFault) in
      try store.removeSession(session.number)
      try store.save(AccountEvent(time: now, operator: session.operator, action: .signOut))
    }
    return EndedSession(method: session.method, idToken: session.sealedToken.flatMap { token.open($0) })
  }
}

/// A session that was signed out.
package struct EndedSession: Hashable, Sendable {
  /// How the operator had signed in.
  package var method: OperatorSession.Method
  /// The provider's ID token; `nil` without a provider.
  package var idToken: String?
}
