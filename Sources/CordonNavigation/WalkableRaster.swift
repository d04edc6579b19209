package import CordonGeometry

/// The walkable cells of one floor and the possible steps between neighbours.
///
/// A step between two neighbouring cells exists only if the line between their centres meets no barrier. A path on the
/// raster is therefore free of barriers in the exact plan as well.
package struct WalkableRaster: Sendable {
  /// The side of a cell in metres.
  package let cellSize: Double
  /// The number of cells in a row, including a border of empty cells.
  package let columns: Int
  /// The number of rows, including the border.
  package let rows: Int
  /// The lower left corner of cell 0.
  package let origin: PlanePoint
  /// The barriers, for exact tests.
  package let barriers: SegmentGrid
  /// The minimum distance in metres between the centre of a walkable cell and any barrier.
  package let minimumClearance: Double
  /// For each cell, one bit for each direction in which a step is possible; 0 for a cell that is not walkable.
  let links: [UInt8]
  /// For each cell, one bit for each direction from which a person can step on it. The same as ``links`` without
  /// one-way lines.
  package let entries: [UInt8]
  /// Lines that can be crossed only from their right to their left; `nil` if there are none.
  package let oneWays: SegmentGrid?
  /// For each cell, its addition to the cost of a step: 0, or more next to a barrier.
  let penalty: [UInt8]
  /// For each cell, the number of its connected part; -1 for a cell that is not walkable.
  package let component: [Int32]
  /// The number of walkable cells in each connected part.
  package let componentSizes: [Int]
  /// The walkable cells in ascending order, and for each cell its index in that list (-1 if it is not walkable).
  let walkableCells: [Int32]
  let compactIndex: [Int32]

  /// Column and row steps of the eight directions; the opposite of d is (d + 4) % 8.
  static let steps: [(column: Int, row: Int)] = [
    (1, 0), (1, 1), (0, 1), (-1, 1), (-1, 0), (-1, -1), (0, -1), (1, -1),
  ]

  /// Divides a floor into cells.
  ///
  /// Complexity: proportional to the floor's area and the length of its barriers.
  package init(_ area: WalkableArea, settings: RasterSettings = RasterSettings()) {
    let bounds = PlaneBounds(area.areas.lazy.flatMap(\.outer)) ?? PlaneBounds(low: .zero, high: .zero)
    let total = area.areas.reduce(0) { $0 + $1.area }
    let wanted = (total / Double(max(1, settings.targetCells))).squareRoot()
    var size = min(max(settings.cellSize, wanted), max(settings.cellSize, settings.largestCellSize))
    let width = bounds.high.x - bounds.low.x
    let height = bounds.high.y - bounds.low.y
    // Bounds the memory for floors the size of a town.
    while (width / size + 3) * (height / size + 3) > 6e7 { size *= 2 }
    let shape = RasterShape(
      origin: PlanePoint(x: bounds.low.x - 1.5 * size, y: bounds.low.y - 1.5 * size), size: size,
      columns: Int(width / size) + 4, rows: Int(height / size) + 4)
    var free = [Bool](repeating: false, count: shape.columns * shape.rows)
    for polygon in area.areas { shape.fill(polygon, into: &free, with: true) }
    for polygon in area.solids { shape.fill(polygon, into: &free, with: false) }
    for polygon in area.passages { shape.fill(polygon, into: &free, with: true) }
    shape.close(area.closures, in: &free)
    let clearance = shape.clearances(of: area.barriers, upTo: settings.comfortableClearance)
    var penalty = [UInt8](repeating: 0, count: free.count)
    for cell in free.indices where free[cell] {
      if clearance[cell] < Float(settings.minimumClearance) { free[cell] = false }
      if clearance[cell] < Float(settings.comfortableClearance) { penalty[cell] = WalkableRaster.nearWall }
    }
    let grid = SegmentGrid(area.barriers)
    var links = shape.links(free: free, clearance: clearance, barriers: grid)
    (component, componentSizes) = shape.components(links: links, free: free)
    var cells: [Int32] = []
    var index = [Int32](repeating: -1, count: free.count)
    for cell in free.indices where free[cell] {
      index[cell] = Int32(cells.count)
      cells.append(Int32(cell))
    }
    (cellSize, columns, rows, origin) = (size, shape.columns, shape.rows, shape.origin)
    (barriers, minimumClearance) = (grid, settings.minimumClearance)
    let oneWays = area.oneWays.isEmpty ? nil : SegmentGrid(area.oneWays)
    var entries = links
    if let oneWays { shape.close(oneWays, in: &links, entries: &entries) }
    (self.oneWays, self.entries) = (oneWays, entries)
    (self.links, self.penalty, walkableCells, compactIndex) = (links, penalty, cells, index)
  }

  /// The extra cost of a step into or out of a cell near a barrier, in tenths of a cell.
  static let nearWall: UInt8 = 4

  var shape: RasterShape { RasterShape(origin: origin, size: cellSize, columns: columns, rows: rows) }

  /// Returns the centre of a cell, rounded to 0.1 mm.
  package func center(of cell: Int) -> PlanePoint {
    PlanePoint(
      x: ((origin.x + (Double(cell % columns) + 0.5) * cellSize) * 1e4).rounded() / 1e4,
      y: ((origin.y + (Double(cell / columns) + 0.5) * cellSize) * 1e4).rounded() / 1e4)
  }

  /// Returns the cell that contains a point; `nil` outside the raster.
  package func cell(at point: PlanePoint) -> Int? {
    let x = ((point.x - origin.x) / cellSize).rounded(.down)
    let y = ((point.y - origin.y) / cellSize).rounded(.down)
    guard x >= 0, y >= 0, x < Double(columns), y < Double(rows) else { return nil }
    return Int(y) * columns + Int(x)
  }

  /// Checks whether a cell is walkable and keeps a comfortable distance from every barrier.
  package func isComfortable(_ cell: Int) -> Bool { component[cell] >= 0 && penalty[cell] == 0 }

  /// Calls `body` with every cell whose centre lies in a polygon.
  package func forEachCell(in polygon: PlanePolygon, _ body: (Int) -> Void) {
    shape.forEachRun(in: polygon) { row, columns in
      for column in columns { body(row * self.columns + column) }
    }
  }

  /// Checks whether a cell is walkable.
  package func isWalkable(_ cell: Int) -> Bool { component[cell] >= 0 }

  /// Returns the walkable cell nearest to a point, within `radius` metres and in a connected part that `accepts`
  /// allows.
  ///
  /// With `seeing`, the straight line from the point to the cell's centre must be free of barriers. This keeps people
  /// on their side of a wall.
  package func nearestCell(
    to point: PlanePoint, within radius: Double, seeing: Bool = false, where accepts: (Int) -> Bool = { _ in true }
  ) -> Int? {
    let reach = Int((radius / cellSize).rounded(.up)) + 1
    let x = ((point.x - origin.x) / cellSize).rounded(.down)
    let y = ((point.y - origin.y) / cellSize).rounded(.down)
    guard abs(x) < 1e8, abs(y) < 1e8 else { return nil }
    var best: (cell: Int, squared: Double)?
    // The ranges are empty for a point farther outside the raster than the reach.
    let rowRange = (low: max(0, Int(y) - reach), high: min(rows, Int(y) + reach + 1))
    let columnRange = (low: max(0, Int(x) - reach), high: min(columns, Int(x) + reach + 1))
    for row in rowRange.low..<max(rowRange.low, rowRange.high) {
      for column in columnRange.low..<max(columnRange.low, columnRange.high) {
        let cell = row * columns + column
        guard component[cell] >= 0 else { continue }
        let center = center(of: cell)
        let squared =
          (center.x - point.x) * (center.x - point.x) + (center.y - point.y) * (center.y - point.y)
        guard squared <= radius * radius, squared < best?.squared ?? .infinity, accepts(Int(component[cell])) else {
          continue
        }
        if seeing, barriers.isCrossed(from: point, to: center) { continue }
        best = (cell, squared)
      }
    }
    return best?.cell
  }

  /// Checks whether the straight line between two points stays on walkable cells and crosses no barrier or one-way
  /// line.
  package func isFree(from a: PlanePoint, to b: PlanePoint) -> Bool {
    let dx = b.x - a.x
    let dy = b.y - a.y
    let length = (dx * dx + dy * dy).squareRoot()
    let samples = Int(length / (cellSize * 0.5)) + 1
    for index in 0...samples {
      let t = Double(index) / Double(samples)
      guard let cell = cell(at: PlanePoint(x: a.x + dx * t, y: a.y + dy * t)), component[cell] >= 0 else {
        return false
      }
    }
    return !barriers.isCrossed(from: a, to: b) && !(oneWays?.isCrossedBackwards(from: a, to: b) ?? false)
  }
}

extension PlanePoint {
  /// The origin of the frame.
  package static let zero = PlanePoint(x: 0, y: 0)
}
