package import CordonCore
package import CordonIngest
internal import CordonSupport

/// The fields of the sign-in form.
package struct PasswordEntry: Hashable, Sendable {
  /// The sign-in name.
  package var name: String
  /// The password.
  package var password: String
  /// The one-time code; empty for none.
  package var code: String

  /// An entry.
  package init(name: String, password: String, code: String = "") {
    self.name = name
    self.password = password
    self.code = code
  }
}

/// A password that is to be checked, which takes some hundred milliseconds of a processor: beside everything else.
package struct PasswordAttempt: Sendable {
  /// The purpose of an attempt.
  enum Purpose: Sendable {
    case signIn
    /// Confirms a session.
    case confirmation(SessionToken, OperatorSessions.Found)
  }

  let purpose: Purpose
  /// The account, where the name is that of one.
  let account: String?
  let entry: PasswordEntry
  let address: String
  let secret: Secret

  /// The stored form that the entry is compared with.
  enum Secret: Hashable, Sendable {
    /// A password, as ``PasswordHash`` writes it.
    case password(String)
    /// The hash of a key for the API, which is long and random, and needs no stretching.
    case key([UInt8])

    /// That of an account; `nil` for one that has neither.
    init?(_ account: OperatorAccount) {
      if let password = account.password {
        self = .password(password)
      } else if !account.keyHash.isEmpty {
        self = .key(account.keyHash)
      } else {
        return nil
      }
    }
  }

  /// Whether the password is right. It takes long and needs nothing else.
  package func check() -> Bool {
    switch secret {
    case .password(let text): PasswordHash(text)?.matches(entry.password) ?? false
    case .key(let hash): isSameSecret(Operator.hash(ofKey: entry.password), hash)
    }
  }
}

extension OperatorSessions {
  private static let wrong = Problem(401, .badCredentials, "name, password or code is wrong")

  /// Begins to sign somebody in: with a sign-in name and a password or, for an account without a password, with pseudonym and key.
  /// - Parameter address: the address that failures are counted by.
  /// - Throws: 429 when too many attempts failed.
  package func beginSignIn(_ entry: PasswordEntry, address: String, now: Instant) throws(Problem) -> PasswordAttempt {
    guard settings.allowsPasswords else { throw Problem(403, .role, "this server has no passwords") }
    let name = OperatorAccount.comparableName(entry.name) ?? ""
    let named = known.values.first { $0.signInName == name && !name.isEmpty && $0.password != nil }
    let account = named ?? known[name].flatMap { $0.password == nil && !$0.keyHash.isEmpty ? $0 : nil }
    return try begin(.signIn, account, entry, name: name, address: address, now: now)
  }

  /// Begins to confirm the password of a session.
  package func beginConfirmation(
    _ token: SessionToken, password: String, code: String, address: String, now: Instant
  ) throws(Problem) -> PasswordAttempt {
    guard let found = try find(token, isActivity: true, now: now) else { throw Self.wrong }
    let name = found.account.signInName ?? found.account.id
    return try begin(
      .confirmation(token, found), found.account, PasswordEntry(name: name, password: password, code: code),
      name: name, address: address, now: now)
  }

  private func begin(
    _ purpose: PasswordAttempt.Purpose, _ account: OperatorAccount?, _ entry: PasswordEntry, name: String,
    address: String, now: Instant
  ) throws(Problem) -> PasswordAttempt {
    guard entry.password.count <= PasswordRules.maximumLength, entry.code.utf8.count <= 64 else { throw Self.wrong }
    // Counted before it is known to fail: attempts at once count as well.
    let wait = try counted { () throws(StoreFault) in try limiter.begin(name: name, address: address, now: now) }
    if let wait { throw Problem(429, .tooManyFailures, "too many attempts failed", retryAfter: wait) }
    return PasswordAttempt(
      purpose: purpose, account: account?.id, entry: entry, address: address,
      secret: account.flatMap(PasswordAttempt.Secret.init) ?? .password(decoy))
  }

  /// Ends an attempt with the result of ``PasswordAttempt/check()`` and returns the token of the new or confirmed session.
  package func finish(_ attempt: PasswordAttempt, isRight: Bool, now: Instant) throws(Problem) -> SessionToken {
    // The account may have changed while the password was checked.
    guard let id = attempt.account, let account = known[id], PasswordAttempt.Secret(account) == attempt.secret else {
      throw Self.wrong
    }
    guard isRight, try isCodeRight(attempt.entry.code, of: account, now: now), account.operator?.role != nil else {
      try stored { () throws(SessionStoreFault) in
        try store.save(AccountEvent(time: now, operator: id, action: .refusedSignIn))
      }
      throw Self.wrong
    }
    let name = account.signInName ?? account.id
    try counted { () throws(StoreFault) in try limiter.succeed(name: name, address: attempt.address) }
    switch attempt.purpose {
    case .signIn: return try start(account, .password, now: now)
    case .confirmation(let token, _):
      guard let found = try find(token, isActivity: true, now: now), found.account.id == id else { throw Self.wrong }
      return try renew(token, found, now: now)
    }
  }

  /// Whether the code is right, or the account has none. A code counts once, at all servers together.
  private func isCodeRight(_ code: String, of account: OperatorAccount, now: Instant) throws(Problem) -> Bool {
    guard let secret = account.codeSecret else { return true }
    guard let counter = OneTimeCode(secret: secret).matchingCounter(code, at: now) else { return false }
    return try stored { () throws(SessionStoreFault) in try store.useCode(counter, of: account.id) }
  }
}
