import Cordon
import CordonCore
import CordonMonitoring
import CordonSignIn
import CordonSupport
import Foundation
import Testing

@Suite("Sign-in")
struct SignInTests {
  @Test func theProofIsThatOfTheStandard() {
    // RFC 7636, appendix B.
    let proof = ProofKey(verifier: "dBjftJeZ4CVP-mB92K27uhbUJU1p1r_wW1gFWFOEjXk")
    #expect(proof.challenge == "E9Melhoa2OwvFrEMTJguCHaoeK1t8URWbuGJSstw-cM")
    #expect(Base64.decode("-_8") == [0xfb, 0xff] && Base64.encodeURL([0xfb, 0xff]) == "-_8")
    #expect(PercentEncoding.encode("a+b/c=é ~") == "a%2Bb%2Fc%3D%C3%A9%20~")
  }

  @Test func aBrowserSignsIn() async throws {
    let bench = try Bench()
    #expect(await bench.session.token() == .failure(.signedOut))
    try await bench.signIn()
    let set = try #require(try bench.vault.load())
    #expect(set.access == "access-1-secret" && set.refresh == "refresh-1-secret" && set.client == "app")
    #expect(await bench.session.token() == .success("access-1-secret"))
    #expect(await bench.session.isSignedIn)
  }

  /// Each attempt has a verifier, a state and a nonce of its own.
  @Test func everyAttemptHasAFreshVerifier() async throws {
    let bench = try Bench()
    try await bench.signIn()
    try await bench.signIn()
    let challenges = await bench.provider.challenges
    #expect(challenges.count == 2 && challenges[0] != challenges[1])
    #expect(challenges.allSatisfy { $0.utf8.count == 43 })
  }

  @Test(arguments: [
    (["state": "another"], SignInError.foreignAnswer), (["state": ""], .foreignAnswer), (["code": ""], .foreignAnswer),
    (["iss": "https://evil.example"], .foreignAnswer), (["error": "access_denied"], .denied("access_denied")),
    (["error": "x<script>"], .denied("xscript")), (["code": "stolen"], .expired),
  ])
  func aForeignAnswerSignsNobodyIn(change: [String: String], error: SignInError) async throws {
    let bench = try Bench()
    let found = await bench.failure { try await bench.signIn(change: change) }
    #expect(found == error)
    #expect(try bench.vault.load() == nil)
    #expect(await bench.session.token() == .failure(.signedOut))
  }

  @Test func anotherRedirectIsForeign() async throws {
    let bench = try Bench()
    let error = await bench.failure {
      try await bench.session.signIn(browser: { page in
        let url = try await bench.provider.browse(page)
        return try #require(URL(string: url.absoluteString.replacingOccurrences(of: "my-app", with: "other-app")))
      })
    }
    #expect(error == .foreignAnswer)
  }

