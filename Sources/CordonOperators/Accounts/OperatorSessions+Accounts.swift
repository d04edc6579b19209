package import CordonCore
package import CordonIngest

/// What administrators change of an account.
package struct AccountChange: Hashable, Sendable {
  /// The name of the operator.
  package var name: String
  /// The name that they type to sign in; `nil` for an account that is for programs, or for an OpenID provider.
  package var signInName: String?
  /// The role at every venue.
  package var everywhere: Operator.Role?
  /// Roles at single venues.
  package var roles: [VenueID: Operator.Role]
  /// Whether the account is locked.
  package var isDisabled: Bool

  /// A change.
  package init(
    name: String, signInName: String? = nil, everywhere: Operator.Role?, roles: [VenueID: Operator.Role] = [:],
    isDisabled: Bool = false
  ) {
    self.name = name
    self.signInName = signInName
    self.everywhere = everywhere
    self.roles = roles
    self.isDisabled = isDisabled
  }
}

extension OperatorSessions {
  private static let noSuchOperator = Problem(404, .noSuchOperator, "no such operator", field: "operator")

  /// The accounts in the order of their pseudonyms.
  package var list: [OperatorAccount] { known.values.sorted { $0.id < $1.id } }

  /// Returns the text of a new secret: 21 characters that are read aloud without mistakes, 104 bits.
  package func newSecret() -> String {
    let alphabet = Array("abcdefghjkmnpqrstuvwxyz23456789".utf8)
    var text = ""
    while text.utf8.count < 21 {
      for byte in random.bytes(32) where Int(byte) < 256 / alphabet.count * alphabet.count && text.utf8.count < 21 {
        text.unicodeScalars.append(UnicodeScalar(alphabet[Int(byte) % alphabet.count]))
      }
    }
    return text
  }

  /// Returns the random bytes of a new password hash.
  package func newSalt() -> [UInt8] { random.bytes(16) }

  /// Adds an account.
  /// - Parameters:
  ///   - password: the hash of its first password; `nil` for none.
  ///   - key: the key for the API; `nil` for none.
  package func add(
    _ entry: AccountChange, password: String? = nil, key: String? = nil, by who: String, now: Instant
  ) throws(Problem) -> OperatorAccount {
    let id = "op-" + random.bytes(6).map { String(UInt16($0) | 0x100, radix: 16).dropFirst() }.joined()
    var account = OperatorAccount(id: id, name: "", everywhere: nil)
    account.password = password
    account.keyHash = key.map { Operator.hash(ofKey: $0) } ?? []
    let new = account
    let added = try change { list throws(Problem) in
      let made = try Self.changed(new, entry, among: list)
      list.append(made)
      return made
    }
    try note(.addAccount, by: who, about: id, now: now)
    return added
  }

  /// Changes an account. Sessions of a locked account end.
  package func change(
    _ id: String, to entry: AccountChange, by who: String, now: Instant
  ) throws(Problem) -> OperatorAccount {
    let account = try change { list throws(Problem) in
      guard let index = list.firstIndex(where: { $0.id == id }) else { throw Self.noSuchOperator }
      let before = list
      list[index] = try Self.changed(list[index], entry, among: list)
      try Self.checkAdministrator(list, before)
      return list[index]
    }
    if account.isDisabled { try stored { () throws(SessionStoreFault) in try store.forget(id) } }
    try note(.changeAccount, by: who, about: id, now: now)
    return account
  }

  /// Removes an account and its sessions. The entries of the audit stay.
  package func remove(_ id: String, by who: String, now: Instant) throws(Problem) {
    try change { list throws(Problem) in
      guard list.contains(where: { $0.id == id }) else { throw Self.noSuchOperator }
      let before = list
      list.removeAll { $0.id == id }
      try Self.checkAdministrator(list, before)
    }
    try stored { () throws(SessionStoreFault) in try store.forget(id) }
    try note(.removeAccount, by: who, about: id, now: now)
  }

  private static func changed(
    _ account: OperatorAccount, _ entry: AccountChange, among list: [OperatorAccount]
  ) throws(Problem) -> OperatorAccount {
    var account = account
    guard (1...200).contains(entry.name.count) else {
      throw Problem(400, .badField, "name: 1 to 200 characters", field: "name")
    }
    guard entry.everywhere != nil || !entry.roles.isEmpty else {
      throw Problem(400, .badField, "role: an operator needs a role somewhere", field: "role")
    }
    account.name = entry.name
    account.everywhere = entry.everywhere
    account.roles = entry.roles
    account.isDisabled = entry.isDisabled
    account.signInName = nil
    if let text = entry.signInName {
      guard let name = OperatorAccount.comparableName(text), !name.hasPrefix("op-") else {
        throw Problem(
          400, .badField, "sign_in_name: 1 to 64 of letters, digits, '.', '_', '-' and '@'", field: "sign_in_name")
      }
      guard !list.contains(where: { $0.signInName == name && $0.id != account.id }) else {
        throw Problem(409, .operatorExists, "sign_in_name: another operator has it", field: "sign_in_name")
      }
      account.signInName = name
    }
    return account
  }

