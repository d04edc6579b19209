import CordonCore

/// The contents of a ``Gate``: a table that classifies cells as outside, inside or to be tested.
///
/// `@unchecked Sendable` holds because the buffers are written only in `init`.
final class GateTable: @unchecked Sendable {
  private let grid: RasterGrid
  private let raster: AreaRaster
  /// The class of each cell: 0 outside, 1 inside, 2 to be tested.
  private let classes: UnsafeMutablePointer<UInt8>
  /// For each group of eight cells, the number of cells to be tested before it.
  private let ranks: UnsafeMutablePointer<UInt32>
  /// For each cell to be tested, its list in the raster; -1 for a cell that is only near the boundary.
  ///
  /// These cells are few, so this table stays in a faster cache than the raster.
  private let lists: UnsafeMutablePointer<Int32>
  private let bounds: GeoBounds
  /// Whether longitudes must be unwrapped, because the area reaches 180 degrees.
  private let wraps: Bool
  private let tolerance: Double
  /// The edges for the tolerance; empty without one.
  private let tree: EdgeTree

  /// Creates the table with at most 2^`largestShift` columns and rows; returns `nil` for an area without rings.
  init?(_ area: GeoMultiPolygon, tolerance: Double, largestShift: Int) {
    let rings = area.polygons.flatMap(\.validRings.rings)
    guard let bounds = GeoBounds(rings.flatMap { $0 }) else { return nil }
    let parts = PlaneArea.parts(of: area, owner: 0, in: bounds)
    let reach = GateTable.degrees(tolerance, at: bounds)
    wraps = bounds.west - reach.x <= -180 || bounds.east + reach.x >= 180
    let vertexCount = rings.reduce(0) { $0 + $1.count }
    // More edges give a finer table, so that few cells are on the boundary, as long as it fits into the fastest caches.
    let shift = min(vertexCount <= 400 ? 8 : (vertexCount <= 40_000 ? 9 : 10), largestShift)
    raster = AreaRaster(parts, shift: shift) {
      RasterGrid(
        shift: $0, minX: bounds.west - reach.x, minY: bounds.south - reach.y, maxX: bounds.east + reach.x,
        maxY: bounds.north + reach.y)
    }
    grid = raster.grid
    self.bounds = bounds
    self.tolerance = tolerance
    tree = EdgeTree(tolerance > 0 ? GateTable.edges(of: parts) : [])
    let kinds = GateTable.kinds(of: raster, near: tolerance > 0 ? reach : nil)
    classes = .allocate(capacity: kinds.count)
    ranks = .allocate(capacity: kinds.count / 8)
    lists = .allocate(capacity: max(kinds.count { $0 == 2 }, 1))
    var listCount = 0
    // Grids have at least 8 x 8 cells.
    for (cell, kind) in kinds.enumerated() {
      (classes + cell).initialize(to: kind)
      if cell % 8 == 0 { (ranks + cell / 8).initialize(to: UInt32(listCount)) }
      guard kind == 2 else { continue }
      (lists + listCount).initialize(to: raster.list(ofCell: cell).map { Int32($0) } ?? -1)
      listCount += 1
    }
  }

  deinit {
    classes.deallocate()
    ranks.deallocate()
    lists.deallocate()
  }

  /// Returns the class of every cell: 0 outside, 1 inside, 2 to be tested.
  private static func kinds(of raster: AreaRaster, near reach: (x: Double, y: Double)?) -> [UInt8] {
    var kinds = (0..<raster.grid.size * raster.grid.size).map { cell -> UInt8 in
      let content = raster.content(ofCell: cell)
      return content.isList ? 2 : (content.owner == nil ? 0 : 1)
    }
    if let reach { markNearCells(&kinds, raster.grid, reach) }
    return kinds
  }

  /// Returns all edges of the parts, numbered in order.
  static func edges(of parts: [PlaneArea]) -> [EdgeTree.Edge] {
    var edges: [EdgeTree.Edge] = []
    for ring in parts.flatMap(\.rings) {
      guard var previous = ring.last else { continue }
      for vertex in ring {
        edges.append(EdgeTree.Edge(ax: previous.x, ay: previous.y, bx: vertex.x, by: vertex.y, id: edges.count))
        previous = vertex
      }
    }
    return edges
  }

  /// Returns differences in degrees that are at least `metres` long anywhere near the box.
  private static func degrees(_ metres: Double, at bounds: GeoBounds) -> (x: Double, y: Double) {
    guard metres > 0 else { return (0, 0) }
    let north = metres / 110_000
    let steepest = min(max(abs(bounds.south), abs(bounds.north)) + north, 89.9)
    let frame = LocalFrame(origin: Coordinate(longitude: 0, latitude: steepest))
    return (min(metres / frame.metresPerDegreeEast * 1.01, 180), min(north, 90))
  }

