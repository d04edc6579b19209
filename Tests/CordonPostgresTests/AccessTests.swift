import CordonCore
import CordonIngest
import CordonOperators
import CordonPostgres
import CordonStoreConformance
import CordonTestSupport
import Foundation
import Testing

/// Servers on one database agree on operators, their codes, failed attempts and the codes of persons' pages.
@Suite(.enabled(if: PostgresServer.isAvailable, "PostgreSQL is not installed"))
struct AccessTests {
  /// Stands for encryption: the bytes are the number of a list that is kept here.
  ///
  /// `@unchecked Sendable` holds because every access to `lists` happens with `lock` held.
  private final class Vault: @unchecked Sendable {
    private let lock = NSLock()
    private var lists: [[OperatorAccount]] = []

    struct Stranger: Error {}

    var seal: AccountSeal {
      AccountSeal(
        seal: { list in
          self.lock.withLock {
            self.lists.append(list)
            return [UInt8(self.lists.count >> 8), UInt8(self.lists.count & 255)]
          }
        },
        open: { bytes in
          try self.lock.withLock {
            guard bytes.count == 2, case let index = Int(bytes[0]) << 8 + Int(bytes[1]) - 1,
              self.lists.indices.contains(index)
            else { throw Stranger() }
            return self.lists[index]
          }
        })
    }
  }

  private func prepared() throws -> (database: Database, address: PostgresAddress) {
    let database = try Database()
    try database.store().connect()
    return (database, try PostgresAddress(database.url))
  }

  @Test(arguments: UInt64(1)...4)
  func storesAnswerAlike(_ seed: UInt64) throws {
    let (database, address) = try prepared()
    let sessions = PostgresSessionStore(address)
    var comparison = AccessComparison(
      sessions: sessions, failures: sessions, codes: try database.store(),
      accounts: PostgresAccounts(address, seal: Vault().seal), seed: seed)
    comparison.run()
    #expect(comparison.differences.isEmpty, "\(comparison.differences.prefix(3))")
  }

  /// The counts of the core are those of the sign-in.
  @Test func theCoreCountsAlike() throws {
    let (database, address) = try prepared()
    var comparison = AccessComparison(
      sessions: PostgresSessionStore(address), failures: try database.store(), codes: MemoryPageCodeStore(),
      accounts: MemoryAccounts(), seed: 5)
    comparison.run()
    #expect(comparison.differences.isEmpty, "\(comparison.differences.prefix(3))")
  }

  /// Runs something at several servers at the same moment.
  private func atOnce<T: Sendable>(_ count: Int = 6, _ body: @escaping @Sendable (Int) throws -> T) async throws -> [T]
  {
    try await withThrowingTaskGroup(of: T.self) { group in
      for index in 0..<count { group.addTask { try body(index) } }
      var results: [T] = []
      for try await result in group { results.append(result) }
      return results
    }
  }

  @Test func aOneTimeCodeCountsOnceAtAllServers() async throws {
    let (_, address) = try prepared()
    for counter in Int64(1)...8 {
      let used = try await atOnce { _ in try PostgresSessionStore(address).useCode(counter, of: "op") }
      #expect(used.count { $0 } == 1)
    }
  }

  @Test func aPageCodeOpensOnceAtAllServers() async throws {
    let (database, _) = try prepared()
    let device = try #require(DeviceID("phone"))
    let maker = try database.store()
    for number in UInt8(1)...8 {
      let code = PageCode(hash: [number], device: device, generation: 1, end: .testStart)
      try maker.save(code: code)
      let taken = try await atOnce { _ in try database.store().take(code: [number]) }
      #expect(taken.compactMap { $0 } == [code])
    }
  }

