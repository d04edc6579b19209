import CordonCore
import CordonGeometry
import CordonNavigation
import Testing

@Suite("Routes on rasters")
struct NavigationTests {
  /// A 10 by 6 m room, cut in two by a wall at x = 5 with a gap from y = 4 to y = 5.
  static func twoRooms(gap: Bool = true) -> WalkableArea {
    let room = PlanePolygon(outer: [point(0, 0), point(10, 0), point(10, 6), point(0, 6)])
    var barriers = room.edges
    if gap {
      barriers += [PlaneSegment(point(5, 0), point(5, 4)), PlaneSegment(point(5, 5), point(5, 6))]
    } else {
      barriers.append(PlaneSegment(point(5, 0), point(5, 6)))
    }
    return WalkableArea(areas: [room], barriers: barriers)
  }

  static func point(_ x: Double, _ y: Double) -> PlanePoint { PlanePoint(x: x, y: y) }

  @Test func routesGoThroughTheDoor() throws {
    let raster = WalkableRaster(Self.twoRooms())
    let navigation = Navigation(floors: [raster], verticals: [])
    let from = try #require(navigation.place(near: Self.point(4, 1), floor: 0, within: 1))
    let to = try #require(navigation.place(near: Self.point(6, 1), floor: 0, within: 1))
    let distance = try #require(navigation.walkingDistance(from: from, to: to))
    // Over the lower end of the gap it is 2 * sqrt(10); with room for a body a little more.
    #expect(distance > 6.3 && distance < 7.2, "\(distance)")
    let legs = try #require(navigation.route(from: from, to: to, along: navigation.field(to: to)))
    guard case .walk(_, let points) = legs[0] else { return #expect(Bool(false)) }
    #expect(legs.count == 1)
    for (a, b) in zip(points, points.dropFirst()) { #expect(!raster.barriers.isCrossed(from: a, to: b)) }
  }

  @Test func aClosedWallSeparatesRooms() throws {
    let raster = WalkableRaster(Self.twoRooms(gap: false))
    #expect(raster.componentSizes.count == 2)
    let navigation = Navigation(floors: [raster], verticals: [])
    let from = try #require(navigation.place(near: Self.point(4, 1), floor: 0, within: 1))
    let to = try #require(navigation.place(near: Self.point(6, 1), floor: 0, within: 1))
    #expect(navigation.walkingDistance(from: from, to: to) == nil)
  }

  @Test func routesTakeTheCheaperConnection() throws {
    let rasters = [WalkableRaster(Self.twoRooms()), WalkableRaster(Self.twoRooms())]
    func cell(_ x: Double, _ y: Double, _ floor: Int) throws -> Int {
      try #require(rasters[floor].nearestCell(to: Self.point(x, y), within: 1))
    }
    func way(_ x: Double, _ y: Double, entry: Double, oneWayUp: Bool = false) throws -> VerticalWay {
      VerticalWay(
        stops: [
          VerticalWay.Stop(floor: 0, cell: try cell(x, y, 0), level: 0, isExit: !oneWayUp),
          VerticalWay.Stop(floor: 1, cell: try cell(x, y, 1), level: 1, isEntry: !oneWayUp),
        ], entryCost: entry, costPerLevel: 4)
    }
    let navigation = Navigation(
      floors: rasters, verticals: [try way(1, 1, entry: 2, oneWayUp: true), try way(9, 1, entry: 30)])
    let low = Place(floor: 0, cell: try cell(2, 1, 0))
    let high = Place(floor: 1, cell: try cell(2, 1, 1))
    let up = try #require(navigation.route(from: low, to: high, along: navigation.field(to: high)))
    #expect(up.contains(.ride(way: 0, from: 0, to: 1)))
    // A route that avoids it takes the other one, under its own number; without both there is no route.
    let around = try #require(navigation.avoiding([0]).route(from: low, to: high, along: navigation.field(to: high)))
    #expect(around.contains(.ride(way: 1, from: 0, to: 1)))
    #expect(navigation.avoiding([0, 1]).walkingDistance(from: low, to: high) == nil)
    // The near one only leads up, so the route down takes the far one.
    let down = try #require(navigation.route(from: high, to: low, along: navigation.field(to: low)))
    #expect(down.contains(.ride(way: 1, from: 1, to: 0)))
    // Landings on the way are passed: one walk, one ride, one walk, from any start.
    for x in [0.4, 0.7, 1.0, 1.3, 1.6] {
      let start = Place(floor: 1, cell: try cell(x, 1, 1))
      let route = try #require(navigation.route(from: start, to: low, along: navigation.field(to: low)))
      #expect(route.count == 3, "\(x): \(route)")
    }
  }

  /// Random walls, random pairs: routes exist exactly within connected parts, and no leg crosses a wall.
  @Test(arguments: [1, 2, 3, 4, 5] as [UInt64])
  func routesCrossNoBarrier(seed: UInt64) throws {
    var random = RandomStream(seed: seed, stream: 1)
    let hall = PlanePolygon(outer: [
      Self.point(0, 0), Self.point(30, 0), Self.point(30, 20), Self.point(0, 20),
    ])
    var barriers = hall.edges
    for _ in 0..<60 {
      let a = Self.point(30 * random.nextUnit(), 20 * random.nextUnit())
      let b = Self.point(a.x + 8 * random.nextUnit() - 4, a.y + 8 * random.nextUnit() - 4)
      barriers.append(PlaneSegment(a, b))
    }
    let raster = WalkableRaster(WalkableArea(areas: [hall], barriers: barriers))
    let navigation = Navigation(floors: [raster], verticals: [])
    let cells = raster.component.indices.filter { raster.component[$0] >= 0 }
    for _ in 0..<40 {
      let a = cells[random.nextIndex(below: cells.count)]
      let b = cells[random.nextIndex(below: cells.count)]
      let anchor = cells[random.nextIndex(below: cells.count)]
      let field = navigation.field(to: Place(floor: 0, cell: anchor))
      let route = navigation.route(from: Place(floor: 0, cell: a), to: Place(floor: 0, cell: b), along: field)
      let together = raster.component[a] == raster.component[b] && raster.component[a] == raster.component[anchor]
      #expect((route != nil) == together || a == b, "seed \(seed)")
      guard case .walk(_, let points)? = route?.first else { continue }
      #expect(points.first == raster.center(of: a) && points.last == raster.center(of: b))
      for (from, to) in zip(points, points.dropFirst()) {
        // Tries every barrier, not only the buckets of the search.
        let line = PlaneSegment(from, to)
        #expect(!barriers.contains { $0.meets(line) }, "seed \(seed)")
      }
    }
  }

  @Test(arguments: [11, 12, 13] as [UInt64])
  func bucketSearchAgreesWithTheList(seed: UInt64) {
    var random = RandomStream(seed: seed, stream: 2)
    func coordinate() -> Double { (random.nextUnit() * 200).rounded() / 10 }
    let segments = (0..<150).map { _ in
      PlaneSegment(Self.point(coordinate(), coordinate()), Self.point(coordinate(), coordinate()))
    }
    let grid = SegmentGrid(segments)
    for _ in 0..<300 {
      let line = PlaneSegment(Self.point(coordinate(), coordinate()), Self.point(coordinate(), coordinate()))
      let expected = segments.indices.filter { segments[$0].meets(line) }
      #expect(grid.crossings(from: line.a, to: line.b) == expected, "seed \(seed)")
      #expect(grid.isCrossed(from: line.a, to: line.b) == !expected.isEmpty, "seed \(seed)")
    }
  }

  @Test func emptyFloorsAreAllowed() {
    let raster = WalkableRaster(WalkableArea(areas: [], barriers: []))
    #expect(raster.componentSizes.isEmpty)
    #expect(raster.nearestCell(to: Self.point(0, 0), within: 5) == nil)
    #expect(raster.nearestCell(to: Self.point(.nan, .infinity), within: 5) == nil)
    #expect(!SegmentGrid([]).isCrossed(from: Self.point(0, 0), to: Self.point(1, 1)))
  }

  @Test func pointsFarBeyondAFloorHaveNoCell() {
    let raster = WalkableRaster(
      WalkableArea(
        areas: [
          PlanePolygon(outer: [Self.point(0, 0), Self.point(8, 0), Self.point(8, 6), Self.point(0, 6)])
        ], barriers: []))
    for (x, y) in [(100.0, 3.0), (-100, 3), (4, 100), (4, -100), (100, 100), (-1e7, -1e7), (1e30, 0)] {
      #expect(raster.nearestCell(to: Self.point(x, y), within: 5) == nil)
    }
    #expect(raster.nearestCell(to: Self.point(10, 3), within: 5) != nil)
  }
}
