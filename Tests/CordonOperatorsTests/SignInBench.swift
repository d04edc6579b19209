import CordonCore
import CordonIngest
import CordonTestSupport
import Testing

@testable import CordonOperators

/// Operators, a clock and a store for tests of signing in.
final class SignInBench {
  static let password = "correct horse battery"
  static let cost = PasswordHash.Cost(logarithm: 4, blockSize: 8, passes: 1)
  static let codeSecret = Array("12345678901234567890".utf8)
  let accounts: MemoryAccounts
  let store: any SessionStore
  let sessions: OperatorSessions
  var now = Instant(milliseconds: 1_700_000_000_000)

  init(_ store: any SessionStore = MemorySessionStore(), _ change: (inout SessionSettings) -> Void = { _ in }) throws {
    var settings = SessionSettings()
    settings.cost = Self.cost
    change(&settings)
    func account(_ id: String, _ name: String, _ role: Operator.Role) throws -> OperatorAccount {
      var account = OperatorAccount(id: id, name: "\(name) Example", everywhere: role)
      account.signInName = name
      account.password = try #require(PasswordHash(of: Self.password, cost: Self.cost, salt: Array(0..<16))).text
      return account
    }
    var carol = try account("op-3", "carol", .viewer)
    carol.codeSecret = Self.codeSecret
    accounts = MemoryAccounts([try account("op-1", "ada", .admin), try account("op-2", "bob", .contactTracer), carol])
    self.store = store
    sessions = try OperatorSessions(
      settings: settings, accounts: accounts, store: store, random: RandomBits(RandomStream(seed: 11, stream: 1)))
  }

  func signIn(
    _ name: String = "ada", _ password: String = SignInBench.password, code: String = "", address: String = "a"
  ) throws(Problem) -> SessionToken {
    let attempt = try sessions.beginSignIn(
      PasswordEntry(name: name, password: password, code: code), address: address, now: now)
    return try sessions.finish(attempt, isRight: attempt.check(), now: now)
  }

  func confirm(_ token: SessionToken, _ password: String = SignInBench.password) throws(Problem) -> SessionToken {
    let attempt = try sessions.beginConfirmation(token, password: password, code: "", address: "a", now: now)
    return try sessions.finish(attempt, isRight: attempt.check(), now: now)
  }

  func present(_ token: SessionToken, proof: String? = nil, isActivity: Bool = true) throws -> PresentedSession? {
    try sessions.present(token, proof: proof, isActivity: isActivity, now: now)
  }

  /// The problem with which something fails.
  func problem(_ body: () throws(Problem) -> Void) -> Problem? {
    do throws(Problem) {
      try body()
      return nil
    } catch {
      return error
    }
  }
}
