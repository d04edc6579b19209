import CordonCore
import CordonIngest
import CordonTestSupport
import Testing

@testable import CordonOperators

@Suite("Sessions of operators") struct SessionTests {
  @Test func aPasswordStartsASession() throws {
    let bench = try SignInBench()
    let token = try bench.signIn(" ADA ")
    let session = try #require(try bench.present(token))
    #expect(session.operator.id == "op-1")
    #expect(session.operator.role == .admin)
    #expect(session.isFresh && !session.isProved)
    #expect(try bench.present(token, proof: token.proof)?.isProved == true)
    #expect(try bench.present(token, proof: token.text)?.isProved == false)
    #expect(try bench.store.events(before: nil, limit: 9).map(\.action) == [.signIn])
  }

  @Test(
    arguments: [
      ("ada", "wrong password"), ("nobody", SignInBench.password), ("", ""), ("ada", ""), ("ada' OR '1", "x"),
      ("ada", String(repeating: "x", count: 1_000)),
    ])
  func nothingElseDoes(_ name: String, _ password: String) throws {
    let bench = try SignInBench()
    let problem = bench.problem { () throws(Problem) in _ = try bench.signIn(name, password) }
    #expect(problem?.status == 401)
    #expect(problem?.detail == "name, password or code is wrong", "whatever was wrong")
    #expect(try bench.store.sessions(of: "op-1").isEmpty)
  }

  @Test func attemptsAreLimited() throws {
    let bench = try SignInBench()
    for _ in 0..<6 {
      #expect(bench.problem { () throws(Problem) in _ = try bench.signIn("ada", "wrong") }?.status == 401)
    }
    let refused = bench.problem { () throws(Problem) in _ = try bench.signIn() }
    #expect(refused?.status == 429 && refused?.retryAfter == 2)
    #expect(throws: Never.self) { try bench.signIn(address: "b") }
    bench.now = bench.now + .seconds(2)
    #expect(throws: Never.self) { try bench.signIn() }
    #expect(throws: Never.self) { try bench.signIn() }
    #expect(try bench.store.events(before: nil, limit: 99).count { $0.action == .refusedSignIn } == 6)
  }

  /// Attempts that run at once are counted before their results are known.
  @Test func attemptsAtOnceAreLimited() throws {
    let bench = try SignInBench()
    let entry = PasswordEntry(name: "ada", password: "wrong")
    for _ in 0..<6 { _ = try bench.sessions.beginSignIn(entry, address: "a", now: bench.now) }
    let refused = bench.problem { () throws(Problem) in
      _ = try bench.sessions.beginSignIn(entry, address: "a", now: bench.now)
    }
    #expect(refused?.status == 429)
  }

  @Test func oneTimeCodesAreAskedForAndCountOnce() throws {
    let bench = try SignInBench()
    let codes = OneTimeCode(secret: SignInBench.codeSecret)
    let code = codes.code(OneTimeCode.counter(at: bench.now))
    #expect(bench.problem { () throws(Problem) in _ = try bench.signIn("carol") }?.status == 401)
    #expect(bench.problem { () throws(Problem) in _ = try bench.signIn("carol", code: "000000") }?.status == 401)
    #expect(throws: Never.self) { try bench.signIn("carol", code: code) }
    #expect(bench.problem { () throws(Problem) in _ = try bench.signIn("carol", code: code) }?.status == 401, "used")
    bench.now = bench.now + .seconds(30)
    let next = codes.code(OneTimeCode.counter(at: bench.now))
    #expect(throws: Never.self) { try bench.signIn("carol", code: next) }
  }

  @Test func aSessionEndsWhenNothingHappens() throws {
    let bench = try SignInBench()
    let token = try bench.signIn()
    bench.now = bench.now + .minutes(29)
    #expect(try bench.present(token, isActivity: false) != nil)
    bench.now = bench.now + .minutes(2)
    #expect(try bench.present(token) == nil, "requests that pages repeat do not keep it")
    #expect(try bench.store.sessions(of: "op-1").isEmpty)
  }

  @Test func aSessionEndsAfterItsLifetime() throws {
    let bench = try SignInBench()
    let token = try bench.signIn()
    for _ in 0..<35 {
      bench.now = bench.now + .minutes(20)
      #expect(try bench.present(token) != nil)
    }
    bench.now = bench.now + .minutes(20)
    #expect(try bench.present(token) == nil)
  }

  @Test func aConfirmationGivesTheSessionANewToken() throws {
    let bench = try SignInBench()
    let token = try bench.signIn()
    bench.now = bench.now + .minutes(6)
    #expect(try bench.present(token)?.isFresh == false)
    #expect(bench.problem { () throws(Problem) in _ = try bench.confirm(token, "wrong") }?.status == 401)
    let renewed = try bench.confirm(token)
    #expect(try bench.present(renewed)?.isFresh == true)
    #expect(try bench.present(token) == nil, "the former token is of no use")
    #expect(try bench.store.sessions(of: "op-1").count == 1)
  }

  @Test func signingOutEndsTheSessionAlone() throws {
    let bench = try SignInBench()
    let (first, second) = (try bench.signIn(), try bench.signIn())
    try bench.sessions.signOut(first, now: bench.now)
    #expect(try bench.present(first) == nil)
    #expect(try bench.present(second) != nil)
  }

  @Test func changesOfAnAccountCountAtOnce() throws {
    let bench = try SignInBench()
    let token = try bench.signIn("bob")
    _ = try bench.sessions.change(
      "op-2", to: AccountChange(name: "Bob", signInName: "bob", everywhere: .viewer), by: "op-1", now: bench.now)
    #expect(try bench.present(token)?.operator.role == .viewer)
    _ = try bench.sessions.change(
      "op-2", to: AccountChange(name: "Bob", signInName: "bob", everywhere: .viewer, isDisabled: true), by: "op-1",
      now: bench.now)
    #expect(try bench.present(token) == nil)
    #expect(bench.problem { () throws(Problem) in _ = try bench.signIn("bob") }?.status == 401)
  }

