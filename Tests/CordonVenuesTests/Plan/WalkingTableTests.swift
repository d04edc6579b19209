import CordonCore
import CordonGeometry
import CordonNavigation
import Testing

@testable import CordonVenueTools
@testable import CordonVenues

struct WalkingTableTests {
  @Test func theTableOfASpaceAgreesWithSingleRoutes() throws {
    let venue = try VenueGenerator.generate(kind: .office, floors: 2, area: 1_200, seed: 4)
    let plan = try VenuePlan(venue)
    let walking = PlanNavigation(plan)
    let lobby = try #require(plan.spaces.firstIndex { $0.kind == .lobby })
    let table = walking.walkingTable(from: lobby)
    #expect(table.count == plan.spaces.count && table[lobby] == 0)
    // Every room of a generated office is reached.
    #expect(table.allSatisfy { $0 != nil })
    let here = try #require(walking.standingPlace(in: lobby))
    for other in stride(from: 0, to: plan.spaces.count, by: 7) where other != lobby {
      let there = try #require(walking.standingPlace(in: other))
      let single = try #require(walking.navigation.walkingDistance(from: there, to: here))
      #expect(table[other] == single)
      // No distance is below the straight line, up to the size of a cell.
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

  /// A one-way door from the corridor to the room, and another way out of the room: the two directions differ.
  @Test func aOneWayDoorMakesTheWayBackLonger() throws {
    var drawing = VenuePlanTests.corridorAndRooms(doors: true)
    drawing.door("ab", "f", (6, 7), (6, 7.9))
    let door = try #require(drawing.openings.firstIndex { $0.id == "da" })
    drawing.openings[door].isTwoWay = false
    drawing.openings[door].spaces = [SpaceID("corridor"), SpaceID("a")]
    let plan = try drawing.plan()
    let walking = PlanNavigation(plan)
    let corridor = try #require(plan.spaces.firstIndex { $0.id.rawValue == "corridor" })
    let room = try #require(plan.spaces.firstIndex { $0.id.rawValue == "a" })
    let there = try #require(walking.walkingTable(from: corridor)[room])
    let back = try #require(walking.walkingTable(from: room)[corridor])
    #expect(there < 8 && back > there + 4, "\(there) m there, \(back) m back")
  }

  @Test func aPointOfInterestIsAtItsPlaceOrInItsSpace() throws {
    let walking = PlanNavigation(try VenuePlanTests.corridorAndRooms(doors: true).plan())
    let floor = FloorID("f")
    var desk = PointOfInterest(id: "desk", position: PlanVenue.coordinate(8, 6), floor: floor)
    let place = try #require(walking.standingPlace(at: desk))
    let center = walking.navigation.center(of: place)
    let there = walking.plan.drawn(8, 6)
    #expect(PlaneSegment(center, there).length < 0.3)
    desk.position = nil
    #expect(walking.standingPlace(at: desk) == nil)
    desk.spaces = [SpaceID("b")]
    let room = try #require(walking.plan.spaces.firstIndex { $0.id.rawValue == "b" })
    #expect(walking.standingPlace(at: desk) == walking.standingPlace(in: room))
    desk.spaces = [SpaceID("gone")]
    #expect(walking.standingPlace(at: desk) == nil)
  }
}
