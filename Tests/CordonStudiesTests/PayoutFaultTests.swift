import CordonCore
import CordonTestSupport
import Foundation
import Testing

@testable import CordonStudies

/// Crashes at many steps of earning, reserving, paying and settling. Whatever happens, each participant is paid exactly once.
@Suite("Payouts under faults") struct PayoutFaultTests {
  /// A provider that recognises keys of idempotency, and whose answers can be lost.
  private final class Provider {
    var paid: [String: Int64] = [:]
    var requests = 0

    func pay(_ order: PaymentOrder, loses: Bool) -> PaymentResult {
      requests += 1
      if paid[order.key] == nil { paid[order.key] = order.amount }
      return loses ? .unknown(reason: "lost") : .paid(reference: "ref-\(order.key.prefix(8))")
    }
  }

  /// A crash before step `crash` of the store, counted over statements, and between payment and settlement.
  private func attempt(_ folder: TemporaryFolder, _ code: StudyCode, _ provider: Provider, crash: Int?) throws -> Bool {
    let service = try Fixture.open(folder)
    let store = try #require(service.store as? SQLiteStudyStore)
    var steps = 0
    var hasCrashed = false
    store.refusal = { _ in
      steps += 1
      // After a crash nothing more is done by this process.
      if let crash, steps >= crash { hasCrashed = true }
      return hasCrashed
    }
    let now = start + .days(4)
    do throws(StudyError) {
      _ = try service.earn(code, now: now)
      _ = try service.reserve(code, now: now)
      for order in try service.orders(code) {
        try service.record(provider.pay(order, loses: false), of: order, now: now)
      }
    } catch {
      #expect(hasCrashed, "\(error)")
    }
    return !hasCrashed
  }

  private func fixture() throws -> Fixture {
    var rules = RewardRules()
    rules.minimumPayout = 1
    rules.minutesPerCredit = 10
    rules.minimumMinutes = 10
    let fixture = try Fixture(.files, rewards: rules)
    for _ in 0..<2 {
      try fixture.walk(try fixture.enrol(), from: start + .hours(8), minutes: 21)
    }
    return fixture
  }

  private func check(_ fixture: Fixture, _ provider: Provider, _ comment: Comment) throws {
    #expect(provider.paid.count == 2 && provider.paid.values.allSatisfy { $0 == 20 }, comment)
    let ledger = try Fixture.open(#require(fixture.folder)).store.ledger(of: fixture.code)
    let book = try LedgerBook(verifying: ledger)
    #expect(ledger.count { $0.kind == .earned } == 2, comment)
    #expect(ledger.count { $0.kind == .settled } == 2, comment)
    #expect(book.payouts.allSatisfy { $0.state == .settled }, comment)
  }

  @Test func aCrashAtAnyStepPaysEveryoneOnce() throws {
    var crash = 1
    while true {
      let fixture = try fixture()
      let folder = try #require(fixture.folder)
      let provider = Provider()
      let isWhole = try attempt(folder, fixture.code, provider, crash: crash)
      // The next process crashes at the same step, so that recovery itself is interrupted; the one after does not.
      _ = try attempt(folder, fixture.code, provider, crash: crash)
      #expect(try attempt(folder, fixture.code, provider, crash: nil))
      try check(fixture, provider, "crash at step \(crash)")
      if isWhole { break }
      // Every third step at first, then every eleventh.
      crash += crash < 40 ? 3 : 11
    }
    #expect(crash > 60)
  }

  @Test func aLostAnswerIsAskedForWithTheSameKey() throws {
    let fixture = try fixture()
    let provider = Provider()
    let now = start + .days(4)
    _ = try fixture.service.earn(fixture.code, now: now)
    _ = try fixture.service.reserve(fixture.code, now: now)
    let orders = try fixture.service.orders(fixture.code)
    for order in orders { try fixture.service.record(provider.pay(order, loses: true), of: order, now: now) }
    // The payouts stay as they are, and so do the orders.
    #expect(try fixture.service.reserve(fixture.code, now: now) == 0)
    #expect(try fixture.service.orders(fixture.code) == orders)
    for order in orders { try fixture.service.record(provider.pay(order, loses: false), of: order, now: now) }
    #expect(provider.requests == 4)
    try check(fixture, provider, "lost answers")
    // An answer that comes twice settles once.
    for order in orders { try fixture.service.record(.paid(reference: "again"), of: order, now: now) }
    try check(fixture, provider, "double answers")
  }

  @Test func aRefusalGivesTheCreditsBack() throws {
    let fixture = try fixture()
    let now = start + .days(4)
    _ = try fixture.service.earn(fixture.code, now: now)
    _ = try fixture.service.reserve(fixture.code, now: now)
    for order in try fixture.service.orders(fixture.code) {
      try fixture.service.record(.refused(reason: "status 402"), of: order, now: now)
    }
    #expect(try fixture.service.orders(fixture.code).isEmpty)
    #expect(try fixture.service.reserve(fixture.code, now: now) == 2)
    let keys = try fixture.service.orders(fixture.code).map(\.key)
    #expect(Set(keys).count == 2)
  }

  @Test func anErasedParticipantIsNotPaid() throws {
    let fixture = try fixture()
    let now = start + .days(4)
    _ = try fixture.service.earn(fixture.code, now: now)
    _ = try fixture.service.reserve(fixture.code, now: now)
    let gone = try fixture.service.store.participants(of: fixture.code)[0]
    try fixture.service.erase(gone, by: "participant", now: now)
    #expect(try fixture.service.orders(fixture.code).count == 1)
    let book = try LedgerBook(verifying: fixture.service.store.ledger(of: fixture.code))
    #expect(book.payouts.map(\.state).contains(.released))
    #expect(book.account(gone.account).balance == 0)
  }
}
