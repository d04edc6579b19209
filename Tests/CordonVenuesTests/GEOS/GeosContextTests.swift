import CordonGeometry
import CordonNavigation
import Testing

@testable import CordonVenues

@Suite struct GeosContextTests {
  let geos: GeosContext

  init() throws { geos = try #require(GeosContext()) }

  static func box(_ x: Double, _ y: Double, _ width: Double, _ height: Double) -> [PlanePoint] {
    [
      PlanePoint(x: x, y: y), PlanePoint(x: x + width, y: y), PlanePoint(x: x + width, y: y + height),
      PlanePoint(x: x, y: y + height),
    ]
  }

  @Test func unionClosesHairlinesAndKeepsHoles() throws {
    // Four bars round a courtyard, one of them drawn 0.04 mm off.
    let bars = [
      Self.box(0, 0, 10, 2), Self.box(0, 8, 10, 2), Self.box(0, 2.00004, 2, 6), Self.box(8, 2, 2, 6),
    ].map { PlanePolygon(outer: $0) }
    let united = try geos.union(bars, gridSize: 1e-4)
    #expect(united.count == 1)
    #expect(united.first?.holes.count == 1)
    #expect(abs(try geos.area(of: united) - 64) < 1e-3)
    #expect(try geos.invalidity(of: try #require(united.first)) == nil)
  }

  @Test func bowTieIsNamedAndRepaired() throws {
    let tie = PlanePolygon(
      outer: [
        PlanePoint(x: 0, y: 0), PlanePoint(x: 4, y: 4), PlanePoint(x: 4, y: 0), PlanePoint(x: 0, y: 4),
      ])
    #expect(try geos.invalidity(of: tie) == "Self-intersection")
    let valid = try geos.madeValid([tie])
    #expect(valid.count == 2)
    #expect(abs(try geos.area(of: valid) - 8) < 1e-9)
  }

  @Test func resultsDoNotDependOnTheOrderOrWindingOfTheInput() throws {
    let parts = [Self.box(0, 0, 3, 3), Self.box(2, 2, 3, 3), Self.box(10, 0, 1, 1)]
    let one = try geos.union(parts.map { PlanePolygon(outer: $0) }, gridSize: 1e-4)
    let other = try geos.union(parts.reversed().map { PlanePolygon(outer: $0.reversed()) }, gridSize: 1e-4)
    #expect(one == other)
    #expect(one.count == 2)
  }

  @Test func degenerateInputGivesNothing() throws {
    #expect(try geos.union([], gridSize: 1e-4).isEmpty)
    #expect(try geos.union([PlanePolygon(outer: [PlanePoint(x: 1, y: 1)])], gridSize: 1e-4).isEmpty)
    #expect(try geos.convexHull(of: [PlanePoint(x: 0, y: 0), PlanePoint(x: 1, y: 1)]).isEmpty)
    #expect(throws: GeosError.self) {
      try geos.area(of: [PlanePolygon(outer: Self.box(0, .nan, 1, 1))])
    }
  }

  @Test func smallestCircleOfASquare() throws {
    let circle = try geos.minimumBoundingCircle(of: Self.box(-1, -1, 2, 2))
    #expect(abs(circle.radius - 2.0.squareRoot()) < 1e-12)
    #expect(abs(circle.center.x) < 1e-12 && abs(circle.center.y) < 1e-12)
  }
}
