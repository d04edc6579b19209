import CordonCore
import CordonSupport
import CordonTestSupport
import Foundation
import Testing

@testable import CordonStudies

@Suite("Reminders") struct ReminderTests {
  /// Noon of the first day, outside of the quiet hours.
  private let noon = start + .hours(12)

  private func fixture(_ kind: Fixture.Kind = .memory, _ change: (inout ReminderRules) -> Void = { _ in }) throws
    -> Fixture
  {
    try Fixture(kind) { change(&$0.reminders) }
  }

  private func run(_ fixture: Fixture, at now: Instant, _ result: PushResult = .sent) throws -> Int {
    let due = try fixture.service.claimReminders(now: now)
    for reminder in due { try fixture.service.record(result, of: reminder) }
    return due.count
  }

  @Test func anOldLossDoesNotNagAfterThePermissionCameBack() throws {
    let fixture = try fixture()
    let participant = try fixture.enrol()
    try fixture.event(.permissionsUpdate, participant, at: start + .hours(1), permission: .location, value: 0)
    try fixture.event(.permissionsUpdate, participant, at: start + .hours(2), permission: .location, value: 1)
    #expect(try run(fixture, at: noon) == 0)
    // Another loss is a reason again.
    try fixture.event(.permissionsUpdate, participant, at: start + .hours(3), permission: .location, value: 0)
    #expect(try run(fixture, at: noon) == 1)
  }

  @Test func theIntervalIsThatOfThePerson() throws {
    let fixture = try fixture()
    let participant = try fixture.enrol()
    try fixture.event(.permissionsUpdate, participant, at: start + .hours(9), permission: .location, value: 0)
    #expect(try run(fixture, at: noon) == 1)
    #expect(try run(fixture, at: noon) == 0)
    #expect(try run(fixture, at: noon + .hours(6)) == 0)
    _ = try fixture.service.change(participant, reminderInterval: .hours(6), language: "en", identity: nil)
    #expect(try run(fixture, at: noon + .hours(6)) == 1)
    #expect(try run(fixture, at: noon + .hours(26)) == 1)
  }

  @Test func nightsAreQuietOnTheClockOfThePerson() throws {
    let fixture = try fixture()
    let participant = try fixture.enrol()
    try fixture.event(.permissionsUpdate, participant, at: start + .hours(9), permission: .location, value: 0)
    // Tokyo, where noon in Greenwich is nine in the evening.
    try fixture.event(.offsetChanged, participant, at: start + .hours(9), value: 540)
    #expect(try run(fixture, at: noon) == 0)
    #expect(try run(fixture, at: start + .hours(23)) == 1)
    let rules = ReminderRules()
    #expect(rules.quietEnd(at: noon, offset: .hours(9)) == start + .hours(23))
    #expect(rules.quietEnd(at: start, offset: .zero) == start + .hours(8))
    #expect(rules.quietEnd(at: noon, offset: .zero) == nil)
  }

  @Test func capsHold() throws {
    let fixture = try fixture {
      $0.interval = .hours(1)
      $0.maximumPerDay = 3
      $0.maximumPerLoss = 4
      $0.quietTo = $0.quietFrom
    }
    let participant = try fixture.enrol()
    try fixture.event(.permissionsUpdate, participant, at: start, permission: .location, value: 0)
    var sent: [Int] = []
    for hour in 1...72 where try run(fixture, at: start + .hours(Int64(hour))) == 1 { sent.append(hour) }
    #expect(sent == [1, 2, 3, 25])
  }

  @Test func lossesAreFewMinutesOld() throws {
    let fixture = try fixture()
    let participant = try fixture.enrol()
    try fixture.event(.permissionsUpdate, participant, at: noon, permission: .background, value: 0)
    #expect(try run(fixture, at: noon + .minutes(29)) == 0)
    #expect(try run(fixture, at: noon + .minutes(30)) == 1)
  }

  @Test func pausedAndLeavingParticipantsAreLeftAlone() throws {
    let fixture = try fixture()
    let participant = try fixture.enrol()
    try fixture.event(.permissionsUpdate, participant, at: start, permission: .location, value: 0)
    try fixture.service.pause(participant, true, now: start + .hours(1))
    #expect(try run(fixture, at: noon) == 0)
    try fixture.service.pause(participant, false, now: noon)
    try fixture.service.leave(participant, now: noon)
    #expect(try run(fixture, at: noon) == 0)
  }

  @Test(arguments: Fixture.Kind.allCases) func twoRunsAtOnceSendOneReminder(_ kind: Fixture.Kind) throws {
    let fixture = try fixture(kind)
    let participant = try fixture.enrol()
    try fixture.event(.permissionsUpdate, participant, at: start, permission: .location, value: 0)
    // Both claim before either has sent.
    let first = try fixture.service.claimReminders(now: noon)
    let other = try fixture.folder.map { try Fixture.open($0) } ?? fixture.service
    let second = try other.claimReminders(now: noon)
    #expect(first.count == 1 && second.isEmpty)
    try fixture.service.record(.sent, of: first[0])
    #expect(try fixture.service.store.reminders(to: participant.id).map(\.result) == [.sent])
  }

  @Test func aCrashBeforeSendingIsMadeUpForWithTheSameKey() throws {
    let fixture = try fixture()
    let participant = try fixture.enrol()
    try fixture.event(.permissionsUpdate, participant, at: start, permission: .location, value: 0)
    let lost = try fixture.service.claimReminders(now: noon)
    #expect(try fixture.service.claimReminders(now: noon + .minutes(9)).isEmpty)
    let again = try fixture.service.claimReminders(now: noon + .minutes(10))
    #expect(again.map(\.message.key) == lost.map(\.message.key))
    // A service that fails is tried a few times, and then no more.
    for due in again { try fixture.service.record(.failed, of: due) }
    var count = 0
    for hour in 13..<20 { count += try run(fixture, at: start + .hours(Int64(hour)), .failed) }
    #expect(count == 3)
    #expect(try fixture.service.store.reminders(to: participant.id).map(\.attempts) == [5])
  }

  @Test func anAddressThatIsGoneIsForgotten() throws {
    let fixture = try fixture()
    let participant = try fixture.enrol()
    try fixture.event(.permissionsUpdate, participant, at: start, permission: .location, value: 0)
    #expect(try run(fixture, at: noon, .gone) == 1)
    #expect(try fixture.service.vault.identity(of: participant.id)?.pushToken == nil)
    #expect(try run(fixture, at: noon + .days(2)) == 0)
  }

  @Test func messagesAreLinesOfAFile() async throws {
    let folder = try TemporaryFolder()
    let port = FilePush(path: folder.path("push.jsonl"))
    let message = PushMessage(service: "file", token: "t", key: "k", language: "de", permissions: [.location])
    #expect(await port.send(message) == .sent)
    #expect(await port.send(message) == .sent)
    let text = try String(contentsOfFile: folder.path("push.jsonl"), encoding: .utf8)
    let line = #"{"key":"k","service":"file","token":"t","language":"de","permissions":["location"]}"# + "\n"
    #expect(text == line + line)
    #expect(await FilePush(path: folder.path("no/such/folder")).send(message) == .failed)
  }
}
