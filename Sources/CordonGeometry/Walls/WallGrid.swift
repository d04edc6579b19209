/// A grid over the walls of a floor: which walls pass through each cell, and how far each cell is from the nearest wall.
///
/// The buffers are written in `init` and only read afterwards, so sharing them between threads is safe:
/// that is why this class may call itself Sendable without the compiler's proof.
final class WallGrid: @unchecked Sendable {
  private let minX: Double
  private let minY: Double
  private let cell: Double
  private let inverseCell: Double
  private let columns: Int
  private let rows: Int
  /// ax, ay, bx, by of each wall.
  private let coordinates: UnsafeMutablePointer<SIMD4<Double>>
  /// Index of the wall in the caller's list.
  private let identifiers: UnsafeMutablePointer<Int32>
  /// Walls of cell c: `entries[offsets[c] ..< offsets[c + 1]]`.
  private let offsets: UnsafeMutablePointer<Int32>
  private let entries: UnsafeMutablePointer<Int32>
  /// Steps (also diagonal ones) to the nearest cell with a wall, at most 255.
  private let clearance: UnsafeMutablePointer<UInt8>

  /// Coordinates beyond this many metres are left to the plain rule.
  static let reach = 1e8
  /// Cells overlap by this much of their size, which is far more than rounding.
  private static let margin = 1e-6

  /// `nil` when no wall can be in the way of anything.
  init?(_ walls: [WallSegment]) {
    let usable = walls.indices.filter { index in
      let wall = walls[index]
      return wall.start != wall.end && WallGrid.isWithinReach(wall.start) && WallGrid.isWithinReach(wall.end)
    }
    guard !usable.isEmpty else { return nil }
    var (lowX, lowY) = (Double.infinity, Double.infinity)
    var (highX, highY) = (-Double.infinity, -Double.infinity)
    for index in usable {
      let wall = walls[index]
      lowX = min(lowX, wall.start.x, wall.end.x)
      lowY = min(lowY, wall.start.y, wall.end.y)
      highX = max(highX, wall.start.x, wall.end.x)
      highY = max(highY, wall.start.y, wall.end.y)
    }
    let (width, height) = (highX - lowX, highY - lowY)
    // About a metre, coarser only where the floor is so large that the cells would not stay in the cache.
    let budget = Double(max(40_000, 32 * usable.count))
    let size = max(1, (width * height / budget).squareRoot(), (width + height) / budget)
    cell = size
    inverseCell = 1 / size
    (minX, minY) = (lowX, lowY)
    columns = Int(width / size) + 1
    rows = Int(height / size) + 1

    coordinates = .allocate(capacity: usable.count)
    identifiers = .allocate(capacity: usable.count)
    for (place, index) in usable.enumerated() {
      let wall = walls[index]
      coordinates[place] = SIMD4(wall.start.x, wall.start.y, wall.end.x, wall.end.y)
      identifiers[place] = Int32(truncatingIfNeeded: index)
    }
    let cellCount = columns * rows
    offsets = .allocate(capacity: cellCount + 1)
    offsets.initialize(repeating: 0, count: cellCount + 1)
    clearance = .allocate(capacity: cellCount)
    clearance.initialize(repeating: 255, count: cellCount)
    entries = WallGrid.fill(
      offsets, cellCount: cellCount, wallCount: usable.count,
      cellsOf: { [coordinates, minX, minY, inverseCell, columns, rows] wall, body in
        WallGrid.visitCells(
          coordinates[wall], minX: minX, minY: minY, inverseCell: inverseCell, columns: columns, rows: rows
        ) {
          body($0)
          return true
        }
      })
    measureClearance()
  }

  deinit {
    coordinates.deallocate()
    identifiers.deallocate()
    offsets.deallocate()
    entries.deallocate()
    clearance.deallocate()
  }

  static func isWithinReach(_ point: PlanePoint) -> Bool {
    abs(point.x) <= reach && abs(point.y) <= reach
  }

  /// Counts, sums up, fills: the usual three passes of a list per cell.
  private static func fill(
    _ offsets: UnsafeMutablePointer<Int32>, cellCount: Int, wallCount: Int, cellsOf: (Int, (Int) -> Void) -> Void
  ) -> UnsafeMutablePointer<Int32> {
    for wall in 0..<wallCount { cellsOf(wall) { offsets[$0] += 1 } }
    var total: Int32 = 0
    for index in 0...cellCount {
      total += offsets[index]
      offsets[index] = total
    }
    let entries = UnsafeMutablePointer<Int32>.allocate(capacity: max(Int(total), 1))
    // Backwards, so that the lists are in the order of the walls and the ends become the starts.
    for wall in stride(from: wallCount - 1, through: 0, by: -1) {
      cellsOf(wall) {
        offsets[$0] -= 1
        entries[Int(offsets[$0])] = Int32(wall)
      }
    }
    return entries
  }

  /// Two sweeps over the grid give the chessboard distance to the nearest cell with a wall.
  private func measureClearance() {
    for row in 0..<rows {
      for column in 0..<columns {
        let index = row * columns + column
        if offsets[index] < offsets[index + 1] {
          clearance[index] = 0
          continue
        }
        for (dr, dc) in [(-1, -1), (-1, 0), (-1, 1), (0, -1)] { relax(row, column, row + dr, column + dc) }
      }
    }
    for row in stride(from: rows - 1, through: 0, by: -1) {
      for column in stride(from: columns - 1, through: 0, by: -1) {
        for (dr, dc) in [(1, 1), (1, 0), (1, -1), (0, 1)] { relax(row, column, row + dr, column + dc) }
      }
    }
  }

