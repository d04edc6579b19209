import CordonContacts
import CordonCore
import CordonTestSupport
import CordonVenueTools
import CordonVenues
import Testing

@testable import CordonRun
@testable import CordonSimulator

@Suite("Groups of spaces")
struct GroupTests {
  private static let groups = """
    groups:
      Meetings: [meeting-room]
      Work: {spaces: [office, meeting-room], capacity: 6}
    """

  private static var venue: Venue {
    get throws { try VenueGenerator.generate(kind: .office, floors: 2, area: 1_200, seed: 3) }
  }

  private static func scenario(_ groups: String) throws -> Scenario {
    try Scenario(
      parsing: """
        time: {start: 2026-01-05T08:00, duration: 40m}
        populations: [{name: all, size: 20, arrival: {window: [08:00, 08:10]}, visit: 70m}]
        movement: {model: meso}
        \(groups)
        """, file: "day.yaml")
  }

  @Test func aGroupIsCountedAsOnePlace() throws {
    let contents = try OperatorFiguresTests.contents(GroupTests.groups)
    #expect(contents.venue.groups.map(\.name) == ["Meetings", "Work"])
    #expect(contents.venue.groups[1].capacity == 6)
    let outcome = contents.outcome
    #expect(outcome.groups.map(\.number) == [0, 1, 0, 1])
    for group in outcome.groups {
      let members = contents.venue.groups[group.number].spaces
      let rows = contents.occupancy.filter { $0.source == group.presence.source && members.contains($0.space) }
      let bins = outcome.groupBins.filter { $0.source == group.presence.source && $0.group == group.number }
      #expect(!bins.isEmpty && bins.map(\.peak).max() == group.presence.peak)
      for bin in bins {
        let inBin = rows.filter { $0.binStart == bin.binStart }
        #expect(abs(inBin.reduce(0) { $0 + $1.mean } - bin.mean) < 1e-6)
        // The rooms need not be full at the same time.
        #expect(bin.peak <= inBin.reduce(0) { $0 + $1.peak } && bin.peak >= inBin.map(\.peak).max() ?? 0)
      }
      #expect(Set(bins.map(\.binStart)) == Set(rows.map(\.binStart)))
      let spaces = outcome.places.filter { $0.source == group.presence.source && members.contains($0.space) }
      #expect(abs(spaces.reduce(0) { $0 + $1.mean } - group.presence.mean) < 1e-3 * Double(spaces.count))
      #expect((group.presence.visits ?? 0) <= spaces.reduce(0) { $0 + ($1.visits ?? 0) })
    }
    let work = outcome.groups[1].presence
    let full = outcome.groupBins.filter { $0.source == .truth && $0.group == 1 && $0.peak > 6 }
    #expect(work.capacity == 6 && work.minutesOverCapacity == Double(full.count) && !full.isEmpty)
    // More people work in the group than its capacity: they stay.
    let staying = try #require(work.minutesOverCapacityStaying)
    #expect(staying > 0 && staying + (work.minutesOverCapacityPassing ?? -1) == work.minutesOverCapacity)
    // Every meeting room has a limit of four.
    let rooms = contents.venue.groups[0].spaces.count
    #expect(outcome.groups[0].presence.capacity == 4 * rooms)
    #expect(outcome.groups[0].presence.stays ?? 0 > 0)
  }

  @Test func repetitionsGiveIntervals() throws {
    let scenario = try GroupTests.scenario(GroupTests.groups + "\nreplicas: 4")
    let study = try TruthStudy(venue: GroupTests.venue, scenario: scenario)
    let outcomes = try (0..<4).map { try #require(try study.run(replica: UInt32($0))) }
    let figures = ReplicaFigures.rows(places: outcomes.map(\.places), groups: outcomes.map(\.groups))
    let peaks = Sample(outcomes.map { Double($0.groups[1].presence.peak) })
    let peak = try #require(figures.first { $0.subject == .group(1) && $0.name == .peak })
    #expect(peak.replicas == 4 && abs(peak.mean - peaks.mean) < 1e-4)
    // The t quantile of three degrees of freedom.
    #expect(abs((peak.high - peak.low) / 2 - 3.182 * peaks.deviation / 2) < 1e-3)
    #expect(peak.p95 <= peaks.sorted.last ?? 0)
    // A space that nobody enters in some replicas counts as empty there.
    for figure in figures where figure.name == .mean { #expect(figure.replicas == 4) }
    #expect(
      outcomes[0].figures.contains { $0.name == "peak_people[Work]" && $0.title == "Work: maximum number of people" })
  }

  @Test func groupsOfTheOverlayAndOfTheScenarioAreJoined() throws {
    var venue = try GroupTests.venue
    let offices = venue.spaces.indices.filter { venue.spaces[$0].kind == .office }
    venue.spaces[offices[0]].group = "Work"
    venue.spaces[offices[1]].group = "Annex"
    let groups = try GroupTests.scenario("groups: {Work: [meeting-room]}").resolvedGroups(in: venue)
    #expect(groups.map(\.name) == ["Work", "Annex"])
    #expect(groups[0].spaces.contains(venue.spaces[offices[0]].id) && groups[0].spaces.count > 1)
    #expect(groups[1].spaces == [venue.spaces[offices[1]].id])
  }

  @Test func membersAreIdentifiersNamesKindsOrPatterns() throws {
    var venue = try GroupTests.venue
    venue.spaces[0].name = LocalizedText("Clinic 1")
    venue.spaces[1].name = LocalizedText("Clinic 12")
    venue.spaces[2].name = LocalizedText("office")
    func spaces(_ text: String) -> [SpaceID] { SpaceGroup.spaces(text, in: venue) }
    #expect(spaces("Clinic*") == [venue.spaces[0].id, venue.spaces[1].id])
    #expect(spaces("Clinic ?") == [venue.spaces[0].id])
    #expect(spaces(venue.spaces[3].id.rawValue) == [venue.spaces[3].id])
    // A name takes precedence over a kind.
    #expect(spaces("office") == [venue.spaces[2].id])
    #expect(spaces("meeting-room").count == venue.spaces.count { $0.kind == .meetingRoom })
  }

  @Test(arguments: [
    ("groups: {Work: [offise]}", "groups.Work", "no space 'offise' (did you mean 'office'?)"),
    ("groups:\n  Work: [office]\n  Wards: [Ward*]", "groups.Wards", "no space matches 'Ward*'"),
  ])
  func aMemberThatMeansNothingIsAnError(text: String, path: String, message: String) throws {
    let scenario = try GroupTests.scenario(text)
    let error = #expect(throws: ScenarioError.self) { try VenueSimulation(venue: GroupTests.venue, scenario: scenario) }
    #expect(error?.path == path)
    #expect(error?.line == (text.contains("\n") ? 6 : 4))
    #expect(error?.message.contains(message) == true, "\(error?.message ?? "")")
  }

  @Test(arguments: [
    ("groups: [office]", "must map names of groups"), ("groups: {A: []}", "names no space"),
    ("groups: {A: {spaces: [office], limit: 3}}", "unknown key"), ("groups: {A: {capacity: 3}}", "spaces"),
  ])
  func impossibleGroupsAreRefused(text: String, message: String) {
    let error = #expect(throws: ScenarioError.self) { try GroupTests.scenario(text) }
    #expect(error?.line == 4 && error?.message.contains(message) == true, "\(error?.message ?? "")")
  }
}
