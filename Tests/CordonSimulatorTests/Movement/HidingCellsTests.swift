import CordonCore
import CordonGeometry
import CordonNavigation
import Testing

@testable import CordonCrowd

@Suite("cells behind walls")
struct HidingCellsTests {
  private struct Crossing {
    static func crosses(_ wall: PlaneSegment, from a: PlanePoint, to b: PlanePoint) -> Bool {
      func side(_ p: PlanePoint, _ q: PlanePoint, _ r: PlanePoint) -> Double {
        (q.x - p.x) * (r.y - p.y) - (q.y - p.y) * (r.x - p.x)
      }
      return (side(wall.a, wall.b, a) > 0) != (side(wall.a, wall.b, b) > 0)
        && (side(a, b, wall.a) > 0) != (side(a, b, wall.b) > 0)
    }
  }

  /// People behind a wall are in cells of the set; many others are not.
  @Test(arguments: [UInt64(1), 2, 3, 4])
  func noWallIsBetweenPeopleInOtherCells(seed: UInt64) {
    var random = RandomStream(seed: seed, stream: 7)
    func point(within side: Double) -> PlanePoint {
      PlanePoint(x: random.nextUnit() * side, y: random.nextUnit() * side)
    }
    let side = 20.0
    let walls = (0..<30).map { _ in
      let start = point(within: side)
      return PlaneSegment(
        start, PlanePoint(x: start.x + random.nextUnit() * 6 - 3, y: start.y + random.nextUnit() * 6 - 3))
    }
    var bounds = PlaneBounds(low: PlanePoint(x: 0, y: 0), high: PlanePoint(x: 0, y: 0))
    bounds.include(PlanePoint(x: side, y: side))
    let index = CrowdWalls(walls, oneWays: [], thresholds: [], bounds: bounds, touch: 1, sight: 3, lane: 2)
    var seen = 0
    var hidden = 0
    for _ in 0..<20_000 {
      let here = point(within: side)
      let there = PlanePoint(x: here.x + random.nextUnit() * 6 - 3, y: here.y + random.nextUnit() * 6 - 3)
      guard (0..<side).contains(there.x), (0..<side).contains(there.y),
        (there.x - here.x) * (there.x - here.x) + (there.y - here.y) * (there.y - here.y) < 9
      else { continue }
      let cells = index.hidingCells[index.cell(x: here.x, y: here.y)]
      let isInSet = cells.contains(
        column: index.column(there.x) - index.column(here.x), row: index.row(there.y) - index.row(here.y))
      if walls.contains(where: { Crossing.crosses($0, from: here, to: there) }) {
        hidden += 1
        #expect(isInSet, "\(here) to \(there), seed \(seed)")
      } else if !isInSet {
        seen += 1
      }
    }
    #expect(hidden > 1_000)
    #expect(seen > 1_000, "the set spares tests of walls")
  }

  @Test func cellsBeyondTheReachMayBeHidden() {
    var cells = HidingCells()
    #expect(!cells.contains(column: 3, row: -3))
    #expect(cells.contains(column: 4, row: 0))
    #expect(cells.contains(column: 0, row: -4))
    cells.insert(columns: 1...1, rows: -5...5)
    #expect(cells.contains(column: 1, row: 0) && cells.contains(column: 3, row: 2))
    #expect(!cells.contains(column: 0, row: 2) && !cells.contains(column: -3, row: 0))
  }
}
