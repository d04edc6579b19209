internal import CordonCore
internal import CordonIngest
internal import CordonOperators
internal import CordonSupport
internal import HTTPTypes
internal import Hummingbird
internal import NIOCore

extension IngestResponder {
  /// Returns the response to a request about accounts and sessions; `nil` for all others.
  func accountAnswer(
    _ request: Request, _ session: PresentedSession?, peer: String, id: String
  ) async -> Response? {
    guard let desk, let match = AccountRoute.find(request.method.rawValue, request.uri.path) else { return nil }
    guard case .route(let route, let name) = match else {
      if case .otherMethods(let methods) = match { return Self.response(Problem.wrongMethod(methods).response) }
      return nil
    }
    let asker: Asker
    switch await authenticate(request, session, peer: peer, id: id) {
    case .refusal(let response): return response
    case .asker(let known): asker = known
    }
    do throws(Problem) {
      try session?.checkProof(method: request.method.rawValue)
      let call = AccountCall(
        desk: desk, who: asker.operator, session: session,
        token: session.flatMap { _ in desk.cookie.token(.session, in: request.headers[.cookie]) }, name: name,
        body: try await body(request), query: IngestRequest("GET", request.uri.string), peer: peer)
      return Self.response(try await call.answer(route))
    } catch {
      return Self.response(error.response)
    }
  }

  private func body(_ request: Request) async throws(Problem) -> [UInt8] {
    if let encoding = request.headers[.contentEncoding], encoding != "identity" {
      throw Problem(415, .unknownEncoding, "a body comes as it is here", field: "content-encoding")
    }
    do {
      let buffer = try await request.body.collect(upTo: 65_536)
      return Array(buffer.readableBytesView)
    } catch {
      throw Problem(413, .bodyTooLarge, "a body has at most 65536 bytes here")
    }
  }
}

/// One request about accounts and sessions, of an operator who is known.
private struct AccountCall {
  let desk: OperatorDesk
  let who: String
  let session: PresentedSession?
  let token: SessionToken?
  /// The part of the address that names an operator or a number.
  let name: String
  let body: [UInt8]
  let query: IngestRequest
  let peer: String

  func answer(_ route: AccountRoute) async throws(Problem) -> IngestResponse {
    switch route {
    case .accounts: return try await accounts()
    case .addAccount: return try await addAccount()
    case .changeAccount: return try await changeAccount()
    case .removeAccount: return try await removeAccount()
    case .resetPassword: return try await resetPassword()
    case .events: return try await events()
    case .password: return try await changePassword()
    case .offerCodes: return try await offerCodes()
    case .acceptCodes: return try await acceptCodes()
    case .removeCodes: return try await removeCodes()
    case .sessions: return try await sessions()
    case .endSession: return try await endSession()
    }
  }

  // MARK: Accounts

  /// Checks that the operator is an administrator of all venues, and was there a short time ago.
  private func checkAdministrator() async throws(Problem) {
    let who = who
    let isAdministrator = try await desk.run { (sessions, _) in
      sessions.list.contains { $0.id == who && $0.everywhere == .admin && !$0.isDisabled }
    }
    guard isAdministrator else { throw Problem(403, .role, "this needs the role admin at all venues") }
    try session?.checkFreshness()
  }

  private func accounts() async throws(Problem) -> IngestResponse {
    let who = who
    let list = try await desk.run { (sessions, _) throws(Problem) -> [OperatorAccount] in
      guard let asker = sessions.list.first(where: { $0.id == who })?.operator, asker.role == .admin else {
        throw Problem(403, .role, "this needs the role admin")
      }
      guard let venues = asker.venues(atLeast: .admin) else { return sessions.list }
      // Administrators of some venues see who has a role there.
      return sessions.list.filter { account in account.roles.keys.contains { venues.contains($0) } }
    }
    return .json(200, ["accounts": .array(list.map { AccountMessages.describe($0) })])
  }

  private func addAccount() async throws(Problem) -> IngestResponse {
    try await checkAdministrator()
    let (entry, who) = (try AccountEntry(body).change(), who)
    let secret = try await desk.run { (sessions, _) in sessions.newSecret() }
    var hash: String?
    if entry.signInName != nil { hash = try await desk.hash(secret) }
    let password = hash
    let account = try await desk.change { (sessions, now) throws(Problem) in
      try sessions.add(entry, password: password, key: password == nil ? secret : nil, by: who, now: now)
    }
    return .json(201, AccountMessages.describe(account, secret: secret))
  }

  private func changeAccount() async throws(Problem) -> IngestResponse {
    try await checkAdministrator()
    let (entry, who, name) = (try AccountEntry(body).change(), who, name)
    let account = try await desk.change { (sessions, now) throws(Problem) in
      try sessions.change(name, to: entry, by: who, now: now)
    }
    return .json(200, AccountMessages.describe(account))
  }

  private func removeAccount() async throws(Problem) -> IngestResponse {
    try await checkAdministrator()
    let (who, name) = (who, name)
    try await desk.change { (sessions, now) throws(Problem) in try sessions.remove(name, by: who, now: now) }
    return IngestResponse(204)
  }

