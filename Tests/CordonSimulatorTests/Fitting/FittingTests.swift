import CordonCore
import CordonCrowd
import CordonTestSupport
import CordonVenueTools
import CordonVenues
import Foundation
import Testing

@testable import CordonSimulator

@Suite("Parts of a fit")
struct FittingTests {
  private let hour = DurationRule(.logNormal(median: 3_600, spread: 0.3), minimum: .minutes(5), maximum: .hours(24))

  @Test func aKernelHoldsTheLengthOfVisits() {
    for rule in [
      hour, .fixed(.minutes(90)), DurationRule(.exponential(mean: 1_800), minimum: .seconds(1), maximum: .hours(24)),
    ] {
      let kernel = PresenceKernel(visit: rule, bin: 900)
      // Person-seconds for each person are the mean length.
      let mean: Double = kernel.weights.reduce(0, +) * 900
      #expect(abs(mean / rule.mean - 1) < 0.03, "\(rule)")
      #expect(kernel.weights.allSatisfy { $0 >= 0 && $0 <= 1 })
    }
    // Half a bin on average remains of the bin of arrival, for visits that are longer than it.
    #expect(abs(PresenceKernel(visit: .fixed(.hours(1)), bin: 900).weights[0] - 0.5) < 1e-3)
  }

  @Test func arrivalsAreRecoveredFromPresence() {
    var random = RandomStream(seed: 2, replica: 0, stream: 7, entity: 0)
    let kernel = PresenceKernel(visit: hour, bin: 1_800)
    for _ in 0..<20 {
      let arrivals: [Double] = (0..<48).map { bin in bin > 14 && bin < 34 ? 20 * random.nextUnit() : 0 }
      let people = kernel.presence(of: arrivals)
      let found = kernel.arrivals(for: people)
      let ratio: Double = found.reduce(0, +) / arrivals.reduce(0, +)
      #expect(abs(ratio - 1) < 0.02)
      #expect(found.allSatisfy { $0 >= 0 })
      let made = kernel.presence(of: found)
      let difference: Double = zip(made, people).reduce(0) { $0 + abs($1.0 - $1.1) }
      let error = difference / people.reduce(0, +)
      #expect(error < 0.05, "\(error)")
    }
    // Correct arrivals stay as they are.
    let arrivals = (0..<48).map { Double($0 % 5) }
    let people = kernel.presence(of: arrivals)
    for (a, b) in zip(kernel.updated(arrivals, target: people, predicted: people, limit: 2), arrivals) {
      #expect(abs(a - b) < 1e-9)
    }
  }

  @Test func weekdaysAreSharedByTheirNumberOfDays() throws {
    func day(_ number: Int, _ weekday: Int?, _ people: Double) -> DayProfiles.Profile {
      .init(day: .init(number: number, weekday: weekday, label: "day \(number)"), people: [people, people])
    }
    let days = DayProfiles([day(0, 0, 10), day(1, 1, 20), day(2, 0, 12), day(3, 5, 2)], binMinutes: 720)
    let weak = WeekProfile(days, strength: 0.25)
    // Monday: (10 + 12 + 0.25 * 14) / 2.25.
    #expect(abs((weak.people[0]?[0] ?? 0) - 25.5 / 2.25) < 1e-9)
    #expect(weak.people[5] == [2, 2] && weak.people[6] == [2, 2], "weekends are a kind of their own")
    #expect(WeekProfile(days, strength: .infinity).people[0] == [14, 14])
    #expect(WeekProfile(days, strength: .infinity).people[3] == [14, 14], "a weekday without measurements")
    // Days that are alike by weekday choose a weak mean of the kind, equal days a strong one.
    let alike = DayProfiles(
      (0..<4).flatMap { week in (0..<5).map { day(week * 7 + $0, $0, Double($0) * 10) } }, binMinutes: 720)
    #expect(WeekProfile(alike).strength == WeekProfile.strengths[0])
    var random = RandomStream(seed: 5, replica: 0, stream: 1, entity: 0)
    let noisy = DayProfiles((0..<10).map { day($0, $0 % 5, 20 + 5 * random.nextNormal()) }, binMinutes: 720)
    #expect(WeekProfile(noisy).strength > 1)
    let plain = DayProfiles([day(0, nil, 4), day(1, nil, 8)], binMinutes: 720)
    #expect(WeekProfile(plain, strength: 1).people[0] == [6, 6])
  }

  private func day(_ number: Int, _ weekday: Int?, _ people: [Double]) -> DayProfiles.Profile {
    .init(day: .init(number: number, weekday: weekday, label: "day \(number)"), people: people)
  }

  @Test func fewRepeatedWeekdaysCountAsAlike() {
    // Mondays and Tuesdays differ, each with two equal days: two pairs may do so by chance, four do not.
    func days(_ weekdays: [Int]) -> DayProfiles {
      DayProfiles(
        weekdays.enumerated().map { day($0.offset, $0.element, [Double($0.element) * 10, 5]) }, binMinutes: 720)
    }
    #expect(WeekProfile(days([0, 1, 0, 1, 2, 3])).strength == .infinity)
    #expect(WeekProfile(days([0, 1, 2, 3, 0, 1, 2, 3])).strength == WeekProfile.strengths[0])
  }

