import CordonCore
import CordonGeometry
import CordonStorage
import CordonVenueTools
import CordonVenues
import Testing

@testable import CordonCrowd
@testable import CordonSimulator

@Suite("Maps with parts that nothing connects")
struct MapConnectivityTests {
  /// An office, and a hall beside it that nothing connects.
  private func office(entrance: Bool, side: Double = 9.5) throws -> Venue {
    var venue = try VenueGenerator.generate(kind: .office, floors: 2, area: 1_200, seed: 3)
    let ground = try #require(venue.floors.first { $0.ordinal == FloorOrdinal(0) }).id
    let frame = VenuePlan.frame(of: venue)
    func at(_ x: Double, _ y: Double) -> Coordinate { frame.unproject(PlanePoint(x: 60 + x, y: y)) }
    venue.spaces.append(
      Space(
        id: SpaceID("food"), floor: ground, kind: .sports, name: LocalizedText("Gym"),
        outline: GeoMultiPolygon([GeoPolygon(outer: [at(0, 0), at(side, 0), at(side, side), at(0, side)])])))
    if entrance {
      venue.openings.append(
        Opening(
          id: "side", floor: ground, line: [at(side, 1), at(side, 3)], spaces: [SpaceID("food")], isEntrance: true))
    }
    return venue
  }

  private func scenario(_ more: String, activities: String) throws -> Scenario {
    try Scenario(
      parsing: """
        time: {start: 2026-01-05T08:00, duration: 30m, zone: Europe/Berlin}
        populations:
          - {name: staff, size: 40\(more)}
        activities: [\(activities)]
        """)
  }

  private static let deskAndGym =
    "{name: desk, kinds: [office], duration: 10m}, {name: gym, kinds: [sports], duration: 10m}"

  @Test func nobodyUsesAnEntranceThatLeadsNowhere() throws {
    let world = try World(venue: office(entrance: true))
    let side = try #require(world.entrances.firstIndex { $0.id == "side" })
    #expect(world.entrancesToNowhere == [side])
    #expect(world.remarks.contains { $0.hasPrefix("the map has separate parts: ") && $0.contains("(Gym)") })
    #expect(world.remarks.contains { $0.hasPrefix("entrance \(side) (Gym) leads nowhere") })
    var visitors = ItineraryPlanner(
      world: world, visitors: 300,
      replication: Replication(start: Instant(milliseconds: 0), duration: .hours(2), seed: 1))
    #expect(visitors.plan().allSatisfy { $0.entrance != side && $0.exit != side })
    var planner = try ScenarioPlanner(
      try scenario("", activities: "{name: desk, kinds: [office], duration: 10m}"), world: world)
    let plan = try planner.plan()
    #expect(plan.itineraries.count == 40 && plan.itineraries.allSatisfy { $0.entrance != side })
  }

  @Test func aPopulationMayNameTheEntrance() throws {
    let world = try World(venue: office(entrance: true))
    let scenario = try scenario(", entrances: [side], activities: [gym]", activities: Self.deskAndGym)
    var planner = try ScenarioPlanner(scenario, world: world)
    let side = world.entrances.firstIndex { $0.id == "side" }
    #expect(try planner.plan().itineraries.allSatisfy { $0.entrance == side })
  }

  @Test func anActivityOutOfReachIsAnErrorWithItsLine() throws {
    let world = try World(venue: office(entrance: true))
    for (more, missing) in [("", "gym"), (", entrances: [side]", "desk")] {
      let scenario = try scenario(more, activities: Self.deskAndGym)
      let error = try #require(throws: ScenarioError.self) { try ScenarioPlanner(scenario, world: world) }
      #expect(error.line == 3 && error.message.contains("'\(missing)'"), "\(error)")
    }
  }

  @Test func aRunNeedsConsentToUnreachableArea() throws {
    let venue = try office(entrance: false, side: 12)
    var scenario = Scenario(visitors: 5, duration: .minutes(5), seed: 7)
    scenario.movement.model = .way
    let simulation = try VenueSimulation(venue: venue, scenario: scenario)
    let error = try #require(throws: VenueError.self) {
      try simulation.run(store: .memory(MemoryStore()), maximumUnreachableShare: 0.05)
    }
    #expect(error.code == "unreachable-area" && error.message.contains("Gym"))
    let contents = try simulation.run(store: .memory(MemoryStore()))
    let map = try #require(contents.connectivity)
    #expect(map.unreachable == ["Gym"] && map.unreachableShare > 0.05)
    #expect(map.sentence.hasSuffix("1 from no entrance"))
    #expect(contents.parameters.others.contains { $0.name == "connectivity" })
    #expect(contents.notes.first?.hasPrefix("the map has separate parts: ") == true)
  }

  @Test func studiesNeedConsentToUnreachableArea() throws {
    let venue = try office(entrance: false, side: 12)
    let scenario = try scenario("", activities: "{name: desk, kinds: [office], duration: 10m}")
    let error = try #require(throws: VenueError.self) {
      try TruthStudy(venue: venue, scenario: scenario, maximumUnreachableShare: 0.05)
    }
    #expect(error.code == "unreachable-area" && error.message.contains("Gym"))
    #expect(try !TruthStudy(venue: venue, scenario: scenario).remarks.isEmpty)
    #expect {
      try PositioningSweep(
        venue: venue, scenario: scenario, kinds: .init(presets: [.rtt], intervals: [.seconds(5)]),
        maximumUnreachableShare: 0.05, threads: 1)
    } throws: {
      ($0 as? VenueError)?.code == "unreachable-area"
    }
  }

  @Test func aRunOnAMapWithoutRoomsSaysSo() throws {
    var venue = try VenueGenerator.generate(kind: .office, floors: 1, area: 600, seed: 3)
    venue.spaces = []
    let contents = try VenueSimulation(venue: venue, scenario: Scenario(visitors: 5, duration: .minutes(5), seed: 7))
      .run(store: .memory(MemoryStore()))
    #expect(contents.notes.first?.hasPrefix("the map has no rooms or other spaces") == true, "\(contents.notes)")
    #expect(contents.connectivity?.warnings.first?.hasPrefix("the map has no rooms or other spaces") == true)
  }

  @Test func anActivityWithoutWeightIsNoted() throws {
    let world = try World(venue: office(entrance: true))
    let desk = "{name: desk, kinds: [office], duration: 10m}"
    for (rule, isNoted) in [("", true), (", repeat: 1", false), (", repeat: {min: 0, max: 2}", true)] {
      let tea = "{name: tea, kinds: [kitchen, restaurant, lobby], duration: 5m, weight: 0\(rule)}"
      var planner = try ScenarioPlanner(try scenario("", activities: desk + ", " + tea), world: world)
      let remarks = try planner.plan().remarks
      let note = "nobody of 'staff' does 'tea': its weight is 0, and its repeat has no minimum"
      #expect(remarks.contains(note) == isNoted, "\(rule): \(remarks)")
    }
  }

  @Test func aCompleteMapAddsNothingToTheRun() throws {
    let venue = try VenueGenerator.generate(kind: .office, floors: 2, area: 1_200, seed: 3)
    var scenario = Scenario(visitors: 5, duration: .minutes(5), seed: 7)
    scenario.movement.model = .way
    let contents = try VenueSimulation(venue: venue, scenario: scenario).run(store: .memory(MemoryStore()))
    #expect(contents.connectivity == nil)
    #expect(!contents.parameters.others.contains { $0.name == "connectivity" })
  }
}
