/// A raster of polygons. Most points are answered by a table lookup, others by tests of a few edges.
///
/// A cell contains 0 (no polygon), owner + 1 (wholly inside, without a more important polygon), or a bit and the
/// position of a list.
///
/// `@unchecked Sendable` holds because the buffers are written only in `init`.
final class AreaRaster: @unchecked Sendable {
  let grid: RasterGrid
  private let cells: UnsafeMutablePointer<UInt32>
  private let entries: UnsafeMutablePointer<RasterBuilder.Entry>
  private let references: UnsafeMutablePointer<Int32>
  private let edges: UnsafeMutablePointer<SIMD4<Double>>

  private static let listBit: UInt32 = 0x8000_0000

  /// Creates a raster of polygons, the most important ones first.
  /// - Parameters:
  ///   - shift: the finest level, with 2^shift columns and rows. A coarser level is used for outlines that would need
  ///     much more time and memory than those of rooms and buildings.
  ///   - grid: creates the grid of a level.
  init(_ areas: [PlaneArea], shift: Int, grid: (_ shift: Int) -> RasterGrid) {
    let builder = AreaRaster.build(areas, shift: shift, grid: grid)
    self.grid = builder.grid
    cells = .allocate(capacity: builder.heads.count)
    cells.initialize(repeating: 0, count: builder.heads.count)
    references = AreaRaster.copy(builder.references)
    edges = AreaRaster.copy(builder.edges)
    // The entries of a cell are adjacent; the last one has no next entry.
    var ordered: [RasterBuilder.Entry] = []
    for (cell, head) in builder.heads.enumerated() where head >= 0 {
      let first = builder.entries[Int(head)]
      if first.isWhole {
        cells[cell] = UInt32(first.owner) + 1
        continue
      }
      cells[cell] = UInt32(ordered.count) | AreaRaster.listBit
      var index = head
      while index >= 0 {
        ordered.append(builder.entries[Int(index)])
        index = builder.entries[Int(index)].next
      }
    }
    entries = AreaRaster.copy(ordered)
  }

  private static func build(
    _ areas: [PlaneArea], shift: Int, grid: (_ shift: Int) -> RasterGrid
  ) -> RasterBuilder {
    let edgeCount = areas.reduce(0) { $0 + $1.rings.reduce(0) { $0 + $1.count } }
    let isCoarsest = shift <= 3
    var builder = RasterBuilder(
      grid: grid(shift), budget: isCoarsest ? Int.max : 50_000_000 + 64 * edgeCount)
    for area in areas where !builder.isExhausted { builder.add(area) }
    return builder.isExhausted ? build(areas, shift: max(shift - 2, 3), grid: grid) : builder
  }

  deinit {
    cells.deallocate()
    entries.deallocate()
    references.deallocate()
    edges.deallocate()
  }

  private static func copy<Element>(_ array: [Element]) -> UnsafeMutablePointer<Element> {
    let pointer = UnsafeMutablePointer<Element>.allocate(capacity: max(array.count, 1))
    array.withUnsafeBufferPointer { source in
      if let base = source.baseAddress { pointer.initialize(from: base, count: array.count) }
    }
    return pointer
  }

  /// Returns the content of a cell without a look into its list.
  func content(ofCell cell: Int) -> (isList: Bool, owner: Int?) {
    let value = cells[cell]
    if value & AreaRaster.listBit != 0 { return (true, nil) }
    return (false, value == 0 ? nil : Int(value) - 1)
  }

  /// Returns the owner of the most important polygon at a point; `nil` if there is none.
  @inline(__always)
  func owner(x: Double, y: Double) -> Int? {
    let value = cells[grid.cell(x: x, y: y)]
    if value & AreaRaster.listBit == 0 { return value == 0 ? nil : Int(value) &- 1 }
    return firstOwner(x: x, y: y, list: Int(value ^ AreaRaster.listBit))
  }

  /// Returns the first owner in the list of a point's cell.
  @inline(never)
  func firstOwner(x: Double, y: Double, list: Int) -> Int? {
    var index = list
    while true {
      let entry = entries[index]
      if contains(x: x, y: y, entry) { return Int(entry.owner) }
      if entry.next < 0 { return nil }
      index += 1
    }
  }

  /// Returns the list of a cell, for ``firstOwner(x:y:list:)``; `nil` if it has none.
  func list(ofCell cell: Int) -> Int? {
    let value = cells[cell]
    return value & AreaRaster.listBit == 0 ? nil : Int(value ^ AreaRaster.listBit)
  }

  @inline(__always)
  private func contains(x: Double, y: Double, _ entry: RasterBuilder.Entry) -> Bool {
    var inside = entry.parity
    var reference = Int(entry.first)
    let end = Int(entry.end)
    while reference < end {
      let c = edges[Int(references[reference])]
      reference += 1
      if (c.y > y) != (c.w > y) {
        let side = Orientation.side(ax: c.x, ay: c.y, bx: c.z, by: c.w, px: x, py: y)
        if side == 0 { return true }
        inside = inside != ((side > 0) == (c.w > c.y))
      } else if c.y == y || c.w == y {
        let crossing = PlaneRing.crossing(
          PlanePoint(x: c.x, y: c.y), PlanePoint(x: c.z, y: c.w), PlanePoint(x: x, y: y))
        if crossing == .on { return true }
      }
    }
    return inside
  }
}
