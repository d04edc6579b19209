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
  /// By cell, the cells around it in which a wall may hide other people; see ``HidingCells``.
  private(set) var hidingCells: [HidingCells]
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
    hidingCells = [HidingCells](repeating: HidingCells(), count: columns * rows)
    let spans = walls.map { wall in
      (
        left: column(min(wall.a.x, wall.b.x)), right: column(max(wall.a.x, wall.b.x)),
        bottom: row(min(wall.a.y, wall.b.y)), top: row(max(wall.a.y, wall.b.y))
      )
    }
    for cell in hidingCells.indices {
      let (column, row) = (cell % columns, cell / columns)
      for item in Int(hiding.starts[cell])..<Int(hiding.starts[cell + 1]) {
        let span = spans[Int(hiding.items[item])]
        hidingCells[cell].insert(
          columns: (span.left - column)...(span.right - column), rows: (span.bottom - row)...(span.top - row))
      }
    }
  }

  /// Returns the column of cells that contains an eastward coordinate.
  @inline(__always)
  func column(_ x: Double) -> Int { min(max(Int((x - low.x) / CrowdWalls.cell), 0), columns - 1) }

  /// Returns the row of cells that contains a northward coordinate.
  @inline(__always)
  func row(_ y: Double) -> Int { min(max(Int((y - low.y) / CrowdWalls.cell), 0), rows - 1) }

  /// Returns the index of the cell that contains a point.
  @inline(__always)
  func cell(x: Double, y: Double) -> Int { row(y) * columns + column(x) }
}

/// The cells around a cell, up to three away, for which a wall may lie between a person in the one and a person in the other.
///
/// Two people in cells that are not in the set see each other: no wall enters the smallest rectangle of cells with both.
struct HidingCells: Sendable {
  /// The distance of the outermost cells, in cells.
  static let reach = 3
  private static let side = 2 * reach + 1
  /// Bit `side * (row + reach) + column + reach` stands for the cell at this distance.
  private var bits: UInt64 = 0

  /// Adds the cells that a wall may hide.
  /// - Parameters:
  ///   - columns: the columns of the wall's bounding box, relative to the cell.
  ///   - rows: its rows, relative to the cell.
  mutating func insert(columns: ClosedRange<Int>, rows: ClosedRange<Int>) {
    // A wall on one side is between the cell and those cells that are at least as far away on that side.
    func touched(_ offset: Int, _ span: ClosedRange<Int>) -> Bool {
      span.overlaps(min(offset, 0)...max(offset, 0))
    }
    let offsets = -HidingCells.reach...HidingCells.reach
    var line: UInt64 = 0
    for column in offsets where touched(column, columns) { line |= 1 << UInt64(column + HidingCells.reach) }
    guard line != 0 else { return }
    for row in offsets where touched(row, rows) { bits |= line << UInt64(HidingCells.side * (row + HidingCells.reach)) }
  }

  /// Checks whether a wall may hide people in a cell; always `true` beyond the reach.
  @inline(__always)
  func contains(column: Int, row: Int) -> Bool {
    let (right, up) = (column &+ HidingCells.reach, row &+ HidingCells.reach)
    guard UInt(bitPattern: right) < UInt(HidingCells.side), UInt(bitPattern: up) < UInt(HidingCells.side) else {
      return true
    }
    return bits &>> UInt64(truncatingIfNeeded: HidingCells.side &* up &+ right) & 1 != 0
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
