/// The positions of the `size` x `size` cells of a raster. The outermost ring of cells stays empty.
///
/// The centre of cell (i, j) has the scaled coordinates (i, j). Points outside the raster, and NaN, are mapped to the
/// empty ring.
struct RasterGrid: Sendable {
  /// log2 of the number of columns and rows.
  let shift: Int
  let originX: Double
  let originY: Double
  let scaleX: Double
  let scaleY: Double

  /// Added to a number that is not too large, this constant rounds it to a whole number in the lowest bits.
  static let rounder = 0x1.8p52
  /// Coordinates closer than this are treated as equal in the choice of a cell (in degrees: 0.1 um).
  static let resolution = 1e-12

  init(shift: Int, minX: Double, minY: Double, maxX: Double, maxY: Double) {
    self.shift = shift
    let inner = Double((1 << shift) - 3)
    scaleX = inner / max(maxX - minX, 1e-9)
    scaleY = inner / max(maxY - minY, 1e-9)
    // The box reaches from the centre of the first inner cell to that of the last one, so rounding cannot leave the
    // raster.
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

  /// Returns the cell from the bits of the scaled coordinates plus ``rounder``.
  ///
  /// The function has no branch, because the cells of random positions cannot be predicted.
  @inline(__always)
  static func cell(columnBits: UInt64, rowBits: UInt64, shift: UInt64) -> Int {
    // Too small values, too large values and NaN all give a difference with high bits set.
    let column = columnBits &- rounder.bitPattern
    let row = rowBits &- rounder.bitPattern
    let excess = (column | row) &>> shift
    // All ones if there is no excess, else 0. Compilers would turn a conditional into a branch.
    let mask = Int64(bitPattern: excess &- 1) &>> 63
    return Int(truncatingIfNeeded: (row &<< shift | column) & UInt64(bitPattern: mask))
  }

  /// Returns the columns that a range of the x axis touches, with a small margin, within the raster.
  func columns(_ low: Double, _ high: Double) -> ClosedRange<Int> {
    RasterGrid.range(
      (low - RasterGrid.resolution - originX) * scaleX, (high + RasterGrid.resolution - originX) * scaleX, size)
  }

  /// Returns the rows that a range of the y axis touches.
  func rows(_ low: Double, _ high: Double) -> ClosedRange<Int> {
    RasterGrid.range(
      (low - RasterGrid.resolution - originY) * scaleY, (high + RasterGrid.resolution - originY) * scaleY, size)
  }

  /// Returns the range of the y axis that a row covers, with a small margin.
  func slab(_ row: Int) -> (low: Double, high: Double) {
    let middle = Double(row)
    return (
      originY + (middle - 0.5 - RasterGrid.margin) / scaleY - RasterGrid.resolution,
      originY + (middle + 0.5 + RasterGrid.margin) / scaleY + RasterGrid.resolution
    )
  }

  /// Returns the centre of a cell.
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