  @Test func aNewPasswordEndsOtherSessions() throws {
    let bench = try SignInBench()
    let (kept, other) = (try bench.signIn(), try bench.signIn())
    let number = try #require(try bench.sessions.find(kept, isActivity: true, now: bench.now)).session.number
    let hash = try #require(PasswordHash(of: "another long password", cost: SignInBench.cost, salt: Array(1..<17))).text
    try bench.sessions.setPassword(hash, of: "op-1", keeping: number, by: "op-1", now: bench.now)
    #expect(try bench.present(kept) != nil)
    #expect(try bench.present(other) == nil)
    #expect(bench.problem { () throws(Problem) in _ = try bench.signIn() }?.status == 401)
    #expect(throws: Never.self) { try bench.signIn("ada", "another long password") }
  }

  @Test func theLastAdministratorStays() throws {
    let bench = try SignInBench()
    #expect(
      bench.problem { () throws(Problem) in try bench.sessions.remove("op-1", by: "op-1", now: bench.now) }?.status
        == 409)
    let viewer = AccountChange(name: "Ada", signInName: "ada", everywhere: .viewer)
    #expect(
      bench.problem { () throws(Problem) in
        _ = try bench.sessions.change("op-1", to: viewer, by: "op-1", now: bench.now)
      }?.status == 409)
    #expect(bench.accounts.accounts().first?.everywhere == .admin)
  }

  @Test func twoOperatorsCannotHaveOneName() throws {
    let bench = try SignInBench()
    let entry = AccountChange(name: "Another", signInName: "Ada", everywhere: .viewer)
    let problem = bench.problem { () throws(Problem) in _ = try bench.sessions.add(entry, by: "op-1", now: bench.now) }
    #expect(problem?.code == .operatorExists)
  }

  @Test func codesBeginWithTheFirstCode() throws {
    let bench = try SignInBench()
    let offered = try bench.sessions.offerCodes("op-1")
    #expect(throws: Never.self) { try bench.signIn() }
    #expect(
      bench.problem { () throws(Problem) in
        try bench.sessions.acceptCodes("op-1", code: "000000", now: bench.now)
      }?.status == 400)
    try bench.sessions.acceptCodes("op-1", code: offered.code(OneTimeCode.counter(at: bench.now)), now: bench.now)
    #expect(bench.problem { () throws(Problem) in _ = try bench.signIn() }?.status == 401)
    try bench.sessions.removeCodes("op-1", by: "op-1", now: bench.now)
    #expect(throws: Never.self) { try bench.signIn() }
  }

  @Test func passwordsCanBeSwitchedOff() throws {
    let bench = try SignInBench { $0.allowsPasswords = false }
    #expect(bench.problem { () throws(Problem) in _ = try bench.signIn() }?.status == 403)
  }

  /// Operators who have a key and no password use that.
  @Test func pseudonymAndKeySignIn() throws {
    let bench = try SignInBench()
    let entry = AccountChange(name: "A program", everywhere: .viewer)
    let account = try bench.sessions.add(entry, key: "a key of 128 bits", by: "op-1", now: bench.now)
    let token = try bench.signIn(account.id, "a key of 128 bits")
    #expect(try bench.present(token)?.operator.id == account.id)
    #expect(bench.problem { () throws(Problem) in _ = try bench.signIn(account.id, "another") }?.status == 401)
    #expect(bench.problem { () throws(Problem) in _ = try bench.signIn("op-1", "") }?.status == 401)
    #expect(try bench.present(try bench.confirm(token, "a key of 128 bits"))?.isFresh == true)
    let impostor = AccountChange(name: "X", signInName: account.id, everywhere: .viewer)
    #expect(
      bench.problem { () throws(Problem) in _ = try bench.sessions.add(impostor, by: "op-1", now: bench.now) }?.status
        == 400)
  }

  // MARK: Cookies

  @Test func cookiesAreOutOfReachOfScripts() throws {
    var random = RandomBits(RandomStream(seed: 3, stream: 1))
    let token = SessionToken(&random)
    let cookie = SessionCookie(isSecure: true)
    let field = cookie.field(.session, token.text)
    #expect(field == "__Host-cordon=\(token.text); Path=/; HttpOnly; SameSite=Lax; Secure")
    #expect(cookie.removal(.session).hasSuffix("Max-Age=0"))
    #expect(cookie.token(.session, in: "a=b; __Host-cordon=\(token.text)") == token)
    #expect(cookie.token(.session, in: "cordon=\(token.text)") == nil)
    #expect(cookie.token(.session, in: "__Host-cordon=\(token.text); __Host-cordon=\(token.text)") == nil)
    #expect(cookie.token(.session, in: "__Host-cordon=short") == nil)
    #expect(cookie.token(.session, in: nil) == nil)
    #expect(!SessionCookie(isSecure: false).field(.session, token.text).contains("Secure"))
  }

  @Test func theSealedTokenOpensWithTheCookieAlone() throws {
    var random = RandomBits(RandomStream(seed: 3, stream: 1))
    let (token, other) = (SessionToken(&random), SessionToken(&random))
    let sealed = try #require(token.seal("a.b.c"))
    #expect(token.open(sealed) == "a.b.c")
    #expect(other.open(sealed) == nil)
    #expect(token.proof != token.text && token.hash != other.hash)
  }
}
