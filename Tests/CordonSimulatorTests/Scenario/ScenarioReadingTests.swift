import CordonCore
import CordonCrowd
import CordonVenues
import Testing

@testable import CordonSimulator
@testable import CordonVenueTools

@Suite("Reading scenarios")
struct ScenarioReadingTests {
  static let small = """
    name: test
    venue: {generate: {kind: office, floors: 2, area: 1200, seed: 3}}
    time: {start: 2026-01-05T08:00, duration: 9h, zone: Europe/Berlin}
    populations:
      - name: staff
        size: 40
        arrival: {window: [08:00, 09:30], shape: normal}
        leave: [16:00, 17:00]
        activities: [work, lunch]
    activities:
      - {name: work, kinds: [office], own_place: true, duration: {min: 30m, max: 60m}, weight: 5}
      - {name: lunch, kinds: [kitchen, restaurant], between: [11:30, 13:30], duration: {min: 20m, max: 45m}, repeat: 1}
    seed: 9
    """

  @Test func theSideAndTheDistanceFromWallsAreRead() throws {
    let scenario = try Scenario(parsing: Self.small + "\nmovement: {model: avm, side: left, wall_margin: 0.3}")
    let lanes = (scenario.movement.movementModel as? CrowdMovement)?.settings.lanes
    #expect(lanes?.side == .left && lanes?.wallMargin == 0.3)
    #expect((Scenario().movement.movementModel as? CrowdMovement)?.settings.lanes == LaneSettings())
    for text in ["side: middle", "wall_margin: 0.1"] {
      #expect {
        _ = try Scenario(parsing: Self.small + "\nmovement: {\(text)}")
      } throws: { error in
        (error as? ScenarioError)?.path.hasPrefix("movement.") == true
      }
    }
  }

  @Test func everyPartIsRead() throws {
    let scenario = try Scenario(parsing: ScenarioReadingTests.small)
    #expect(scenario.name == "test")
    #expect(scenario.venue == .generated(.office, floors: 2, area: 1200, seed: 3))
    // Berlin is an hour ahead of UTC in January.
    #expect(scenario.start == (try Instant(rfc3339: "2026-01-05T07:00:00Z")))
    #expect(scenario.end - scenario.start == .hours(9))
    #expect(scenario.populations.map(\.name) == ["staff"])
    #expect(scenario.populations[0].leave?.from.seconds == 16 * 3_600)
    #expect(scenario.activities.map(\.name) == ["work", "lunch"])
    #expect(scenario.activities[0].isOwnPlace)
    #expect(scenario.activities[1].minimum == 1 && scenario.activities[1].maximum == 1)
    #expect(scenario.seed == 9)
  }

  @Test func jsonHasTheSameSchema() throws {
    let json = """
      {"time": {"start": "2026-01-05T08:00:00Z", "end": "2026-01-05T12:00:00Z"},
       "populations": [{"name": "all", "size": 3, "speed": {"mean": 1.1}}],
       "phones": {"preset": "ble", "interval": "10s", "network": {"loss": 0.1}}}
      """
    let scenario = try Scenario(parsing: json)
    #expect(scenario.phones.preset == .ble)
    #expect(scenario.phones.network.loss == 0.1)
    #expect(scenario.populations[0].speed.mean == 1.1)
  }

  struct Fault: Sendable, CustomTestStringConvertible {
    var from: String
    var to: String
    var line: Int
    var says: String
    var testDescription: String { says }
  }

  @Test(arguments: [
    Fault(from: "size: 40", to: "sise: 40", line: 6, says: "did you mean 'size'"),
    Fault(from: "size: 40", to: "size: 0", line: 6, says: "between 1 and 1000000"),
    Fault(from: "size: 40", to: "size: 2000000", line: 6, says: "1000000"),
    Fault(
      from: "size: 40", to: "size: 40\n    speed: {mean: 2, max: 1}", line: 7, says: "mean is not between min and max"),
    Fault(from: "[08:00, 09:30]", to: "[09:30, 08:00]", line: 7, says: "before it begins"),
    Fault(from: "[08:00, 09:30]", to: "[8, 9]", line: 7, says: "time of day"),
    Fault(from: "leave: [16:00, 17:00]", to: "leave: [06:00, 07:00]", line: 8, says: "before they arrive"),
    Fault(from: "activities: [work, lunch]", to: "activities: [wrok]", line: 9, says: "did you mean 'work'"),
    Fault(from: "kinds: [office]", to: "kinds: [offise]", line: 11, says: "did you mean 'office'"),
    Fault(from: "{min: 30m, max: 60m}", to: "{min: 60m, max: 30m}", line: 11, says: "longer than max"),
    Fault(from: "{min: 20m, max: 45m}", to: "20y", line: 12, says: "must be a duration"),
    Fault(from: "repeat: 1", to: "repeat: {min: 3, max: 1}", line: 12, says: "min is above max"),
    Fault(from: "duration: 9h", to: "duration: 40d", line: 3, says: "between"),
    Fault(from: "Europe/Berlin", to: "Europe/Berln", line: 3, says: "not a time zone"),
    Fault(from: "2026-01-05T08:00", to: "2026-02-30T08:00", line: 3, says: "date and time"),
    Fault(from: "name: staff", to: "name: staff\n    name: again", line: 5, says: "is defined twice"),
    Fault(from: "seed: 9", to: "policies: {capacity: {office: 0}}", line: 13, says: "capacity must be at least 1"),
    Fault(from: "seed: 9", to: "phones: {preset: magic}", line: 13, says: "'magic' is not one of"),
    Fault(from: "seed: 9", to: "seed: [", line: 14, says: "invalid YAML"),
  ])
  func aFaultIsReportedWithItsLine(fault: Fault) throws {
    let text = ScenarioReadingTests.small.replacing(fault.from, with: fault.to)
    #expect(text != ScenarioReadingTests.small)
    let error = #expect(throws: ScenarioError.self) { try Scenario(parsing: text, file: "day.yaml") }
    let reported = try #require(error)
    #expect(reported.description.contains(fault.says), "\(reported)")
    #expect(abs(reported.line - fault.line) <= (fault.says == "invalid YAML" ? 1 : 0), "\(reported)")
    #expect(reported.file == "day.yaml")
  }

  @Test func anAliasBombIsRejected() {
    var text = "a0: &a0 [x, x, x, x, x, x, x, x, x, x]\n"
    for level in 1...8 {
      let before = "*a\(level - 1)"
      text += "a\(level): &a\(level) [" + Array(repeating: before, count: 10).joined(separator: ", ") + "]\n"
    }
    #expect(throws: ScenarioError.self) { try Scenario(parsing: text) }
  }

  @Test func measuredCountsAreRead() throws {
    let text = ScenarioReadingTests.small
      .replacing("    size: 40\n", with: "")
      .replacing("arrival: {window: [08:00, 09:30], shape: normal}", with: "arrival: {counts: c.csv}")
    let scenario = try Scenario(parsing: text) { name in
      #expect(name == "c.csv")
      return "time,count\n2026-01-05T07:00:00Z,10\n2026-01-05T07:30:00Z,20\n"
    }
    guard case .counts(let counts) = scenario.populations[0].arrival else {
      Issue.record("no counts")
      return
    }
    #expect(counts.map(\.people) == [10, 20])
    #expect(counts.last.map { $0.end - $0.start } == .minutes(30))
    #expect(throws: ScenarioError.self) { try Scenario(parsing: text) { _ in "time,count\nnoon,10\n" } }
    #expect(throws: ScenarioError.self) { try Scenario(parsing: text) }
  }

  @Test func localTimesFollowTimeChanges() throws {
    let clock = try #require(ScenarioClock(zone: "Europe/Berlin"))
    let spring = try #require(CalendarDay(year: 2026, month: 3, day: 29))
    let autumn = try #require(CalendarDay(year: 2026, month: 10, day: 25))
    func utc(_ day: CalendarDay, _ time: String) throws -> String {
      clock.instant(day, try #require(ClockTime(time))).rfc3339
    }
    #expect(try utc(spring, "01:30").hasPrefix("2026-03-29T00:30:00"))
    #expect(try utc(spring, "03:30").hasPrefix("2026-03-29T01:30:00"))
    #expect(try utc(spring, "02:30").hasPrefix("2026-03-29T01:30:00"))
    #expect(try utc(autumn, "01:30").hasPrefix("2026-10-24T23:30:00"))
    #expect(try utc(autumn, "02:30").hasPrefix("2026-10-25T00:30:00"))
    #expect(try utc(autumn, "12:00").hasPrefix("2026-10-25T11:00:00"))
    #expect(
      clock.instant(spring, ClockTime(seconds: 86_400)) - clock.instant(spring, ClockTime(seconds: 0)) == .hours(23))
    #expect(
      clock.instant(autumn, ClockTime(seconds: 86_400)) - clock.instant(autumn, ClockTime(seconds: 0)) == .hours(25))
    #expect(spring.weekday == 6)
  }

  private func small(_ changes: String...) throws -> Scenario {
    try Scenario(
      parsing: ScenarioReadingTests.small, file: "day.yaml",
      changes: changes.map { try #require(ScenarioChange($0)) })
  }

  @Test func changesReplaceValuesOfTheFile() throws {
    #expect(try small("policies.stagger=30m").policies.stagger == .minutes(30))
    #expect(try small("replicas=5").replicas == 5)
    let staff = try small("populations[staff].size=7", "populations[0].devices=0.5").populations[0]
    #expect(staff.deviceShare == 0.5)
    guard case .window(let size, _, _) = staff.arrival else { return #expect(Bool(false), "\(staff.arrival)") }
    #expect(size == 7)
    // Of two changes of one key the later one applies, and lists stay as in the file.
    #expect(try small("seed=3", "seed=4").seed == 4)
    #expect(try small("phones.sampling={distance: 5}").phones.sampling == .distance(5))
    // A change can replace a key by another one.
    let short = try small("time.duration=null", "time.end=2026-01-05T10:00")
    #expect(short.end - short.start == .hours(2))
    // Times of day use the final zone.
    #expect(try small("time.zone=UTC").start == Instant(rfc3339: "2026-01-05T08:00:00Z"))
  }

  @Test(arguments: [
    ("policies.stager=30m", "policies.stager", "did you mean 'stagger'"), ("replicas=0", "replicas", "between"),
    ("populations[nobody].size=3", "populations[nobody].size", "no item 'nobody'"),
    ("populations[7].size=3", "populations[7].size", "no item '7'"), ("seed.x=3", "seed.x", "has no key"),
    ("seed[0]=3", "seed[0]", "not a list"), ("seed=", "seed", "needs a value"),
    ("a..b=3", "a..b", "not a path to a value"),
    ("seed={", "seed", "invalid YAML"), ("time.duration=1x", "time.duration", "must be a duration"),
    ("populations[-1].size=3", "populations[-1].size", "no item '-1'"),
  ])
  func anImpossibleChangeIsReportedWithItsPath(change: String, path: String, says: String) throws {
    let error = #expect(throws: ScenarioError.self) { try small(change) }
    #expect(error?.path == path && error?.file == "day.yaml")
    #expect(error?.message.contains(says) == true, "\(error?.message ?? "")")
  }

  @Test(arguments: ["", "seed", "=3"]) func textsWithoutAnAssignmentAreNotChanges(text: String) {
    #expect(ScenarioChange(text) == nil)
  }
}
