internal import CContactKernel
internal import CordonGeometry

/// How far the nearest wall is, cell by cell, and which walls are near: what dismisses most sight lines at a glance.
///
/// Values err on the small side; "far enough" is always true when it is said, and no near wall is missed.
struct ClearanceRaster: Sendable {
  private let left: Double
  private let bottom: Double
  private let perMetre: Double
  private let columns: Int
  private let rows: Int
  private let cells: [Cell]
  /// To the nearest wall, at most ``farthest``.
  private let decimetres: [UInt8]
  private let nearWalls: [Int32]
  private let lines: [WallLine]

  /// What is known of a cell, in one place.
  private struct Cell {
    /// Where its list begins in ``nearWalls``.
    var start: Int32
    var count: Int32
  }

  /// A wall as an origin, a direction and a length.
  struct WallLine {
    var x: Double
    var y: Double
    var ux: Double
    var uy: Double
    var length: Double
  }

  /// Lists hold the walls that come within so many metres of a cell.
  let nearness: Double
  private static let farthest = 40
  private static let cellLimit = 4_000_000

  /// `nil` when there are no walls that matter, or so large a floor that cells would be coarser than 2 m.
  init?(_ walls: [WallSegment], nearness: Double) {
    let usable = walls.filter { wall in
      [wall.start.x, wall.start.y, wall.end.x, wall.end.y].allSatisfy { abs($0) < 1e8 }
    }
    guard !usable.isEmpty, usable.count == walls.count else { return nil }
    let reach = max(Double(ClearanceRaster.farthest) / 10, nearness + 1)
    self.nearness = nearness
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
    var entries: [(cell: Int32, wall: Int32)] = []
    for (number, wall) in usable.enumerated() {
      let (x0, x1) = (min(wall.start.x, wall.end.x) - reach, max(wall.start.x, wall.end.x) + reach)
      let (y0, y1) = (min(wall.start.y, wall.end.y) - reach, max(wall.start.y, wall.end.y) + reach)
      for row in max(Int((y0 - bottom) / cell), 0)...min(Int((y1 - bottom) / cell), rows - 1) {
        for column in max(Int((x0 - left) / cell), 0)...min(Int((x1 - left) / cell), columns - 1) {
          let x = left + (Double(column) + 0.5) * cell
          let y = bottom + (Double(row) + 0.5) * cell
          // From anywhere in the cell it may be half a diagonal less.
          let distance = ClearanceRaster.distance(wall, x, y) - cell * 0.7072
          let decimetres = UInt8(max(0, min(distance * 10, Double(ClearanceRaster.farthest))))
          let place = row * columns + column
          cells[place] = min(cells[place], decimetres)
          if distance <= nearness {
            entries.append((Int32(truncatingIfNeeded: place), Int32(truncatingIfNeeded: number)))
          }
        }
      }
    }
    entries.sort { ($0.cell, $0.wall) < ($1.cell, $1.wall) }
    nearWalls = entries.map(\.wall)
    var k = 0
    decimetres = cells
    self.cells = cells.indices.map { place in
      let start = k
      while k < entries.count, Int(entries[k].cell) == place { k += 1 }
      return Cell(start: Int32(truncatingIfNeeded: start), count: Int32(truncatingIfNeeded: k - start))
    }
    lines = usable.map { wall in
      let (dx, dy) = (wall.end.x - wall.start.x, wall.end.y - wall.start.y)
      let length = (dx * dx + dy * dy).squareRoot()
      return WallLine(
        x: wall.start.x, y: wall.start.y, ux: length > 0 ? dx / length : 1, uy: length > 0 ? dy / length : 0,
        length: length)
    }
  }

  /// The walls that come within ``nearness`` of a place, as numbers for ``line(_:)``; `nil` outside of the raster.
  @inline(__always)
  func walls(near x: Double, _ y: Double) -> Range<Int>? {
    guard let place = place(x: x, y: y) else { return nil }
    return cells.withUnsafeBufferPointer { cells in
      let cell = cells[place]
      return Int(cell.start)..<(Int(cell.start) &+ Int(cell.count))
    }
  }

  /// A wall of a list.
  @inline(__always)
  func line(_ number: Int) -> WallLine {
    nearWalls.withUnsafeBufferPointer { nearWalls in
      lines.withUnsafeBufferPointer { $0[Int(nearWalls[number])] }
    }
  }

  /// The raster as the kernel wants it.
  @inline(__always)
  func withKernelForm<Result>(
    distance: Double, _ body: (UnsafePointer<contact_clearance>) -> Result
  ) -> Result {
    decimetres.withUnsafeBufferPointer { decimetres in
      var form = contact_clearance(
        left: left, bottom: bottom, per_metre: perMetre, columns: UInt32(columns), rows: UInt32(rows),
        decimetres: decimetres.baseAddress, margin: Double(ClearanceRaster.farthest) / 10,
        half_distance: distance * 0.5 + 1e-3)
      return body(&form)
    }
  }

  @inline(__always)
  private func place(x: Double, y: Double) -> Int? {
    let column = (x - left) * perMetre
    let row = (y - bottom) * perMetre
    guard column >= 0, row >= 0, column < Double(columns), row < Double(rows) else { return nil }
    return Int(row) &* columns &+ Int(column)
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

  /// - Parameter distance: the contact distance, metres.
  init(_ walls: WallIndex, distance: Double) {
    self.walls = walls
    // Beyond this lists of near walls would hold most of them.
    clearance = distance <= 36 ? ClearanceRaster(walls.walls, nearness: max(3, distance * 0.5 + 2)) : nil
  }

  /// Lends the raster to the kernel; `nil` when there is none.
  @inline(__always)
  static func withClearance<Result>(
    of floor: SightFloor?, distance: Double, _ body: (UnsafePointer<contact_clearance>?) -> Result
  ) -> Result {
    guard let clearance = floor?.clearance else { return body(nil) }
    return clearance.withKernelForm(distance: distance) { body($0) }
  }

  /// Whether a wall is in the way.
  @inline(__always)
  func isBlocked(from: PlanePoint, to: PlanePoint) -> Bool {
    walls.isBlocked(from: from, to: to)
  }
}
