import CordonCore
import CordonGeometry
import Testing

@testable import CordonVenues

/// The spaces that a door joins, found by a step to each side of its threshold.
struct OpeningJoinTests {
  private func place(_ x: Double, _ y: Double) -> Coordinate {
    BoundaryTests.frame.unproject(PlanePoint(x: x, y: y))
  }

  private func join(wall: Double, outline: Bool = true) -> OpeningJoin {
    let rooms = [
      (id: SpaceID("west"), outline: GeoMultiPolygon([BoundaryTests.box(0, 0, 10, 10)])),
      (id: SpaceID("east"), outline: GeoMultiPolygon([BoundaryTests.box(10 + wall, 0, 10, 10)])),
    ]
    return OpeningJoin(
      spaces: rooms, outline: outline ? GeoMultiPolygon([BoundaryTests.box(0, 0, 20 + wall, 10)]) : nil,
      frame: BoundaryTests.frame)
  }

  @Test(arguments: [0.0, 0.2, 0.6, 1.0])
  func aDoorInAWallOfAnyThicknessJoinsBothSides(wall: Double) {
    let sides = join(wall: wall).sides(of: [place(10 + wall / 2, 4), place(10 + wall / 2, 5)])
    #expect(Set(sides.spaces.map(\.rawValue)) == ["west", "east"] && !sides.leadsOut, "wall of \(wall) m")
  }

  @Test(arguments: [true, false])
  func aDoorInTheOutlineLeadsOut(outline: Bool) {
    let sides = join(wall: 0, outline: outline).sides(of: [place(0, 4), place(0, 5)])
    #expect(sides.spaces.map(\.rawValue) == ["west"] && sides.leadsOut)
  }

  @Test func aPointDoorJoinsTheTwoNearestSpaces() {
    let sides = join(wall: 0.2).sides(of: [place(10.1, 5), place(10.1, 5)])
    #expect(Set(sides.spaces.map(\.rawValue)) == ["west", "east"] && !sides.leadsOut)
    #expect(join(wall: 0.2).space(at: place(3, 3)) == SpaceID("west"))
    #expect(join(wall: 5).space(at: place(12.5, 5)) == nil)
  }
}
