import CordonCore
import CordonGeometry
import Testing

@testable import CordonVenues

/// Drawings that would cost too much are refused early; large valid ones are not.
struct WorkBudgetTests {
  /// Evenly spread numbers without a generator: the fraction of multiples of the golden ratio.
  private func spread(_ index: Int, _ factor: Double = 0.618_033_988_749_894_9) -> Double {
    let x = Double(index) * factor
    return x - x.rounded(.down)
  }

  private func place(_ x: Double, _ y: Double) -> Coordinate {
    Coordinate(longitude: 8 + x * 1e-3, latitude: 47 + y * 1e-3)
  }

  private func venue(_ polygons: [GeoPolygon]) throws -> Venue {
    let floor = FloorID("0")
    return try BoundaryTests.venue(
      floors: [Floor(id: floor, ordinal: FloorOrdinal(0))],
      spaces: polygons.enumerated().map { index, polygon in
        Space(id: SpaceID("\(index)"), floor: floor, kind: .room, outline: GeoMultiPolygon([polygon]))
      })
  }

  private func code(_ body: () throws(VenueError) -> Void) -> String? {
    do throws(VenueError) {
      try body()
      return nil
    } catch { return error.code }
  }

  @Test func aTangledOutlineHasNoBoundaryAndNoPlan() throws {
    let ring = (0..<20_000).map { place(spread($0), spread($0, 0.754_877_666_246_692_8)) }
    let scribble = try venue([GeoPolygon(outer: ring)])
    #expect(code { () throws(VenueError) in _ = try scribble.boundary() } == "invalid-geometry")
    #expect(code { () throws(VenueError) in _ = try VenuePlan(scribble) } == "too-complex")
  }

  @Test func thousandsOfAreasAboveOneAnotherAreRefused() throws {
    let squares = (0..<8_000).map { index -> GeoPolygon in
      let (x, y) = (spread(index), spread(index, 0.754_877_666_246_692_8))
      return GeoPolygon(outer: [place(x, y), place(x + 0.5, y), place(x + 0.5, y + 0.5), place(x, y + 0.5)])
    }
    let pile = try venue(squares)
    #expect(code { () throws(VenueError) in _ = try pile.boundary() } == "invalid-geometry")
    #expect(code { () throws(VenueError) in _ = try VenuePlan(pile) } == "too-complex")
  }

  @Test func aRingOfManyVerticesHasABoundaryButNoPlan() throws {
    let count = 60_000
    let ring = (0..<count).map { index -> Coordinate in
      let angle = 2 * Double.pi * Double(index) / Double(count)
      return place(PortableMath.cos(angle), PortableMath.sin(angle))
    }
    let round = try venue([GeoPolygon(outer: ring)])
    #expect(try round.boundary().squareMetres > 20_000)
    #expect(code { () throws(VenueError) in _ = try VenuePlan(round) } == "too-complex")
  }

  @Test func manyAdjacentRoomsStayWithinTheBudget() throws {
    let rooms = (0..<2_500).map { index -> GeoPolygon in
      let (x, y) = (Double(index % 50) / 50, Double(index / 50) / 50)
      return GeoPolygon(
        outer: [place(x, y), place(x + 0.02, y), place(x + 0.02, y + 0.02), place(x, y + 0.02)])
    }
    let floor = try venue(rooms)
    #expect(try floor.boundary().area.polygons.count == 1)
    #expect(code { () throws(VenueError) in _ = try VenuePlan(floor) } == nil)
  }

  /// Floors of one plan above one another: at every corner the walls of four rooms meet, on every floor.
  @Test func aTowerOfEqualFloorsStaysWithinTheBudget() throws {
    let count = 30
    let floors = (0..<24).map { Floor(id: FloorID("\($0)"), ordinal: FloorOrdinal($0)) }
    let size = 1 / Double(count)
    let spaces = floors.flatMap { floor in
      (0..<count * count).map { index -> Space in
        let (x, y) = (Double(index % count) * size, Double(index / count) * size)
        let outline = [place(x, y), place(x + size, y), place(x + size, y + size), place(x, y + size)]
        return Space(
          id: SpaceID("\(floor.id.rawValue)-\(index)"), floor: floor.id, kind: .room,
          outline: GeoMultiPolygon([GeoPolygon(outer: outline)]))
      }
    }
    let tower = try BoundaryTests.venue(floors: floors, spaces: spaces)
    let boundary = try tower.boundary(.spaces)
    #expect(boundary.area.polygons.count == 1 && boundary.area.polygons[0].holes.isEmpty)
    let single = try venue(spaces.prefix(count * count).flatMap(\.outline.polygons)).boundary(.spaces)
    #expect(abs(boundary.squareMetres - single.squareMetres) < 0.1)
  }

  @Test func tooManyStairsMakeNoPlan() throws {
    func tower(floors count: Int, stairs: Int) throws -> Venue {
      let floors = (0..<count).map { Floor(id: FloorID("\($0)"), ordinal: FloorOrdinal($0)) }
      let spaces = floors.flatMap { floor in
        (0..<stairs).map { index -> Space in
          let x = Double(index) / Double(stairs)
          let outline = [place(x, 0), place(x + 0.05, 0), place(x + 0.05, 0.05), place(x, 0.05)]
          return Space(
            id: SpaceID("\(floor.id.rawValue)-\(index)"), floor: floor.id, kind: .stairs,
            outline: GeoMultiPolygon([GeoPolygon(outer: outline)]))
        }
      }
      return try BoundaryTests.venue(floors: floors, spaces: spaces)
    }
    #expect(try VenuePlan(tower(floors: 10, stairs: 8)).connections.count == 8)
    let crowded = try tower(floors: 60, stairs: 18)
    #expect(code { () throws(VenueError) in _ = try VenuePlan(crowded) } == "too-complex")
    var settings = PlanSettings()
    settings.maximumLandingArea = 100
    let small = try tower(floors: 10, stairs: 8)
    #expect(code { () throws(VenueError) in _ = try VenuePlan(small, settings: settings) } == "too-complex")
  }

  @Test func aFeatureOnEveryFloorCountsOncePerFloor() {
    var options = VenueReadOptions()
    options.limits.features = 150
    let features = (0..<3).map {
      Drawing.feature(Drawing.box(0, 0, 10, 10), #""id":\#($0),"indoor":"room","level":"0-99""#)
    }
    let error = #expect(throws: VenueError.self) {
      try Drawing.load(text: Drawing.collection(features), options: options)
    }
    #expect(error?.code == "limit-exceeded" && error?.pointer == "/features/2")
  }
}
