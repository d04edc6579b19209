/// Fills a raster with polygons, the most important ones first.
struct RasterBuilder {
  /// The information of a polygon on a cell that it touches.
  struct Entry {
    var owner: Int32
    /// Whether the ray from the cell crosses the edges that are not listed an odd number of times.
    var parity: Bool
    /// The edges to test, as positions in `references`. Without edges and with odd parity, the whole cell is inside.
    var first: Int32
    var end: Int32
    /// The next entry of the cell; -1 at the end.
    var next: Int32 = -1

    var isWhole: Bool { first == end && parity }
  }

  let grid: RasterGrid
  /// The edges as ax, ay, bx, by.
  private(set) var edges: [SIMD4<Double>] = []
  private(set) var references: [Int32] = []
  private(set) var entries: [Entry] = []
  /// First and last entry of each cell; -1 for none.
  private(set) var heads: [Int32]
  private var tails: [Int32]
  /// The remaining work in steps. Outlines that are designed to be slow (combs, saws) use it up.
  private var budget: Int

  /// Whether the polygons are too complex for a raster of this resolution, which is then unusable.
  var isExhausted: Bool { budget < 0 }

  init(grid: RasterGrid, budget: Int) {
    self.grid = grid
    self.budget = budget
    heads = Array(repeating: -1, count: grid.size * grid.size)
    tails = heads
  }

  mutating func add(_ area: PlaneArea) {
    let firstEdge = edges.count
    var ringOf: [Range<Int32>] = []
    var rowLow = Int.max
    var rowHigh = Int.min
    for ring in area.rings where !ring.isEmpty {
      let start = Int32(edges.count - firstEdge)
      let range = start..<start + Int32(ring.count)
      var previous = ring[0]
      for vertex in ring.dropFirst() + [ring[0]] {
        edges.append(SIMD4(previous.x, previous.y, vertex.x, vertex.y))
        ringOf.append(range)
        previous = vertex
      }
    }
    guard edges.count > firstEdge else { return }
    let own = Array(edges[firstEdge...])
    let rows = own.map { grid.rows(min($0.y, $0.w), max($0.y, $0.w)) }
    for range in rows {
      budget -= range.count
      rowLow = min(rowLow, range.lowerBound)
      rowHigh = max(rowHigh, range.upperBound)
    }
    guard !isExhausted else { return }
    // A list of edges per row, in ascending order.
    var starts = Array(repeating: 0, count: rowHigh - rowLow + 2)
    for range in rows { for row in range { starts[row - rowLow + 1] += 1 } }
    for index in 1..<starts.count { starts[index] += starts[index - 1] }
    var fill = starts
    var list = Array(repeating: Int32(0), count: starts[starts.count - 1])
    for (edge, range) in rows.enumerated() {
      for row in range {
        list[fill[row - rowLow]] = Int32(edge)
        fill[row - rowLow] += 1
      }
    }
    for row in rowLow...rowHigh {
      let slice = list[starts[row - rowLow]..<starts[row - rowLow + 1]]
      guard !slice.isEmpty else { continue }
      guard !isExhausted else { return }
      addRow(
        row, RasterRow(row: row, grid: grid, edges: slice, coordinates: own, ringOf: ringOf), own: own,
        firstEdge: firstEdge, owner: area.owner)
    }
  }

  private mutating func addRow(
    _ row: Int, _ content: RasterRow, own: [SIMD4<Double>], firstEdge: Int, owner: Int
  ) {
    let low = content.pieces.reduce(Int.max) { min($0, $1.columns.lowerBound) }
    let high = content.pieces.reduce(Int.min) { max($0, $1.columns.upperBound) }
    var isTouched = Array(repeating: false, count: high - low + 1)
    for piece in content.pieces {
      for column in piece.columns { isTouched[column - low] = true }
      budget -= piece.columns.count
    }
    /// The answer for the current run of untouched cells.
    var run: Bool?
    for column in low...high {
      let cell = row << grid.shift | column
      if isTouched[column - low] {
        run = nil
        if isSettled(cell) { continue }
        budget -= content.pieces.count
        if isExhausted { return }
        let parity = content.chains.reduce(false) { $0 != ($1.columns.lowerBound > column && $1.isOdd) }
        let first = Int32(references.count)
        for piece in content.pieces
        where piece.columns.upperBound >= column && content.chains[piece.chain].columns.lowerBound <= column {
          references.append(piece.edge + Int32(firstEdge))
        }
        append(Entry(owner: Int32(owner), parity: parity, first: first, end: Int32(references.count)), to: cell)
      } else {
        if run == nil { budget -= content.pieces.count }
        let isInside = run ?? contains(grid.middle(column: column, row: row), content, own)
        run = isInside
        if isInside && !isSettled(cell) {
          append(Entry(owner: Int32(owner), parity: true, first: 0, end: 0), to: cell)
        }
      }
    }
  }

  /// Checks whether a point that is not near any edge of the row is inside.
  private func contains(_ point: PlanePoint, _ content: RasterRow, _ own: [SIMD4<Double>]) -> Bool {
    content.pieces.reduce(false) { inside, piece in
      let c = own[Int(piece.edge)]
      return inside
        != (PlaneRing.crossing(PlanePoint(x: c.x, y: c.y), PlanePoint(x: c.z, y: c.w), point) == .right)
    }
  }

  /// Checks whether an earlier polygon covers the whole cell.
  private func isSettled(_ cell: Int) -> Bool {
    tails[cell] >= 0 && entries[Int(tails[cell])].isWhole
  }

  private mutating func append(_ entry: Entry, to cell: Int) {
    let index = Int32(entries.count)
    entries.append(entry)
    if tails[cell] >= 0 { entries[Int(tails[cell])].next = index } else { heads[cell] = index }
    tails[cell] = index
  }
}
