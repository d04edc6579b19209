/// One row of cells of a raster, and the edges of one polygon in it.
///
/// A *chain* is a run of consecutive edges of a ring that stays in the row. A chain that lies wholly to the right of a cell is
/// crossed by the ray from any point of the cell an odd number of times when it leads from below the row to above or
/// back, and an even number of times otherwise: it becomes one bit. Only chains that come into the cell or to its
/// left and right are asked edge by edge.
struct RasterRow {
  struct Piece {
    var edge: Int32
    var chain: Int
    /// The cells that the edge touches in this row.
    var columns: ClosedRange<Int>
  }

  struct Chain {
    var columns: ClosedRange<Int>
    var startsAbove: Bool
    var endsAbove: Bool
    /// Whether it is a whole ring.
    var isClosed = false

    /// Whether the ray to the right crosses it an odd number of times, seen from its left.
    var isOdd: Bool { !isClosed && startsAbove != endsAbove }
  }

  private(set) var pieces: [Piece] = []
  private(set) var chains: [Chain] = []

  /// `edges` are those that touch the row, ascending; `ringStart[e]` is the first edge of e's ring and `ringEnd[e]` the one after its last.
  init(
    row: Int, grid: RasterGrid, edges: ArraySlice<Int32>, coordinates: [SIMD4<Double>], ringOf: [Range<Int32>]
  ) {
    let slab = grid.slab(row)
    pieces.reserveCapacity(edges.count)
    /// The chain of the first edge of the ring at hand, when that edge is here and begins in the row.
    var opening: (ring: Range<Int32>, chain: Int)?
    for edge in edges {
      let c = coordinates[Int(edge)]
      let ring = ringOf[Int(edge)]
      let columns = RasterRow.columns(c, slab, grid)
      let startsInside = c.y >= slab.low && c.y <= slab.high
      let endsInside = c.w >= slab.low && c.w <= slab.high
      if startsInside, edge > ring.lowerBound, let last = pieces.last, last.edge == edge - 1 {
        join(columns, to: last.chain, endsAbove: c.w > slab.high)
        pieces.append(Piece(edge: edge, chain: last.chain, columns: columns))
      } else {
        chains.append(Chain(columns: columns, startsAbove: c.y > slab.high, endsAbove: c.w > slab.high))
        pieces.append(Piece(edge: edge, chain: chains.count - 1, columns: columns))
        if edge == ring.lowerBound && startsInside { opening = (ring, chains.count - 1) }
      }
      // The ring's last edge leads back to its first.
      if edge == ring.upperBound - 1, endsInside, let first = opening, first.ring == ring {
        close(pieces[pieces.count - 1].chain, onto: first.chain)
      }
    }
  }

  private mutating func join(_ columns: ClosedRange<Int>, to chain: Int, endsAbove: Bool) {
    chains[chain].columns = RasterRow.union(chains[chain].columns, columns)
    chains[chain].endsAbove = endsAbove
  }

  private mutating func close(_ last: Int, onto first: Int) {
    if last == first {
      chains[first].isClosed = true
      return
    }
    chains[first].columns = RasterRow.union(chains[first].columns, chains[last].columns)
    chains[first].startsAbove = chains[last].startsAbove
    // Emptied: a closed chain says nothing.
    chains[last].isClosed = true
    for index in pieces.indices where pieces[index].chain == last { pieces[index].chain = first }
  }

  private static func union(_ a: ClosedRange<Int>, _ b: ClosedRange<Int>) -> ClosedRange<Int> {
    min(a.lowerBound, b.lowerBound)...max(a.upperBound, b.upperBound)
  }

  /// The cells that the part of an edge in the slab touches.
  private static func columns(
    _ c: SIMD4<Double>, _ slab: (low: Double, high: Double), _ grid: RasterGrid
  ) -> ClosedRange<Int> {
    var (low, high) = (min(c.x, c.z), max(c.x, c.z))
    let rise = c.w - c.y
    if rise != 0 {
      let atLow = c.x + (c.z - c.x) * ((slab.low - c.y) / rise)
      let atHigh = c.x + (c.z - c.x) * ((slab.high - c.y) / rise)
      // Where the edge does not reach the slab's border, that border's x is beyond the edge's end and changes nothing.
      low = max(low, min(atLow, atHigh))
      high = min(high, max(atLow, atHigh))
      if low > high { (low, high) = (high, low) }
    }
    return grid.columns(low, high)
  }
}
