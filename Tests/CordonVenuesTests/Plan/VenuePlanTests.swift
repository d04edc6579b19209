import CordonCore
import CordonGeometry
import CordonNavigation
import CordonVenues
import Testing

@Suite("Plans of venues")
struct VenuePlanTests {
  /// A corridor with two rooms above it; 20 cm of wall between everything.
  static func corridorAndRooms(doors: Bool) -> PlanVenue {
    var drawing = PlanVenue()
    drawing.floor("f", 0)
    drawing.space("corridor", "f", .corridor, PlanVenue.rectangle(0, 0, 12, 3))
    drawing.space("a", "f", .office, PlanVenue.rectangle(0, 3.2, 5.9, 8))
    drawing.space("b", "f", .office, PlanVenue.rectangle(6.1, 3.2, 12, 8))
    if doors {
      drawing.door("da", "f", (2, 3.1), (3, 3.1))
      drawing.door("db", "f", (9, 3.1))
      drawing.door("in", "f", isEntrance: true, (0, 1), (0, 2))
    }
    return drawing
  }

  private func distance(_ plan: VenuePlan, _ a: (Double, Double), _ b: (Double, Double)) -> Double? {
    let routes = PlanNavigation(plan)
    let from = routes.navigation.place(near: plan.drawn(a.0, a.1), floor: 0, within: 1)
    let to = routes.navigation.place(near: plan.drawn(b.0, b.1), floor: 0, within: 1)
    guard let from, let to else { return nil }
    return routes.navigation.walkingDistance(from: from, to: to)
  }

  @Test func doorsOpenBothFacesOfAWall() throws {
    let plan = try Self.corridorAndRooms(doors: true).plan()
    #expect(plan.notes.floorsWithImpliedWalls == 1)
    #expect(plan.notes.doorsAssumed == 0)
    // Through the door and not through the wall beside it.
    #expect(plan.sightLine(from: plan.drawn(2.5, 1), to: plan.drawn(2.5, 6), floor: 0)?.wallsCrossed == 0)
    #expect(plan.sightLine(from: plan.drawn(4.5, 1), to: plan.drawn(4.5, 6), floor: 0)?.wallsCrossed == 1)
    // The door given as a point is a metre wide.
    #expect(plan.sightLine(from: plan.drawn(9.4, 1), to: plan.drawn(9.4, 6), floor: 0)?.wallsCrossed == 0)
    #expect(plan.sightLine(from: plan.drawn(9.6, 1), to: plan.drawn(9.6, 6), floor: 0)?.wallsCrossed == 1)
    // The wall between the rooms is whole.
    #expect(plan.sightLine(from: plan.drawn(5, 6), to: plan.drawn(7, 6), floor: 0)?.wallsCrossed == 1)
    let walk = try #require(distance(plan, (5, 7), (7, 7)))
    #expect(walk > 13 && walk < 17, "\(walk)")
  }

  @Test func peopleCanStandInDoorwaysButNotInWalls() throws {
    let plan = try Self.corridorAndRooms(doors: true).plan()
    #expect(plan.isWalkable(plan.drawn(2.5, 3.1), floor: 0))
    #expect(!plan.isWalkable(plan.drawn(4.5, 3.1), floor: 0))
    #expect(!plan.isWalkable(plan.drawn(6, 5), floor: 0))
    #expect(!plan.isWalkable(plan.drawn(-1, 1), floor: 0))
  }

  @Test func doorsJoinTheSpacesOnBothSides() throws {
    let plan = try Self.corridorAndRooms(doors: true).plan()
    let door = try #require(plan.doors.first { $0.id == "da" })
    #expect(Set(door.spaces.map { plan.spaces[$0].id.rawValue }) == ["a", "corridor"])
    let entrance = try #require(plan.doors.first { $0.id == "in" })
    #expect(entrance.isOnShell && entrance.isEntrance)
    #expect(PlanNavigation(plan).notes.entranceSource == .mapped)
  }

