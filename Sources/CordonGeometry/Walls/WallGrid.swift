/// A grid over the walls of a floor: the walls through each cell, and the walls near it.
///
/// A sight line no longer than ``shortSight`` along each axis needs only the walls near the cell of its first end. A
/// longer one visits the cells along it. `@unchecked Sendable` holds because the buffers are written only in `init`.
final class WallGrid: @unchecked Sendable {
  private let layout: Layout
  /// ax, ay, bx, by of each wall.
  private let coordinates: UnsafeMutablePointer<SIMD4<Double>>
  /// The box of each wall: minimum x and y, and the negated maximum x and y, so that one comparison separates boxes.
  private let boxes: UnsafeMutablePointer<SIMD4<Double>>
  /// The index of the wall in the caller's list.
  private let identifiers: UnsafeMutablePointer<Int32>
  /// The walls that pass through each cell.
  private let through: CellLists
  /// The walls that come within `shortSight` of each cell.
  private let near: CellLists

  /// The maximum extent of a short sight line in metres. Contacts are this close.
  static let shortSight = 2.0
  /// The maximum coordinate in metres that the grid supports; the index tests walls beyond it one by one.
  static let reach = 1e8

  /// Builds the grid; `nil` if none of the walls can block a sight line.
  init?(_ walls: [WallSegment]) {
    let usable = walls.indices.filter { index in
      let wall = walls[index]
      return wall.a != wall.b && WallGrid.isWithinReach(wall.a) && WallGrid.isWithinReach(wall.b)
    }
    guard !usable.isEmpty else { return nil }
    coordinates = .allocate(capacity: usable.count)
    boxes = .allocate(capacity: usable.count)
    identifiers = .allocate(capacity: usable.count)
    var low = SIMD2(repeating: Double.infinity)
    var high = SIMD2(repeating: -Double.infinity)
    for (place, index) in usable.enumerated() {
      let wall = SIMD4(walls[index].a.x, walls[index].a.y, walls[index].b.x, walls[index].b.y)
      (coordinates + place).initialize(to: wall)
      (boxes + place).initialize(to: WallGrid.box(wall))
      (identifiers + place).initialize(to: Int32(truncatingIfNeeded: index))
      low = pointwiseMin(low, pointwiseMin(wall.lowHalf, wall.highHalf))
      high = pointwiseMax(high, pointwiseMax(wall.lowHalf, wall.highHalf))
    }
    let segments = Array(UnsafeBufferPointer(start: coordinates, count: usable.count))
    let layout = Layout(low: low, high: high, walls: segments)
    self.layout = layout
    through = CellLists(cellCount: layout.cellCount, itemCount: usable.count) { wall, body in
      layout.visitCells(segments[wall]) {
        body($0)
        return true
      }
    }
    near = CellLists(cellCount: layout.cellCount, itemCount: usable.count) { wall, body in
      layout.visitCells(segments[wall], reach: WallGrid.shortSight) {
        body($0)
        return true
      }
    }
  }

  deinit {
    coordinates.deallocate()
    boxes.deallocate()
    identifiers.deallocate()
  }

  static func isWithinReach(_ point: PlanePoint) -> Bool {
    abs(point.x) <= reach && abs(point.y) <= reach
  }

  @inline(__always)
  private static func box(_ segment: SIMD4<Double>) -> SIMD4<Double> {
    let low = pointwiseMin(segment.lowHalf, segment.highHalf)
    let high = pointwiseMax(segment.lowHalf, segment.highHalf)
    return SIMD4(lowHalf: low, highHalf: -high)
  }

  /// Calls `body` with each wall that blocks the sight line, some several times, until it returns false.
  @inline(__always)
  private func visitBlocking(_ from: PlanePoint, _ to: PlanePoint, _ body: (Int) -> Bool) {
    let sight = SIMD4(from.x, from.y, to.x, to.y)
    // A wall's box is apart from the sight line's if its minimum exceeds the other's maximum, or the reverse.
    let (lowX, highX) = from.x < to.x ? (from.x, to.x) : (to.x, from.x)
    let (lowY, highY) = from.y < to.y ? (from.y, to.y) : (to.y, from.y)
    let limits = SIMD4(highX, highY, -lowX, -lowY)
    if highX - lowX <= WallGrid.shortSight, highY - lowY <= WallGrid.shortSight,
      let cell = layout.cell(x: from.x, y: from.y)
    {
      _ = visitBlocking(sight, limits, in: near, cell, body)
    } else {
      layout.visitCells(sight) { visitBlocking(sight, limits, in: through, $0, body) }
    }
  }

