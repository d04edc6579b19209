import CordonCore
import CordonTestSupport
import CordonVenueTools
import CordonVenues
import Foundation
import Testing

@testable import CordonCrowd
@testable import CordonSimulator

@Suite("Preset scenarios")
struct PresetScenarioTests {
  static let folder = Places.file("venues/scenarios")

  static let names = [
    "conference", "hospital-outpatient-morning", "lecture-building", "mall-saturday", "museum", "office-day",
    "station-peak",
  ]

  @Test func allPresetsAreListed() throws {
    let files = try FileManager.default.contentsOfDirectory(atPath: PresetScenarioTests.folder.path)
    #expect(files.sorted() == PresetScenarioTests.names.map { $0 + ".yaml" })
  }

  @Test(arguments: names)
  func everyPersonHasAPlan(name: String) throws {
    let file = PresetScenarioTests.folder.appendingPathComponent(name + ".yaml")
    let scenario = try Scenario(parsing: try String(contentsOf: file, encoding: .utf8), file: file.lastPathComponent)
    let venue: Venue
    switch try #require(scenario.venue) {
    case .file(let path):
      venue = try VenueLoader.load(path: PresetScenarioTests.folder.appendingPathComponent(path).path).venue
    case .generated(let kind, let floors, let area, let seed):
      venue = try VenueGenerator.generate(
        kind: kind, floors: floors, area: area ?? kind.defaultArea, seed: seed, origin: VenueGenerator.defaultOrigin)
    }
    let world = try World(venue: try scenario.venue(underPolicies: venue))
    var planner = try ScenarioPlanner(scenario, world: world)
    let plan = try planner.plan()
    #expect(abs(Double(plan.people.count) - scenario.expectedPeople) < 6 * scenario.expectedPeople.squareRoot())
    let came = Set(plan.itineraries.map(\.person)).count
    #expect(came >= plan.people.count * 95 / 100, "\(came) of \(plan.people.count)")
    // A person who finds every place full tries again after five minutes and is counted again.
    #expect(plan.turnedAway < plan.people.count * 4)
    // Every activity happens.
    let places = try ScenarioPlaces(scenario, world: world)
    let visited = Set(plan.itineraries.flatMap { $0.stops.map(\.destination) })
    for (index, activity) in scenario.activities.enumerated() {
      let possible = places.places[index].values.joined()
      #expect(possible.contains { visited.contains($0) }, "\(activity.name)")
    }
  }
}