  /// Gives an operator a new first password; one-time codes end, since the phone may be what was lost.
  private func resetPassword() async throws(Problem) -> IngestResponse {
    try await checkAdministrator()
    let (who, name) = (who, name)
    let found = try await desk.run { (sessions, _) in sessions.list.first { $0.id == name } }
    guard let account = found else { throw Problem(404, .noSuchOperator, "no such operator", field: "operator") }
    guard account.signInName != nil else {
      throw Problem(409, .operatorExists, "the operator has no name to sign in with", field: "operator")
    }
    let secret = try await desk.run { (sessions, _) in sessions.newSecret() }
    let hash = try await desk.hash(secret)
    try await desk.change { (sessions, now) throws(Problem) in
      try sessions.setPassword(hash, of: name, keeping: nil, by: who, now: now)
      if account.codeSecret != nil { try sessions.removeCodes(name, by: who, now: now) }
    }
    return .json(200, ["secret": .string(secret)])
  }

  private func events() async throws(Problem) -> IngestResponse {
    let who = who
    func number(_ name: String, _ range: ClosedRange<Int64>) throws(Problem) -> Int64? {
      guard let text = query.parameter(name), !text.isEmpty else { return nil }
      guard let value = Int64(text), range.contains(value) else {
        throw Problem(400, .badParameter, "\(name): a whole number from \(range.lowerBound)", field: name)
      }
      return value
    }
    let limit = Int(try number("limit", 1...1_000) ?? 100)
    let before = try number("before", 1...Int64.max)
    let events = try await desk.run { (sessions, _) throws(Problem) -> [AccountEvent] in
      guard sessions.list.contains(where: { $0.id == who && $0.everywhere == .admin }) else {
        throw Problem(403, .role, "this needs the role admin at all venues")
      }
      return try sessions.events(before: before, limit: limit)
    }
    return .json(200, AccountMessages.describe(events, limit: limit))
  }

  // MARK: The operator's own account

  /// The session's token, for what only a signed-in browser may do.
  private func ownToken() throws(Problem) -> SessionToken {
    guard let token else { throw Problem(403, .role, "this is for operators who signed in with a browser") }
    return token
  }

  private func changePassword() async throws(Problem) -> IngestResponse {
    let (token, who, peer) = (try ownToken(), who, peer)
    let texts = try AccountMessages.texts(body, ["password", "new_password", "code"])
    guard let former = texts["password"], let new = texts["new_password"] else {
      throw Problem(400, .badField, "new_password: the present and the new password are needed", field: "new_password")
    }
    let account = try await desk.run { (sessions, _) in sessions.list.first { $0.id == who } }
    guard account?.password != nil else { throw Problem(409, .operatorExists, "the account has no password here") }
    let names = [account?.signInName, account?.name].compactMap(\.self)
    if let issue = PasswordRules.issue(with: new, names: names) {
      throw Problem(400, .weakPassword, "new_password: \(issue)", field: "new_password")
    }
    let code = texts["code"] ?? ""
    let attempt = try await desk.run { (sessions, now) throws(Problem) in
      try sessions.beginConfirmation(token, password: former, code: code, address: peer, now: now)
    }
    let renewed = try await desk.finish(attempt)
    let hash = try await desk.hash(new)
    try await desk.change { (sessions, now) throws(Problem) in
      let kept = try sessions.find(renewed, isActivity: true, now: now)?.session.number
      try sessions.setPassword(hash, of: who, keeping: kept, by: who, now: now)
    }
    return IngestResponse(204, headers: [.init("set-cookie", desk.cookie.field(.session, renewed.text))])
  }

  private func offerCodes() async throws(Problem) -> IngestResponse {
    _ = try ownToken()
    try session?.checkFreshness()
    let who = who
    let (codes, name) = try await desk.change { (sessions, _) throws(Problem) in
      guard let name = sessions.list.first(where: { $0.id == who })?.signInName else {
        throw Problem(409, .operatorExists, "the account has no password here")
      }
      return (try sessions.offerCodes(who), name)
    }
    return .json(
      200, ["secret": .string(Base32.encode(codes.secret)), "address": .string(codes.address(account: name))])
  }

  private func acceptCodes() async throws(Problem) -> IngestResponse {
    _ = try ownToken()
    let (who, code) = (who, try AccountMessages.texts(body, ["code"])["code"] ?? "")
    try await desk.change { (sessions, now) throws(Problem) in try sessions.acceptCodes(who, code: code, now: now) }
    return IngestResponse(204)
  }

  private func removeCodes() async throws(Problem) -> IngestResponse {
    _ = try ownToken()
    try session?.checkFreshness()
    let who = who
    try await desk.change { (sessions, now) throws(Problem) in try sessions.removeCodes(who, by: who, now: now) }
    return IngestResponse(204)
  }

  private func sessions() async throws(Problem) -> IngestResponse {
    let (token, who, settings) = (try ownToken(), who, desk.settings)
    let list = try await desk.run { (sessions, now) throws(Problem) in
      let present = try sessions.find(token, isActivity: false, now: now)?.session.number
      return try sessions.sessions(of: who, now: now).map {
        AccountMessages.describe($0, isPresent: $0.number == present, settings: settings)
      }
    }
    return .json(200, ["sessions": .array(list)])
  }

  private func endSession() async throws(Problem) -> IngestResponse {
    _ = try ownToken()
    let who = who
    guard let number = Int64(name) else {
      throw Problem(400, .badParameter, "a session is named by its number", field: "number")
    }
    let wasThere = try await desk.run { (sessions, now) throws(Problem) in
      try sessions.endSession(number, of: who, now: now)
    }
    guard wasThere else { throw Problem(404, .noSuchAddress, "no such session", field: "number") }
    return IngestResponse(204)
  }
}