  private func relax(_ row: Int, _ column: Int, _ otherRow: Int, _ otherColumn: Int) {
    guard (0..<rows).contains(otherRow), (0..<columns).contains(otherColumn) else { return }
    let other = clearance[otherRow * columns + otherColumn]
    let index = row * columns + column
    clearance[index] = min(clearance[index], other == 255 ? 255 : other + 1)
  }

  /// Calls `body` with each cell that the segment passes through until it returns false.
  @inline(__always)
  private static func visitCells(
    _ segment: SIMD4<Double>, minX: Double, minY: Double, inverseCell: Double, columns: Int, rows: Int,
    _ body: (Int) -> Bool
  ) {
    // In units of cells, the lower end first.
    let ascending = segment.y <= segment.w
    let x0 = ((ascending ? segment.x : segment.z) - minX) * inverseCell
    let y0 = ((ascending ? segment.y : segment.w) - minY) * inverseCell
    let x1 = ((ascending ? segment.z : segment.x) - minX) * inverseCell
    let y1 = ((ascending ? segment.w : segment.y) - minY) * inverseCell
    let firstRow = max(Int((y0 - margin).rounded(.down)), 0)
    let lastRow = min(Int((y1 + margin).rounded(.down)), rows - 1)
    guard firstRow <= lastRow else { return }
    let slope = y1 > y0 ? (x1 - x0) / (y1 - y0) : 0
    let (lowX, highX) = (min(x0, x1), max(x0, x1))
    for row in firstRow...lastRow {
      var (left, right) = (lowX, highX)
      if firstRow < lastRow && y1 - y0 > margin {
        let enter = x0 + slope * (Double(row) - margin - y0)
        let leave = x0 + slope * (Double(row + 1) + margin - y0)
        left = max(left, min(enter, leave))
        right = min(right, max(enter, leave))
      }
      let firstColumn = max(Int((left - margin).rounded(.down)), 0)
      let lastColumn = min(Int((right + margin).rounded(.down)), columns - 1)
      var index = row * columns + firstColumn
      let end = row * columns + lastColumn
      while index <= end {
        if !body(index) { return }
        index += 1
      }
    }
  }

  /// Calls `body` with each wall in the way (some several times) until it returns false.
  @inline(__always)
  private func visitBlocking(_ from: PlanePoint, _ to: PlanePoint, _ body: (Int) -> Bool) {
    let sight = SIMD4(from.x, from.y, to.x, to.y)
    if isClear(sight) { return }
    let (lowX, highX) = (min(from.x, to.x), max(from.x, to.x))
    let (lowY, highY) = (min(from.y, to.y), max(from.y, to.y))
    WallGrid.visitCells(
      sight, minX: minX, minY: minY, inverseCell: inverseCell, columns: columns, rows: rows
    ) { index in
      var entry = Int(offsets[index])
      let end = Int(offsets[index + 1])
      while entry < end {
        let wall = Int(entries[entry])
        entry += 1
        let c = coordinates[wall]
        if max(c.x, c.z) < lowX || min(c.x, c.z) > highX || max(c.y, c.w) < lowY || min(c.y, c.w) > highY { continue }
        if Sight.isBlocked(ax: c.x, ay: c.y, bx: c.z, by: c.w, px: from.x, py: from.y, qx: to.x, qy: to.y) {
          if !body(wall) { return false }
        }
      }
      return true
    }
  }

  /// Whether the sight line stays among cells that are nearer to its first one than any wall is.
  @inline(__always)
  private func isClear(_ sight: SIMD4<Double>) -> Bool {
    let column = ((sight.x - minX) * inverseCell).rounded(.down)
    let row = ((sight.y - minY) * inverseCell).rounded(.down)
    guard column >= 0, row >= 0, column < Double(columns), row < Double(rows) else { return false }
    let steps = max(
      abs(((sight.z - minX) * inverseCell).rounded(.down) - column),
      abs(((sight.w - minY) * inverseCell).rounded(.down) - row))
    // One step to spare for a line that runs on the seam of two cells.
    return steps + 1 < Double(clearance[Int(row) * columns + Int(column)])
  }

  func isBlocked(_ from: PlanePoint, _ to: PlanePoint) -> Bool {
    var isBlocked = false
    visitBlocking(from, to) { _ in
      isBlocked = true
      return false
    }
    return isBlocked
  }

  /// How many walls are in the way; `nil` when there are too many to keep track of here.
  func crossingCount(_ from: PlanePoint, _ to: PlanePoint) -> Int? {
    withUnsafeTemporaryAllocation(of: Int.self, capacity: 64) { found -> Int? in
      var count = 0
      var isFull = false
      visitBlocking(from, to) { wall in
        for index in 0..<count where found[index] == wall { return true }
        guard count < found.count else {
          isFull = true
          return false
        }
        found[count] = wall
        count += 1
        return true
      }
      return isFull ? nil : count
    }
  }

  /// The wall that is met first, and where along the sight line (0 ... 1); of several the first in the list.
  func firstCrossing(_ from: PlanePoint, _ to: PlanePoint) -> (wall: Int, fraction: Double)? {
    var best: (wall: Int, fraction: Double)?
    visitBlocking(from, to) { wall in
      let c = coordinates[wall]
      let fraction = Sight.fraction(ax: c.x, ay: c.y, bx: c.z, by: c.w, px: from.x, py: from.y, qx: to.x, qy: to.y)
      let index = Int(identifiers[wall])
      if best.map({ (fraction, index) < ($0.fraction, $0.wall) }) ?? true { best = (index, fraction) }
      return true
    }
    return best
  }
}
