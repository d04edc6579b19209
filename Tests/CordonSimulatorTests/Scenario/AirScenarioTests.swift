import CordonContacts
import CordonCore
import CordonCrowd
import CordonMonitoring
import CordonRun
import CordonVenueTools
import CordonVenues
import Foundation
import Testing

@testable import CordonSimulator

/// The key `air` of a scenario: its reading, its run and its figures.
@Suite("Air of a scenario")
struct AirScenarioTests {
  private static func venue() throws -> Venue {
    try VenueGenerator.generate(kind: .office, floors: 1, area: 800, seed: 3)
  }

  private static func scenario(_ air: String) throws -> Scenario {
    try Scenario(
      parsing: """
        time: {start: 2026-01-05T08:00, duration: 2h}
        populations: [{name: staff, size: 24, arrival: {window: [08:00, 08:10]}, visit: 100m, devices: 0}]
        movement: {model: meso}
        \(air)
        """, file: "day.yaml")
  }

  private static func contents(_ air: String) throws -> RunContents {
    try VenueSimulation(venue: venue(), scenario: scenario(air)).run(store: .memory(MemoryStore()))
  }

  @Test func allKeysAreRead() throws {
    let air = try #require(
      try Self.scenario(
        """
        air:
          outdoor_co2: 430
          ceiling: {default: 3, office: 2.5}
          air_changes: {default: 2, meeting-room: 6, "Office *": 4}
          filtration: 0.5
          decay: 0.6
          deposition: 0.2
          doors: {open: {default: 0.1, kitchen: 1}, height: 2.1, temperature_difference: 2}
          masks: {exhaled: 0.5, inhaled: 0.3, share: 0.8, populations: [staff]}
          activities:
            - {name: seated, quanta: 10}
            - {name: walking, co2: 0.01, breathing: 1, masks: false}
          index_cases: {number: 2, populations: [staff]}
          immune: 0.25
          short_range: {distance: 1.5, facing: 0.5}
          bin: 10m
        """
      ).air)
    #expect(air.outdoorCO2 == 430 && air.ceiling.standard == 3 && air.ceiling.entries.map(\.value) == [2.5])
    #expect(air.airChanges.standard == 2 && air.airChanges.entries.map(\.target.name) == ["meeting-room", "Office *"])
    #expect(air.filtration.standard == 0.5 && air.decay == 0.6 && air.deposition == 0.2)
    #expect(air.doors.open.standard == 0.1 && air.doors.open.entries.map(\.value) == [1])
    #expect(air.doors.height == 2.1 && air.doors.temperatureDifference == 2)
    #expect(air.masks?.exhaled == 0.5 && air.masks?.inhaled == 0.3 && air.masks?.share == 0.8)
    #expect(air.activities.map(\.quanta) == [10, nil] && air.activities.map(\.hasMasks) == [true, false])
    #expect(air.indexCases == 2 && air.indexPopulations.map(\.name) == ["staff"] && air.immune == 0.25)
    #expect(air.shortRange == 1.5 && air.facing == 0.5 && air.bin == .minutes(10))
    #expect(try Self.scenario("").air == nil)
    #expect(try Self.scenario("air: {}").air == AirRules())
  }

  @Test(arguments: [
    ("air: {air_changes: -1}", "air.air_changes"), ("air: {air_chnges: 3}", "unknown key"),
    ("air: {masks: {exhaled: 0.5}}", "needs 'inhaled'"), ("air: {doors: {open: 2}}", "air.doors.open"),
    ("air: {bin: 1s}", "air.bin"),
  ])
  func faultsNameTheKey(_ text: String, _ part: String) {
    #expect { try Self.scenario(text) } throws: { "\($0)".contains("line 4") && "\($0)".contains(part) }
  }

  @Test(arguments: [
    ("air: {air_changes: {Attic: 3}}", "'Attic'"), ("air: {doors: {open: {Gate: 1}}}", "no door 'Gate'"),
    ("air: {activities: [{name: dancing, quanta: 50}]}", "'dancing'"),
    ("air: {index_cases: {number: 1, populations: [guests]}}", "'guests' is not a population"),
  ])
  func unknownNamesAreErrors(_ text: String, _ part: String) {
    #expect { try Self.contents(text) } throws: { "\($0)".contains("line 4") && "\($0)".contains(part) }
  }

  @Test func aRunHasTheAirOfItsPeople() throws {
    let contents = try Self.contents("air: {bin: 5m, air_changes: 2}")
    let air = try #require(contents.air)
    #expect(air.people.count == 24 && air.people.count { $0.health == .infectious } == 1)
    // Everybody who was in a space inhaled carbon dioxide above the outdoors, and only the index case has no risk.
    for (person, run) in zip(air.people, contents.people) where run.cameIn && person.seconds > 0 {
      #expect(try #require(person.meanCO2) >= air.outdoorCO2)
      #expect(person.health == .susceptible || person.risk == 0)
      #expect(person.risk >= max(person.longRangeRisk, person.shortRangeRisk))
      #expect(person.exposedPersonSeconds >= person.exposedSeconds)
    }
    // The bins count the people as the occupancy does.
    let presence = contents.occupancy.filter { $0.source == .truth && $0.space != ObservedLocation.noSpace }
    let hours = presence.reduce(0) { $0 + $1.mean } * contents.parameters.occupancyBin.seconds / 3_600
    #expect(abs(air.bins.reduce(0) { $0 + $1.people } / 12 - hours) < 1e-3 * hours)
    #expect(abs(air.people.reduce(0) { $0 + $1.seconds } / 3_600 - hours) < 1e-3 * hours)
    // The figures are those of the people.
    let figures = Dictionary(
      contents.outcome.figures.map { ($0.name, $0.value ?? 0) }, uniquingKeysWith: { first, _ in first })
    let expected = air.people.reduce(0) { $0 + $1.risk }
    #expect(abs((figures["air_expected_infections"] ?? 0) - expected) < 1e-6 && expected > 0)
    #expect(figures["air_peak_co2_ppm"] ?? 0 > 450)
    #expect(try Self.contents("").air == nil)
  }

  @Test func moreAirAndMasksLowerTheRisk() throws {
    func expected(_ air: String) throws -> (infections: Double, co2: Double) {
      let study = try TruthStudy(venue: Self.venue(), scenario: Self.scenario(air))
      let figures = try #require(try study.run(replica: 0)).figures
      func value(_ name: String) -> Double { figures.first { $0.name == name }?.value ?? -1 }
      return (value("air_expected_infections_long_range"), value("air_mean_co2_ppm"))
    }
    let three = try expected("air: {air_changes: 3}")
    let six = try expected("air: {air_changes: 6}")
    let masked = try expected("air: {air_changes: 3, masks: {exhaled: 0.5, inhaled: 0.3}}")
    let filtered = try expected("air: {air_changes: 3, filtration: 3}")
    #expect(six.infections < three.infections && six.co2 < three.co2 && six.infections > 0)
    #expect(masked.infections < three.infections && masked.co2 == three.co2)
    #expect(filtered.infections < three.infections && filtered.co2 == three.co2)
    #expect(abs(filtered.infections - six.infections) < 1e-9)
    // The mean dose of small risks: half of the exhaled and 70 % of the inhaled quanta.
    #expect(masked.infections < 0.5 * three.infections)
  }

  @Test func openDoorsCarryTheQuantaOfOneRoomToOthers() throws {
    func withQuanta(_ air: String) throws -> (spaces: Int, infections: Double) {
      let contents = try Self.contents(air)
      let air = try #require(contents.air)
      return (
        air.spaces.count { $0.peakQuanta > 1e-9 }, air.people.reduce(0) { $0 + $1.longRangeRisk }
      )
    }
    let shut = try withQuanta("air: {doors: {open: 0}}")
    let open = try withQuanta("air: {doors: {open: 1}}")
    #expect(open.spaces > shut.spaces)
  }

  @Test func theSameSeedGivesTheSameAir() throws {
    let text = "air: {doors: {open: 0.3}, index_cases: 3, immune: 0.2, masks: {exhaled: 0.5, inhaled: 0.3, share: 0.5}}"
    let (first, second) = (try Self.contents(text), try Self.contents(text))
    #expect(first.air == second.air)
    let air = try #require(first.air)
    #expect(air.people.count { $0.health == .infectious } == 3)
    #expect(Set(air.people.map(\.health)).count == 3 && Set(air.people.map(\.wearsMask)).count == 2)
    // One more index case keeps the others.
    let more = try #require(try Self.contents(text.replacingOccurrences(of: "cases: 3", with: "cases: 4")).air)
    for (person, other) in zip(air.people, more.people) where person.health == .infectious {
      #expect(other.health == .infectious)
    }
  }

  @Test func posturesFollowStaysAndWaits() {
    func time(_ seconds: Int64) -> Instant { Instant(milliseconds: seconds * 1_000) }
    let person = PersonTruth(
      freeSpeed: 1.3, visits: [],
      stays: [
        .init(destination: 0, space: nil, start: time(10), end: time(20)),
        .init(destination: 1, space: nil, start: time(40), end: time(50)),
      ],
      waits: [
        .init(reason: .service(0), floor: 0, start: time(15), end: time(30)),
        .init(reason: .service(0), floor: 0, start: time(45), end: time(48)),
      ], segmentRange: 0..<0, runStart: time(0))
    let postures = AirPostures(person)
    #expect(
      [5, 10, 19, 20, 29, 30, 46, 50].map { postures.posture(at: Int64($0) * 1_000) } == [
        .walking, .seated, .seated, .standing, .standing, .walking, .seated, .walking,
      ])
    var parts: [(Int64, Int64, AirEmissions.Posture)] = []
    postures.forEach(from: 5_000, to: 45_000) { parts.append(($0, $1, $2)) }
    #expect(parts.first?.0 == 5_000 && parts.last?.1 == 45_000)
    #expect(zip(parts, parts.dropFirst()).allSatisfy { $0.1 == $1.0 })
    #expect(parts.reduce(0) { $1.2 == .seated ? $0 + $1.1 - $1.0 : $0 } == 15_000)
    #expect(parts.reduce(0) { $1.2 == .standing ? $0 + $1.1 - $1.0 : $0 } == 10_000)
  }
}
