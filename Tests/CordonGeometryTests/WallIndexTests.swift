import CordonCore
import CordonGeometry
import Testing

@Suite("Walls")
struct WallIndexTests {
  static func p(_ x: Double, _ y: Double) -> PlanePoint { PlanePoint(x: x, y: y) }

  @Test func touchingFollowsTheRule() {
    let wall = WallSegment(Self.p(0, 0), Self.p(0, 2))
    // Across, past, along its line but beyond its end.
    #expect(wall.blocks(from: Self.p(-1, 1), to: Self.p(1, 1)))
    #expect(!wall.blocks(from: Self.p(-1, 2.1), to: Self.p(1, 2.1)))
    #expect(!wall.blocks(from: Self.p(0, 3), to: Self.p(0, 2)))
    // Touching an end of the wall blocks; ending at the wall does not.
    #expect(wall.blocks(from: Self.p(-1, 2), to: Self.p(1, 2)))
    #expect(wall.blocks(from: Self.p(-1, 0), to: Self.p(1, 0)))
    #expect(!wall.blocks(from: Self.p(-1, 1), to: Self.p(0, 1)))
    #expect(!wall.blocks(from: Self.p(0, 1), to: Self.p(1, 1)))
    // Along the wall.
    #expect(wall.blocks(from: Self.p(0, -1), to: Self.p(0, 1)))
    #expect(wall.blocks(from: Self.p(0, 0.5), to: Self.p(0, 1)))
    // No length, no blocking.
    #expect(!wall.blocks(from: Self.p(0, 1), to: Self.p(0, 1)))
    #expect(!WallSegment(Self.p(0, 1), Self.p(0, 1)).blocks(from: Self.p(-1, 1), to: Self.p(1, 1)))
  }

  @Test func cornersOfTwoWallsHaveNoGap() {
    let index = WallIndex([
      WallSegment(Self.p(0, 0), Self.p(1, 0)), WallSegment(Self.p(1, 0), Self.p(1, 1)),
    ])
    #expect(index.isBlocked(from: Self.p(0.5, 0.5), to: Self.p(1.5, -0.5)))
    #expect(index.crossingCount(from: Self.p(0.5, 0.5), to: Self.p(1.5, -0.5)) == 2)
    #expect(index.firstCrossing(from: Self.p(0.5, 0.5), to: Self.p(1.5, -0.5))?.wall == 0)
  }

