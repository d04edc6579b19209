import CordonCore
import CordonIngest
import CordonSupport
import Crypto
import CryptoExtras
import Foundation
import Testing

@testable import CordonOperators

@Suite("Signing in at an OpenID provider") struct OpenIDTests {
  private static let north = VenueID("north")

  /// A server, a provider and a browser between them.
  private final class World {
    let bench: SignInBench
    let provider = ScriptedProvider()
    let client: OpenIDClient
    let settings: OpenIDSettings
    let browser: SessionToken
    var key: ScriptedProvider.Key

    init(_ settings: OpenIDSettings = .scripted(), key: ScriptedProvider.Key? = nil) throws {
      bench = try SignInBench()
      self.settings = settings
      client = OpenIDClient(settings: settings, client: provider)
      browser = bench.sessions.newToken()
      self.key = key ?? .p256("k1", P256.Signing.PrivateKey())
      try provider.publish([self.key])
    }

    func begin(confirming session: SessionToken? = nil, address: String = "192.0.2.1") throws -> OpenIDAttempt {
      try bench.sessions.beginOpenID(
        browser: session ?? browser, isConfirmation: session != nil, next: "/console/overview",
        address: address, now: bench.now)
    }

    func claims(_ attempt: OpenIDAttempt, _ changes: [String: (any Sendable)?] = [:]) -> [String: Any] {
      let now = bench.now.milliseconds / 1_000
      var claims: [String: Any] = [
        "iss": ScriptedProvider.issuer, "sub": "248289761001", "aud": "cordon", "exp": now + 300, "iat": now,
        "nonce": attempt.nonce, "name": "Jane <b>Doe</b>", "groups": ["tracers", "cafeteria"],
      ]
      for (name, value) in changes { claims[name] = value }
      return claims
    }

    func finish(_ attempt: OpenIDAttempt, token: String, issuer: String? = nil) async throws -> SessionToken {
      let taken = try bench.sessions.takeOpenID(state: attempt.state, browsers: [browser], now: bench.now)
      provider.accept(code: "c", token: token)
      let identity = try await client.identity(code: "c", issuer: issuer, for: taken, now: bench.now)
      return try bench.sessions.finish(
        taken, identity, browsers: [browser], settings: settings, now: bench.now)
    }

    func signIn(_ changes: [String: (any Sendable)?] = [:]) async throws -> SessionToken {
      let attempt = try begin()
      return try await finish(attempt, token: try ScriptedProvider.token(claims(attempt, changes), key))
    }
  }

  /// One address does not take the places of all: nobody has shown anything when they are sent to the provider.
  @Test func oneAddressCannotTakeAllPlaces() throws {
    let world = try World()
    for _ in 0..<OperatorSessions.maximumAttemptsOfAddress { _ = try world.begin() }
    let refusal = #expect(throws: Problem.self) { try world.begin() }
    #expect(refusal?.status == 429)
    _ = try world.begin(address: "192.0.2.2")
    world.bench.now = world.bench.now + OpenIDAttempt.lifetime
    _ = try world.begin()
  }

  @Test func theBrowserIsSentWithEverythingThatIsNeeded() async throws {
    let world = try World()
    let attempt = try world.begin()
    let address = try await world.client.address(for: attempt, now: world.bench.now)
    let parts = try #require(URLComponents(string: address))
    #expect(parts.host == "id.example" && parts.path == "/authorize")
    let values = Dictionary(uniqueKeysWithValues: (parts.queryItems ?? []).map { ($0.name, $0.value ?? "") })
    #expect(values["response_type"] == "code" && values["client_id"] == "cordon")
    #expect(values["redirect_uri"] == "https://cordon.example/console/openid/callback")
    #expect(values["scope"] == "openid profile groups")
    #expect(values["state"] == attempt.state && values["nonce"] == attempt.nonce)
    #expect(values["code_challenge_method"] == "S256")
    let challenge = Array(Crypto.SHA256.hash(data: Data(attempt.proof.verifier.utf8)))
    #expect(values["code_challenge"] == Base64.encodeURL(challenge))
    #expect(attempt.proof.verifier.utf8.count == 43 && !address.contains(attempt.proof.verifier))
    #expect(values["prompt"] == nil)
    #expect(Set([attempt.state, attempt.nonce, attempt.proof.verifier]).count == 3)
    let confirmation = try world.begin(confirming: world.browser)
    let again = try await world.client.address(for: confirmation, now: world.bench.now)
    #expect(again.contains("prompt=login") && again.contains("max_age=60"))
    #expect(world.provider.count("/.well-known/openid-configuration") == 1, "asked once an hour")
  }

