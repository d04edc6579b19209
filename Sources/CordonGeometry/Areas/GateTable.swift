import CordonCore

/// The contents of a ``Gate``: a table of cells that are in, out or to be looked at.
///
/// The buffer is written in `init` and only read afterwards, so sharing it between threads is safe:
/// that is why this class may call itself Sendable without the compiler's proof.
final class GateTable: @unchecked Sendable {
  private let grid: RasterGrid
  private let raster: AreaRaster
  /// 0 out, 1 in, 2 to be looked at; as many as the grid has cells.
  private let classes: UnsafeMutablePointer<UInt8>
  /// For each eight cells, how many cells before them are to be looked at.
  private let ranks: UnsafeMutablePointer<UInt32>
  /// For each cell that is to be looked at, its list in the raster; -1 for one that is only near. They are few: who looks a
  /// cell up here and not in the raster finds it in a nearer cache.
  private let lists: UnsafeMutablePointer<Int32>
  private let bounds: GeoBounds
  /// Whether longitudes have to be unwrapped: the area reaches 180 degrees.
  private let wraps: Bool
  private let tolerance: Double
  /// Edges for the tolerance; empty without one.
  private let tree: EdgeTree

  /// `nil` for an area without a ring; at most 2^`largestShift` cells in either direction.
  init?(_ area: GeoMultiPolygon, tolerance: Double, largestShift: Int) {
    let rings = area.polygons.flatMap(\.validRings.rings)
    guard let bounds = GeoBounds(rings.flatMap { $0 }) else { return nil }
    let parts = PlaneArea.parts(of: area, owner: 0, in: bounds)
    let reach = GateTable.degrees(tolerance, at: bounds)
    wraps = bounds.west - reach.x <= -180 || bounds.east + reach.x >= 180
    let vertexCount = rings.reduce(0) { $0 + $1.count }
    // Finer for more edges, so that few cells are on the boundary; small enough to stay in the nearest caches.
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

  /// The class of every cell: 0 out, 1 in, 2 to be looked at.
  private static func kinds(of raster: AreaRaster, near reach: (x: Double, y: Double)?) -> [UInt8] {
    var kinds = (0..<raster.grid.size * raster.grid.size).map { cell -> UInt8 in
      let content = raster.content(ofCell: cell)
      return content.isList ? 2 : (content.owner == nil ? 0 : 1)
    }
    if let reach { markNearCells(&kinds, raster.grid, reach) }
    return kinds
  }

  /// Every edge of the parts, numbered in order.
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

  /// Degrees that are at least `metres` long anywhere near the box.
  private static func degrees(_ metres: Double, at bounds: GeoBounds) -> (x: Double, y: Double) {
    guard metres > 0 else { return (0, 0) }
    let north = metres / 110_000
    let steepest = min(max(abs(bounds.south), abs(bounds.north)) + north, 89.9)
    let frame = LocalFrame(origin: Coordinate(longitude: 0, latitude: steepest))
    return (min(metres / frame.metresPerDegreeEast * 1.01, 180), min(north, 90))
  }

  /// Cells outside that may hold positions within the tolerance have to be looked at: those as many columns and rows
  /// from a cell on the boundary as the tolerance is long.
  private static func markNearCells(_ kinds: inout [UInt8], _ grid: RasterGrid, _ reach: (x: Double, y: Double)) {
    let size = grid.size
    let columns = Int(min(reach.x * grid.scaleX, Double(size)).rounded(.up)) + 1
    let rows = Int(min(reach.y * grid.scaleY, Double(size)).rounded(.up)) + 1
    var near = kinds.map { $0 == 2 }
    for line in 0..<size { widen(&near, from: line * size, step: 1, count: size, by: columns) }
    for line in 0..<size { widen(&near, from: line, step: size, count: size, by: rows) }
    for cell in near.indices where near[cell] && kinds[cell] == 0 { kinds[cell] = 2 }
  }

  /// Marks what is at most `reach` places before or after a mark on one line of cells.
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
    // The cells before this one of its eight that are to be looked at: each a byte with its second bit set.
    let eight = UnsafeRawPointer(classes + (cell & ~7)).loadUnaligned(as: UInt64.self).littleEndian
    let before = eight & 0x0202_0202_0202_0202 & ~(UInt64.max &<< UInt64(truncatingIfNeeded: cell &<< 3))
    let list = Int(lists[Int(ranks[cell &>> 3]) &+ before.nonzeroBitCount])
    if list >= 0, raster.firstOwner(x: x, y: y, list: list) != nil { return true }
    guard tolerance > 0 else { return false }
    let frame = LocalFrame(origin: Coordinate(longitude: 0, latitude: y))
    let nearest = tree.nearest(x: x, y: y, scaleX: frame.metresPerDegreeEast, scaleY: frame.metresPerDegreeNorth)
    return nearest.map { $0.distanceSquared <= tolerance * tolerance } ?? false
  }

  /// Many at once: the table for all of them first, then those that have to be looked at.
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
          // A coordinate lies as its two numbers do, which need not be as a vector has to.
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
