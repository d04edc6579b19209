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

  /// Added to a number, this leaves it rounded to a whole one in the lowest bits, when it is not too large for that.
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
    RasterGrid.cell(
      columnBits: ((x - originX) * scaleX + RasterGrid.rounder).bitPattern,
      rowBits: ((y - originY) * scaleY + RasterGrid.rounder).bitPattern, shift: UInt64(truncatingIfNeeded: shift))
  }

  /// The cell, given the bits of the scaled coordinates plus ``rounder``; without a branch, since where random
  /// positions fall cannot be foreseen.
  @inline(__always)
  static func cell(columnBits: UInt64, rowBits: UInt64, shift: UInt64) -> Int {
    // Too small, too large and not-a-number all give a difference with high bits set.
    let column = columnBits &- rounder.bitPattern
    let row = rowBits &- rounder.bitPattern
    let excess = (column | row) &>> shift
    // All ones where nothing is in excess, else 0: compilers turn a choice into a branch.
    let mask = Int64(bitPattern: excess &- 1) &>> 63
    return Int(truncatingIfNeeded: (row &<< shift | column) & UInt64(bitPattern: mask))
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