  /// RFC 7636, appendix B.
  @Test func theChallengeHasTheVectorOfTheRFC() {
    let digest = Crypto.SHA256.hash(data: Data("dBjftJeZ4CVP-mB92K27uhbUJU1p1r_wW1gFWFOEjXk".utf8))
    #expect(Base64.encodeURL(Array(digest)) == "E9Melhoa2OwvFrEMTJguCHaoeK1t8URWbuGJSstw-cM")
  }

  @Test func bothAlgorithmsSignPeopleIn() async throws {
    let keys: [ScriptedProvider.Key] = [
      .p256("e", P256.Signing.PrivateKey()), .rsa("r", try ScriptedProvider.rsa.get()),
    ]
    for key in keys {
      let world = try World(key: key)
      let token = try await world.signIn()
      let session = try #require(try world.bench.present(token))
      #expect(session.operator.role == .contactTracer)
      #expect(session.operator.id.hasPrefix("op-"))
      #expect(session.members.contains { $0.key == "method" && $0.value == "openid" })
      let request = try #require(world.provider.tokenRequests.first)
      #expect(request.authorization == "Basic " + Data("cordon:s3cret%2F%2B".utf8).base64EncodedString())
      let form = IngestRequest("POST", "/?" + (request.form ?? ""))
      #expect(form.parameter("grant_type") == "authorization_code" && form.parameter("client_secret") == nil)
      #expect(form.parameter("code_verifier")?.count == 43)
    }
  }

