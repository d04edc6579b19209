import CordonCore
import CordonGeometry
import CordonNavigation
import CordonVenueTools
import CordonVenues
import Foundation
import Testing

@testable import CordonCrowd
@testable import CordonSimulator

/// Desks are given out once, each to one person for the whole run.
@Suite("Desks")
struct DeskTests {
  let world: World

  init() throws { world = try World(venue: VenueGenerator.generate(kind: .office, floors: 1, area: 1_200, seed: 3)) }

  private func scenario(desks: String, table: String = "", _ change: (String) -> String = { $0 }) throws -> Scenario {
    let text = change(ScenarioReadingTests.small.replacing("own_place: true", with: "desks: \(desks)"))
    return try Scenario(parsing: text) { name in
      guard name == "desks.csv" else { throw CocoaError(.fileNoSuchFile) }
      return table
    }
  }

  private func plan(_ scenario: Scenario) throws -> CrowdPlan {
    var planner = try ScenarioPlanner(scenario, world: world)
    return try planner.plan()
  }

  /// The desk of each person: the only place of a person in offices.
  private func desks(_ plan: CrowdPlan) -> [Int: Itinerary.Stop] {
    var desks: [Int: Itinerary.Stop] = [:]
    for itinerary in plan.itineraries {
      for stop in itinerary.stops where world.destinations[stop.destination].kind == .office {
        if let known = desks[itinerary.person] { #expect(known.spot == stop.spot, "person \(itinerary.person)") }
        desks[itinerary.person] = stop
      }
    }
    return desks
  }

  private var offices: [Int] { world.destinations.indices.filter { world.destinations[$0].kind == .office } }

  private func space(of destination: Int) -> PlanSpace { world.plan.spaces[world.destinations[destination].space ?? 0] }

  @Test func everyDeskBelongsToOnePerson() throws {
    let plan = try plan(scenario(desks: "40"))
    let desks = desks(plan)
    #expect(desks.count == 40 && Set(desks.values.map(\.spot)).count == 40)
    #expect(plan.withoutPlace == 0 && !plan.remarks.contains { $0.contains("desk") })
    // Desks are spread by area.
    let room = Double(offices.reduce(0) { $0 + world.destinations[$1].room })
    for office in offices {
      let share = Double(desks.values.count { $0.destination == office })
      #expect(abs(share - 40 * Double(world.destinations[office].room) / room) <= 1.01, "\(office)")
    }
  }

  @Test func peopleWithoutADeskAreCounted() throws {
    let plan = try plan(scenario(desks: "25"))
    #expect(desks(plan).count == 25 && plan.withoutPlace == 15)
    #expect(plan.remarks.contains("15 people have no desk for 'work': it has 25"), "\(plan.remarks)")
  }

  @Test func peopleWithoutADeskDoTheRestOfTheirDay() throws {
    // Lunch once does not fill a day: the others stay away. With rounds, they come.
    #expect(try plan(scenario(desks: "25")).itineraries.count == 25)
    let plan = try plan(
      scenario(desks: "25") {
        $0.replacing("seed: 9", with: "  - {name: rounds, kinds: [lobby, meeting-room], duration: 10m}\nseed: 9")
          .replacing("[work, lunch]", with: "[work, lunch, rounds]")
      })
    #expect(plan.itineraries.count == 40 && plan.withoutPlace == 15)
    #expect(plan.itineraries.filter { desks(plan)[$0.person] == nil }.count == 15)
  }

  @Test func desksStayTheSameOnOtherDays() throws {
    let plan = try plan(scenario(desks: "40") { $0.replacing("duration: 9h", with: "duration: 33h") })
    #expect(plan.itineraries.count == 80 && desks(plan).count == 40)
  }

  @Test func aTableNamesTheDesksOfRooms() throws {
    let (first, second) = (space(of: offices[0]), space(of: offices[1]))
    let table = "\u{feff}Space,note,COUNT\r\n\"\(first.name)\",by the window,2\r\n\r\n\(second.id.rawValue),,1\r\n"
    let plan = try plan(scenario(desks: "desks.csv", table: table))
    let counts = Dictionary(grouping: desks(plan).values) { $0.destination }.mapValues(\.count)
    #expect(counts == [offices[0]: 2, offices[1]: 1])
    #expect(plan.withoutPlace == 37)
  }

  @Test func aTableGivesThePositionsOfDesks() throws {
    let navigation = world.routes.navigation
    let points = [offices[0], offices[0], offices[1]].enumerated().map { number, office in
      navigation.center(of: world.destinations[office].spots[number])
    }
    let floor = world.plan.floors[0]
    func check(_ table: String) throws {
      let plan = try plan(scenario(desks: "desks.csv", table: table))
      let seats = Set(desks(plan).values.map { navigation.center(of: $0.spot) })
      #expect(
        seats.count == 3 && points.allSatisfy { point in seats.contains { PlanePoint.distance($0, point) < 0.3 } })
    }
    try check("x,y,floor\n" + points.map { "\($0.x), \($0.y), \(floor.name)" }.joined(separator: "\n"))
    try check(
      "floor,longitude,latitude\n"
        + points.map { point in
          let coordinate = world.plan.frame.unproject(point)
          return "\(floor.ordinal.value),\(coordinate.longitude),\(coordinate.latitude)"
        }.joined(separator: "\n"))
  }

