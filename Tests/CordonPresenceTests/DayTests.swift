import CordonCore
import CordonPresence
import Testing

@Suite("Days of presence")
struct DayTests {
  private func instant(_ text: String) throws -> Instant { try Instant(rfc3339: text) }

  /// Fixes at the home from a time on, one a minute.
  private func minutes(_ count: Int, from time: String, east: Double = 0) throws -> [PresenceFix] {
    let start = try instant(time).milliseconds
    return (0..<count).map {
      PresenceFix(time: start + Int64($0) * 60_000, coordinate: Near.place(east), accuracy: 5)
    }
  }

  @Test func gapsAreNeverBridged() throws {
    let fixes = [Near.fix(0), Near.fix(300), Near.fix(601), Near.fix(700, east: 900), Near.fix(50_000)]
    let day = try #require(Near.report(fixes, PresenceRules(homes: try Near.home())).days.first)
    // 5 minutes are known; 5 minutes and a second are not, nor is what follows the last fix.
    #expect(day.home == 399_000 && day.away == 0 && day.covered == 399_000)
    #expect(day.unknown == 86_400_000 - 399_000)
    #expect(day.gaps == 2 && day.longestGap == 49_300_000)
  }

  @Test func aReportedRestIsKnown() throws {
    let rest = PresenceFix(
      time: Near.start, until: Near.start + 3_600_000, coordinate: Near.origin, accuracy: 5)
    let report = Near.report([rest, Near.fix(3_660, east: 900)], PresenceRules(homes: try Near.home()))
    #expect(report.days.first?.home == 3_660_000 && report.gaps.count == 0)
    // Until a fix elsewhere says otherwise.
    let early = Near.report([rest, Near.fix(60, east: 900)], PresenceRules(homes: try Near.home()))
    #expect(early.days.first?.home == 60_000)
  }

  @Test func theTimesOfADayAddUp() throws {
    var noise = Noise(seed: 8)
    var fixes: [PresenceFix] = []
    var second = 0.0
    for _ in 0..<3_000 {
      second += noise.uniform() < 0.02 ? noise.uniform() * 20_000 : noise.uniform() * 200
      fixes.append(
        Near.fix(second, east: noise.normal() * 300, accuracy: noise.uniform() < 0.1 ? nil : noise.uniform() * 90))
    }
    let berlin = DayCalendar(offset: .hours(1))
    let report = Near.report(fixes, PresenceRules(homes: try Near.home()), calendar: berlin)
    #expect(report.days.count > 3)
    for day in report.days {
      #expect(day.home + day.away + day.unknown == day.length)
      #expect(day.covered <= day.length && day.valid <= day.length)
      let parts = day.outdoors + day.indoors + day.undetermined
      #expect(abs(parts - Double(day.covered - day.home)) < 1)
    }
    #expect(report.days.reduce(0) { $0 + $1.fixes } == report.counts.used)
  }

  @Test func daysHave23And25HoursWhenClocksChange() throws {
    let summer = DayCalendar(
      offset: .hours(1),
      changes: [
        .init(from: try instant("2026-10-25T01:00:00Z"), offset: .hours(1)),
        .init(from: try instant("2026-03-29T01:00:00Z"), offset: .hours(2)),
      ])
    let rules = PresenceRules(homes: try Near.home())
    let spring = Near.report(try minutes(1_500, from: "2026-03-28T22:30:00Z"), rules, calendar: summer).days
    #expect(spring.map(\.name) == ["2026-03-28", "2026-03-29", "2026-03-30"])
    #expect(spring.map(\.length) == [86_400_000, 82_800_000, 86_400_000])
    #expect(spring.map(\.home) == [1_800_000, 82_800_000, 5_340_000])
    let autumn = Near.report(try minutes(1_620, from: "2026-10-24T22:00:00Z"), rules, calendar: summer).days
    #expect(autumn.map(\.name) == ["2026-10-25", "2026-10-26"])
    #expect(autumn.map(\.length) == [90_000_000, 86_400_000])
    #expect(autumn.first?.home == 90_000_000)
  }

