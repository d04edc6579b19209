import CordonCore
import Foundation
import Testing

@testable import CordonStudies

/// Random lives of a study under faults of its store and lost answers of its services. Whatever happens, the promises hold.
@Suite("Seeds of studies") struct StudySeedTests {
  private static var seeds: Range<UInt64> {
    ProcessInfo.processInfo.environment["CORDON_LONG_TESTS"] == nil ? 0..<60 : 0..<1_000
  }

  /// A run of one seed.
  private struct World {
    let store: FaultyStudyStore
    let service: StudyService
    let code = StudyCode("seeds")!
    var random: RandomStream
    var now = start
    var paid: [String: Int64] = [:]
    var shown: [String: (participant: ParticipantID, time: Instant)] = [:]
    var erased: [ParticipantID] = []

    init(_ seed: UInt64) throws {
      random = RandomStream(seed: seed, stream: 5)
      store = FaultyStudyStore(seed: seed)
      service = StudyService(store: store, vault: MemoryIdentityVault())
      var study = Study(
        code: code, title: "Seeds", state: .open, begins: start, ends: start + .days(60),
        consents: [ConsentText(version: 1, texts: [.init("en", "I agree")])])
      var rewards = RewardRules()
      rewards.minutesPerCredit = 10
      rewards.minimumMinutes = 10
      rewards.minimumPayout = 1
      rewards.budget = 300
      study.rewards = rewards
      try service.save(study, by: "op-1", now: start)
    }

    private var anybody: Participant? {
      guard let list = try? store.participants(of: code), !list.isEmpty else { return nil }
      return list[Int(now.milliseconds / 1_000 % Int64(list.count))]
    }

    /// One step. An error ends it where it stands, as a crash does.
    mutating func step() {
      now = now + .minutes(Int64(random.nextIndex(below: 400)) + 1)
      let choice = random.nextIndex(below: 12)
      do {
        try act(choice)
      } catch {
        // The next process goes on.
      }
    }

    mutating func act(_ choice: Int) throws {
      switch choice {
      case 0, 1:
        let identity = Identity(pushService: "file", pushToken: "t", payment: "acct")
        let enrolled = try service.enrol(EnrolmentRequest(study: code, consent: 1, identity: identity), now: now)
        _ = try store.add([event(.trackingStarted, enrolled.participant)])
      case 2, 3, 4:
        guard let participant = anybody else { return }
        let count = random.nextIndex(below: 50)
        _ = try store.add(
          (0..<count).map { minute in
            StudyLocation(
              id: Fixture.id(), participant: participant.id, time: now + .minutes(Int64(minute)),
              coordinate: Coordinate(longitude: 13, latitude: 52), accuracy: 10)
          })
      case 5:
        guard let participant = anybody else { return }
        try service.pause(participant, random.nextUnit() < 0.5, now: now)
      case 6:
        guard let participant = anybody else { return }
        let isGiven: Int64 = random.nextUnit() < 0.4 ? 1 : 0
        _ = try store.add([event(.permissionsUpdate, participant, .location, isGiven)])
      case 7: try remind()
      case 8, 9: try reward()
      case 10:
        guard random.nextUnit() < 0.3, let participant = anybody else { return }
        erased.append(participant.id)
        try service.erase(participant, by: "participant", now: now)
      default:
        guard random.nextUnit() < 0.3, let participant = anybody else { return }
        try service.leave(participant, now: now)
      }
    }

    private func event(
      _ kind: StudyEvent.Kind, _ participant: Participant, _ permission: StudyEvent.Permission? = nil,
      _ value: Int64? = nil
    ) -> StudyEvent {
      StudyEvent(
        id: Fixture.id(), participant: participant.id, time: now, received: now, kind: kind, permission: permission,
        value: value)
    }

    mutating func remind() throws {
      for due in try service.claimReminders(now: now) {
        let isTaken = random.nextUnit() < 0.8
        if isTaken, shown[due.message.key] == nil { shown[due.message.key] = (due.reminder.participant, now) }
        try service.record(isTaken ? .sent : .failed, of: due)
      }
    }

    mutating func reward() throws {
      _ = try service.earn(code, now: now)
      _ = try service.reserve(code, now: now)
      for order in try service.orders(code) {
        let roll = random.nextUnit()
        if roll < 0.1 {
          if paid[order.key] == nil { try service.record(.refused(reason: "status 402"), of: order, now: now) }
          continue
        }
        // The provider pays once for each key, even if its answer is lost.
        if let amount = paid[order.key] { #expect(amount == order.amount) }
        paid[order.key] = order.amount
        if roll < 0.4 { continue }
        try service.record(.paid(reference: "r"), of: order, now: now)
      }
    }
  }

  @Test(arguments: seeds) func thePromisesHold(_ seed: UInt64) throws {
    var world = try World(seed)
    world.store.chance = 0.05
    for _ in 0..<80 { world.step() }
    world.store.chance = 0
    // Interrupted erasures are repeated, and open payments settle.
    for id in world.erased {
      if let participant = try world.store.participant(id) {
        try world.service.erase(participant, by: "participant", now: world.now)
      }
    }
    for order in try world.service.orders(world.code) where world.paid[order.key] != nil {
      try world.service.record(.paid(reference: "r"), of: order, now: world.now)
    }
    let ledger = try world.store.ledger(of: world.code)
    let book = try LedgerBook(verifying: ledger)
    // A settled payout was paid; a payment belongs to one payout.
    let settled = ledger.filter { $0.kind == .settled }
    #expect(Set(settled.map(\.payout)).count == settled.count, "seed \(seed)")
    #expect(book.committed <= 300, "seed \(seed)")
    for payout in book.payouts where payout.state == .settled {
      let order = PaymentOrder(study: world.code, payout: payout, currency: "EUR", destination: "")
      #expect(world.paid[order.key] == payout.amount, "seed \(seed)")
    }
    for account in Set(ledger.map(\.account)) {
      let sums = book.account(account)
      #expect(sums.balance >= 0 && sums.paid + sums.pending <= sums.earned * 10, "seed \(seed)")
    }
    for id in world.erased {
      #expect(try world.store.participant(id) == nil, "seed \(seed)")
      #expect(try world.service.vault.identity(of: id) == nil, "seed \(seed)")
      #expect(try world.store.events(of: id).isEmpty, "seed \(seed)")
      #expect(try world.store.reminders(to: id).isEmpty, "seed \(seed)")
    }
    // Reminders keep their distance, and respect the night.
    let rules = ReminderRules()
    var last: [ParticipantID: Instant] = [:]
    for reminder in world.shown.values.sorted(by: { $0.time < $1.time }) {
      #expect(rules.quietEnd(at: reminder.time, offset: .zero) == nil, "seed \(seed)")
      if let before = last[reminder.participant] {
        #expect(reminder.time - before >= .hours(20), "seed \(seed)")
      }
      last[reminder.participant] = reminder.time
    }
  }
}
