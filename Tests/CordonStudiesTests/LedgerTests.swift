import CordonCore
import Testing

@testable import CordonStudies

@Suite("The ledger of rewards") struct LedgerTests {
  private func rules(_ change: (inout RewardRules) -> Void = { _ in }) -> RewardRules {
    var rules = RewardRules()
    rules.minutesPerCredit = 60
    rules.minimumMinutes = 60
    rules.minimumPayout = 2
    rules.unitsPerCredit = 10
    change(&rules)
    return rules
  }

  @Test func validMinutesEarnAndCalendarTimeDoesNot() throws {
    let fixture = try Fixture(rewards: rules())
    let busy = try fixture.enrol()
    let idle = try fixture.enrol()
    try fixture.walk(busy, from: start + .hours(8), minutes: 181)
    // A single gap of hours after a moving position counts five minutes.
    try fixture.walk(idle, from: start + .hours(8), minutes: 1)
    try fixture.walk(idle, from: start + .hours(20), minutes: 30)
    #expect(try fixture.service.earn(fixture.code, now: start + .days(30)) == 1)
    let book = try LedgerBook(verifying: fixture.service.store.ledger(of: fixture.code))
    #expect(book.account(busy.account).earned == 3)
    #expect(book.account(idle.account).earned == 0)
  }

  @Test func pausesEarnNothing() throws {
    let fixture = try Fixture(rewards: rules())
    let participant = try fixture.enrol()
    try fixture.event(.paused, participant, at: start + .hours(9))
    try fixture.event(.resumed, participant, at: start + .hours(11))
    try fixture.walk(participant, from: start + .hours(8), minutes: 241)
    _ = try fixture.service.earn(fixture.code, now: start + .days(4))
    let book = try LedgerBook(verifying: fixture.service.store.ledger(of: fixture.code))
    // One hour before the pause and one after it, minus the minute at the end of the first.
    #expect(book.account(participant.account).earned == 1)
  }

  @Test(arguments: Fixture.Kind.allCases) func aDayEarnsOnceHoweverOftenTheJobRuns(_ kind: Fixture.Kind) throws {
    let fixture = try Fixture(kind, rewards: rules())
    let participant = try fixture.enrol()
    try fixture.walk(participant, from: start + .hours(8), minutes: 150)
    #expect(try fixture.service.earn(fixture.code, now: start + .days(1)) == 0)
    #expect(try fixture.service.earn(fixture.code, now: start + .days(3)) == 1)
    // A second start of recording, more data and more runs change nothing.
    try fixture.event(.trackingStarted, participant, at: start + .hours(12))
    try fixture.walk(participant, from: start + .hours(13), minutes: 300)
    for day in 3..<8 { #expect(try fixture.service.earn(fixture.code, now: start + .days(Int64(day))) == 0) }
    let ledger = try fixture.service.store.ledger(of: fixture.code)
    #expect(ledger.map(\.period) == ["2026-01-01"] && ledger.map(\.credits) == [2])
    // The store refuses what the book would not have.
    let double = LedgerEntry(
      after: ledger[0], study: fixture.code, account: participant.account, kind: .earned, period: "2026-01-01",
      credits: 9, time: start)
    let error = #expect(throws: StudyError.self) { try fixture.service.store.append(double) }
    #expect(error?.code == .conflict)
  }

  @Test func anyChangeOfAnEntryIsFound() throws {
    var entries: [LedgerEntry] = []
    for day in 1...9 {
      entries.append(
        LedgerEntry(
          after: entries.last, study: StudyCode("abc")!, account: "a", kind: .earned, period: "2026-01-0\(day)",
          credits: 3, time: start))
    }
    _ = try LedgerBook(verifying: entries)
    for index in entries.indices {
      var changed = entries
      changed[index].credits = 300
      #expect(throws: StudyError.self) { try LedgerBook(verifying: changed) }
      changed = entries
      changed[index].hash = String(changed[index].hash.reversed())
      #expect(throws: StudyError.self) { try LedgerBook(verifying: changed) }
      // A forged entry with a hash of its own breaks the chain after it.
      changed = entries
      changed[index].credits = 300
      changed[index].hash = changed[index].digest
      if index < entries.count - 1 {
        #expect(throws: StudyError.self) { try LedgerBook(verifying: changed) }
        changed = entries
        changed.remove(at: index)
        #expect(throws: StudyError.self) { try LedgerBook(verifying: changed) }
      }
    }
  }

  @Test func limitsAndBudgetHold() throws {
    let fixture = try Fixture(
      rewards: rules {
        $0.participantLimit = 50
        $0.budget = 80
      })
    var people: [Participant] = []
    for _ in 0..<3 {
      let participant = try fixture.enrol()
      people.append(participant)
      try fixture.walk(participant, from: start + .hours(8), minutes: 481)
    }
    _ = try fixture.service.earn(fixture.code, now: start + .days(4))
    #expect(try fixture.service.reserve(fixture.code, now: start + .days(4)) == 2)
    #expect(try fixture.service.reserve(fixture.code, now: start + .days(5)) == 0)
    let orders = try fixture.service.orders(fixture.code)
    #expect(orders.map(\.amount) == [50, 30])
    #expect(Set(orders.map(\.key)).count == 2 && orders.map(\.place) == [0, 1])
  }

  @Test func largeAmountsWaitForApproval() throws {
    let fixture = try Fixture(rewards: rules { $0.approvalAbove = 50 })
    let participant = try fixture.enrol()
    try fixture.walk(participant, from: start + .hours(8), minutes: 481)
    _ = try fixture.service.earn(fixture.code, now: start + .days(4))
    #expect(try fixture.service.reserve(fixture.code, now: start + .days(4)) == 1)
    #expect(try fixture.service.orders(fixture.code).isEmpty)
    try fixture.service.decide(1, of: fixture.code, isApproved: false, by: "op-1", now: start + .days(4))
    #expect(throws: StudyError.self) {
      try fixture.service.decide(1, of: fixture.code, isApproved: true, by: "op-1", now: start + .days(4))
    }
    #expect(try fixture.service.reserve(fixture.code, now: start + .days(5)) == 1)
    try fixture.service.decide(2, of: fixture.code, isApproved: true, by: "op-1", now: start + .days(5))
    #expect(try fixture.service.orders(fixture.code).map(\.amount) == [80])
    #expect(
      try fixture.service.store.audit(of: fixture.code, limit: 2).map(\.action) == [
        "approve payout 2", "refuse payout 1",
      ])
  }

  @Test func creditsFollowTheMinutes() {
    let rules = rules { $0.maximumMinutes = 600 }
    for (minutes, credits) in [(0, 0), (59, 0), (60, 1), (119, 1), (120, 2), (600, 10), (1_440, 10)] as [(Int64, Int64)]
    {
      #expect(rules.credits(validMilliseconds: minutes * 60_000) == credits)
    }
  }
}