  @inline(__always)
  private func visitBlocking(
    _ sight: SIMD4<Double>, _ limits: SIMD4<Double>, in lists: CellLists, _ cell: Int, _ body: (Int) -> Bool
  ) -> Bool {
    var entry = lists.start(of: cell)
    let end = lists.start(of: cell &+ 1)
    while entry < end {
      let wall = lists.item(entry)
      entry &+= 1
      if any(boxes[wall] .> limits) { continue }
      let c = coordinates[wall]
      if Sight.isBlocked(ax: c.x, ay: c.y, bx: c.z, by: c.w, px: sight.x, py: sight.y, qx: sight.z, qy: sight.w) {
        if !body(wall) { return false }
      }
    }
    return true
  }

  func isBlocked(_ from: PlanePoint, _ to: PlanePoint) -> Bool {
    var isBlocked = false
    visitBlocking(from, to) { _ in
      isBlocked = true
      return false
    }
    return isBlocked
  }

  /// Returns the number of walls that block the sight line; `nil` if it exceeds the room for 64.
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

  /// Returns the first wall along the sight line and the position on it (0 ... 1). Of several at one point, the first
  /// in the list.
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

extension WallGrid {
  /// The layout of the cells. A cell measures about one metre, and more if the floor is so large that its cells would
  /// not fit into the cache.
  struct Layout: Sendable {
    private let minX: Double
    private let minY: Double
    private let inverseCell: Double
    private let columns: Int
    private let rows: Int
    /// The overlap of cells as a share of their size, far more than rounding.
    private static let margin = 1e-6

    init(low: SIMD2<Double>, high: SIMD2<Double>, walls: [SIMD4<Double>]) {
      let size = high - low
      let budget = Double(max(40_000, 4 * walls.count))
      var cell = max(1, (size.x * size.y / budget).squareRoot(), (size.x + size.y) / budget)
      // Many very long walls occupy very many cells each. Larger cells keep the memory in proportion.
      let length = walls.reduce(0) { $0 + abs($1.x - $1.z) + abs($1.y - $1.w) }
      while (length / cell + 3 * Double(walls.count)) * (2 * WallGrid.shortSight / cell + 3)
        > 64 * Double(walls.count) + 4e6
      {
        cell *= 2
      }
      inverseCell = 1 / cell
      (minX, minY) = (low.x, low.y)
      columns = Int(size.x / cell) + 1
      rows = Int(size.y / cell) + 1
    }

    var cellCount: Int { columns * rows }

    /// Returns the cell of a point; `nil` outside the grid.
    @inline(__always)
    func cell(x: Double, y: Double) -> Int? {
      let column = (x - minX) * inverseCell
      let row = (y - minY) * inverseCell
      guard column >= 0, row >= 0, column < Double(columns), row < Double(rows) else { return nil }
      return Int(row) &* columns &+ Int(column)
    }

    /// Calls `body` with each cell that the segment passes through or comes within `reach` metres of along both axes,
    /// until it returns false.
    @inline(__always)
    func visitCells(_ segment: SIMD4<Double>, reach: Double = 0, _ body: (Int) -> Bool) {
      let spare = reach * inverseCell + Layout.margin
      // In units of cells, the lower end first.
      let ascending = segment.y <= segment.w
      let x0 = ((ascending ? segment.x : segment.z) - minX) * inverseCell
      let y0 = ((ascending ? segment.y : segment.w) - minY) * inverseCell
      let x1 = ((ascending ? segment.z : segment.x) - minX) * inverseCell
      let y1 = ((ascending ? segment.w : segment.y) - minY) * inverseCell
      // Truncation rounds down here because values below the grid are cut off first.
      guard y1 + spare >= 0, y0 - spare < Double(rows) else { return }
      let firstRow = Int(max(y0 - spare, 0))
      let lastRow = Int(min(y1 + spare, Double(rows - 1)))
      let slope = y1 > y0 ? (x1 - x0) / (y1 - y0) : 0
      let (lowX, highX) = x0 < x1 ? (x0, x1) : (x1, x0)
      var row = firstRow
      while row <= lastRow {
        var (left, right) = (lowX, highX)
        if firstRow < lastRow && y1 - y0 > Layout.margin {
          let enter = x0 + slope * (Double(row) - spare - y0)
          let leave = x0 + slope * (Double(row + 1) + spare - y0)
          left = max(left, enter < leave ? enter : leave)
          right = min(right, enter < leave ? leave : enter)
        }
        if right + spare >= 0 && left - spare < Double(columns) {
          var index = row &* columns &+ Int(max(left - spare, 0))
          let end = row &* columns &+ Int(min(right + spare, Double(columns - 1)))
          while index <= end {
            if !body(index) { return }
            index &+= 1
          }
        }
        row += 1
      }
    }
  }
}
