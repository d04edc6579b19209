import CordonCore
import CordonPresence
import CordonSupport
import Testing

@testable import CordonStudies

@Suite("Quality of data") struct StudyQualityTests {
  @Test func coverageIsValidTimeOfExpectedTime() throws {
    let fixture = try Fixture()
    let participant = try fixture.enrol(at: start + .hours(6))
    try fixture.walk(participant, from: start + .hours(6), minutes: 361)
    let report = try fixture.service.quality(of: fixture.code, now: start + .hours(18))
    let row = try #require(report.rows.first)
    #expect(row.quality.expected == 12 * 3_600_000)
    #expect(row.quality.valid == 6 * 3_600_000)
    #expect(row.quality.coverage == 0.5 && report.coverage == 0.5)
    let line = "\(participant.id),2026-01-01,360,720,0.5,361,0,0,"
    #expect(report.csv.split(separator: "\r\n")[1].hasPrefix(line), "\(report.csv)")
    #expect(report.json["coverage"] == .number(0.5))
  }

  @Test func aGapAfterAMovingPositionCountsFiveMinutes() throws {
    let fixture = try Fixture()
    let participant = try fixture.enrol()
    try fixture.walk(participant, from: start + .hours(8), minutes: 1)
    try fixture.walk(participant, from: start + .hours(18), minutes: 1)
    let quality = try fixture.service.quality(of: fixture.code, now: start + .days(1)).rows[0].quality
    #expect(quality.valid == 5 * 60_000)
    #expect(quality.gapCount == 1 && quality.longestGap == 10 * 3_600_000 && quality.gapsOverMidnight == 0)
  }

  @Test func gapsOverMidnightAreApart() throws {
    let fixture = try Fixture()
    let participant = try fixture.enrol()
    try fixture.walk(participant, from: start + .hours(23), minutes: 2)
    try fixture.walk(participant, from: start + .hours(31), minutes: 2)
    let quality = try fixture.service.quality(of: fixture.code, now: start + .days(2)).rows[0].quality
    #expect(quality.gapCount == 1 && quality.gapsOverMidnight == 1)
    #expect(quality.days.map(\.expected) == [86_400_000, 86_400_000])
  }

  @Test func accuracyInsideAndOutsideIsApart() throws {
    let fixture = try Fixture()
    let participant = try fixture.enrol()
    try fixture.walk(participant, from: start + .hours(8), minutes: 30, accuracy: 4.7)
    try fixture.walk(participant, from: start + .hours(9), minutes: 10, accuracy: 35)
    try fixture.walk(participant, from: start + .hours(10), minutes: 5, accuracy: nil)
    let report = try fixture.service.quality(of: fixture.code, now: start + .days(1))
    let row = try #require(report.json["participants"]?.elements?.first)
    #expect(row["outdoors"]?["count"] == 30 && row["outdoors"]?["median_m"] == .number(4.7))
    #expect(row["indoors"]?["count"] == 10 && row["indoors"]?["median_m"] == .number(35))
    #expect(row["positions"]?["unknown"] == 5)
  }

  @Test func mockedPositionsEarnNoTime() throws {
    let fixture = try Fixture()
    let participant = try fixture.enrol()
    _ = try fixture.service.store.add(
      (0..<120).map {
        StudyLocation(
          id: Fixture.id(), participant: participant.id, time: start + .minutes($0),
          coordinate: Coordinate(longitude: 1, latitude: 1), accuracy: 5, isMocked: true)
      })
    let quality = try fixture.service.quality(of: fixture.code, now: start + .days(1)).rows[0].quality
    #expect(quality.valid == 0 && quality.qualities[.mocked] == 120)
  }

  @Test func exportsAreInTheAuditLog() throws {
    let fixture = try Fixture()
    let participant = try fixture.enrol()
    try fixture.walk(participant, from: start + .hours(8), minutes: 100)
    _ = try fixture.service.earn(fixture.code, now: start + .days(4))
    for table in StudyService.ExportTable.allCases {
      let text = try fixture.service.export(table, of: fixture.code, by: "op-2", reason: "paper", now: start + .days(4))
      let lines = text.split(separator: "\r\n")
      #expect(lines.count > 1, "\(table)")
      #expect(Set(lines.map { $0.count { $0 == "," } }).count == 1, "\(table)")
      #expect(!text.contains("acct-1"))
    }
    let audit = try fixture.service.store.audit(of: fixture.code, limit: 10)
    #expect(audit.prefix(4).allSatisfy { $0.reason == "paper" && $0.actor == "op-2" && $0.action.hasPrefix("export ") })
  }

  @Test func participantsSeeTheirProgressAndTheirCopy() throws {
    let fixture = try Fixture()
    let participant = try fixture.enrol()
    try fixture.event(.permissionsUpdate, participant, at: start, permission: .motion, value: 0)
    try fixture.walk(participant, from: start + .hours(8), minutes: 100)
    _ = try fixture.service.earn(fixture.code, now: start + .days(4))
    let progress = try fixture.service.progress(of: participant, now: start + .days(15))
    #expect(progress["days_left"] == 45 && progress["progress"] == .number(0.25))
    #expect(progress["rewards"]?["balance"] == 1)
    #expect(progress["consent_text"] == "I agree")
    #expect(progress["settings"]?["has_payment"] == .bool(true))
    let copy = try fixture.service.copy(of: participant, now: start + .days(15))
    #expect(copy["locations"]?.elements?.count == 100 && copy["events"]?.elements?.count == 4)
    #expect(copy["identity"]?["payment"] == "acct-1" && copy["ledger"]?.elements?.count == 1)
  }
}
