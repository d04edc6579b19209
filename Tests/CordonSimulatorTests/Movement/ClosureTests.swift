import CordonCore
import CordonGeometry
import CordonMonitoring
import CordonRun
import CordonVenueTools
import CordonVenues
import Testing

@testable import CordonCrowd
@testable import CordonNavigation
@testable import CordonSimulator
@testable import CordonSupport

/// Closures are not replaced by assumptions, and unreachable places are reported.
@Suite("Closures")
struct ClosureTests {
  private static let frame = LocalFrame(origin: Coordinate(longitude: 8.5, latitude: 47.4))

  private static func coordinate(_ x: Double, _ y: Double) -> Coordinate { frame.unproject(PlanePoint(x: x, y: y)) }

  private static func rectangle(_ x0: Double, _ y0: Double, _ x1: Double, _ y1: Double) -> GeoMultiPolygon {
    GeoMultiPolygon([
      GeoPolygon(outer: [coordinate(x0, y0), coordinate(x1, y0), coordinate(x1, y1), coordinate(x0, y1)])
    ])
  }

  private static func space(_ id: String, _ floor: String, _ kind: SpaceKind, _ outline: GeoMultiPolygon) -> Space {
    Space(id: SpaceID(id), floor: FloorID(floor), kind: kind, outline: outline)
  }

  private static func door(
    _ id: String, isEntrance: Bool = false, _ from: (Double, Double), _ to: (Double, Double)
  ) -> Opening {
    Opening(
      id: id, floor: FloorID("ground"), line: [coordinate(from.0, from.1), coordinate(to.0, to.1)],
      isEntrance: isEntrance)
  }

  /// A hall with the entrance, a passage behind it with a room at its side and a hall at its end, and stairs in the first
  /// hall to a hall above. The map has no walls and does not specify connections.
  private static func venue() throws -> Venue {
    let id = try #require(VenueID("drawn"))
    return Venue(
      id: id, name: LocalizedText("Drawn"), format: .geojson, contentHash: String(repeating: "0", count: 64),
      floors: [
        Floor(id: FloorID("ground"), ordinal: FloorOrdinal(0)), Floor(id: FloorID("above"), ordinal: FloorOrdinal(1)),
      ],
      spaces: [
        space("hall", "ground", .lobby, rectangle(0, 0, 10, 8)),
        space("stairs-0", "ground", .stairs, rectangle(0, 8.2, 4, 12)),
        space("passage", "ground", .corridor, rectangle(10, 0, 20, 3)),
        space("office", "ground", .office, rectangle(11, 3.2, 19, 8)),
        space("end", "ground", .lobby, rectangle(20, 0, 30, 8)),
        space("upper", "above", .lobby, rectangle(0, 0, 10, 8)),
        space("stairs-1", "above", .stairs, rectangle(0, 8.2, 4, 12)),
      ],
      openings: [
        door("in", isEntrance: true, (0, 2), (0, 4)), door("office-door", (14, 3.1), (15, 3.1)),
        Opening(
          id: "stairs-door", floor: FloorID("ground"), line: [coordinate(1, 8.1), coordinate(3, 8.1)]),
        Opening(
          id: "upper-door", floor: FloorID("above"), line: [coordinate(1, 8.1), coordinate(3, 8.1)]),
      ])
  }

  private static func world(_ change: (inout VenueClosures) -> Void) throws -> World {
    var venue = try venue()
    change(&venue.closures)
    return try World(venue: venue)
  }

  private func named(_ world: World) -> Set<String> {
    Set(world.destinations.compactMap { $0.space.map { world.plan.spaces[$0].id.rawValue } })
  }

  private func cutOff(_ world: World) -> Set<String> {
    Set(world.cutOff.map { world.plan.spaces[$0].id.rawValue })
  }

  @Test func withoutClosuresEveryPlaceIsReachable() throws {
    let world = try Self.world { _ in }
    #expect(named(world) == ["hall", "office", "end", "upper"])
    #expect(world.cutOff.isEmpty && world.entrances.map(\.id) == ["in"])
    #expect(world.notes.connectionSource == .stackedSpaces && world.notes.doorsAssumed == 0)
  }

