import CordonCore
import Testing

@testable import CordonContacts

@Suite struct ExposureTests {
  static func minutes(_ first: Int32, _ second: Int32, _ start: Int64, _ end: Int64) -> Contact {
    AgreementTests.contact(first, second, start * 60, end * 60)
  }

  @Test func timeIsSummedWithinEachDay() throws {
    // 8 minutes before midnight and 7 after, and 14 a week later.
    let contacts = [
      Self.minutes(0, 1, 1_430, 1_438), Self.minutes(0, 1, 1_445, 1_452), Self.minutes(0, 1, 10_080, 10_094),
    ]
    let exposure = try #require(Exposure.list(of: contacts, rule: .twoMetres).first)
    #expect(exposure.maximumInWindow == 15 * 60_000_000)
    #expect(exposure.isExposure)
    #expect(exposure.maximumOnOneDay == 14 * 60_000_000)
    #expect(!exposure.isExposureByDay)
    #expect(exposure.total == 29 * 60_000_000)
    #expect(exposure.contacts == 3)
    // Two hours east of UTC the first two are on one day.
    let local = try #require(Exposure.list(of: contacts, rule: .twoMetres, days: LocalDays(offset: .hours(2))).first)
    #expect(local.maximumOnOneDay == 15 * 60_000_000)
    #expect(local.isExposureByDay)
  }

  @Test func daysCanHave23Or25Hours() throws {
    // Berlin 2026: summer time from 29 March 01:00 UTC, until 25 October 01:00 UTC.
    let spring = Instant(milliseconds: 1_774_746_000_000)
    let autumn = Instant(milliseconds: 1_792_890_000_000)
    let days = LocalDays(
      offset: .hours(1), changes: [.init(from: autumn, offset: .hours(1)), .init(from: spring, offset: .hours(2))])
    // From noon to noon UTC in spring and autumn: midnight is at 23:00, then at 22:00 UTC and the other way round.
    for (day, parts) in [
      (Int64(1_774_699_200), [39_600, 46_800] as [Int64]), (1_774_785_600, [36_000, 50_400]),
      (1_792_843_200, [36_000, 50_400]), (1_792_929_600, [39_600, 46_800]),
    ] {
      let contact = AgreementTests.contact(0, 1, day, day + 86_400)
      let exposure = try #require(Exposure.list(of: [contact], rule: .twoMetres, days: days).first)
      #expect(exposure.maximumOnOneDay == parts[1] * 1_000_000, "day \(day)")
      var found: [Int64: Int64] = [:]
      days.forEachDay(of: .init(start: day * 1_000_000, end: (day + 86_400) * 1_000_000)) {
        found[$0, default: 0] += $1
      }
      #expect(found.keys.sorted().compactMap { found[$0] } == parts.map { $0 * 1_000_000 })
    }
    // Whole days: 23 hours on 29 March, 25 on 25 October.
    for (start, hours) in [(Int64(1_774_738_800), Int64(23)), (1_792_879_200, 25)] {
      let contact = AgreementTests.contact(0, 1, start - 7_200, start + 100_000)
      let exposure = try #require(Exposure.list(of: [contact], rule: .twoMetres, days: days).first)
      #expect(exposure.maximumOnOneDay == hours * 3_600_000_000)
    }
  }

  @Test func aSecondTooShortIsNotAnExposure() throws {
    let contacts = [AgreementTests.contact(0, 1, 0, 400), AgreementTests.contact(0, 1, 86_000, 86_499)]
    #expect(try #require(Exposure.list(of: contacts, rule: .twoMetres).first).isExposure == false)
    // 24 hours include the last 499 s and the first 299 s: windows split contacts.
    let far = [AgreementTests.contact(0, 1, 0, 600), AgreementTests.contact(0, 1, 86_400, 87_000)]
    #expect(try #require(Exposure.list(of: far, rule: .twoMetres).first).maximumInWindow == 600_000_000)
  }

  @Test(arguments: 0..<20)
  func theFullestWindowIsFound(seed: Int) {
    var random = RandomStream(seed: UInt64(seed), stream: 4)
    var intervals: [PairIntervals.Interval] = []
    var time: Int64 = 0
    for _ in 0..<12 {
      time += 1 + Int64(random.nextIndex(below: 40))
      let length = Int64(random.nextIndex(below: 30))
      intervals.append(PairIntervals.Interval(start: time, end: time + length))
      time += length
    }
    let width: Int64 = 50
    let (most, start) = Exposure.mostWithin(width, of: intervals[...])
    let sum = { (from: Int64) in
      intervals.reduce(0) { $0 + max(0, min($1.end, from + width) - max($1.start, from)) }
    }
    #expect(most == (-width...time).map(sum).max())
    #expect(sum(start) == most)
    #expect(start == intervals.first { sum($0.start) == most }?.start)
  }

  @Test func weightedMinutesCountNearMinutesMore() throws {
    let segments = [
      Segment(device: 0, floor: 0, start: 0, end: 600_000, x0: 0, y0: 0, x1: 0, y1: 0),
      Segment(device: 1, floor: 0, start: 0, end: 120_000, x0: 0.5, y0: 0, x1: 0.5, y1: 0),
      Segment(device: 1, floor: 0, start: 120_000, end: 240_000, x0: 1.5, y0: 0, x1: 1.5, y1: 0),
      Segment(device: 1, floor: 0, start: 240_000, end: 360_000, x0: 3, y0: 0, x1: 3, y1: 0),
      Segment(device: 1, floor: 0, start: 360_000, end: 600_000, x0: 9, y0: 0, x1: 9, y1: 0),
    ]
    let minutes = WeightedMinutes.standard.minutes(in: segments, finder: ContactFinder())
    #expect(minutes.count == 1)
    #expect(abs(try #require(minutes.first).minutes - (2 * 1.5 + 2 * 1 + 2 * 0.5)) < 1e-9)
  }

  @Test func namedRulesHaveTheirDistances() {
    #expect(ExposureRule.named.map(\.distance) == [1.8288, 2, 1])
    #expect(ExposureRule.named.allSatisfy { $0.threshold == .minutes(15) && $0.window == .hours(24) })
  }
}
