import CordonCore
import CordonForms
import CordonSupport
import Testing

@testable import CordonStudies
@testable import CordonTorture

extension TortureTests {
  /// Runs with forms and studies, and their judge.
  @Suite struct FormsAndStudies {
    /// A few seeds; `make torture-slice` has a thousand.
    @Test func promisesHoldWithFormsAndStudies() throws {
      let tally = try CollectionSuite(hours: 72).run(1...2)
      #expect(tally.failures.isEmpty, "\(tally.failures)")
      #expect(tally.counts.revisions > 100)
      #expect(tally.counts.payments > 4)
      #expect(tally.fewest.faults >= 20)
      #expect(tally.fewest.kinds >= 8)
    }

    @Test func aSeedWithFormsAndStudiesReproducesByteForByte() throws {
      let plan = CollectionPlan(seed: 5, hours: 30)
      let (first, second) = (try CollectionRun(plan).run(), try CollectionRun(plan).run())
      #expect(first == second)
      #expect(try CollectionRun(CollectionPlan(seed: 6, hours: 30)).run().digest != first.digest)
    }

    @Test func everyKindOfFaultIsPlannedSometimes() {
      let plans = (UInt64(1)...50).map { CollectionPlan(seed: $0) }
      #expect(Set(plans.flatMap(\.faults).map(\.fault)) == Set(CollectionFault.allCases))
      #expect(plans.allSatisfy { $0.faults.count >= 50 })
      // A fault strikes a sender that it can affect.
      #expect(
        plans.flatMap(\.faults).allSatisfy { CollectionPlan.senders($0.fault.subject).contains($0.sender) })
    }

    @Test func shrinkingFindsTheFewestFaults() {
      let plan = CollectionPlan(seed: 3)
      let culprits = Set([plan.faults[4], plan.faults[11]])
      let shrunk = plan.with(TortureShrinking.shrink(plan.faults) { culprits.isSubset(of: Set($0)) })
      #expect(Set(shrunk.faults) == culprits)
      #expect(plan.only(plan.places(of: shrunk)) == shrunk)
    }

    @Test func workIsDoneInTheOrderOfItsTimes() {
      var agenda = CollectionAgenda()
      for (sender, time) in [(0, 30), (1, 10), (2, 30), (3, 20)] as [(Int, Int64)] {
        agenda.add(.edit(sender), at: time)
      }
      var order: [Int] = []
      while let next = agenda.next(before: 30) { if case .edit(let sender) = next.work { order.append(sender) } }
      #expect(order == [1, 3])
      while let next = agenda.next(before: 31) { if case .edit(let sender) = next.work { order.append(sender) } }
      #expect(order == [1, 3, 0, 2])
    }

    @Test func theProviderPaysAnOrderOnce() throws {
      var books = PaymentBooks()
      let order = try Self.order(1, amount: 50)
      #expect(books.pay(order, .lose) == .unknown(reason: "no answer"))
      let answers = [books.pay(order, .pay), books.pay(order, .refuse)]
      #expect(answers[0] == answers[1] && answers[0] == .paid(reference: "ref-\(order.key.prefix(8))"))
      #expect(books.received == ["account": 50] && books.changed == 0)
      _ = books.pay(try Self.order(1, amount: 60), .pay)
      #expect(books.received == ["account": 50] && books.changed == 1)
      let refused = try Self.order(2, amount: 10)
      let refusals = [books.pay(refused, .refuse), books.pay(refused, .pay)]
      #expect(refusals[0] == refusals[1] && refusals[0] == .refused(reason: "status 402"))
      #expect(books.received == ["account": 50])
    }

    @Test func conflictsAreCountedWithoutTheCodeUnderTest() {
      var truth = CollectionTruth()
      let (one, other) = (truth.newRecord(of: 0), truth.newRecord(of: 1))
      #expect(one != other && truth.owners == [one: 0, other: 1])
      let first = truth.revision(one, parents: [])
      let (left, right) = (truth.revision(one, parents: [first]), truth.revision(one, parents: [first]))
      let alone = truth.revision(other, parents: [])
      #expect(truth.conflicts(among: [first, left, right, alone]) == [one])
      #expect(truth.conflicts(among: [first, left, alone]).isEmpty)
      let joined = truth.revision(one, parents: [left, right])
      #expect(truth.conflicts(among: [first, left, right, joined]).isEmpty)
    }

    private static func order(_ number: Int64, amount: Int64) throws -> PaymentOrder {
      let payout = LedgerBook.Payout(
        number: number, account: "a", credits: 1, amount: amount, state: .approved, time: Instant(milliseconds: 0),
        reference: "", place: 0)
      return PaymentOrder(
        study: try #require(StudyCode("seeds")), payout: payout, currency: "EUR", destination: "account")
    }

    @Test func theCommandRunsFormsAndStudies() throws {
      let result = try Command.run(["--collection", "--seed", "2", "--runs", "1", "--hours", "24"])
      #expect(result.status == 0, "\(result.lines)")
      #expect(result.members["kind"] as? String == "collection" && result.members["seeds"] as? Int == 1)
      let plan = CollectionPlan(seed: 2, hours: 24)
      let some = try Command.run(["--collection", "--seed", "2", "--hours", "24", "--faults", "1,4"])
      #expect(some.lines.prefix(2) == ["  \(plan.faults[1].description)", "  \(plan.faults[4].description)"])
      #expect(some.members["digest"] as? String == (try CollectionRun(plan.only([1, 4])).run().digest))
      #expect(try Command.run(["--collection", "--store", "memory"]).status == 2)
    }
  }
}

extension CollectionTruth {
  /// Adds a change; returns its identifier.
  fileprivate mutating func revision(_ record: String, parents: [String]) -> String {
    let revision = FormRevision(
      record: record, form: "visits", version: 1, parents: parents, device: "d", time: Instant(milliseconds: 0),
      answers: ["word": .string(nextWord)])
    add(revision, word: nextWord)
    return revision.id
  }
}