  @Test func journeysChangeTheZoneOfDays() throws {
    // From Tokyo on 5 January at 09:00 UTC (18:00 there) to Los Angeles: 5 January begins again.
    let west = DayCalendar(
      offset: .hours(9), changes: [.init(from: try instant("2026-01-05T16:00:00Z"), offset: .hours(-8))])
    let rules = PresenceRules(homes: try Near.home())
    let fixes = try minutes(3_000, from: "2026-01-04T15:00:00Z", east: 900)
    let days = Near.report(fixes, rules, calendar: west).days
    // 24 hours of 5 January in Tokyo, one of the 6th there, and 16 more hours of the 5th in America.
    #expect(days.map(\.name) == ["2026-01-05", "2026-01-06"])
    #expect(days.map(\.length) == [144_000_000, 90_000_000])
    #expect(days.map(\.away) == [144_000_000, 35_940_000])
    // Over the date line to the west a date can be missing.
    let east = DayCalendar(
      offset: .hours(-10), changes: [.init(from: try instant("2026-01-05T10:00:00Z"), offset: .hours(14))])
    let samoa = Near.report(try minutes(2_900, from: "2026-01-04T10:00:00Z"), rules, calendar: east).days
    #expect(samoa.map(\.name) == ["2026-01-04", "2026-01-06", "2026-01-07"])
  }

  @Test func daysWithoutAFixAreReported() throws {
    let fixes = try minutes(10, from: "2026-01-05T10:00:00Z") + minutes(10, from: "2026-01-09T10:00:00Z")
    let days = Near.report(fixes, PresenceRules(homes: try Near.home())).days
    #expect(days.map(\.name) == ["2026-01-05", "2026-01-06", "2026-01-07", "2026-01-08", "2026-01-09"])
    #expect(days[1].unknown == 86_400_000 && days[2].unknown == 86_400_000)
  }

  @Test func lateDataUpdateADayAndMarkIt() throws {
    let rules = PresenceRules(homes: try Near.home())
    let morning = try minutes(60, from: "2026-01-05T10:00:00Z")
    let other = try minutes(60, from: "2026-01-06T10:00:00Z", east: 900)
    var ledger = PresenceLedger()
    let first = ledger.record(Near.report(morning + other, rules).days)
    #expect(first.map(\.revision) == [0, 0] && first.allSatisfy { !$0.isUpdated })
    // The same again changes nothing, also of a day without any time away or outdoors.
    #expect(ledger.record(Near.report(morning + other, rules).days) == first)
    let late = try minutes(30, from: "2026-01-05T12:00:00Z")
    let second = ledger.record(Near.report(morning + late + other, rules).days)
    #expect(second.map(\.revision) == [1, 0] && second.map(\.isUpdated) == [true, false])
    #expect(ledger.record(Near.report(morning + late + other, rules).days).map(\.isUpdated) == [false, false])
    #expect(ledger.entries.map(\.revision) == [1, 0])
  }

  @Test func fixesThatCannotBeUsedAreCounted() {
    var stream = PresenceStream(PresenceRules())
    let fixes = [
      Near.fix(10), Near.fix(10, east: 50), Near.fix(5),
      PresenceFix(time: 0, coordinate: Coordinate(longitude: .nan, latitude: 0), accuracy: 5),
      PresenceFix(time: .max, coordinate: Near.origin, accuracy: 5),
      PresenceFix(time: .min, coordinate: Near.origin, accuracy: 5),
    ]
    let used = fixes.map { stream.add($0) }
    #expect(used == [true, false, false, false, false, false])
    let counts = stream.finish().counts
    #expect(counts.used == 1 && counts.duplicates == 1 && counts.late == 1 && counts.invalid == 3)
  }

  @Test func aTimelineIsThatOfTheLocalClock() throws {
    var rules = PresenceRules(homes: try Near.home())
    rules.timelineBin = .minutes(60)
    let day = try #require(
      Near.report(try minutes(91, from: "2026-01-05T10:00:00Z"), rules, calendar: DayCalendar(offset: .hours(1))).days
        .first)
    #expect(day.timeline.count == 24 * PresenceDay.timelineClasses)
    #expect(day.timeline[11 * 4] == 3_600_000 && day.timeline[12 * 4] == 1_800_000)
    #expect(day.timeline.reduce(0) { $0 + Int64($1) } == day.covered)
  }
}