  @Test func tablesWithFaultsAreRejected() throws {
    let name = space(of: offices[0]).name
    let outside = "x,y,floor\n1000,1000,\(world.plan.floors[0].name)"
    let seat = world.routes.navigation.center(of: world.destinations[offices[0]].spots[0])
    let twice = "x,y,floor\n" + String(repeating: "\(seat.x),\(seat.y),\(world.plan.floors[0].name)\n", count: 2)
    for (table, says) in [
      ("space,count\n\(name),400", "line 2: 400 desks do not fit into '\(name)', which has room for "),
      ("space\nAtlantis", "line 2: the venue has no space 'Atlantis'"),
      ("space,count\n\(name),many", "line 2: 'many' is not a number of desks"),
      ("space,count\n\(name)", "line 2: has 1 of 2 cells"),
      ("room,count\na,1", "line 1: needs a first line with the columns"),
      ("space,count\n", "line 1: has no desks"),
      ("x,y,floor\n1,2,attic", "line 2: the venue has no floor 'attic'"),
      ("x,y,floor\n1,nan,0", "line 2: 'nan' is not a y"),
      (outside, "line 2: the desk is not in a space of 'work'"), (twice, "line 3: another desk is at this place"),
    ] {
      let error = #expect(throws: ScenarioError.self) {
        try ScenarioPlanner(scenario(desks: "desks.csv", table: table), world: world)
      }
      #expect(try #require(error).description.contains("'desks.csv', " + says), "\(String(describing: error))")
      #expect(error?.line == 11)
    }
  }

  @Test func rulesForDesksAreChecked() throws {
    for (desks, says) in [
      ("99999", "99999 desks do not fit: the spaces of 'work' have room for "), ("none.csv", "cannot be read"),
      ("0", "must be between 1 and"), ("20, own_place: false", "must be true, or left out, with 'desks'"),
      ("20, served: true", "cannot be combined with 'served'"),
      ("20, collective: {events: 1, capacity: 4}", "'desks' cannot be combined with 'collective'"),
    ] {
      let error = #expect(throws: ScenarioError.self) {
        try ScenarioPlanner(scenario(desks: desks), world: world)
      }
      #expect(try #require(error).description.contains(says), "\(String(describing: error))")
      #expect(error?.line == 11)
    }
    // A limit counts for desks too.
    let limited = try scenario(desks: "20") { $0.replacing("seed: 9", with: "policies: {capacity: {office: 1}}") }
    if offices.count < 20 {
      #expect(throws: ScenarioError.self) { try ScenarioPlanner(limited, world: world) }
    } else {
      #expect(
        Dictionary(grouping: desks(try plan(limited)).values) { $0.destination }.values.allSatisfy { $0.count == 1 })
    }
  }
}