  @Test(arguments: [
    (
      #"{"issuer":"https://evil.example","token_endpoint":"https://id.example.org/t"}"#,
      SignInError.badProvider("issuer is another one")
    ),
    (
      #"{"issuer":"https://id.example.org/o","token_endpoint":"http://id.example.org/t"}"#,
      .badProvider("token_endpoint is not an address with https")
    ),
    (#"{"issuer":"https://id.example.org/o"}"#, .badProvider("token_endpoint is missing")),
    (
      #"{"issuer":"https://id.example.org/o","token_endpoint":"https://id.example.org/t","code_challenge_methods_supported":["plain"]}"#,
      .badProvider("code_challenge_methods_supported lacks S256")
    ),
    ("<html>", .unreachable("the discovery document is not JSON")),
  ])
  func providersAreChecked(document: String, error: SignInError) async throws {
    let bench = try Bench()
    await bench.provider.answer("openid-configuration", [ProviderModel.json(200, document)])
    let found = await bench.failure { try await bench.signIn() }
    #expect(found == error)
  }

  // MARK: - Tokens

  /// The end of a token is that which the provider named, counted from the answer.
  @Test func aTokenEndsWhenItsProviderSays() async throws {
    let bench = try Bench()
    try await bench.signIn()
    bench.clock.move(.seconds(3_569))
    #expect(await bench.session.token() == .success("access-1-secret"))
    bench.clock.move(.seconds(2))
    #expect(await bench.session.token() == .success("access-2-secret"))
    #expect(try bench.vault.load()?.refresh == "refresh-2-secret")
  }

  @Test func callersShareOneRenewal() async throws {
    let bench = try Bench()
    try await bench.signIn()
    bench.clock.move(.hours(2))
    let results = await withTaskGroup(of: Result<String, SignInError>.self) { group in
      for _ in 0..<8 { group.addTask { await bench.session.token() } }
      return await group.reduce(into: []) { $0.append($1) }
    }
    #expect(results.allSatisfy { $0 == .success("access-2-secret") }, "\(results.count)")
    #expect(await bench.provider.count(of: "token") == 2)
  }

  /// A network that fails or a portal does not judge the tokens.
  @Test(arguments: [
    HTTPResponse.none, HTTPResponse(status: 503), HTTPResponse(status: 400, body: Array("<html>".utf8)),
    HTTPResponse(status: 401), HTTPResponse(status: 200, body: Array("{}".utf8)), HTTPResponse(status: 302),
    ProviderModel.json(400, #"{"error":"temporarily_unavailable"}"#),
  ])
  func aFailedRenewalKeepsTheSignIn(answer: HTTPResponse) async throws {
    let bench = try Bench()
    try await bench.signIn()
    bench.clock.move(.hours(2))
    await bench.provider.answer("token", [answer])
    guard case .failure = await bench.session.token() else { Issue.record("a token"); return }
    #expect(try bench.vault.load()?.refresh == "refresh-1-secret")
    // The next attempt waits.
    guard case .failure(.unreachable) = await bench.session.token() else { Issue.record("no wait"); return }
    #expect(await bench.provider.count(of: "token") == 2)
    bench.clock.move(.seconds(6))
    #expect(await bench.session.token() == .success("access-2-secret"))
  }

  @Test func anEndedSignInIsForgotten() async throws {
    let bench = try Bench()
    try await bench.signIn()
    bench.clock.move(.hours(2))
    await bench.provider.answer("token", [ProviderModel.json(400, #"{"error":"invalid_grant"}"#)])
    #expect(await bench.session.token() == .failure(.ended("invalid_grant")))
    #expect(try bench.vault.load() == nil)
    #expect(await bench.session.token() == .failure(.ended("invalid_grant")))
  }

  /// The provider rotated, and the answer was lost: the sign-in ends with a clear reason, and nothing pretends otherwise.
  @Test func aLostRotationEndsTheSignIn() async throws {
    let bench = try Bench()
    try await bench.signIn()
    bench.clock.move(.hours(2))
    await bench.provider.loseNextAnswer()
    guard case .failure(.unreachable) = await bench.session.token() else { Issue.record("a token"); return }
    bench.clock.move(.minutes(1))
    #expect(await bench.session.token() == .failure(.ended("invalid_grant")))
  }

  /// A locked key store does not lose a rotated token.
  @Test func rotatedTokensAreKeptWhenTheVaultOpens() async throws {
    let bench = try Bench()
    try await bench.signIn()
    bench.clock.move(.hours(2))
    bench.vault.fail(.notKept("locked"))
    #expect(await bench.session.token() == .success("access-2-secret"))
    bench.vault.fail(nil)
    #expect(try bench.vault.load()?.access == "access-1-secret")
    #expect(await bench.session.token() == .success("access-2-secret"))
    #expect(try bench.vault.load()?.refresh == "refresh-2-secret")
  }

  @Test func anotherProgramMaySignInAndOut() async throws {
    let bench = try Bench()
    try await bench.signIn()
    try bench.vault.keep(
      TokenSet(access: "other", refresh: "r", expires: bench.clock.now.wall + .hours(9), client: "app"))
    #expect(await bench.session.token() == .success("other"))
    try bench.vault.forget()
    #expect(await bench.session.token() == .failure(.signedOut))
  }

  // MARK: - Without a browser

  @Test func aCodeIsEnteredOnAnotherDevice() async throws {
    let bench = try Bench()
    await bench.provider.poll(["authorization_pending", "slow_down", "authorization_pending"])
    let start = bench.clock.now.wall
    let shown = Locked<[String]>([])
    try await bench.session.signIn(deviceCode: { code in shown.change { $0.append(code.userCode + " " + code.page) } })
    #expect(shown.value == ["WDJB-MJHT https://id.example.org/device"])
    #expect(await bench.session.token() == .success("access-1-secret"))
    // 5 s, 5 s, and 10 s twice after the provider asked for a longer interval.
    #expect(bench.clock.now.wall - start == .seconds(30))
  }

  @Test(arguments: [
    (["access_denied"], SignInError.denied("access_denied")), (["expired_token"], .expired),
    (Array(repeating: "authorization_pending", count: 200), .expired),
  ])
  func aCodeMayBeRefused(errors: [String], error: SignInError) async throws {
    let bench = try Bench()
    await bench.provider.poll(errors)
    let found = await bench.failure { try await bench.session.signIn(deviceCode: { _ in }) }
    #expect(found == error)
    #expect(try bench.vault.load() == nil)
  }

  // MARK: - The end

  @Test func signingOutDeletesAndRevokes() async throws {
    let bench = try Bench()
    try await bench.signIn()
    try await bench.session.signOut()
    #expect(try bench.vault.load() == nil)
    #expect(await bench.provider.revoked == ["refresh-1-secret"])
    #expect(await bench.session.token() == .failure(.signedOut))
  }

  @Test func signingOutNeedsNoNetwork() async throws {
    let bench = try Bench()
    try await bench.signIn()
    await bench.provider.answer("revoke", [.none])
    try await bench.session.signOut()
    #expect(try bench.vault.load() == nil)
  }

  /// No description, mirror or dump of a value shows a token, a code or a verifier.
  @Test func tokensAreNeverShown() async throws {
    let set = TokenSet(access: "top-secret", refresh: "top-secret", identity: "top-secret", client: "app")
    let invitation = try Invitation("https://app.example/i/host.example_AAAABBBBCCCCDDDDEEEEFFFFGGGG1234")
    var text = ""
    dump(set, to: &text)
    dump(invitation, to: &text)
    text += "\(set) \(invitation) \(String(reflecting: set)) \(SignInError.ended("invalid_grant"))"
    #expect(!text.contains("top-secret") && !text.contains("AAAABBBB"), "\(text)")
    #expect(TokenSet(decoding: set.encoded()) == set)
  }
}
