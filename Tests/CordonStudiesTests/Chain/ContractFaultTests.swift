import CordonCore
import CordonTestSupport
import Foundation
import Testing

@testable import CordonStudies

/// Crashes at every step of paying in tokens: statements of the store and of the vault, and both sides of each call of the node.
@Suite("Payments in tokens under faults", .timeLimit(.minutes(5))) struct ContractFaultTests {
  /// The end of a process at one of its steps; after it nothing more is done.
  ///
  /// `@unchecked Sendable` holds because `steps` is only touched under `lock`.
  private final class Death: @unchecked Sendable {
    private let lock = NSLock()
    private let limit: Int?
    private var steps = 0

    init(at limit: Int?) { self.limit = limit }

    /// Takes a step; returns whether the process is dead.
    func step() -> Bool {
      lock.withLock {
        steps += 1
        return limit.map { steps >= $0 } ?? false
      }
    }

    var isDead: Bool { lock.withLock { limit.map { steps >= $0 } ?? false } }
  }

  /// Pays everything, until death.
  /// - Returns: whether the process lived to the end.
  private func attempt(_ folder: TemporaryFolder, _ code: StudyCode, _ chain: FakeChain, diesAt: Int?) async throws
    -> Bool
  {
    let death = Death(at: diesAt)
    let service = try Fixture.open(folder)
    let store = try #require(service.store as? SQLiteStudyStore)
    let vault = try #require(service.vault as? SQLiteIdentityVault)
    store.refusal = { _ in death.step() }
    vault.refusal = { _ in death.step() }
    let payment = chain.payment(client: { request in
      guard !death.step() else { return nil }
      let answer = await chain.answer(request)
      return death.step() ? nil : answer
    })
    do {
      try await service.payAll(code, payment)
    } catch {
      #expect(death.isDead, "\(error)")
    }
    return !death.isDead
  }

  /// Every step of one payment; every seventh one of two, where the first is complete or not.
  @Test(arguments: [(people: 1, stride: 1), (people: 2, stride: 7)])
  func aCrashAtAnyStepPaysEveryoneOnce(_ people: Int, _ stride: Int) async throws {
    let receivers = Array(Fixture.receivers.prefix(people))
    let made = try Fixture.withOrders(.files, receivers: receivers)
    let template = try #require(made.folder)
    var (step, isWhole) = (1, false)
    while !isWhole {
      let folder = try TemporaryFolder()
      for name in try template.contents {
        try FileManager.default.copyItem(atPath: template.path(name), toPath: folder.path(name))
      }
      let chain = FakeChain()
      isWhole = try await attempt(folder, made.code, chain, diesAt: step)
      // The next process dies at the same step, so that recovery is interrupted as well; the one after does not.
      _ = try await attempt(folder, made.code, chain, diesAt: step)
      #expect(try await attempt(folder, made.code, chain, diesAt: nil))
      for receiver in receivers {
        #expect(await chain.balances[try #require(EthereumAddress(receiver))] == 20, "step \(step)")
      }
      // One transaction for each payout, however often it was sent.
      let (sends, count) = await (chain.sends, chain.count)
      #expect(Set(sends).count == people && count == people, "step \(step)")
      let ledger = try Fixture.open(folder).store.ledger(of: made.code)
      let book = try LedgerBook(verifying: ledger)
      #expect(book.payouts.allSatisfy { $0.state == .settled }, "step \(step)")
      #expect(ledger.count { $0.kind == .signed } == people, "step \(step)")
      step += stride
    }
    #expect(step > 30 * people)
  }

  /// Releases the first payout, until death.
  private func release(_ folder: TemporaryFolder, _ code: StudyCode, _ chain: FakeChain, diesAt: Int?) async throws
    -> Bool
  {
    let death = Death(at: diesAt)
    let service = try Fixture.open(folder)
    let store = try #require(service.store as? SQLiteStudyStore)
    let vault = try #require(service.vault as? SQLiteIdentityVault)
    store.refusal = { _ in death.step() }
    vault.refusal = { _ in death.step() }
    let payment = chain.payment(client: { request in
      guard !death.step() else { return nil }
      let answer = await chain.answer(request)
      return death.step() ? nil : answer
    })
    do {
      _ = try await service.release(1, of: code, payment, by: "command", reason: "by hand", now: start + .days(5))
    } catch {
      // It was released before.
      #expect(death.isDead || error.message == "payout 1 is not approved and unpaid", "\(error)")
    }
    return !death.isDead
  }

  /// A payout whose nonce another transaction used is released at every step of a crash, and the participant is paid once.
  @Test func aCrashAtAnyStepOfAReleasePaysOnce() async throws {
    let receiver = Fixture.receivers[0]
    let made = try Fixture.withOrders(.files, receivers: [receiver])
    let template = try #require(made.folder)
    do {
      let chain = FakeChain()
      await chain.set { $0.refusal = "busy" }
      try await Fixture.open(template).payAll(made.code, chain.payment())
    }
    var (step, isWhole) = (1, false)
    while !isWhole {
      let folder = try TemporaryFolder()
      for name in try template.contents {
        try FileManager.default.copyItem(atPath: template.path(name), toPath: folder.path(name))
      }
      let chain = FakeChain()
      await chain.spend()
      isWhole = try await release(folder, made.code, chain, diesAt: step)
      _ = try await release(folder, made.code, chain, diesAt: step)
      #expect(try await release(folder, made.code, chain, diesAt: nil))
      let service = try Fixture.open(folder)
      #expect(try service.reserve(made.code, now: start + .days(5)) == 1, "step \(step)")
      for _ in 0..<2 { try await service.payAll(made.code, chain.payment()) }
      #expect(await chain.balances[try #require(EthereumAddress(receiver))] == 20, "step \(step)")
      #expect(try service.book(made.code).payouts.map(\.state) == [.released, .settled], "step \(step)")
      #expect(await chain.count == 2, "step \(step)")
      step += 1
    }
    #expect(step > 10)
  }
}
