import CordonCore
import CordonGeometry
import Testing

@testable import CordonVenues

/// Drawings made to cost much are refused before they do; large ones that are honest are not.
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

  @Test func aScribbleHasNoBoundaryAndNoPlan() throws {
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

  @Test func manyRoomsSideBySideAreNoBurden() throws {
    let rooms = (0..<2_500).map { index -> GeoPolygon in
      let (x, y) = (Double(index % 50) / 50, Double(index / 50) / 50)
      return GeoPolygon(
        outer: [place(x, y), place(x + 0.02, y), place(x + 0.02, y + 0.02), place(x, y + 0.02)])
    }
    let floor = try venue(rooms)
    #expect(try floor.boundary().area.polygons.count == 1)
    #expect(code { () throws(VenueError) in _ = try VenuePlan(floor) } == nil)
  }

  @Test func oneFeatureOnEveryFloorCountsAsOften() {
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
