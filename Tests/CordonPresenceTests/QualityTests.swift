import CordonCore
import CordonPresence
import Testing

@Suite("Quality of positions")
struct QualityTests {
  @Test func accuracyQuantilesAreThoseOfThePublishedTable() {
    // 1 ... 100 m, of which those below 10 m are outdoors.
    let fixes = (1...100).map { Near.fix(Double($0), accuracy: Double($0)) }
    let report = Near.report(fixes, PresenceRules())
    #expect(report.outdoors.count == 9 && report.indoors.count == 91)
    #expect(report.indoors.mean == 55 && report.indoors.quantile(0.5) == 55)
    #expect(report.indoors.quantile(0.25) == 32 && report.indoors.quantile(0.75) == 78)
    #expect(report.outdoors.quantile(0) == 1 && report.outdoors.quantile(1) == 9)
    // The standard deviation of 10 ... 100: √(91 · 92 / 12).
    let deviation = report.indoors.deviation ?? 0
    #expect(abs(deviation - 26.413_380_4) < 1e-6)
    let none = Near.report([Near.fix(0, accuracy: nil)], PresenceRules())
    #expect(none.withoutAccuracy == 1 && none.indoors.mean == nil && none.indoors.quantile(0.5) == nil)
  }

  @Test func gapsHaveTheDistanceOfTheirEnds() throws {
    let fixes = [Near.fix(0), Near.fix(301, east: 150), Near.fix(601, east: 150), Near.fix(80_000, east: 3_000)]
    let gaps = Near.report(fixes, PresenceRules()).gaps
    #expect(gaps.count == 2 && gaps.farCount == 1 && gaps.countOverMidnight == 1)
    let distances = gaps.first.map { $0.distance.rounded() }
    #expect(distances == [150, 2_850])
    #expect(gaps.longest == 79_399_000 && gaps.total == 79_700_000)
    #expect(abs(gaps.farthest - 2_850) < 0.1)
    #expect(gaps.first.map(\.crossesMidnight) == [false, true])
  }

  @Test func aGapAddsToTheValidMinutesUpToALimit() {
    let day = Near.report([Near.fix(0), Near.fix(60), Near.fix(7_260)], PresenceRules()).days.first
    // A minute, and 5 of the two hours.
    #expect(day?.valid == 360_000)
  }

  @Test func distanceIsPerDayAndWithoutGaps() throws {
    // 600 m in 10 minutes, an unseen hour over 20 km, and 300 m back.
    let first = (0...600).map { Near.fix(Double($0), east: Double($0)) }
    let second = (0...300).map { Near.fix(4_200 + Double($0), east: 20_000 - Double($0)) }
    let day = try #require(Near.report(first + second, PresenceRules()).days.first)
    #expect(abs(day.distance - 900) < 15, "\(day.distance)")
    let days = Near.report((0...1_200).map { Near.fix(57_000 + Double($0), east: Double($0)) }, PresenceRules()).days
    #expect(days.count == 2)
    #expect(days.allSatisfy { abs($0.distance - 600) < 12 }, "\(days.map(\.distance))")
  }
}