  @Test func roomsWithoutDoorsGetOne() throws {
    let plan = try Self.corridorAndRooms(doors: false).plan()
    #expect(plan.notes.doorsAssumed == 2)
    #expect(try #require(distance(plan, (5, 7), (7, 7))) < 20)
    let routes = PlanNavigation(plan)
    #expect(routes.notes.entranceSource == .nearestToShell)
    #expect(routes.entrances.count == 1)
  }

  @Test func mappedWallsKeepRoomsWithoutDoorsClosed() throws {
    var drawing = PlanVenue()
    drawing.floor("f", 0, outline: PlanVenue.rectangle(0, 0, 12, 8))
    drawing.space("a", "f", .room, PlanVenue.rectangle(0, 0, 6, 8))
    drawing.space("b", "f", .room, PlanVenue.rectangle(6, 0, 12, 8))
    drawing.wall("f", (0, 0), (12, 0), (12, 8), (0, 8), (0, 0))
    drawing.wall("f", (6, 0), (6, 8))
    let closed = try drawing.plan()
    #expect(closed.notes.floorsWithMappedWalls == 1)
    #expect(distance(closed, (3, 4), (9, 4)) == nil)
    drawing.door("d", "f", (6, 3), (6, 4))
    let open = try drawing.plan()
    #expect(open.notes.doorsCut == 1)
    #expect(try #require(distance(open, (3, 4), (9, 4))) < 7)
  }

  @Test func furnitureBlocksWalkingButNotSight() throws {
    var drawing = PlanVenue()
    drawing.floor("f", 0, outline: PlanVenue.rectangle(0, 0, 10, 10))
    drawing.furniture = [
      Barrier(id: "desk", floor: FloorID("f"), shape: .area(PlanVenue.rectangle(4, 2, 6, 8)))
    ]
    let plan = try drawing.plan()
    #expect(plan.sightLine(from: plan.drawn(2, 5), to: plan.drawn(8, 5), floor: 0)?.isVisible == true)
    #expect(try #require(distance(plan, (2, 5), (8, 5))) > 8)
    #expect(!plan.isWalkable(plan.drawn(5, 5), floor: 0))
  }

  @Test func stairsAboveEachOtherJoinFloors() throws {
    var drawing = PlanVenue()
    for ordinal in 0...2 {
      let floor = "f\(ordinal)"
      drawing.floor(floor, ordinal)
      drawing.space("hall\(ordinal)", floor, .lobby, PlanVenue.rectangle(0, 0, 10, 5))
      drawing.space("stairs\(ordinal)", floor, .stairs, PlanVenue.rectangle(10, 0, 13, 5))
    }
    let routes = PlanNavigation(try drawing.plan())
    #expect(routes.notes.connectionSource == .stackedSpaces)
    #expect(routes.notes.floorsWithOwnEntrance == 0)
    #expect(routes.plan.connections.map(\.landings.count) == [3])
    let from = try #require(routes.navigation.place(near: routes.plan.drawn(1, 1), floor: 0, within: 1))
    let to = try #require(routes.navigation.place(near: routes.plan.drawn(1, 1), floor: 2, within: 1))
    let route = try #require(
      routes.navigation.route(from: from, to: to, along: routes.navigation.field(to: to)))
    #expect(route.contains(.ride(way: 0, from: 0, to: 2)))
  }

  @Test func isolatedFloorsGetTheirOwnEntrances() throws {
    var drawing = PlanVenue()
    drawing.floor("f0", 0)
    drawing.floor("f1", 1)
    drawing.space("hall0", "f0", .lobby, PlanVenue.rectangle(0, 0, 10, 5))
    drawing.space("hall1", "f1", .lobby, PlanVenue.rectangle(0, 0, 10, 5))
    let routes = PlanNavigation(try drawing.plan())
    #expect(routes.notes.floorsWithOwnEntrance == 1)
    #expect(Set(routes.entrances.map(\.place.floor)) == [0, 1])
  }

  @Test func mapsWithoutWalkableAreaAreRefused() throws {
    #expect(throws: VenueError.self) { try PlanVenue().plan() }
    var drawing = PlanVenue()
    drawing.floor("f", 0)
    #expect(throws: VenueError.self) { try drawing.plan() }
  }
}
