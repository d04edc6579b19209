internal import CordonCore
internal import CordonIngest
internal import CordonOperators
internal import CordonSupport
internal import HTTPTypes
internal import Hummingbird
internal import NIOCore

/// The addresses at which browsers sign in and out.
enum SignInRoute: String, CaseIterable {
  case signIn = "/console/sign-in"
  case signOut = "/console/sign-out"
  case confirm = "/console/confirm"
  case openID = "/console/openid"
  case openIDCallback = "/console/openid/callback"

  var methods: [String] {
    switch self {
    case .signOut: ["POST"]
    case .signIn, .confirm: ["GET", "POST"]
    case .openID, .openIDCallback: ["GET"]
    }
  }
}

extension IngestResponder {
  /// Returns the response to a request that signs somebody in or out; `nil` for all others.
  func signInAnswer(_ request: Request, peer: String) async -> Response? {
    guard settings.servesConsole, let desk, let route = SignInRoute(rawValue: request.uri.path) else { return nil }
    if request.method == .get, let choice = choice(request) { return choice }
    let method = request.method == .head ? "GET" : request.method.rawValue
    guard route.methods.contains(method) else { return Self.response(Problem.wrongMethod(route.methods).response) }
    do throws(Problem) {
      switch (route, method) {
      case (.signIn, "GET"): return try await signInForm(request, desk)
      case (.signIn, _): return try await signIn(request, desk, peer: peer)
      case (.signOut, _): return try await signOut(request, desk)
      case (.confirm, "GET"): return try await confirmationForm(request, desk)
      case (.confirm, _): return try await confirm(request, desk, peer: peer)
      case (.openID, _): return try await openIDStart(request, desk, peer: peer)
      case (.openIDCallback, _): return try await openIDCallback(request, desk)
      }
    } catch {
      return Self.response(error.response)
    }
  }

  /// Returns the session to which a request belongs; `nil` for one without, and for one with credentials of its own.
  func session(of request: Request) async throws(Problem) -> PresentedSession? {
    guard let desk, request.headers[.authorization] == nil,
      let token = desk.cookie.token(.session, in: request.headers[.cookie])
    else { return nil }
    let proof = request.headers[HTTPField.csrfToken]
    // Pages repeat reading requests by themselves, which shows nobody.
    let isActivity = request.uri.path.hasPrefix("/console") || ![.get, .head].contains(request.method)
    return try await desk.run { (sessions, now) throws(Problem) in
      try sessions.present(token, proof: proof, isActivity: isActivity, now: now)
    }
  }

  /// Whether a request that takes long may go on: its session has not ended, or it never had one.
  func isSignedIn(_ request: Request, _ session: PresentedSession?) async -> Bool {
    guard session != nil, let desk, let token = desk.cookie.token(.session, in: request.headers[.cookie]) else {
      return true
    }
    let found = try? await desk.run { (sessions, now) throws(Problem) in
      try sessions.find(token, isActivity: false, now: now)
    }
    return found != nil
  }

  // MARK: Forms

  /// The fields of a form.
  struct Form {
    private let fields: IngestRequest

    fileprivate init(_ body: [UInt8]) { fields = IngestRequest("POST", "/?" + String(decoding: body, as: UTF8.self)) }

    /// The value of a field; empty for a missing one.
    subscript(_ name: String) -> String { fields.parameter(name) ?? "" }
  }

  /// Reads a form that a page of this server sent: browsers name the origin of forms, and pages of other origins do not know the
  /// token.
  private func form(_ request: Request) async throws(Problem) -> Form {
    if let site = request.headers[HTTPField.fetchSite], !["same-origin", "none"].contains(site) {
      throw Self.foreignForm
    }
    do {
      let buffer = try await request.body.collect(upTo: 16_384)
      return Form(Array(buffer.readableBytesView))
    } catch {
      throw Problem(413, .bodyTooLarge, "a form has at most 16384 bytes")
    }
  }

  private static let foreignForm = Problem(403, .csrf, "this form is of another page", field: "csrf_token")

  func parameter(_ name: String, of request: Request) -> String? {
    IngestRequest("GET", request.uri.string).parameter(name)
  }

  private func page(
    _ page: SignInPage, _ request: Request, status: Int = 200, cookie: String? = nil
  ) -> Response {
    var headers: [IngestRequest.Header] =
      [.init("content-type", "text/html; charset=utf-8")] + PageHeaders.all
    if let cookie { headers.append(.init("set-cookie", cookie)) }
    var page = page
    (page.language, page.theme) = consoleChoices(request)
    return Self.response(IngestResponse(status, headers: headers, body: page.bytes))
  }

