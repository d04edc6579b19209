import CordonCore
import CordonGeometry
import Testing

@Suite("Measures")
struct MeasureTests {
  @Test func areasAndCentroids() throws {
    let frame = BoundaryIndexTests.frame
    let area = BoundaryIndexTests.area
    #expect(abs(area.area(in: frame) - (1_600 - 400 + 1_600)) < 1e-3)
    #expect(abs(PlaneRing.signedArea([(0.0, 0.0), (2, 0), (2, 3)].map { PlanePoint(x: $0.0, y: $0.1) }) - 3) < 1e-12)
    #expect(abs(PlaneRing.signedArea([(2.0, 3.0), (2, 0), (0, 0)].map { PlanePoint(x: $0.0, y: $0.1) }) + 3) < 1e-12)
    #expect(PlaneRing.signedArea([]) == 0)
    let centroid = frame.project(try #require(area.centroid))
    #expect(abs(centroid.x - (1_200 * 20 + 1_600 * 70) / 2_800) < 1e-2)
    #expect(abs(centroid.y - 20) < 1e-2)
    #expect(GeoMultiPolygon().centroid == nil)
    let line = GeoMultiPolygon([GeoPolygon(outer: [BoundaryIndexTests.place(0, 0), BoundaryIndexTests.place(10, 0)])])
    #expect(abs(frame.project(try #require(line.centroid)).x - 5) < 1e-6)
  }

  @Test func boundsTakeTheShorterSideOfTheEarth() throws {
    func place(_ x: Double, _ y: Double) -> Coordinate { Coordinate(longitude: x, latitude: y) }
    let plain = try #require(GeoBounds([place(-3, 5), place(7, -2)]))
    #expect((plain.west, plain.south, plain.east, plain.north) == (-3, -2, 7, 5))
    let across = try #require(GeoBounds([place(179, 5), place(-178, -2), place(-179.5, 0)]))
    #expect((across.west, across.east) == (179, 182))
    #expect(across.center == place(-179.5, 1.5))
    #expect(across.contains(place(-178.5, 0)) && across.contains(place(180, 0)) && !across.contains(place(178, 0)))
    #expect(GeoBounds([place(.nan, 0)]) == nil)
    #expect(GeoBounds([Coordinate]()) == nil)
    let all = try #require(GeoBounds([place(-180, -90), place(-60, 0), place(60, 0), place(180, 90)]))
    #expect((all.west, all.east) == (-180, 180))
  }

  @Test func roundedCrossingsAgreeWithTheExactTestOffTheEdges() {
    var random = TestRandom(seed: 8)
    for _ in 0..<300 {
      let ring = (0..<3 + random.int(below: 9)).map { _ in
        PlanePoint(x: random.double(in: -50...50), y: random.double(in: -50...50))
      }
      for _ in 0..<20 {
        let point = PlanePoint(x: random.double(in: -60...60), y: random.double(in: -60...60))
        #expect(PlaneRing.isCrossedOddly(ring, from: point) == PlaneRing.contains([ring], point))
      }
    }
    #expect(!PlaneRing.isCrossedOddly([], from: PlanePoint(x: 0, y: 0)))
  }

  @Test func sidesAreExact() {
    // Points along a line whose side plain arithmetic cannot decide.
    var random = TestRandom(seed: 5)
    for _ in 0..<2_000 {
      let a = PlanePoint(x: 0.5, y: 0.5)
      let b = PlanePoint(x: 12, y: 12)
      let steps = (random.int(below: 9) - 4, random.int(below: 9) - 4)
      let p = PlanePoint(x: 24 + Double(steps.0) * 24.0.ulp, y: 24 + Double(steps.1) * 24.0.ulp)
      let side = Orientation.side(ax: a.x, ay: a.y, bx: b.x, by: b.y, px: p.x, py: p.y)
      #expect(side == (steps.1 - steps.0).signum())
      #expect(Orientation.side(ax: b.x, ay: b.y, bx: a.x, by: a.y, px: p.x, py: p.y) == -side)
    }
    #expect(Orientation.side(ax: .nan, ay: 0, bx: 1, by: 0, px: 0, py: 1) == 0)
  }
}
