import CordonGeometry
import CordonNavigation

/// The walls, indexed by cells of one square metre for the neighbourhood search of every step.
struct CrowdWalls: Sendable {
  let low: PlanePoint
  let columns: Int
  let rows: Int
  /// The walls as vectors: start (x, y), direction (x, y), the inverse of the squared length, and 1 for a one-way wall.
  ///
  /// A one-way wall blocks only people on its left. The last two lanes are unused. The thresholds of doorways follow the
  /// walls; only ``lining`` contains them.
  let shapes: [SIMD8<Double>]
  /// By cell, the walls that can touch a person in it, and the walls that can hide other people from that person.
  let touching: CellLists
  let hiding: CellLists
  /// By cell, the walls and thresholds that can line the corridor of a person in it.
  let lining: CellLists

  static let cell = 1.0

  /// Creates the index.
  /// - Parameters:
  ///   - oneWays: segments that do not block sight and that can be crossed only from right to left.
  ///   - thresholds: doorways, which interrupt walls but no lanes.
  ///   - touch: distance within which a wall can touch a person, in metres.
  ///   - sight: distance within which a wall can hide a person, in metres.
  ///   - lane: distance within which a wall can line a person's lane, in metres.
  init(
    _ walls: [PlaneSegment], oneWays: [PlaneSegment], thresholds: [PlaneSegment], bounds: PlaneBounds, touch: Double,
    sight: Double, lane: Double
  ) {
    low = PlanePoint(x: bounds.low.x - 1, y: bounds.low.y - 1)
    columns = max(1, Int((bounds.high.x - low.x) / CrowdWalls.cell) + 2)
    rows = max(1, Int((bounds.high.y - low.y) / CrowdWalls.cell) + 2)
    let all = walls + oneWays + thresholds
    shapes = all.enumerated().map { index, wall in
      let dx = wall.b.x - wall.a.x
      let dy = wall.b.y - wall.a.y
      let squared = dx * dx + dy * dy
      return SIMD8(wall.a.x, wall.a.y, dx, dy, squared > 0 ? 1 / squared : 0, index < walls.count ? 0 : 1, 0, 0)
    }
    let firstThreshold = walls.count + oneWays.count
    lining = CellLists(all, low: low, columns: columns, rows: rows, reach: lane) {
      $0 < walls.count || $0 >= firstThreshold
    }
    touching = CellLists(walls + oneWays, low: low, columns: columns, rows: rows, reach: touch)
    hiding = CellLists(walls, low: low, columns: columns, rows: rows, reach: sight)
  }

  @inline(__always)
  func cell(x: Double, y: Double) -> Int {
    let column = min(max(Int((x - low.x) / CrowdWalls.cell), 0), columns - 1)
    let row = min(max(Int((y - low.y) / CrowdWalls.cell), 0), rows - 1)
    return row * columns + column
  }
}

/// By cell, the walls within a distance of the cell.
struct CellLists: Sendable {
  let starts: [Int32]
  let items: [Int32]

  init(
    _ walls: [PlaneSegment], low: PlanePoint, columns: Int, rows: Int, reach: Double,
    where isIncluded: (Int) -> Bool = { _ in true }
  ) {
    var lists = [[Int32]](repeating: [], count: columns * rows)
    let half = CrowdWalls.cell / 2
    // Uses the circumscribed circle instead of the cell: this lists slightly too many walls, never too few.
    let limit = reach + half * 1.4143
    for (index, wall) in walls.enumerated() where isIncluded(index) {
      let box = PlaneBounds(low: wall.a, high: wall.a)
      var grown = box
      grown.include(wall.b)
      let left = max(0, Int((grown.low.x - limit - low.x) / CrowdWalls.cell))
      let right = min(columns - 1, Int(max(0, (grown.high.x + limit - low.x) / CrowdWalls.cell)))
      let bottom = max(0, Int((grown.low.y - limit - low.y) / CrowdWalls.cell))
      let top = min(rows - 1, Int(max(0, (grown.high.y + limit - low.y) / CrowdWalls.cell)))
      guard left <= right, bottom <= top else { continue }
      for row in bottom...top {
        for column in left...right {
          let center = PlanePoint(
            x: low.x + (Double(column) + 0.5) * CrowdWalls.cell, y: low.y + (Double(row) + 0.5) * CrowdWalls.cell)
          if wall.distance(to: center) <= limit { lists[row * columns + column].append(Int32(index)) }
        }
      }
    }
    var starts: [Int32] = [0]
    starts.reserveCapacity(lists.count + 1)
    var items: [Int32] = []
    for list in lists {
      items += list
      starts.append(Int32(items.count))
    }
    self.starts = starts
    self.items = items
  }
}
