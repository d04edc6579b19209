import CordonCore
import CordonGeometry
import CordonRun
import CordonVenueTools
import CordonVenues
import Testing

@testable import CordonCrowd
@testable import CordonSimulator

@Suite("Evacuations of a day")
struct EvacuationDayTests {
  private static let text = """
    venue: {generate: {kind: office, floors: 1, area: 600, seed: 3}}
    time: {start: 2026-01-05T09:00, duration: 1h, zone: Europe/Berlin}
    populations:
      - {name: staff, size: 20, arrival: {window: [09:00, 09:10]}, leave: [09:50, 09:55]}
    seed: 4
    evacuation:
      at: 09:20
      pre_movement: {staff: "uniform:5s,20s"}
    """

  @Test func peopleStartWhereTheDayPutsThem() throws {
    let scenario = try Scenario(parsing: Self.text)
    let venue = try EvacuationTests.venue()
    let study = try EvacuationStudy(venue: venue, scenario: scenario)
    let report = try #require(try study.run(replicas: 1))
    #expect(report.start == Instant(milliseconds: 1_767_601_200_000))
    let truth = try Simulation.truth(venue: venue, scenario: scenario)
    var expected: [PlanePoint] = []
    for person in truth.people.indices {
      if let here = truth.position(of: person, at: report.start) { expected.append(here.point) }
    }
    #expect(expected.count == report.replicas[0].people.count && expected.count > 10)
    for (person, point) in expected.enumerated() {
      let first = try #require(report.segments.first { $0.device == Int32(person) })
      #expect(PlaneSegment(point, PlanePoint(x: first.x0, y: first.y0)).length < 0.05, "person \(person)")
    }
    #expect(report.replicas[0].people.allSatisfy { $0.status == .out && $0.setOff >= 5 && $0.setOff <= 20 })
  }

  @Test func aTimeOutsideOfTheScenarioIsAnError() throws {
    let text = Self.text.replacing("at: 09:20", with: "at: 12:20")
    let scenario = try Scenario(parsing: text)
    let venue = try EvacuationTests.venue()
    #expect {
      _ = try EvacuationStudy(venue: venue, scenario: scenario)
    } throws: { error in
      guard let error = error as? ScenarioError else { return false }
      return error.line == 7 && error.path == "evacuation.at" && error.message.contains("12:20 is not within")
    }
  }

  @Test(arguments: [
    ("at: 09:20", "at: 9", "evacuation.at"), ("at: 09:20", "load: 0", "evacuation.load"),
    ("at: 09:20", "at: 09:20\n  load: 5", "evacuation.load"),
    ("staff: \"uniform", "stuff: \"uniform", "evacuation.pre_movement.stuff"),
    ("uniform:5s,20s", "uniform:20s,5s", "evacuation.pre_movement.staff"),
    ("at: 09:20", "at: 09:20\n  exit_flow: 0", "evacuation.exit_flow"),
    ("at: 09:20", "at: 09:20\n  smoke: {office: -1}", "evacuation.smoke.office"),
    ("at: 09:20", "at: 09:20\n  follow: 2", "evacuation.follow"),
    ("at: 09:20", "at: 09:20\n  familiar: 2", "evacuation.familiar"),
    ("at: 09:20", "at: 09:20\n  mobility: [{name: a, share: 0.1, stairs: 5}]", "evacuation.mobility[0].stairs"),
  ])
  func impossibleValuesAreRefused(from: String, to: String, path: String) {
    let text = Self.text.replacing(from, with: to)
    #expect(text != Self.text)
    #expect {
      _ = try Scenario(parsing: text)
    } throws: { error in
      (error as? ScenarioError)?.path == path
    }
  }

  @Test func aScenarioHoldsEveryRule() throws {
    let text = Self.text.replacing(
      "  pre_movement: {staff: \"uniform:5s,20s\"}",
      with: """
          alarm_delay: lognormal:30s,0.3
          pre_movement: {staff: {distribution: lognormal, median: 40s, spread: 0.4}, default: medical}
          familiar: 0.25
          close: {exits: [0], doors: [d], connections: [stairs], spaces: [Kitchen]}
          lose: {1: 90s}
          smoke: {Kitchen: 1.5, office: {extinction: 0.5, dose: 0.2}}
          follow: 0.4
          elevators: true
          mobility: [{name: slow, share: 0.1, populations: [staff], speed: 0.5, stairs: 0.6}, {name: chair, share: 0.01, stairs: none}]
          groups: {share: 0.2, size: [2, 3]}
          reunite: false
          reconsider: 0s
          exit_flow: 1.1
          limit: 20m
        """)
    let evacuation = try #require(try Scenario(parsing: text).evacuation)
    #expect(evacuation.occupants == .day(at: ClockTime(seconds: 33_600)))
    #expect(evacuation.alarmDelay.middle == 30)
    #expect(evacuation.preMovement.map(\.population) == ["staff", nil])
    #expect(evacuation.preMovement.last?.delay == PreMovementPreset.medical.delay)
    #expect(evacuation.familiarShare == 0.25 && evacuation.closedExits.map(\.name) == ["0"])
    #expect(
      evacuation.closedConnections.map(\.name) == ["stairs"] && evacuation.closedSpaces.map(\.name) == ["Kitchen"])
    #expect(evacuation.smoke.map(\.target.name) == ["Kitchen", "office"] && evacuation.followingShare == 0.4)
    #expect(evacuation.smoke.map(\.smoke) == [Smoke(extinction: 1.5), Smoke(extinction: 0.5, dosePerMinute: 0.2)])
    #expect(evacuation.losses.map(\.after) == [.seconds(90)] && evacuation.usesElevators)
    #expect(evacuation.mobility.map(\.stairs) == [0.6, 0] && evacuation.mobility.map(\.speed) == [0.5, 1])
    #expect(evacuation.groupShare == 0.2 && evacuation.groupSize == 2...3 && !evacuation.reunites)
    #expect(evacuation.reconsideration == .zero && evacuation.exitFlow == 1.1 && evacuation.limit == .minutes(20))
  }

  /// The log-normal distributions of the presets have the quantiles of their source.
  @Test(arguments: PreMovementPreset.allCases) func presetsHaveTheirQuantiles(preset: PreMovementPreset) {
    var random = RandomStream(seed: 5, stream: 1, entity: 1)
    let times = Sample((0..<20_000).map { _ in Double(preset.delay.draw(&random)) / 1_000 })
    #expect(abs(times.quantile(0.01) / preset.quantiles.first - 1) < 0.05)
    #expect(abs(times.quantile(0.99) / preset.quantiles.last - 1) < 0.05)
  }

  @Test func aLoadIsApportionedExactly() {
    #expect(EvacuationOccupants.apportioned(10, by: [1, 1, 1]) == [4, 3, 3])
    #expect(EvacuationOccupants.apportioned(7, by: [0, 2, 5]) == [0, 2, 5])
    #expect(EvacuationOccupants.apportioned(7, by: [0, 0]) == [0, 0])
  }
}