  /// Somebody must be left who can let others in.
  private static func checkAdministrator(
    _ list: [OperatorAccount], _ before: [OperatorAccount]
  ) throws(Problem) {
    func isAdministrator(_ account: OperatorAccount) -> Bool { account.everywhere == .admin && !account.isDisabled }
    guard list.contains(where: isAdministrator) || !before.contains(where: isAdministrator) else {
      throw Problem(409, .operatorExists, "the last administrator of all venues stays")
    }
  }

  // MARK: Passwords and codes

  /// Replaces the password of an account and ends its sessions, but for one.
  /// - Parameters:
  ///   - hash: the new password, hashed.
  ///   - kept: the session that stays.
  package func setPassword(
    _ hash: String, of id: String, keeping kept: Int64?, by who: String, now: Instant
  ) throws(Problem) {
    try change { list throws(Problem) in
      guard let index = list.firstIndex(where: { $0.id == id }) else { throw Self.noSuchOperator }
      list[index].password = hash
    }
    for session in try stored({ () throws(SessionStoreFault) in try store.sessions(of: id) })
    where session.number != kept {
      try stored { () throws(SessionStoreFault) in _ = try store.removeSession(session.number) }
    }
    try note(who == id ? .changePassword : .resetPassword, by: who, about: id, now: now)
  }

  /// Makes a secret of one-time codes, which counts from the first code of it.
  package func offerCodes(_ id: String) throws(Problem) -> OneTimeCode {
    let secret = random.bytes(20)
    try change { list throws(Problem) in
      guard let index = list.firstIndex(where: { $0.id == id }) else { throw Self.noSuchOperator }
      list[index].pendingCodeSecret = secret
    }
    return OneTimeCode(secret: secret)
  }

  /// Uses the offered secret from now on, if a code of it is right.
  package func acceptCodes(_ id: String, code: String, now: Instant) throws(Problem) {
    let wrong = Problem(400, .badField, "code: wrong, or no longer valid", field: "code")
    guard let secret = known[id]?.pendingCodeSecret,
      let counter = OneTimeCode(secret: secret).matchingCounter(code, at: now)
    else { throw wrong }
    try change { list throws(Problem) in
      guard let index = list.firstIndex(where: { $0.id == id }) else { throw Self.noSuchOperator }
      // Another server may have accepted it, or offered another secret.
      guard list[index].pendingCodeSecret == secret else { throw wrong }
      list[index].codeSecret = secret
      list[index].pendingCodeSecret = nil
    }
    _ = try stored { () throws(SessionStoreFault) in try store.useCode(counter, of: id) }
    try note(.addCode, by: id, about: id, now: now)
  }

  /// Ends the one-time codes of an account.
  package func removeCodes(_ id: String, by who: String, now: Instant) throws(Problem) {
    try change { list throws(Problem) in
      guard let index = list.firstIndex(where: { $0.id == id }) else { throw Self.noSuchOperator }
      list[index].codeSecret = nil
      list[index].pendingCodeSecret = nil
    }
    try note(.removeCode, by: who, about: id, now: now)
  }

  // MARK: Sessions and events

  /// Returns the sessions of an operator that have not ended, latest first.
  package func sessions(of id: String, now: Instant) throws(Problem) -> [OperatorSession] {
    let settings = settings
    return try stored { () throws(SessionStoreFault) in try store.sessions(of: id) }.filter { now < $0.end(settings) }
  }

  /// Ends one session of an operator; returns whether it was theirs.
  package func endSession(_ number: Int64, of id: String, now: Instant) throws(Problem) -> Bool {
    guard try sessions(of: id, now: now).contains(where: { $0.number == number }) else { return false }
    try stored { () throws(SessionStoreFault) in _ = try store.removeSession(number) }
    try note(.endSession, by: id, about: id, now: now)
    return true
  }

  /// Returns what happened to accounts, latest first.
  package func events(before: Int64?, limit: Int) throws(Problem) -> [AccountEvent] {
    try stored { () throws(SessionStoreFault) in try store.events(before: before, limit: limit) }
  }

  func note(_ action: AccountEvent.Action, by who: String, about id: String, now: Instant) throws(Problem) {
    try stored { () throws(SessionStoreFault) in
      try store.save(AccountEvent(time: now, operator: who, action: action, subject: who == id ? nil : id))
    }
  }
}
