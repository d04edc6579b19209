import CordonCore
import CordonTestSupport
import CordonTesting
import Testing

@testable import CordonIngest

@Suite("Messages about alerts") struct AlertMessageTests {
  private let start = Instant(milliseconds: 1_767_254_400_000)

  private func at(_ minutes: Int64) -> Instant { start + .minutes(minutes) }

  private static func rule(_ bench: Bench) throws -> AlertRule {
    var rule = AlertRule(
      venue: bench.venue.venue, kind: .noData, name: "A", threshold: 1, lasting: 60, isOn: true)
    rule.number = try bench.ingest.alerts.save(rule)
    return rule
  }

  private func raise(_ bench: Bench, _ rule: AlertRule, at minutes: Int64) throws -> Alert {
    var alert = Alert(
      rule: rule.number, began: at(minutes), raised: at(minutes), ended: nil, peak: 3, space: nil, acknowledged: nil)
    alert.number = try bench.ingest.alerts.save(alert)
    return alert
  }

  private func end(_ bench: Bench, _ alert: Alert, at minutes: Int64) throws {
    var alert = try #require(
      try bench.ingest.alerts.alerts(of: alert.rule, limit: 9).first { $0.number == alert.number })
    alert.ended = at(minutes)
    _ = try bench.ingest.alerts.save(alert)
  }

  /// The messages of a time, as `1` for a raised alert and `-1` for its end.
  private func send(_ bench: Bench, at minutes: Int64) throws -> [Int64] {
    let due = try bench.ingest.alertMessages(quiet: .minutes(10), now: at(minutes))
    try bench.ingest.note(sent: due, now: at(minutes))
    return due.map { $0.isEnd ? -$0.alert.number : $0.alert.number }
  }

  @Test func anAlertIsReportedOnceAndSoIsItsEnd() throws {
    let bench = try Bench()
    let alert = try raise(bench, try Self.rule(bench), at: 0)
    #expect(try bench.ingest.alertMessages(quiet: .minutes(10), now: at(0)).map(\.alert) == [alert])
    #expect(try send(bench, at: 0) == [1])
    #expect(try send(bench, at: 1) == [])
    try end(bench, alert, at: 3)
    #expect(try send(bench, at: 4) == [-1])
    #expect(try send(bench, at: 20) == [])
  }

  /// A condition that comes and goes sends one message, and another one when it still holds after the quiet time.
  @Test func aRuleIsQuietAfterAMessage() throws {
    let bench = try Bench()
    let rule = try Self.rule(bench)
    let first = try raise(bench, rule, at: 0)
    #expect(try send(bench, at: 0) == [1])
    try end(bench, first, at: 2)
    #expect(try send(bench, at: 2) == [-1])
    let second = try raise(bench, rule, at: 3)
    #expect(try send(bench, at: 3) == [])
    try end(bench, second, at: 4)
    #expect(try send(bench, at: 5) == [])
    let third = try raise(bench, rule, at: 6)
    #expect(try send(bench, at: 9) == [])
    #expect(try send(bench, at: 10) == [third.number])
    let history = try bench.ingest.alerts.alerts(of: rule.number, limit: 9)
    #expect(history.map(\.delivery) == ["sent", "kept-back", "end-sent"])
    // Another rule is not quiet.
    let other = try raise(bench, try Self.rule(bench), at: 11)
    #expect(try send(bench, at: 11) == [other.number])
  }

  @Test func anAlertThatEndedMeanwhileIsReportedWithItsEnd() throws {
    let bench = try Bench()
    let alert = try raise(bench, try Self.rule(bench), at: 0)
    try end(bench, alert, at: 1)
    #expect(try send(bench, at: 2) == [1, -1])
  }

  @Test func historyIsNotReported() throws {
    let bench = try Bench()
    _ = try raise(bench, try Self.rule(bench), at: 0)
    #expect(try send(bench, at: 61) == [])
  }

  @Test func aFileKeepsWhatWasSent() throws {
    let folder = try TemporaryFolder()
    let path = folder.path("alerts.sqlite")
    let venue = try #require(VenueID("v"))
    var alert = Alert(rule: 1, began: start, raised: start, ended: nil, peak: 1, space: nil, acknowledged: nil)
    do {
      let store = try SQLiteAlertStore(path: path)
      alert.rule = try store.save(
        AlertRule(venue: venue, kind: .noData, name: "A", threshold: 1, lasting: 0, isOn: true))
      alert.number = try store.save(alert)
      #expect(try store.openAlerts() == [alert])
      (alert.sent, alert.endSent) = (at(1), at(2))
      _ = try store.save(alert)
    }
    let store = try SQLiteAlertStore(path: path)
    #expect(try store.openAlerts() == [alert])
    #expect(try store.alerts(of: alert.rule, limit: 1) == [alert])
    try store.remove(rule: alert.rule)
    #expect(try store.openAlerts().isEmpty)
  }
}
