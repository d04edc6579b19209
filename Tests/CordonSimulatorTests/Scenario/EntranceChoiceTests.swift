import CordonCore
import CordonVenueTools
import CordonVenues
import Testing

@testable import CordonCrowd
@testable import CordonSimulator

@Suite("Entrances of populations")
struct EntranceChoiceTests {
  private let venue: Venue

  init() throws {
    var venue = try VenueGenerator.generate(kind: .office, floors: 1, area: 900, seed: 3)
    let entrances = venue.openings.indices.filter { venue.openings[$0].isEntrance }
    try #require(entrances.count >= 2)
    for (number, index) in entrances.enumerated() { venue.openings[index].name = LocalizedText("Door \(number)") }
    self.venue = venue
  }

  /// Plans a day of people with some entrances, and returns the entrances that they use.
  private func used(_ entrances: String, policies: String = "{}") throws -> Set<String> {
    let text = ScenarioReadingTests.small.replacing("    leave:", with: "    entrances: [\(entrances)]\n    leave:")
      .replacing("seed: 9", with: "policies: \(policies)")
    let scenario = try Scenario(parsing: text)
    let world = try scenario.world(try scenario.venue(underPolicies: venue))
    var planner = try ScenarioPlanner(scenario, world: world)
    return Set(try planner.plan().itineraries.map { world.entrances[$0.entrance].name })
  }

  @Test func namesNumbersAndIdentifiersMeanTheSame() throws {
    let entrances = try World(venue: venue).entrances
    let last = try #require(entrances.last)
    for text in [last.name, last.name.lowercased(), "\(last.number)", last.id] {
      #expect(try used(text) == [last.name], "\(text)")
    }
    #expect(try used(entrances.map(\.name).joined(separator: ", ")).count == entrances.count)
  }

  @Test func aClosedEntranceDoesNotRenumberTheOthers() throws {
    let entrances = try World(venue: venue).entrances
    let last = try #require(entrances.last)
    let shut = entrances[0]
    // The door is closed by its name.
    #expect(try used("\(last.number)", policies: "{close: {doors: [\(shut.name)]}}") == [last.name])
    let error = #expect(throws: ScenarioError.self) {
      try used("0", policies: "{close: {doors: [\(shut.name)]}}")
    }
    #expect(error?.line == 5)
    #expect(error?.message.hasPrefix("entrance \(shut.label) is closed by the policies") == true, "\(error as Any)")
  }

  @Test func anUnknownOneIsAnErrorWithLineAndSuggestion() throws {
    let entrances = try World(venue: venue).entrances
    let error = try #require(throws: ScenarioError.self) { try used("Dor 1") }
    #expect(error.line == 5 && error.path == "populations.entrances")
    #expect(error.message.hasPrefix("the venue has no entrance 'Dor 1' (did you mean 'Door 1'?); it has "))
    #expect(error.message.hasSuffix(entrances.map(\.label).joined(separator: ", ")), "\(error)")
  }

  @Test func aOneWayDoorHasAName() throws {
    let entrance = try #require(try World(venue: venue).entrances.first)
    let rule = "{one_way: [{door: \(entrance.name), from: outside}]}"
    let scenario = try Scenario(
      parsing: ScenarioReadingTests.small.replacing("seed: 9", with: "policies: \(rule)"))
    let world = try scenario.world(try scenario.venue(underPolicies: venue))
    let places = try ScenarioPlaces(scenario, world: world)
    #expect(places.entrances[0].contains(0) && !places.exits[0].contains(0))
  }

  @Test func aNameOfSeveralDoorsIsNoOneWayDoor() throws {
    var doubled = venue
    for index in doubled.openings.indices { doubled.openings[index].name = LocalizedText("Door") }
    let scenario = try Scenario(
      parsing: ScenarioReadingTests.small.replacing(
        "seed: 9", with: "policies: {one_way: [{door: Door, from: outside}]}"))
    let error = #expect(throws: ScenarioError.self) { try scenario.venue(underPolicies: doubled) }
    #expect(error?.message.contains("doors have the name 'Door'; use an id: ") == true, "\(error as Any)")
  }
}
