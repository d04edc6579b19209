import CordonCore
import CordonGeometry
import Testing

@Suite("Space index")
struct SpaceIndexTests {
  @Test(arguments: GateTests.centers)
  func theSmallestSpaceWinsThenTheFirst(center: Coordinate) {
    for seed in UInt64(1)...5 {
      var random = TestRandom(seed: seed)
      let isFloorOnly = seed % 2 == 0
      var outlines = (0..<12).map { _ in
        AreaSamples.area(&random, at: center, size: 0.002 / Double(1 + random.int(below: 5)), isFloorOnly: isFloorOnly)
      }
      // A copy of the first: of equal outlines the earlier answers.
      outlines.append(outlines[0])
      let index = SpaceIndex(outlines)
      let areas = outlines.map { $0.area(in: index.frame) }
      let order = outlines.indices.sorted { (areas[$0], $0) < (areas[$1], $1) }
      let all = GeoMultiPolygon(outlines.flatMap(\.polygons))
      let positions = AreaSamples.positions(&random, all, at: center, size: 0.002, isFloorOnly: isFloorOnly, count: 250)
      for position in positions {
        let expected = order.first { outlines[$0].contains(position) }
        #expect(index.space(at: position) == expected, "seed \(seed) \(position)")
      }
    }
  }

  @Test func planePointsUseTheFrame() {
    let frame = LocalFrame(origin: Coordinate(longitude: 8, latitude: 47))
    func square(_ x: Double, _ y: Double, _ size: Double) -> GeoMultiPolygon {
      let corners = [(x, y), (x + size, y), (x + size, y + size), (x, y + size)]
      return GeoMultiPolygon([GeoPolygon(outer: corners.map { frame.unproject(PlanePoint(x: $0.0, y: $0.1)) })])
    }
    let index = SpaceIndex([square(0, 0, 10), square(2, 2, 3), square(100, 0, 1)], frame: frame)
    #expect(index.count == 3)
    #expect(index.space(at: PlanePoint(x: 1, y: 1)) == 0)
    #expect(index.space(at: PlanePoint(x: 3, y: 3)) == 1)
    #expect(index.space(at: PlanePoint(x: 100.5, y: 0.5)) == 2)
    #expect(index.space(at: PlanePoint(x: 50, y: 5)) == nil)
    #expect(index.space(at: PlanePoint(x: .nan, y: 5)) == nil)
  }

  @Test func anEmptyIndexHasNoSpaces() {
    let position = Coordinate(longitude: 0, latitude: 0)
    #expect(SpaceIndex([]).space(at: position) == nil)
    #expect(SpaceIndex([GeoMultiPolygon()]).space(at: position) == nil)
    #expect(SpaceIndex([GeoMultiPolygon([GeoPolygon(outer: [position])])]).space(at: position) == 0)
  }
}
