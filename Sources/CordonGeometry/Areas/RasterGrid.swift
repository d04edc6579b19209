/// Where the cells of a raster lie: `size` x `size` of them, of which the outermost ring stays empty.
///
/// Cell (i, j) has its middle where the scaled coordinates are (i, j); anything outside of the raster is mapped to the
/// empty ring, not-a-number included.
struct RasterGrid: Sendable {
  /// log2 of the number of columns and rows.
  let shift: Int
  let originX: Double
  let originY: Double
  let scaleX: Double
  let scaleY: Double

  /// Added to a small number that is not negative, this leaves it rounded to a whole one in the lowest bits.
  static let rounder = 0x1.8p52
  /// Coordinates closer than this are as good as equal for the choice of a cell (degrees: 0.1 um).
  static let resolution = 1e-12

  init(shift: Int, minX: Double, minY: Double, maxX: Double, maxY: Double) {
    self.shift = shift
    let inner = Double((1 << shift) - 3)
    scaleX = inner / max(maxX - minX, 1e-9)
    scaleY = inner / max(maxY - minY, 1e-9)
    // The box reaches from the middle of the first inner cell to that of the last, so no rounding leads out.
    originX = minX - 1 / scaleX
    originY = minY - 1 / scaleY
  }

  var size: Int { 1 << shift }

  @inline(__always)
  func cell(x: Double, y: Double) -> Int {
    let limit = Double(size - 1)
    var fx = (x - originX) * scaleX
    var fy = (y - originY) * scaleY
    // Not-a-number fails the comparison and goes to column 0.
    fx = fx > 0 ? fx : 0
    fy = fy > 0 ? fy : 0
    fx = fx < limit ? fx : limit
    fy = fy < limit ? fy : limit
    let column = UInt32(truncatingIfNeeded: (fx + RasterGrid.rounder).bitPattern)
    let row = UInt32(truncatingIfNeeded: (fy + RasterGrid.rounder).bitPattern)
    return Int(row &<< UInt32(truncatingIfNeeded: shift) | column)
  }

  /// The columns that a stretch of the x axis touches, with a little to spare on both sides; within the raster.
  func columns(_ low: Double, _ high: Double) -> ClosedRange<Int> {
    RasterGrid.range(
      (low - RasterGrid.resolution - originX) * scaleX, (high + RasterGrid.resolution - originX) * scaleX, size)
  }

  /// The rows that a stretch of the y axis touches.
  func rows(_ low: Double, _ high: Double) -> ClosedRange<Int> {
    RasterGrid.range(
      (low - RasterGrid.resolution - originY) * scaleY, (high + RasterGrid.resolution - originY) * scaleY, size)
  }

  /// The stretch of the y axis that a row covers, with a little to spare on both sides.
  func slab(_ row: Int) -> (low: Double, high: Double) {
    let middle = Double(row)
    return (
      originY + (middle - 0.5 - RasterGrid.margin) / scaleY - RasterGrid.resolution,
      originY + (middle + 0.5 + RasterGrid.margin) / scaleY + RasterGrid.resolution
    )
  }

  /// The middle of a cell.
  func middle(column: Int, row: Int) -> PlanePoint {
    PlanePoint(x: originX + Double(column) / scaleX, y: originY + Double(row) / scaleY)
  }

  private static let margin = 1e-6

  private static func range(_ low: Double, _ high: Double, _ size: Int) -> ClosedRange<Int> {
    let limit = Double(size - 1)
    let first = max(0, min(limit, (low - margin).rounded()))
    let last = max(first, min(limit, (high + margin).rounded()))
    return Int(first)...Int(last)
  }
}
