internal import CContactKernel
internal import CordonGeometry

/// Which cells of a floor have walls, and lists of the walls that are near.
///
/// Both err on the side of walls: the answer "no wall" is always right, and no near wall is missed.
struct SightRaster: Sendable {
  let left: Double
  let bottom: Double
  /// The width of a cell, metres.
  let cell: Double
  let columns: Int
  let rows: Int
  /// Windows of 8 by 8 cells, as the kernel describes them.
  private(set) var windows: [UInt64]
  let windowColumns: Int
  /// Where the windows of each width of cells begin.
  let windowRows: [UInt32]
  /// The square of the way that the middle of a sight line may go and be within reach of the lists of near walls, and of
  /// the longer ones.
  let shortWay: Double
  let longWay: Double
  let listColumns: Int
  let listRows: Int
  /// Of each square: where its list begins in ``near``; then again for the longer lists, and one more at the end.
  private(set) var starts: [Int32] = []
  private(set) var near: [Int32] = []

  private static let cellLimit = 4_000_000
  /// A margin against rounding, added to each distance; metres.
  private static let slack = 1e-3

  /// `nil` when there are no walls, or so large a floor that cells would be coarser than 2 m.
  init?(_ walls: [WallSegment], halfDistance: Double) {
    // Half of the ways: they lie before and after their middle.
    let (short, long) = (0.75, 2.0)
    // No wall comes near the cells of the edge, nor into the squares that they are in.
    let margin = halfDistance + long + 4
    let xs = walls.flatMap { [$0.a.x, $0.b.x] }
    let ys = walls.flatMap { [$0.a.y, $0.b.y] }
    guard let minX = xs.min(), let maxX = xs.max(), let minY = ys.min(), let maxY = ys.max() else { return nil }
    let (width, height) = (maxX - minX + 2 * margin, maxY - minY + 2 * margin)
    // The widest cells that still separate people who pass a wall from people on either side of it: the raster must fit
    // into the cache beside everything else.
    var cell = 0.5
    while width / cell * (height / cell) > Double(SightRaster.cellLimit) { cell *= 2 }
    guard cell <= 2 else { return nil }
    left = minX - margin
    bottom = minY - margin
    self.cell = cell
    columns = Int(width / cell) + 1
    rows = Int(height / cell) + 1
    listColumns = (columns - 1) >> Int(CORDON_CONTACT_LIST_SHIFT) + 1
    listRows = (rows - 1) >> Int(CORDON_CONTACT_LIST_SHIFT) + 1
    windowColumns = (columns - 1) >> 2 + 1
    var windowRows: [UInt32] = []
    var count = 0
    for doublings in 0..<Int(CORDON_CONTACT_CELL_WIDTHS) {
      windowRows.append(UInt32(count))
      count += (rows - 1) >> (2 + doublings) + 1
    }
    self.windowRows = windowRows
    shortWay = 4 * short * short
    longWay = 4 * long * long
    windows = [UInt64](repeating: 0, count: count * windowColumns)
    for wall in walls {
      forEachSquare(near: wall, reach: SightRaster.slack, width: cell, columns: columns, rows: rows) {
        if SightRaster.crosses(wall, x: $2, y: $3, half: cell * 0.5 + SightRaster.slack) { mark(row: $0, column: $1) }
      }
    }
    list(walls, within: [halfDistance + short, halfDistance + long])
  }

  /// Marks a cell in all windows that it is in.
  private mutating func mark(row: Int, column: Int) {
    for doublings in windowRows.indices {
      let (row, column) = (row >> doublings, column >> doublings)
      for windowRow in max((row >> 2) - 1, 0)...(row >> 2) {
        for windowColumn in max((column >> 2) - 1, 0)...(column >> 2) {
          let bit = (row - windowRow * 4) * 8 + (column - windowColumn * 4)
          windows[(Int(windowRows[doublings]) + windowRow) * windowColumns + windowColumn] |= 1 << UInt64(bit)
        }
      }
    }
  }

  private mutating func list(_ walls: [WallSegment], within limits: [Double]) {
    var entries: [(place: Int, wall: Int32)] = []
    let width = cell * Double(1 << CORDON_CONTACT_LIST_SHIFT)
    let squares = listColumns * listRows
    for (set, limit) in limits.enumerated() {
      for (number, wall) in walls.enumerated() {
        forEachSquare(near: wall, reach: limit, width: width, columns: listColumns, rows: listRows) {
          // From anywhere in the square it may be half a diagonal less.
          if SightRaster.distance(wall, $2, $3) - width * 0.7072 <= limit {
            entries.append((set * squares + $0 * listColumns + $1, Int32(truncatingIfNeeded: number)))
          }
        }
      }
    }
    entries.sort { ($0.place, $0.wall) < ($1.place, $1.wall) }
    starts = [Int32](repeating: 0, count: limits.count * squares + 1)
    for entry in entries { starts[entry.place + 1] += 1 }
    for place in starts.indices.dropFirst() { starts[place] += starts[place - 1] }
    // One more, which is never read, so that there is something to point to.
    near = entries.map(\.wall) + [0]
  }

  /// Calls `body` with each square that may come within `reach` of the box round a wall, and its middle.
  private func forEachSquare(
    near wall: WallSegment, reach: Double, width: Double, columns: Int, rows: Int,
    _ body: (_ row: Int, _ column: Int, _ x: Double, _ y: Double) -> Void
  ) {
    let (x0, x1) = (min(wall.a.x, wall.b.x) - reach, max(wall.a.x, wall.b.x) + reach)
    let (y0, y1) = (min(wall.a.y, wall.b.y) - reach, max(wall.a.y, wall.b.y) + reach)
    for row in max(Int((y0 - bottom) / width), 0)...min(Int((y1 - bottom) / width), rows - 1) {
      for column in max(Int((x0 - left) / width), 0)...min(Int((x1 - left) / width), columns - 1) {
        body(row, column, left + (Double(column) + 0.5) * width, bottom + (Double(row) + 0.5) * width)
      }
    }
  }

  /// Whether a wall comes into the square that reaches `half` to each side of a place: it is in the square's way along both axes,
  /// and its line passes near enough.
  private static func crosses(_ wall: WallSegment, x: Double, y: Double, half: Double) -> Bool {
    let (dx, dy) = (wall.b.x - wall.a.x, wall.b.y - wall.a.y)
    guard min(wall.a.x, wall.b.x) <= x + half, max(wall.a.x, wall.b.x) >= x - half,
      min(wall.a.y, wall.b.y) <= y + half, max(wall.a.y, wall.b.y) >= y - half
    else { return false }
    return abs((x - wall.a.x) * dy - (y - wall.a.y) * dx) <= half * (abs(dx) + abs(dy))
  }

  private static func distance(_ wall: WallSegment, _ x: Double, _ y: Double) -> Double {
    let (dx, dy) = (wall.b.x - wall.a.x, wall.b.y - wall.a.y)
    let (px, py) = (x - wall.a.x, y - wall.a.y)
    let length = dx * dx + dy * dy
    let share = length > 0 ? min(max((px * dx + py * dy) / length, 0), 1) : 0
    let (ex, ey) = (px - dx * share, py - dy * share)
    return (ex * ex + ey * ey).squareRoot()
  }
}