  @Test(arguments: [UInt64(1), 2, 3, 4, 5, 6])
  func answersAgreeWithTestingEveryWall(seed: UInt64) {
    var random = TestRandom(seed: seed)
    // Whole metres on odd seeds, so that touching and overlapping happen all the time.
    let isFloorOnly = seed % 2 == 1
    let extent = [12.0, 60, 400][Int(seed) % 3]
    func point(_ around: PlanePoint? = nil, _ reach: Double = 0) -> PlanePoint {
      var x = around.map { $0.x + random.double(in: -reach...reach) } ?? random.double(in: -5...extent + 5)
      var y = around.map { $0.y + random.double(in: -reach...reach) } ?? random.double(in: -5...extent * 0.7 + 5)
      if isFloorOnly { (x, y) = (x.rounded(), y.rounded()) }
      return Self.p(x, y)
    }
    let walls = (0..<150).map { _ in
      let start = point()
      return WallSegment(start, random.double(in: 0...1) < 0.2 ? point() : point(start, 6))
    }
    let index = WallIndex(walls)
    for _ in 0..<500 {
      let from = point()
      let to = random.double(in: 0...1) < 0.3 ? point() : point(from, 3)
      let blocking = walls.indices.filter { walls[$0].blocks(from: from, to: to) }
      #expect(index.isBlocked(from: from, to: to) == !blocking.isEmpty, "seed \(seed) \(from) \(to)")
      #expect(index.isBlocked(from: to, to: from) == !blocking.isEmpty, "seed \(seed) \(from) \(to)")
      #expect(index.crossingCount(from: from, to: to) == blocking.count, "seed \(seed) \(from) \(to)")
      let first = index.firstCrossing(from: from, to: to)
      #expect((first == nil) == blocking.isEmpty)
      if let first {
        #expect(blocking.contains(first.wall))
        let nearest = WallIndex([walls[first.wall]]).distanceToNearestWall(from: first.point) ?? .infinity
        #expect(nearest < 1e-6, "seed \(seed) \(from) \(to)")
        // No other wall is met clearly earlier.
        let earlier = Self.p(
          from.x + (first.fraction - 1e-6) * (to.x - from.x), from.y + (first.fraction - 1e-6) * (to.y - from.y))
        if first.fraction > 1e-5 { #expect(!index.isBlocked(from: from, to: earlier), "seed \(seed) \(from) \(to)") }
      }
    }
  }

  @Test func manyLongWallsStayFast() {
    let walls = (0..<3_000).map { WallSegment(Self.p(Double($0), 0), Self.p(Double($0) + 500, 100_000)) }
    let index = WallIndex(walls)
    for (from, to) in [(Self.p(10, 5), Self.p(11.5, 5)), (Self.p(-5, 50_000), Self.p(4_000, 50_003))] {
      #expect(index.crossingCount(from: from, to: to) == walls.count { $0.blocks(from: from, to: to) })
    }
  }

  @Test func theNearestWallAgreesWithTestingEveryWall() {
    var random = TestRandom(seed: 9)
    func point() -> PlanePoint { Self.p(random.double(in: 0...80), random.double(in: 0...50)) }
    let walls = (0..<80).map { _ in WallSegment(point(), point()) }
    let index = WallIndex(walls)
    for _ in 0..<40 {
      let p = point()
      let least = walls.map { wall in
        // By sampling parameters: the distance to a segment is convex along it.
        var (low, high) = (0.0, 1.0)
        func distance(_ t: Double) -> Double {
          let dx = wall.a.x + t * (wall.b.x - wall.a.x) - p.x
          let dy = wall.a.y + t * (wall.b.y - wall.a.y) - p.y
          return (dx * dx + dy * dy).squareRoot()
        }
        for _ in 0..<80 {
          let (a, b) = (low + (high - low) / 3, high - (high - low) / 3)
          if distance(a) < distance(b) { high = b } else { low = a }
        }
        return distance((low + high) / 2)
      }.min()
      #expect(abs((index.distanceToNearestWall(from: p) ?? .infinity) - (least ?? 0)) < 1e-7)
    }
  }

  @Test func unusualInputsHaveAnswers() {
    let none = WallIndex([])
    #expect(!none.isBlocked(from: Self.p(0, 0), to: Self.p(1, 1)))
    #expect(none.crossingCount(from: Self.p(0, 0), to: Self.p(1, 1)) == 0)
    #expect(none.firstCrossing(from: Self.p(0, 0), to: Self.p(1, 1)) == nil)
    #expect(none.distanceToNearestWall(from: Self.p(0, 0)) == nil)
    let one = WallIndex([
      WallSegment(Self.p(0, -1), Self.p(0, 1)), WallSegment(Self.p(.nan, 0), Self.p(5, 5)),
    ])
    #expect(one.isBlocked(from: Self.p(-1e300, 0), to: Self.p(1, 0)))
    #expect(!one.isBlocked(from: Self.p(.nan, 0), to: Self.p(1, 0)))
    #expect(!one.isBlocked(from: Self.p(-1, 0), to: Self.p(.infinity, 0)))
    #expect(one.isBlocked(from: Self.p(-1e7, 0), to: Self.p(1, 0)))
    #expect(one.distanceToNearestWall(from: Self.p(.nan, 0)) == nil)
    let far = WallIndex([WallSegment(Self.p(1e12, -1), Self.p(1e12, 1)), WallSegment(Self.p(0, -1), Self.p(0, 1))])
    #expect(far.crossingCount(from: Self.p(-1, 0), to: Self.p(2e12, 0)) == 2)
    let many = WallIndex((1...200).map { WallSegment(Self.p(Double($0) / 100, -1), Self.p(Double($0) / 100, 1)) })
    #expect(many.crossingCount(from: Self.p(-1, 0), to: Self.p(5, 0)) == 200)
  }
}