  func redirection(to path: String, cookies: [String] = []) -> Response {
    Self.response(
      IngestResponse(
        303,
        headers: [.init("location", path), .init("cache-control", "no-store")]
          + cookies.map { .init("set-cookie", $0) }))
  }

  // MARK: Signing in and out

  func signInForm(
    _ request: Request, _ desk: OperatorDesk, next: String? = nil, problem: Problem? = nil
  ) async throws(Problem) -> Response {
    let next = next ?? LocalPath.checked(parameter("next", of: request))
    if problem == nil, try await session(of: request) != nil { return redirection(to: next) }
    let known = desk.cookie.token(.signingIn, in: request.headers[.cookie])
    let token: SessionToken
    if let known {
      token = known
    } else {
      token = await desk.newToken()
    }
    return page(
      SignInPage(
        form: .signIn(allowsPasswords: desk.settings.allowsPasswords), proof: token.proof, next: next,
        provider: desk.providerLabel, problem: problem), request,
      status: problem?.status ?? 200,
      cookie: known == nil ? desk.cookie.field(.signingIn, token.text, seconds: 3_600) : nil)
  }

  private func signIn(_ request: Request, _ desk: OperatorDesk, peer: String) async throws(Problem) -> Response {
    let form = try await form(request)
    let next = LocalPath.checked(form["next"])
    do throws(Problem) {
      guard let token = desk.cookie.token(.signingIn, in: request.headers[.cookie]),
        token.isProved(by: form["csrf_token"])
      else { throw Self.foreignForm }
      let entry = PasswordEntry(name: form["name"], password: form["password"], code: form["code"])
      let attempt = try await desk.run { (sessions, now) throws(Problem) in
        try sessions.beginSignIn(entry, address: peer, now: now)
      }
      let session = try await desk.finish(attempt)
      return redirection(
        to: next, cookies: [desk.cookie.removal(.signingIn), desk.cookie.field(.session, session.text)])
    } catch {
      return try await signInForm(request, desk, next: next, problem: error)
    }
  }

  private func signOut(_ request: Request, _ desk: OperatorDesk) async throws(Problem) -> Response {
    let form = try await form(request)
    var address: String?
    if let token = desk.cookie.token(.session, in: request.headers[.cookie]) {
      guard token.isProved(by: request.headers[HTTPField.csrfToken] ?? form["csrf_token"]) else {
        throw Self.foreignForm
      }
      let ended = try await desk.run { (sessions, now) throws(Problem) -> EndedSession? in
        try sessions.signOut(token, now: now)
      }
      if let provider = desk.provider, let ended, ended.method == .openID {
        address = await provider.signOutAddress(idToken: ended.idToken, now: clock())
      }
    }
    let removal = desk.cookie.removal(.session)
    if request.headers[.accept]?.contains("application/json") == true {
      return Self.response(
        .json(200, ["provider": JSONValue(address)], headers: [.init("set-cookie", removal)]))
    }
    guard let address else { return redirection(to: SignInRoute.signIn.rawValue, cookies: [removal]) }
    return page(
      SignInPage(form: .signedOut(address: address), proof: "", next: "/", provider: desk.providerLabel), request,
      cookie: removal)
  }

  // MARK: Confirming

  private func confirmationForm(
    _ request: Request, _ desk: OperatorDesk, next: String? = nil, problem: Problem? = nil
  ) async throws(Problem) -> Response {
    let next = next ?? LocalPath.checked(parameter("next", of: request))
    guard let token = desk.cookie.token(.session, in: request.headers[.cookie]),
      let found = try await desk.run({ (sessions, now) throws(Problem) in
        try sessions.find(token, isActivity: true, now: now)
      })
    else { return redirection(to: SignInRoute.signIn.rawValue) }
    return page(
      SignInPage(
        form: .confirmation(
          name: found.account.name,
          needsCode: found.account.codeSecret != nil, isOpenID: found.session.method == .openID), proof: token.proof,
        next: next, provider: desk.providerLabel, problem: problem), request, status: problem?.status ?? 200)
  }

  private func confirm(_ request: Request, _ desk: OperatorDesk, peer: String) async throws(Problem) -> Response {
    let form = try await form(request)
    let next = LocalPath.checked(form["next"])
    do throws(Problem) {
      guard let token = desk.cookie.token(.session, in: request.headers[.cookie]),
        token.isProved(by: form["csrf_token"])
      else { throw Self.foreignForm }
      let (password, code) = (form["password"], form["code"])
      let attempt = try await desk.run { (sessions, now) throws(Problem) in
        try sessions.beginConfirmation(token, password: password, code: code, address: peer, now: now)
      }
      let session = try await desk.finish(attempt)
      return redirection(to: next, cookies: [desk.cookie.field(.session, session.text)])
    } catch {
      return try await confirmationForm(request, desk, next: next, problem: error)
    }
  }
}