  @Test func aClosedDoorIsNotReplaced() throws {
    let world = try Self.world { $0.openings = ["office-door"] }
    #expect(named(world) == ["hall", "end", "upper"])
    #expect(cutOff(world) == ["office"])
    #expect(world.plan.doors.allSatisfy { $0.id != "office-door" && !$0.id.hasPrefix("assumed:") })
    #expect(world.remarks.contains { $0.contains("no way leads to 1 space") && $0.contains("office") })
  }

  @Test func aClosedEntranceIsNotReplaced() throws {
    let error = #expect(throws: VenueError.self) { try Self.world { $0.openings = ["in"] } }
    #expect(error?.code == "no-entrance")
    // A scenario reports the line.
    let text = ScenarioReadingTests.small + "\npolicies:\n  close:\n    doors: [in]\n"
    let scenario = try Scenario(parsing: text)
    let venue = try scenario.venue(underPolicies: try Self.venue())
    let reported = #expect(throws: ScenarioError.self) { try scenario.world(venue) }
    #expect(reported?.line == text.split(separator: "\n", omittingEmptySubsequences: false).count - 1)
    #expect(reported?.message.contains("every entrance is closed") == true)
  }

  @Test func aClosedWayBetweenFloorsIsNotReplaced() throws {
    for close in [
      { (shut: inout VenueClosures) in shut.connectionKinds = [.stairs] },
      { (shut: inout VenueClosures) in shut.connections = ["derived:stairs-0"] },
      { (shut: inout VenueClosures) in shut.spaces = [SpaceID("stairs-1")] },
    ] {
      let world = try Self.world(close)
      #expect(world.plan.connections.isEmpty && world.notes.floorsWithOwnEntrance == 0)
      #expect(world.entrances.map(\.id) == ["in"])
      #expect(named(world) == ["hall", "office", "end"])
      #expect(cutOff(world).contains("upper"))
    }
  }

  @Test func closedConnectionsAreNotReplacedByStackedSpaces() throws {
    var venue = try Self.venue()
    venue.connections = [
      Connection(
        id: "lift", kind: .elevator,
        landings: ["ground", "above"].map {
          Connection.Landing(floor: FloorID($0), position: Self.coordinate(8, 6))
        })
    ]
    #expect(try World(venue: venue).notes.connectionSource == .mapped)
    venue.closures.connections = ["lift"]
    let world = try World(venue: venue)
    #expect(world.plan.connections.isEmpty)
    #expect(cutOff(world).contains("upper"))
  }

  @Test func routesAvoidClosedSpaces() throws {
    let world = try Self.world { $0.spaces = [SpaceID("passage")] }
    #expect(named(world) == ["hall", "upper"])
    #expect(cutOff(world) == ["office", "end"])
    let middle = world.plan.frame.project(Self.coordinate(15, 1.5))
    #expect(!world.plan.isWalkable(middle, floor: 0))
    // Its edge is a barrier without a wall, so people are not pushed in.
    let before = world.plan.frame.project(Self.coordinate(9, 1.5))
    #expect(world.routes.navigation.floors[0].barriers.isCrossed(from: before, to: middle))
    let hall = world.plan.frame.project(Self.coordinate(5, 4))
    #expect(!world.routes.navigation.floors[0].barriers.isCrossed(from: before, to: hall))
  }

  @Test func aSmallerSpaceInAClosedOneStaysOpen() throws {
    var venue = try Self.venue()
    venue.spaces.append(Self.space("booth", "ground", .area, Self.rectangle(4, 3, 6, 5)))
    venue.closures.spaces = [SpaceID("booth")]
    let world = try World(venue: venue)
    // Routes lead around it to the places behind it.
    #expect(named(world) == ["hall", "office", "end", "upper"])
    #expect(!world.plan.isWalkable(world.plan.frame.project(Self.coordinate(5, 4)), floor: 0))
    venue.closures.spaces = [SpaceID("end")]
    venue.spaces.append(Self.space("seats", "ground", .waitingArea, Self.rectangle(20, 0, 22, 8)))
    let other = try World(venue: venue)
    #expect(named(other).contains("seats") && !named(other).contains("end"))
  }