  @Test func leftOutDaysChooseTheSmoothing() {
    var random = RandomStream(seed: 7, replica: 0, stream: 2, entity: 0)
    func days(_ people: (Int) -> Double) -> DayProfiles {
      DayProfiles((0..<6).map { number in day(number, number % 5, (0..<48).map(people)) }, binMinutes: 30)
    }
    // Chance in single bins is smoothed away; a peak of half an hour on every day stays.
    #expect(WeekProfile(days { _ in 20 + 5 * random.nextNormal() }).smoothing == 2)
    let sharp = days { $0 == 20 || $0 == 0 ? 42 : 0 }
    #expect(WeekProfile(sharp).smoothing == 0)
    let smooth = WeekProfile(sharp, strength: .infinity, smoothing: 1)
    #expect(smooth.people[0]?[19...22] == [14, 14, 14, 0])
    #expect(smooth.people[0]?[0...2] == [21, 14, 0], "the first bin has one neighbour")
  }

  @Test func errorsOfTrainingDaysGiveTheInterval() {
    let days = DayProfiles((0..<10).map { day($0, $0 % 5, $0 % 2 == 0 ? [15, 0] : [25, 0]) }, binMinutes: 720)
    // The nine others of a day have a mean of 20 5/9 or 19 4/9. Student's quantile for ten days is 1.833, not 1.645.
    let spread = ForecastSpread(days, strength: .infinity)
    for weekday in [1, 6] {
      let interval = spread.interval(weekday: weekday, bin: 0)
      let expected = (5 + 5.0 / 9) * 1.833_1 / 1.644_85
      #expect(abs(interval.lowerBound + expected) < 0.01 && abs(interval.upperBound - expected) < 0.01)
    }
    // Days of one kind with errors of their own.
    let weekends = (10..<14).map { day($0, 5 + $0 % 2, [1, 1]) }
    let both = ForecastSpread(DayProfiles(days.profiles + weekends, binMinutes: 720), strength: .infinity)
    #expect(both.interval(weekday: 5, bin: 0) == 0...0 && both.interval(weekday: 0, bin: 1).upperBound > 5)
    #expect(
      ForecastSpread(DayProfiles([day(0, 0, [3, 3])], binMinutes: 720), strength: 1).interval(weekday: 0, bin: 0)
        == 0...0)
  }

  private static let rooms = (1...2).map {
    Places.realData.appendingPathComponent("sdu-room-occupancy/occ_data_room_\($0).csv")
  }

  /// The profiles of two real rooms predict days that they do not know better than the average, and the errors of the other days
  /// hold most of them.
  @Test(
    .enabled(
      if: FileManager.default.fileExists(atPath: FittingTests.rooms[0].path),
      "the head counts of two rooms are not beside the checkout"), arguments: [0, 1], [HoldOut.last(0.3), .alternate])
  func profilesOfRealRoomsPredictOtherDays(room: Int, holdOut: HoldOut) throws {
    let text = try String(contentsOf: Self.rooms[room], encoding: .utf8)
    let table = try MeasuredTable(parsing: text, clock: .utc)
    let series = MeasuredSeries([table], place: "Room \(room + 1)", days: table.days, deviceShare: 1)
    let profiles = DayProfiles(counting: series.people, binMinutes: 30)
    let held = holdOut.days(of: table.days)
    let (used, predicted) = (profiles.only(Set(table.days.map(\.number)).subtracting(held)), profiles.only(held))
    let week = WeekProfile(used)
    let spread = ForecastSpread(used, strength: week.strength, smoothing: week.smoothing)
    let average = (0..<48).map { bin in Sample(used.profiles.compactMap { $0.people[bin] }).mean }
    let plain = ForecastQuality("average", of: predicted) { _, bin in (average[bin], nil) }
    let fitted = ForecastQuality("fitted", of: predicted) { day, bin in
      let mean = week.people[day.weekday ?? 0]?[bin] ?? 0
      let errors = spread.interval(weekday: day.weekday, bin: bin)
      return (mean, max(mean + errors.lowerBound, 0)...max(mean + errors.upperBound, 0))
    }
    #expect(fitted.meanAbsoluteError < plain.meanAbsoluteError, "\(fitted), \(plain)")
    #expect(fitted.coverageInUse ?? 0 > 0.74, "\(fitted)")
  }

  @Test func risesIgnoreMiscounts() {
    func series(_ people: [Double]) -> CountSeries {
      CountSeries(
        day: .init(number: 0, label: ""),
        samples: people.enumerated().map { .init(second: $0.offset * 60, people: $0.element) })
    }
    #expect(series([0, 5, 9, 3, 0]).rises(threshold: 1) == 9)
    #expect(series([2, 3, 2, 3, 2]).rises(threshold: 1) == 4)
    #expect(series([2, 3, 2, 3, 2]).rises(threshold: 2) == 2, "those at the beginning")
    #expect(series([0, 8, 2, 9]).rises(threshold: 2) == 15)
    #expect(series([]).rises(threshold: 1) == 0)
  }

  @Test func qualitiesAreThoseOfTheirFormulas() {
    let days = DayProfiles(
      [.init(day: .init(number: 0, weekday: 0, label: ""), people: [0, 4, nil, 10])], binMinutes: 360)
    let table: [(mean: Double, interval: ClosedRange<Double>?)] = [(0, 0...0), (6, 3...8), (1, 1...1), (9, 9...9.5)]
    let quality = ForecastQuality("x", of: days) { _, bin in table[bin] }
    #expect(quality.count == 3 && abs(quality.meanAbsoluteError - 1) < 1e-12 && abs(quality.bias - 1.0 / 3) < 1e-12)
    #expect(quality.coverage == 2.0 / 3 && quality.coverageInUse == 0.5)
  }

  @Test func daysAreHeldOutByRule() {
    let days = (0..<10).map { MeasuredTable.Day(number: $0 * 2, weekday: nil, label: "day \($0 * 2)") }
    #expect(HoldOut.last(0.3).days(of: days) == [14, 16, 18])
    #expect(HoldOut.last(0).days(of: days).isEmpty && HoldOut.last(0.9).days(of: days).count == 9)
    #expect(HoldOut.last(0.01).days(of: days) == [18])
    #expect(HoldOut.alternate.days(of: days) == [2, 6, 10, 14, 18])
  }

  @Test func fittedScenariosStayReadable() throws {
    let text = """
      # A comment.
      name: "two: rooms"
      venue: rooms.geojson
      time: {start: 2026-01-05T08:00, duration: 9h, zone: Europe/Berlin}
      populations:
        - name: class
          size: 40
          arrival: {window: [08:00, 08:30]}
          activities: [lesson]
      activities:
        - {name: lesson, kinds: [office], duration: {min: 30m, max: 60m}}
      """
    let edits = [
      ScenarioChange(path: "populations[0].arrival", value: "{rates: {mon: {08:00: 12, 09:30: 0}, tue: {08:00: 4}}}"),
      ScenarioChange(path: "populations[0].arrival.variation", value: "0.4"),
      ScenarioChange(path: "populations[0].size", value: "null"),
      ScenarioChange(path: "activities[0].popularity", value: "{\"Room 1: big\": 2}"),
    ]
    let written = try ScenarioChange.apply(edits, toText: text)
    let lines = written.split(separator: "\n").map(String.init)
    #expect(lines[0] == "name: \"two: rooms\"" && lines.contains("  - name: class") && !written.contains("size"))
    #expect(
      lines.contains("      rates:") || written.contains("rates: {mon: {08:00: 12, 09:30: 0}, tue: {08:00: 4}}"),
      "\(written)")
    let read = try Scenario(parsing: written)
    let direct = try Scenario(parsing: text, changes: edits)
    #expect(read.populations[0].arrival == direct.populations[0].arrival && read.populations[0].variation == 0.4)
    #expect(read.activities[0].popularity.map(\.target.name) == ["Room 1: big"])
    #expect(read.name == "two: rooms" && read.start == direct.start)
    // A second time nothing changes.
    #expect(try ScenarioChange.apply([], toText: written) == written)
  }

  @Test func ratesHoldUntilTheNextTime() throws {
    func rates(_ text: String) throws -> [Population.Rate] {
      let scenario = try Scenario(
        parsing: "time: {start: 2026-01-05T00:00, duration: 1d}\npopulations: [{name: a, arrival: {rates: \(text)}}]")
      guard case .hourly(let rates) = scenario.populations[0].arrival else { return [] }
      return rates
    }
    let plain = try rates("{08:00: 12, 09:30: 0, 22:00: 3}")
    #expect(plain.map(\.perHour) == [12, 3] && plain.map(\.window.from.seconds) == [28_800, 79_200])
    #expect(plain.map(\.window.to.seconds) == [34_200, 86_400] && plain[0].weekdays == Set(0...6))
    let week = try rates("{mon-thu: {08:00: 12}, sun: {10:00: 1}}")
    #expect(week.map(\.weekdays) == [[0, 1, 2, 3], [6]])
    for (text, message) in [
      ("{mon: {08:00: 1}, mon-fri: {08:00: 1}}", "a second time"), ("{08:00: 0}", "no person ever arrives"),
      ("{monday: {08:00: 1}}", "or a day such as mon"), ("{mon: {25:00: 1}}", "must be a time of day"),
      ("{}", "people an hour by time of day"),
    ] {
      let error = #expect(throws: ScenarioError.self) { try rates(text) }
      #expect(error?.message.contains(message) == true, "\(text): \(String(describing: error))")
    }
  }
}
