import CordonCore
import CordonGeometry
import Measuring

/// Sight lines on a floor.
func measureWalls(into table: inout Table) {
  var random = BenchRandom(seed: 3)
  // Sight lines: 300 walls of rooms on 60 m x 40 m, pairs within 2 m as in the contact engine, and across the floor.
  var walls: [WallSegment] = []
  while walls.count < 300 {
    let x = (random.unit() * 60).rounded()
    let y = (random.unit() * 40).rounded()
    let length = 1 + random.unit() * 4
    walls.append(
      random.next() % 2 == 0
        ? WallSegment(PlanePoint(x: x, y: y), PlanePoint(x: x + length, y: y))
        : WallSegment(PlanePoint(x: x, y: y), PlanePoint(x: x, y: y + length)))
  }
  let wallIndex = WallIndex(walls)
  func pairs(_ reach: Double) -> [(PlanePoint, PlanePoint)] {
    (0..<1_000_000).map { _ in
      let from = PlanePoint(x: random.unit() * 60, y: random.unit() * 40)
      return (
        from, PlanePoint(x: from.x + (random.unit() - 0.5) * 2 * reach, y: from.y + (random.unit() - 0.5) * 2 * reach)
      )
    }
  }
  for (name, reach) in [("2 m", 1.4), ("60 m", 30.0)] {
    let sample = pairs(reach)
    var blocked = 0
    let time = measure(runs: 5) {
      blocked = 0
      for pair in sample where wallIndex.isBlocked(from: pair.0, to: pair.1) { blocked += 1 }
    }
    table.add(
      "sight line, 300 walls, up to \(name)", time, per: 1e-3, unit: "ns", note: "\(blocked) of 1000000 blocked")
    var crossings = 0
    let counting = measure(runs: 3) {
      crossings = 0
      for pair in sample { crossings += wallIndex.crossingCount(from: pair.0, to: pair.1) }
    }
    table.add(
      "walls crossed, 300 walls, up to \(name)", counting, per: 1e-3, unit: "ns", note: "\(crossings) crossings")
  }
}