  @Test func noServerLosesTheChangeOfAnother() async throws {
    let (_, address) = try prepared()
    let seal = Vault().seal
    _ = try await atOnce { index in
      let accounts = PostgresAccounts(address, seal: seal)
      for number in 0..<4 {
        try accounts.changeAccounts { list in
          list.append(OperatorAccount(id: "op-\(index)-\(number)", name: "n", everywhere: .viewer))
        }
      }
    }
    let accounts = PostgresAccounts(address, seal: seal)
    #expect(Set(try accounts.accounts().map(\.id)).count == 24)
    #expect(try accounts.revision() == 24)
    // A change that changes nothing is none, and neither is one that fails.
    try accounts.changeAccounts { _ in }
    #expect(throws: Vault.Stranger.self) {
      try accounts.changeAccounts { list in
        list.removeAll()
        throw Vault.Stranger()
      }
    }
    #expect(try accounts.revision() == 24)
  }

  /// The accounts of a server's file are those of a database that has never had any; servers put them there, commands that only read
  /// do not.
  @Test func aNewDatabaseTakesTheAccountsOfTheFile() throws {
    let (database, address) = try prepared()
    let ada = OperatorAccount(id: "op-a", name: "Ada", everywhere: .admin)
    let seal = Vault().seal
    let reader = PostgresAccounts(address, seal: seal) { [ada] }
    #expect(try reader.accounts() == [ada])
    #expect(try database.sql("SELECT count(*) FROM operator_accounts") == "0")
    let server = PostgresAccounts(address, seal: seal, adopts: true) { [ada] }
    #expect(try server.accounts() == [ada])
    let other = PostgresAccounts(address, seal: seal, adopts: true) {
      [OperatorAccount(id: "op-b", name: "Bob", everywhere: .admin)]
    }
    #expect(try other.accounts() == [ada], "the first server counts")
    try other.changeAccounts { $0.removeAll() }
    #expect(try server.accounts().isEmpty, "an account that was removed does not come back")
    // A server with another key does not take part.
    let stranger = PostgresAccounts(address, seal: Vault().seal)
    #expect(throws: Vault.Stranger.self) { try stranger.accounts() }
    #expect(throws: Vault.Stranger.self) { try stranger.changeAccounts { $0.append(ada) } }
  }

  /// The state machines of two servers on one database.
  private final class Pair {
    static let password = "correct horse battery"
    let servers: [OperatorSessions]
    var now = Instant(milliseconds: 1_700_000_000_000)

    init(_ address: PostgresAddress) throws {
      var settings = SessionSettings()
      settings.cost = PasswordHash.Cost(logarithm: 4, blockSize: 8, passes: 1)
      let cost = settings.cost
      var ada = OperatorAccount(id: "op-1", name: "Ada", everywhere: .admin)
      ada.signInName = "ada"
      ada.password = try #require(PasswordHash(of: Self.password, cost: cost, salt: Array(0..<16))).text
      var bob = ada
      (bob.id, bob.signInName, bob.codeSecret) = ("op-2", "bob", Array("12345678901234567890".utf8))
      let seal = Vault().seal
      try PostgresAccounts(address, seal: seal).changeAccounts { [ada, bob] in $0 = [ada, bob] }
      servers = try (0..<2).map { index in
        try OperatorSessions(
          settings: settings, accounts: PostgresAccounts(address, seal: seal), store: PostgresSessionStore(address),
          random: RandomBits(RandomStream(seed: 1, stream: UInt32(index))), failureKey: [9])
      }
    }

    func signIn(at server: Int, _ name: String, _ password: String = Pair.password, code: String = "")
      throws(Problem) -> SessionToken
    {
      let entry = PasswordEntry(name: name, password: password, code: code)
      let attempt = try servers[server].beginSignIn(entry, address: "a", now: now)
      return try servers[server].finish(attempt, isRight: attempt.check(), now: now)
    }

    func status(_ body: () throws(Problem) -> SessionToken) -> Int {
      do throws(Problem) {
        _ = try body()
        return 200
      } catch {
        return error.status
      }
    }
  }

  @Test func serversShareCodesAccountsAndFailures() throws {
    let pair = try Pair(try prepared().address)
    let codes = OneTimeCode(secret: Array("12345678901234567890".utf8))
    let code = codes.code(OneTimeCode.counter(at: pair.now))
    let token = try pair.signIn(at: 0, "bob", code: code)
    #expect(pair.status { () throws(Problem) in try pair.signIn(at: 1, "bob", code: code) } == 401, "used at the other")
    #expect(try pair.servers[1].present(token, proof: nil, isActivity: true, now: pair.now)?.operator.id == "op-2")
    // An account that is locked at one server has no session at another.
    let entry = AccountChange(name: "Bob", signInName: "bob", everywhere: .admin, isDisabled: true)
    _ = try pair.servers[0].change("op-2", to: entry, by: "op-1", now: pair.now)
    try pair.servers[1].refresh()
    #expect(try pair.servers[1].present(token, proof: nil, isActivity: true, now: pair.now) == nil)
    // Failures count together: five are free, whichever server they were at.
    for number in 0..<6 {
      #expect(pair.status { () throws(Problem) in try pair.signIn(at: number % 2, "ada", "wrong") } == 401)
    }
    for server in 0..<2 {
      #expect(pair.status { () throws(Problem) in try pair.signIn(at: server, "ada") } == 429)
    }
    pair.now = pair.now + .seconds(2)
    #expect(pair.status { () throws(Problem) in try pair.signIn(at: 1, "ada") } == 200)
  }

  /// A proxy may send the provider's answer to another server than the one that began the sign-in.
  @Test func aSignInAtAProviderEndsAtAnyServerOnce() throws {
    let pair = try Pair(try prepared().address)
    let browser = pair.servers[0].newToken()
    let begun = try pair.servers[0].beginOpenID(
      browser: browser, isConfirmation: true, next: "/console/audit", address: "192.0.2.1", now: pair.now)
    let taken = try pair.servers[1].takeOpenID(state: begun.state, browsers: [browser], now: pair.now)
    #expect(taken == begun && taken.isConfirmation && taken.next == "/console/audit")
    for server in pair.servers {
      #expect(throws: Problem.self) { try server.takeOpenID(state: begun.state, browsers: [browser], now: pair.now) }
    }
  }

  /// A database that is not there when the server starts, or has no tables yet, has its accounts read later.
  @Test func accountsMayComeLater() throws {
    let database = try Database()
    let address = try PostgresAddress(database.url)
    let ada = OperatorAccount(id: "op-1", name: "Ada", everywhere: .admin)
    let sessions = try OperatorSessions(
      settings: SessionSettings(), accounts: PostgresAccounts(address, seal: Vault().seal) { [ada] },
      store: PostgresSessionStore(address), random: RandomBits(RandomStream(seed: 1, stream: 1)))
    #expect(sessions.list.isEmpty)
    #expect(throws: Problem.self) { try sessions.refresh() }
    try database.store().connect()
    try sessions.refresh()
    #expect(sessions.list.map(\.id) == ["op-1"])
  }
}
