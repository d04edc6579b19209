import CordonCore
import CordonGeometry
import Testing

@testable import CordonVenues

struct WalkingTableTests {
  @Test func theTableOfASpaceSaysWhatSingleWaysSay() throws {
    let venue = try VenueGenerator.generate(kind: .office, floors: 2, area: 1_200, seed: 4)
    let plan = try VenuePlan(venue)
    let walking = PlanNavigation(plan)
    let lobby = try #require(plan.spaces.firstIndex { $0.kind == .lobby })
    let table = walking.walkingTable(from: lobby)
    #expect(table.count == plan.spaces.count && table[lobby] == 0)
    // Every room of a made-up office is reached.
    #expect(table.allSatisfy { $0 != nil })
    let here = try #require(walking.standingPlace(in: lobby))
    for other in stride(from: 0, to: plan.spaces.count, by: 7) where other != lobby {
      let there = try #require(walking.standingPlace(in: other))
      let single = try #require(walking.navigation.walkingDistance(from: there, to: here))
      #expect(table[other] == single)
      // Nobody walks less than the straight line, but for the size of a cell.
      if plan.spaces[other].floor == plan.spaces[lobby].floor {
        let floor = walking.navigation.floors[here.floor]
        let line = PlaneSegment(floor.center(of: here.cell), floor.center(of: there.cell)).length
        #expect(single >= line - 0.5)
      } else {
        #expect(single > 10)
      }
    }
    #expect(walking.walkingTable(from: -1).allSatisfy { $0 == nil } && walking.standingPlace(in: 9_999) == nil)
  }
}
