internal import CContactKernel
internal import CordonGeometry

/// How far the nearest wall is from the cells of a floor, and lists of the walls that are near.
///
/// Distances err on the small side; "far enough" is always true when it is said, and no near wall is missed.
struct SightRaster: Sendable {
  let left: Double
  let bottom: Double
  /// The width of a cell, metres.
  let cell: Double
  let columns: Int
  let rows: Int
  /// Of each cell, and of all the ground outside: to the nearest wall, at most ``farthest``.
  private(set) var decimetres: [UInt8]
  /// For each such distance the square of the radius of a circle that no wall reaches into.
  let clearRadii: [Double]
  /// The same, less half the contact distance.
  let clearTracks: [Double]
  /// The square of the way that the middle of a sight line may go within reach of the lists of near walls, and of the longer
  /// ones.
  let shortWay: Double
  let longWay: Double
  let listColumns: Int
  let listRows: Int
  /// Of each square, and of all the ground outside: where its list begins in ``near``; then again for the longer
  /// lists, and one more at the end.
  private(set) var starts: [Int32] = []
  private(set) var near: [Int32] = []

  private static let farthest = 40
  private static let cellLimit = 4_000_000

  /// `nil` when there are no walls, or so large a floor that cells would be coarser than 2 m.
  init?(_ walls: [WallSegment], halfDistance: Double) {
    let (short, long) = (0.75, 2.0)
    let reach = max(Double(SightRaster.farthest) / 10, halfDistance + long + 2)
    let xs = walls.flatMap { [$0.a.x, $0.b.x] }
    let ys = walls.flatMap { [$0.a.y, $0.b.y] }
    guard let minX = xs.min(), let maxX = xs.max(), let minY = ys.min(), let maxY = ys.max() else { return nil }
    let (width, height) = (maxX - minX + 2 * reach, maxY - minY + 2 * reach)
    // Fine enough to clear most of what is near a wall, small enough to stay in the cache next to everything else.
    var cell = 0.5
    while width / cell * (height / cell) > Double(SightRaster.cellLimit) { cell *= 2 }
    guard cell <= 2 else { return nil }
    left = minX - reach
    bottom = minY - reach
    self.cell = cell
    columns = Int(width / cell) + 1
    rows = Int(height / cell) + 1
    listColumns = (columns - 1) >> Int(LIST_SHIFT) + 1
    listRows = (rows - 1) >> Int(LIST_SHIFT) + 1
    let squares = { (reach: Double) -> [Double] in
      (0...SightRaster.farthest).map { decimetres in
        let room = max(Double(decimetres) / 10 - reach, 0)
        return room * room
      }
    }
    // A millimetre for rounding; `halfDistance` has one.
    clearRadii = squares(1e-3)
    clearTracks = squares(halfDistance)
    shortWay = short * short
    longWay = long * long
    decimetres = [UInt8](repeating: UInt8(SightRaster.farthest), count: columns * rows + 1)
    for wall in walls {
      forEachSquare(near: wall, reach: reach, width: cell, columns: columns, rows: rows) { place, distance in
        let limited = max(0, min(distance * 10, Double(SightRaster.farthest)))
        decimetres[place] = min(decimetres[place], UInt8(limited))
      }
    }
    list(walls, within: [halfDistance + short, halfDistance + long])
  }

  private mutating func list(_ walls: [WallSegment], within limits: [Double]) {
    var entries: [(place: Int, wall: Int32)] = []
    let width = cell * Double(1 << LIST_SHIFT)
    let squares = listColumns * listRows + 1
    for (set, limit) in limits.enumerated() {
      for (number, wall) in walls.enumerated() {
        forEachSquare(near: wall, reach: limit, width: width, columns: listColumns, rows: listRows) {
          if $1 <= limit { entries.append((set * squares + $0, Int32(truncatingIfNeeded: number))) }
        }
      }
    }
    entries.sort { ($0.place, $0.wall) < ($1.place, $1.wall) }
    starts = [Int32](repeating: 0, count: limits.count * squares + 1)
    for entry in entries { starts[entry.place + 1] += 1 }
    for place in starts.indices.dropFirst() { starts[place] += starts[place - 1] }
    // One more, since lanes without a wall read one.
    near = entries.map(\.wall) + [0]
  }

  /// Calls `body` with each square that may come within `reach` of a wall, and how far from the wall it is at
  /// least.
  private func forEachSquare(
    near wall: WallSegment, reach: Double, width: Double, columns: Int, rows: Int,
    _ body: (_ place: Int, _ distance: Double) -> Void
  ) {
    let (x0, x1) = (min(wall.a.x, wall.b.x) - reach, max(wall.a.x, wall.b.x) + reach)
    let (y0, y1) = (min(wall.a.y, wall.b.y) - reach, max(wall.a.y, wall.b.y) + reach)
    for row in max(Int((y0 - bottom) / width), 0)...min(Int((y1 - bottom) / width), rows - 1) {
      for column in max(Int((x0 - left) / width), 0)...min(Int((x1 - left) / width), columns - 1) {
        let (x, y) = (left + (Double(column) + 0.5) * width, bottom + (Double(row) + 0.5) * width)
        // From anywhere in the square it may be half a diagonal less.
        body(row * columns + column, SightRaster.distance(wall, x, y) - width * 0.7072)
      }
    }
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