  @Test func closingADoorWithoutAWallIsReported() throws {
    var venue = try Self.venue()
    venue.openings.append(Self.door("line", (15, 1), (15, 2)))
    venue.closures.openings = ["line"]
    let world = try World(venue: venue)
    #expect(world.remarks.contains("closing has no effect on doors without a wall: line"))
    #expect(named(world) == ["hall", "office", "end", "upper"])
  }

  @Test func anActivityWithoutAnOpenPlaceIsRejectedWithItsLine() throws {
    func message(_ close: String) throws -> ScenarioError? {
      let text = ScenarioReadingTests.small.replacing("kinds: [kitchen, restaurant]", with: "kinds: [lobby]")
        .replacing("seed: 9", with: "policies: {close: {\(close)}}")
      let scenario = try Scenario(parsing: text)
      let world = try scenario.world(try scenario.venue(underPolicies: try Self.venue()))
      return #expect(throws: ScenarioError.self) { try ScenarioPlanner(scenario, world: world) }
    }
    let closed = try #require(try message("spaces: [office]"))
    #expect(closed.line == 11 && closed.message.contains("closed by the policies"), "\(closed)")
    let cut = try #require(try message("spaces: [passage]"))
    #expect(cut.line == 11 && cut.message.contains("no way leads from any entrance"), "\(cut)")
  }

  @Test func aPopulationWithoutUsableEntrancesIsRejectedWithItsLine() throws {
    func message(_ policy: String, entrance: String) throws -> ScenarioError? {
      let text = ScenarioReadingTests.small.replacing("kinds: [kitchen, restaurant]", with: "kinds: [lobby]")
        .replacing("    leave:", with: "    entrances: [\(entrance)]\n    leave:")
        .replacing("seed: 9", with: "policies: {close: {\(policy)}}")
      let scenario = try Scenario(parsing: text)
      var venue = try Self.venue()
      venue.openings.append(Self.door("back", isEntrance: true, (30, 2), (30, 4)))
      venue.spaces.append(Self.space("yard", "ground", .terrace, Self.rectangle(25, 0, 30, 8)))
      let world = try scenario.world(try scenario.venue(underPolicies: venue))
      return #expect(throws: ScenarioError.self) { try ScenarioPlanner(scenario, world: world) }
    }
    let lost = try #require(try message("spaces: [end]", entrance: "back"))
    #expect(lost.line == 5 && lost.message.contains("no way leads from the entrances of 'staff'"), "\(lost)")
    let shut = try #require(try message("doors: [back]", entrance: "back"))
    #expect(shut.line == 5 && shut.message.hasPrefix("entrance 0 ("), "\(shut)")
    #expect(shut.message.contains("is closed by the policies"))
  }

  @Test func theRunNotesAssumptionsAboutTheMap() throws {
    var venue = try Self.venue()
    venue.openings.removeAll { $0.isEntrance }
    let scenario = Scenario(visitors: 3, duration: .minutes(5), seed: 1)
    let contents = try VenueSimulation(venue: venue, scenario: scenario).run(store: .memory(MemoryStore()))
    #expect(contents.notes.contains { $0.hasPrefix("the map has no entrance") })
    let kept = contents.parameters.others.first { $0.name == "notes" }
    #expect(kept?.value == .array(contents.notes.map { .string($0) }))
  }

  @Test func theWorldRemarksOnAssumptionsAboutTheMap() throws {
    var venue = try Self.venue()
    venue.openings.removeAll { $0.isEntrance || $0.id == "office-door" }
    let remarks = try World(venue: venue).remarks
    #expect(remarks.contains { $0.hasPrefix("the map has no entrance") })
    #expect(remarks.contains { $0.hasPrefix("1 room (office) without a door on the map") })
    #expect(remarks.contains { $0.contains("stairs and elevators above one another") })
    let reported = try World(venue: VenueGenerator.generate(kind: .office, floors: 2, area: 1_200, seed: 3)).remarks
    #expect(reported.allSatisfy { !$0.contains("entrance") && !$0.contains("assumed") }, "\(reported)")
  }
}