  /// Marks outside cells that may contain positions within the tolerance as cells to be tested.
  ///
  /// These are the cells whose distance to a boundary cell, in columns and rows, is at most the tolerance.
  private static func markNearCells(_ kinds: inout [UInt8], _ grid: RasterGrid, _ reach: (x: Double, y: Double)) {
    let size = grid.size
    let columns = Int(min(reach.x * grid.scaleX, Double(size)).rounded(.up)) + 1
    let rows = Int(min(reach.y * grid.scaleY, Double(size)).rounded(.up)) + 1
    var near = kinds.map { $0 == 2 }
    for line in 0..<size { widen(&near, from: line * size, step: 1, count: size, by: columns) }
    for line in 0..<size { widen(&near, from: line, step: size, count: size, by: rows) }
    for cell in near.indices where near[cell] && kinds[cell] == 0 { kinds[cell] = 2 }
  }

  /// Marks the cells at most `reach` places before or after a marked cell on one line.
  private static func widen(_ marks: inout [Bool], from start: Int, step: Int, count: Int, by reach: Int) {
    let line = (0..<count).map { marks[start + $0 * step] }
    var last = -reach - 1
    for place in 0..<count {
      if line[place] { last = place }
      if place - last <= reach { marks[start + place * step] = true }
    }
    last = count + reach
    for place in stride(from: count - 1, through: 0, by: -1) {
      if line[place] { last = place }
      if last - place <= reach { marks[start + place * step] = true }
    }
  }

  @inline(__always)
  func contains(_ position: Coordinate) -> Bool {
    if wraps { return containsUnwrapped(position) }
    let cell = grid.cell(x: position.longitude, y: position.latitude)
    let found = classes[cell]
    if _fastPath(found < 2) { return found == 1 }
    return look(x: position.longitude, y: position.latitude, cell: cell)
  }

  @inline(never)
  private func containsUnwrapped(_ position: Coordinate) -> Bool {
    guard position.isValid else { return false }
    let x = bounds.unwrapped(position.longitude)
    let cell = grid.cell(x: x, y: position.latitude)
    let found = classes[cell]
    return found < 2 ? found == 1 : look(x: x, y: position.latitude, cell: cell)
  }

  @inline(never)
  private func look(x: Double, y: Double, cell: Int) -> Bool {
    // The cells to test before this one in the same group of eight; each is a byte with its second bit set.
    let eight = UnsafeRawPointer(classes + (cell & ~7)).loadUnaligned(as: UInt64.self).littleEndian
    let before = eight & 0x0202_0202_0202_0202 & ~(UInt64.max &<< UInt64(truncatingIfNeeded: cell &<< 3))
    let list = Int(lists[Int(ranks[cell &>> 3]) &+ before.nonzeroBitCount])
    if list >= 0, raster.firstOwner(x: x, y: y, list: list) != nil { return true }
    guard tolerance > 0 else { return false }
    let frame = LocalFrame(origin: Coordinate(longitude: 0, latitude: y))
    let nearest = tree.nearest(x: x, y: y, scaleX: frame.metresPerDegreeEast, scaleY: frame.metresPerDegreeNorth)
    return nearest.map { $0.distanceSquared <= tolerance * tolerance } ?? false
  }

  /// Checks many positions: the table for all of them first, then the cells to be tested.
  func contains(_ positions: UnsafeBufferPointer<Coordinate>, into answers: UnsafeMutablePointer<Bool>) {
    guard !wraps else {
      for index in positions.indices { answers[index] = containsUnwrapped(positions[index]) }
      return
    }
    let origin = SIMD2(grid.originX, grid.originY)
    let scale = SIMD2(grid.scaleX, grid.scaleY)
    let rounder = SIMD2(repeating: RasterGrid.rounder)
    let shift = UInt64(truncatingIfNeeded: grid.shift)
    let classes = self.classes
    let block = 1_024
    withUnsafeTemporaryAllocation(of: UInt16.self, capacity: block + 1) { pending in
      var start = 0
      while start < positions.count {
        let count = min(block, positions.count - start)
        let source = UnsafeRawPointer(positions.baseAddress.unsafelyUnwrapped + start)
        var pendingCount = 0
        for index in 0..<count {
          // A coordinate has the layout of its two numbers, which may not have the alignment of a vector.
          let scaled = (source.loadUnaligned(fromByteOffset: index &* 16, as: SIMD2<Double>.self) - origin) * scale
          let bits = unsafeBitCast(scaled + rounder, to: SIMD2<UInt64>.self)
          let found = classes[RasterGrid.cell(columnBits: bits.x, rowBits: bits.y, shift: shift)]
          answers[start &+ index] = found == 1
          pending[pendingCount] = UInt16(truncatingIfNeeded: index)
          pendingCount &+= Int(found >> 1)
        }
        for place in 0..<pendingCount {
          let index = start + Int(pending[place])
          let position = positions[index]
          answers[index] = look(
            x: position.longitude, y: position.latitude,
            cell: grid.cell(x: position.longitude, y: position.latitude))
        }
        start += count
      }
    }
  }
}