  /// A person keeps one pseudonym, and gets the roles of their groups at each sign-in.
  @Test func rolesFollowTheGroups() async throws {
    let world = try World()
    let first = try #require(try world.bench.present(try await world.signIn()))
    let north = try #require(Self.north)
    let later = try #require(
      try world.bench.present(try await world.signIn(["groups": ["north"], "name": "Jane Roe"])))
    #expect(later.operator.id == first.operator.id)
    #expect(later.operator.everywhere == .viewer && later.operator.roles == [north: .operator])
    #expect(world.bench.accounts.accounts().count == 4)
    let other = try #require(try world.bench.present(try await world.signIn(["sub": "another", "groups": "admins"])))
    #expect(other.operator.id != first.operator.id && other.operator.role == .admin)
    await #expect(throws: Problem.self) { try await world.signIn(["groups": ["cafeteria"]]) }
    await #expect(throws: Problem.self) { try await world.signIn(["groups": nil]) }
    #expect(world.bench.accounts.accounts().first { $0.id == first.operator.id }?.everywhere == nil, "and lost them")
  }

  @Test func aLockedAccountStaysLocked() async throws {
    let world = try World()
    let id = try #require(try world.bench.present(try await world.signIn())).operator.id
    _ = try world.bench.sessions.change(
      id, to: AccountChange(name: "Jane", everywhere: .viewer, isDisabled: true), by: "op-1", now: world.bench.now)
    await #expect(throws: Problem.self) { try await world.signIn() }
  }

  // MARK: Attacks

  @Test(
    arguments: [
      ("iss", "https://evil.example"), ("aud", "other"), ("aud", ["cordon", "other"]), ("azp", "other"),
      ("exp", 1_699_999_900), ("exp", nil), ("exp", "soon"), ("iat", 1_700_000_200), ("iat", 1_699_990_000),
      ("iat", nil), ("nonce", "other"), ("nonce", nil), ("nonce", ["x"]), ("sub", nil), ("sub", ""), ("sub", 5),
      ("nbf", 1_700_000_200),
    ] as [(String, (any Sendable)?)])
  func aTokenWithOtherClaimsIsRefused(_ name: String, _ value: (any Sendable)?) async throws {
    let world = try World()
    await #expect(throws: OpenIDFault.self, "\(name)") { try await world.signIn([name: value]) }
    #expect(world.bench.accounts.accounts().count == 3, "nobody was added")
  }

  @Test func aTokenOfAnotherKeyIsRefused() async throws {
    let world = try World()
    let attempt = try world.begin()
    let claims = world.claims(attempt)
    let good = try ScriptedProvider.token(claims, world.key)
    let forged: [String] = [
      try ScriptedProvider.token(claims, .p256("k1", P256.Signing.PrivateKey())),
      // No signature, and no algorithm.
      good.split(separator: ".").dropLast().joined(separator: ".") + ".",
      try ScriptedProvider.token(claims, world.key, header: ["alg": "none"]),
      // An algorithm with a shared secret, for which the public key would be the secret.
      try ScriptedProvider.token(claims, world.key, header: ["alg": "HS256"]),
      try ScriptedProvider.token(claims, world.key, header: ["alg": "RS256"]),
      try ScriptedProvider.token(claims, world.key, header: ["crit": ["b64"], "b64": false]),
      good.replacingOccurrences(of: ".", with: ".."), "a.b.c", "", String(repeating: "x", count: 100_000),
    ]
    for token in forged {
      let attempt = try world.begin()
      await #expect(throws: OpenIDFault.self) { try await world.finish(attempt, token: token) }
    }
  }

  /// A key that is new to the server is looked up, at most every half minute.
  @Test func keysAreRotated() async throws {
    let world = try World()
    _ = try await world.signIn()
    let new = ScriptedProvider.Key.p256("k2", P256.Signing.PrivateKey())
    try world.provider.publish([world.key, new])
    world.key = new
    await #expect(throws: OpenIDFault.self) { try await world.signIn() }
    #expect(world.provider.count("/keys") == 1)
    world.bench.now = world.bench.now + .seconds(31)
    _ = try await world.signIn()
    #expect(world.provider.count("/keys") == 2)
    // Tokens with made-up keys do not make the server ask each time.
    for _ in 0..<5 {
      let attempt = try world.begin()
      let token = try ScriptedProvider.token(world.claims(attempt), .p256("k9", P256.Signing.PrivateKey()))
      await #expect(throws: OpenIDFault.self) { try await world.finish(attempt, token: token) }
    }
    #expect(world.provider.count("/keys") == 2)
    // A withdrawn key counts an hour at most.
    try world.provider.publish([])
    world.bench.now = world.bench.now + .minutes(61)
    await #expect(throws: OpenIDFault.self) { try await world.signIn() }
  }

  @Test func anAnswerBelongsToItsBrowserOnce() async throws {
    let world = try World()
    let attempt = try world.begin()
    let stranger = world.bench.sessions.newToken()
    func take(_ state: String, _ browsers: [SessionToken]) -> Problem? {
      world.bench.problem { () throws(Problem) in
        _ = try world.bench.sessions.takeOpenID(state: state, browsers: browsers, now: world.bench.now)
      }
    }
    #expect(take("other", [world.browser])?.code == .csrf)
    #expect(take(attempt.state, [stranger])?.code == .csrf)
    #expect(take(attempt.state, [world.browser])?.code == .csrf, "used up by the stranger's attempt")
    let second = try world.begin()
    #expect(take(second.state, [stranger, world.browser]) == nil)
    #expect(take(second.state, [world.browser])?.code == .csrf, "once")
    let third = try world.begin()
    world.bench.now = world.bench.now + .minutes(10)
    #expect(take(third.state, [world.browser])?.code == .csrf, "too late")
    await #expect(throws: OpenIDFault.self) {
      let attempt = try world.begin()
      let token = try ScriptedProvider.token(world.claims(attempt), world.key)
      _ = try await world.finish(attempt, token: token, issuer: "https://evil.example")
    }
  }

  @Test(
    arguments: [
      ["issuer": "https://evil.example"], ["token_endpoint": "http://id.example/token"],
      ["jwks_uri": "ftp://id.example/keys"], ["code_challenge_methods_supported": ["plain"]],
      ["authorization_endpoint": nil], ["end_session_endpoint": "javascript:alert(1)"],
      ["authorization_endpoint": "https://user:pass@id.example/"],
    ] as [[String: (any Sendable)?]])
  func aProviderThatIsUnsafeIsRefused(_ changes: [String: (any Sendable)?]) async throws {
    let world = try World()
    world.provider.answer("/.well-known/openid-configuration", ScriptedProvider.metadata(changes))
    let attempt = try world.begin()
    await #expect(throws: OpenIDFault.self) { try await world.client.address(for: attempt, now: world.bench.now) }
  }

  // MARK: Confirming and signing out

  @Test func aConfirmationNeedsTheSamePersonAgain() async throws {
    let world = try World()
    let session = try await world.signIn()
    world.bench.now = world.bench.now + .minutes(20)
    func confirm(_ changes: [String: (any Sendable)?]) async throws -> SessionToken {
      let attempt = try world.begin(confirming: session)
      let taken = try world.bench.sessions.takeOpenID(state: attempt.state, browsers: [session], now: world.bench.now)
      world.provider.accept(code: "c", token: try ScriptedProvider.token(world.claims(attempt, changes), world.key))
      let identity = try await world.client.identity(code: "c", issuer: nil, for: taken, now: world.bench.now)
      return try world.bench.sessions.finish(
        taken, identity, browsers: [session], settings: world.settings, now: world.bench.now)
    }
    let seconds = world.bench.now.milliseconds / 1_000
    await #expect(throws: OpenIDFault.self) { try await confirm([:]) }
    await #expect(throws: OpenIDFault.self) { try await confirm(["auth_time": seconds - 1_200]) }
    await #expect(throws: Problem.self) { try await confirm(["auth_time": seconds, "sub": "another"]) }
    let renewed = try await confirm(["auth_time": seconds])
    #expect(try world.bench.present(renewed)?.isFresh == true)
    #expect(try world.bench.present(session) == nil)
  }

  @Test func signingOutLeadsToTheProvider() async throws {
    let world = try World()
    let session = try await world.signIn()
    let ended = try #require(try world.bench.sessions.signOut(session, now: world.bench.now))
    #expect(ended.method == .openID)
    let address = try #require(await world.client.signOutAddress(idToken: ended.idToken, now: world.bench.now))
    #expect(address.hasPrefix("https://id.example/end?id_token_hint=ey"))
    #expect(address.contains("post_logout_redirect_uri=https%3A%2F%2Fcordon.example%2Fconsole%2Fsign-in"))
    #expect(try world.bench.present(session) == nil)
  }

  @Test func aPublicClientHasNoSecret() async throws {
    let world = try World(.scripted(secret: nil))
    _ = try await world.signIn()
    let request = try #require(world.provider.tokenRequests.first)
    #expect(request.authorization == nil && request.form?.contains("client_id=cordon") == true)
  }

  @Test func groupsAreReadAsTheyAreWritten() {
    for text in ["tracers=contact-tracer", "cn=desk,ou=x=operator@north", "a=admin"] {
      #expect(OpenIDSettings.GroupRole(text)?.text == text)
    }
    for text in ["", "tracers", "=admin", "tracers=boss", "tracers=admin@"] {
      #expect(OpenIDSettings.GroupRole(text) == nil, "\(text)")
    }
  }
}
