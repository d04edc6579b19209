import CordonCore
import CordonSimulator
import CordonVenueTools
import CordonVenues
import Testing

@Suite("Limits of a scenario")
struct ScenarioLimitsTests {
  @Test func defaultsAreWithinTheLimits() throws {
    try Scenario().check()
  }

  @Test(arguments: [
    ("America/Toronto", "2026-01-05T14:00:00.000Z"), ("Asia/Kolkata", "2026-01-05T03:30:00.000Z"),
    (nil, "2026-01-05T09:00:00.000Z"), ("Mars/Base", "2026-01-05T09:00:00.000Z"),
  ])
  func theDefaultDayBeginsOnTheClocksOfTheVenue(zone: String?, start: String) throws {
    var venue = try VenueGenerator.generate(kind: .office, floors: 1, area: 400, seed: 1)
    venue.timeZone = zone
    let scenario = Scenario(at: venue)
    #expect(scenario.start.rfc3339 == start)
    #expect(scenario.clock.zone == (zone == "Mars/Base" ? "UTC" : zone ?? "UTC"))
    #expect(scenario.duration == Scenario().duration && scenario.visitors?.count == 300)
  }

  struct Case: Sendable, CustomTestStringConvertible {
    let key: String
    let change: @Sendable (inout Scenario) -> Void
    let testDescription: String

    init(_ key: String, _ what: String, _ change: @escaping @Sendable (inout Scenario) -> Void) {
      self.key = key
      self.change = change
      testDescription = "\(key) \(what)"
    }
  }

  @Test(arguments: [
    Case("visitors.count", "none") { $0.visitors?.count = 0 },
    Case("visitors.count", "too many") { $0.visitors?.count = 1_000_001 },
    Case("visitors.device_share", "negative") { $0.visitors?.deviceShare = -0.1 },
    Case("visitors.device_share", "NaN") { $0.visitors?.deviceShare = .nan },
    Case("policies.devices", "too large") { $0.policies.deviceShare = 1.1 },
    Case("time.duration", "none") { $0.duration = .zero },
    Case("time.duration", "too long") { $0.duration = .days(32) },
    Case("time.start", "before 1970") {
      $0.start = Instant(milliseconds: -1)
      $0.duration = .hours(1)
    },
    Case("phones.interval", "too short") { $0.phones.interval = .milliseconds(99) },
    Case("phones.thinning", "negative") { $0.phones.thinning = .milliseconds(-1) },
    Case("phones.flush_after", "too short") { $0.phones.flushAfter = .zero },
    Case("movement.step", "too long") { $0.movement.step = 151 },
    Case("contacts.distance", "negative") { $0.contactDistance = -1 },
    Case("contacts.distance", "infinite") { $0.contactDistance = .infinity },
    Case("contacts.max_gap", "none") { $0.maximumGap = .zero },
    Case("contacts.warning", "none") { $0.warningThreshold = .zero },
    Case("contacts.occupancy_bin", "too wide") { $0.occupancyBin = .days(2) },
    Case("replicas", "none") { $0.replicas = 0 },
  ])
  func valuesOutOfTheirRangeAreNamed(wrong: Case) {
    var scenario = Scenario()
    wrong.change(&scenario)
    let error = #expect(throws: ScenarioError.self) { try scenario.check() }
    #expect(error?.path == wrong.key)
  }
}
