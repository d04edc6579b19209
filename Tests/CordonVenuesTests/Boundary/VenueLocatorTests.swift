import CordonCore
import CordonGeometry
import Testing

@testable import CordonVenueTools
@testable import CordonVenues

@Suite struct VenueLocatorTests {
  @Test func aPlaceInARoomHasItsSpaceFloorAndBuilding() throws {
    let venue = try VenueGenerator.generate(kind: .campus, floors: 3, area: 4_000, seed: 2)
    let locator = VenueLocator(venue, boundary: try venue.boundary(.buildings))
    for space in venue.spaces {
      let floor = try #require(venue.floors.first { $0.id == space.floor })
      let place = try #require(ShapeMeasure.interiorPoint(of: space.outline))
      let found = locator.locate(place, floor: floor.ordinal)
      #expect(found.space == space.id)
      #expect(found.floor == floor.id)
      #expect(found.building == floor.building)
      #expect(found.isInside == !floor.isOutdoor)
      #expect((try #require(found.signedDistance) < 0) == !floor.isOutdoor)
      #expect(found.probabilityInside == nil)
    }
  }

  @Test func anUnknownFloorIsNotTheGroundFloor() throws {
    let venue = try VenueGenerator.generate(kind: .office, floors: 2, area: 1_000, seed: 2)
    let locator = VenueLocator(venue, boundary: try venue.boundary())
    let room = try #require(venue.spaces.first { $0.kind == .office })
    let place = try #require(room.outline.centroid)
    let unknown = locator.locate(place, floor: nil, accuracy: 3)
    #expect(unknown.isInside && unknown.space == nil && unknown.floor == nil)
    #expect(unknown.building == venue.buildings[0].id)
    #expect(try #require(unknown.probabilityInside) > 0.4)
    #expect(locator.locate(place, floor: FloorOrdinal(9)).floor == nil)
  }

  @Test func distancesOutsideArePositiveAndToleranceCountsAsInside() throws {
    let venue = try VenueGenerator.generate(kind: .office, floors: 1, area: 1_000, seed: 2)
    let boundary = try venue.boundary()
    let corner = try #require(venue.floors[0].outline?.vertices.first)
    let outside = LocalFrame(origin: corner).unproject(PlanePoint(x: -3, y: 5))
    let strict = VenueLocator(venue, boundary: boundary).locate(outside, floor: FloorOrdinal(0), accuracy: 0)
    #expect(!strict.isInside && strict.probabilityInside == 0)
    #expect(abs(try #require(strict.signedDistance) - 3) < 0.01)
    #expect(VenueLocator(venue, boundary: boundary, tolerance: 3.1).locate(outside, floor: nil).isInside)
    #expect(
      VenueLocator(venue, boundary: boundary).locate(Coordinate(longitude: .nan, latitude: 0), floor: nil).isInside
        == false)
  }

  @Test func aMinimumProbabilityAppliesBesideThePosition() throws {
    let venue = try VenueGenerator.generate(kind: .office, floors: 1, area: 1_000, seed: 2)
    let boundary = try venue.boundary()
    let place = try #require(venue.spaces.first { $0.kind == .office }?.outline.centroid)
    let locator = VenueLocator(venue, boundary: boundary, minimumProbability: 0.9)
    #expect(locator.locate(place, floor: nil, accuracy: 0.5).isInside)
    #expect(!locator.locate(place, floor: nil, accuracy: 80).isInside)
    #expect(!locator.locate(place, floor: nil).isInside)
    #expect(VenueLocator(venue, boundary: boundary).locate(place, floor: nil).isInside)
  }

  @Test func courtyardsBelongToNoRoomAndTheSmallestOfSeveralWins() throws {
    func space(_ id: String, _ outer: GeoPolygon, hole: GeoPolygon? = nil) -> Space {
      let area = GeoPolygon(outer: outer.outer, holes: hole.map { [$0.outer] } ?? [])
      return Space(id: SpaceID(id), floor: FloorID("ground"), kind: .room, outline: GeoMultiPolygon([area]))
    }
    let venue = try BoundaryTests.venue(
      floors: [BoundaryTests.ground],
      spaces: [
        space("ring", BoundaryTests.box(0, 0, 40, 20), hole: BoundaryTests.box(10, 5, 10, 10)),
        space("desk", BoundaryTests.box(2, 2, 3, 3)),
      ])
    let locator = VenueLocator(venue, boundary: try venue.boundary(.floors))
    func found(_ x: Double, _ y: Double) -> String? {
      locator.locate(BoundaryTests.frame.unproject(PlanePoint(x: x, y: y)), floor: FloorOrdinal(0)).space?.rawValue
    }
    #expect(found(30, 10) == "ring" && found(3, 3) == "desk" && found(15, 10) == nil && found(60, 10) == nil)
  }
}
