internal import CordonGeometry

/// How far the nearest wall is, cell by cell: what dismisses most sight lines at a glance.
///
/// Values err on the small side; "far enough" is always true when it is said.
struct ClearanceRaster: Sendable {
  private let left: Double
  private let bottom: Double
  private let perMetre: Double
  private let columns: Int
  private let rows: Int
  /// Decimetres, at most ``farthest``.
  private let cells: [UInt8]

  private static let farthest = 40
  private static let cellLimit = 4_000_000

  /// `nil` when there are no walls that matter, or so large a floor that cells would be coarser than 2 m.
  init?(_ walls: [WallSegment]) {
    let usable = walls.filter { wall in
      [wall.start.x, wall.start.y, wall.end.x, wall.end.y].allSatisfy { abs($0) < 1e8 }
    }
    guard !usable.isEmpty, usable.count == walls.count else { return nil }
    let reach = Double(ClearanceRaster.farthest) / 10
    let xs = usable.flatMap { [$0.start.x, $0.end.x] }
    let ys = usable.flatMap { [$0.start.y, $0.end.y] }
    guard let minX = xs.min(), let maxX = xs.max(), let minY = ys.min(), let maxY = ys.max() else { return nil }
    var cell = 0.5
    while (maxX - minX + 2 * reach) / cell * ((maxY - minY + 2 * reach) / cell) > Double(ClearanceRaster.cellLimit) {
      cell *= 2
    }
    guard cell <= 2 else { return nil }
    left = minX - reach
    bottom = minY - reach
    perMetre = 1 / cell
    columns = Int((maxX - minX + 2 * reach) / cell) + 1
    rows = Int((maxY - minY + 2 * reach) / cell) + 1
    var cells = [UInt8](repeating: UInt8(ClearanceRaster.farthest), count: columns * rows)
    for wall in usable {
      let (x0, x1) = (min(wall.start.x, wall.end.x) - reach, max(wall.start.x, wall.end.x) + reach)
      let (y0, y1) = (min(wall.start.y, wall.end.y) - reach, max(wall.start.y, wall.end.y) + reach)
      for row in max(Int((y0 - bottom) / cell), 0)...min(Int((y1 - bottom) / cell), rows - 1) {
        for column in max(Int((x0 - left) / cell), 0)...min(Int((x1 - left) / cell), columns - 1) {
          let x = left + (Double(column) + 0.5) * cell
          let y = bottom + (Double(row) + 0.5) * cell
          // From anywhere in the cell it may be half a diagonal less.
          let distance = ClearanceRaster.distance(wall, x, y) - cell * 0.7072
          let decimetres = UInt8(max(0, min(distance * 10, Double(ClearanceRaster.farthest))))
          cells[row * columns + column] = min(cells[row * columns + column], decimetres)
        }
      }
    }
    self.cells = cells
  }

  /// Whether no wall comes within `radius` metres of a place; false when that is not known.
  @inline(__always)
  func isClear(x: Double, y: Double, radius: Double) -> Bool {
    let column = (x - left) * perMetre
    let row = (y - bottom) * perMetre
    guard column >= 0, row >= 0, column < Double(columns), row < Double(rows) else {
      // Outside of the raster the nearest wall is further than its margin.
      return radius < Double(ClearanceRaster.farthest) / 10
    }
    return cells.withUnsafeBufferPointer { radius * 10 < Double($0[Int(row) &* columns &+ Int(column)]) }
  }

  private static func distance(_ wall: WallSegment, _ x: Double, _ y: Double) -> Double {
    let (dx, dy) = (wall.end.x - wall.start.x, wall.end.y - wall.start.y)
    let (px, py) = (x - wall.start.x, y - wall.start.y)
    let length = dx * dx + dy * dy
    let share = length > 0 ? min(max((px * dx + py * dy) / length, 0), 1) : 0
    let (ex, ey) = (px - dx * share, py - dy * share)
    return (ex * ex + ey * ey).squareRoot()
  }
}

/// The walls of one floor, ready for many sight lines.
struct SightFloor: Sendable {
  let walls: WallIndex
  let clearance: ClearanceRaster?

  init(_ walls: WallIndex) {
    self.walls = walls
    clearance = ClearanceRaster(walls.walls)
  }
}
