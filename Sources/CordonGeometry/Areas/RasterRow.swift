/// One row of cells of a raster, with the edges of one polygon in it.
///
/// A *chain* is a run of consecutive edges of a ring that stays in the row. Consider a chain that lies wholly to the
/// right of a cell. The ray from any point of the cell crosses it an odd number of times if it leads from below the row
/// to above or back. Otherwise, it crosses the chain an even number of times. Such a chain is reduced to one bit. Only
/// chains that enter the cell, or extend to both sides of it, are tested edge by edge.
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
    /// Whether the chain is a whole ring.
    var isClosed = false

    /// Whether the ray to the right, from the left of the chain, crosses it an odd number of times.
    var isOdd: Bool { !isClosed && startsAbove != endsAbove }
  }

  private(set) var pieces: [Piece] = []
  private(set) var chains: [Chain] = []

  /// Creates a row from the edges that touch it, in ascending order.
  /// - Parameter ringOf: for each edge, the range of edges of its ring.
  init(
    row: Int, grid: RasterGrid, edges: ArraySlice<Int32>, coordinates: [SIMD4<Double>], ringOf: [Range<Int32>]
  ) {
    let slab = grid.slab(row)
    pieces.reserveCapacity(edges.count)
    /// The chain of the first edge of the current ring, if that edge is here and begins in the row.
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
      // The last edge of the ring leads back to its first edge.
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
    // The chain is now empty: a closed chain has no effect.
    chains[last].isClosed = true
    for index in pieces.indices where pieces[index].chain == last { pieces[index].chain = first }
  }

  private static func union(_ a: ClosedRange<Int>, _ b: ClosedRange<Int>) -> ClosedRange<Int> {
    min(a.lowerBound, b.lowerBound)...max(a.upperBound, b.upperBound)
  }

  /// Returns the cells that the part of an edge in the slab touches.
  private static func columns(
    _ c: SIMD4<Double>, _ slab: (low: Double, high: Double), _ grid: RasterGrid
  ) -> ClosedRange<Int> {
    var (low, high) = (min(c.x, c.z), max(c.x, c.z))
    let rise = c.w - c.y
    if rise != 0 {
      let atLow = c.x + (c.z - c.x) * ((slab.low - c.y) / rise)
      let atHigh = c.x + (c.z - c.x) * ((slab.high - c.y) / rise)
      // If the edge does not reach a border of the slab, the x of that border is beyond the edge's end and has no
      // effect.
      low = max(low, min(atLow, atHigh))
      high = min(high, max(atLow, atHigh))
      if low > high { (low, high) = (high, low) }
    }
    return grid.columns(low, high)
  }
}
