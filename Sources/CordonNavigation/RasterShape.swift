import CordonGeometry

/// The layout of a raster: origin, cell size and extent, and the passes that fill it.
struct RasterShape {
  let origin: PlanePoint
  let size: Double
  let columns: Int
  let rows: Int

  /// Sets every cell with its centre in the polygon to `value`.
  func fill(_ polygon: PlanePolygon, into cells: inout [Bool], with value: Bool) {
    forEachRun(in: polygon) { row, run in
      for column in run { cells[row * columns + column] = value }
    }
  }

  /// Clears every cell with its centre in a closed area.
  func close(_ closures: [WalkableArea.Closure], in cells: inout [Bool]) {
    guard !closures.isEmpty else { return }
    var isOpen = [Bool](repeating: true, count: cells.count)
    for closure in closures {
      for polygon in closure.areas { fill(polygon, into: &isOpen, with: false) }
      for polygon in closure.exceptions { fill(polygon, into: &isOpen, with: true) }
      for polygon in closure.areas {
        forEachRun(in: polygon) { row, run in
          for cell in (row * columns + run.lowerBound)...(row * columns + run.upperBound) where !isOpen[cell] {
            cells[cell] = false
          }
        }
      }
      for polygon in closure.areas { fill(polygon, into: &isOpen, with: true) }
    }
  }

  /// Calls `body` with each row and its runs of cells with centres in the polygon (even-odd rule).
  func forEachRun(in polygon: PlanePolygon, _ body: (_ row: Int, _ run: ClosedRange<Int>) -> Void) {
    guard let bounds = polygon.bounds else { return }
    let edges = polygon.edges
    let bottom = max(0, Int((bounds.low.y - origin.y) / size) - 1)
    let top = min(rows - 1, Int((bounds.high.y - origin.y) / size) + 1)
    guard bottom <= top else { return }
    // Crossings with the centre line of each row.
    var hits = [[Double]](repeating: [], count: top - bottom + 1)
    for edge in edges {
      let low = min(edge.a.y, edge.b.y)
      let high = max(edge.a.y, edge.b.y)
      let first = max(bottom, Int(((low - origin.y) / size - 0.5).rounded(.up)))
      let last = min(top, Int(((high - origin.y) / size - 0.5).rounded(.down)))
      guard first <= last else { continue }
      for row in first...last {
        let y = origin.y + (Double(row) + 0.5) * size
        guard (edge.a.y > y) != (edge.b.y > y) else { continue }
        hits[row - bottom].append(edge.a.x + (y - edge.a.y) / (edge.b.y - edge.a.y) * (edge.b.x - edge.a.x))
      }
    }
    for row in bottom...top {
      let crossings = hits[row - bottom].sorted()
      var index = 0
      while index + 1 < crossings.count {
        let first = max(0, Int(((crossings[index] - origin.x) / size - 0.5).rounded(.up)))
        let last = min(columns - 1, Int(((crossings[index + 1] - origin.x) / size - 0.5).rounded(.down)))
        if first <= last { body(row, first...last) }
        index += 2
      }
    }
  }

  /// Returns the distance in metres from the centre of each cell to the nearest barrier, at most `limit`.
  func clearances(of barriers: [PlaneSegment], upTo limit: Double) -> [Float] {
    var clearance = [Float](repeating: Float(limit), count: columns * rows)
    for barrier in barriers {
      let bottom = max(0, Int(((min(barrier.a.y, barrier.b.y) - limit - origin.y) / size).rounded(.down)))
      let top = min(rows - 1, Int(((max(barrier.a.y, barrier.b.y) + limit - origin.y) / size).rounded(.down)))
      guard bottom <= top else { continue }
      let rise = barrier.b.y - barrier.a.y
      for row in bottom...top {
        let y = origin.y + (Double(row) + 0.5) * size
        // The part of the barrier that can come within `limit` of this row.
        var left = min(barrier.a.x, barrier.b.x)
        var right = max(barrier.a.x, barrier.b.x)
        if abs(rise) > 1e-9 {
          let t0 = min(max((y - limit - barrier.a.y) / rise, 0), 1)
          let t1 = min(max((y + limit - barrier.a.y) / rise, 0), 1)
          let x0 = barrier.a.x + (barrier.b.x - barrier.a.x) * t0
          let x1 = barrier.a.x + (barrier.b.x - barrier.a.x) * t1
          (left, right) = (min(x0, x1), max(x0, x1))
        }
        let first = max(0, Int(((left - limit - origin.x) / size).rounded(.down)))
        let last = min(columns - 1, Int(((right + limit - origin.x) / size).rounded(.down)))
        guard first <= last else { continue }
        for column in first...last {
          let center = PlanePoint(x: origin.x + (Double(column) + 0.5) * size, y: y)
          let distance = Float(barrier.distance(to: center))
          let cell = row * columns + column
          if distance < clearance[cell] { clearance[cell] = distance }
        }
      }
    }
    return clearance
  }

  /// Returns one byte for each cell, with one bit for each direction in which a person can step to the neighbour.
  func links(free: [Bool], clearance: [Float], barriers: SegmentGrid) -> [UInt8] {
    var links = [UInt8](repeating: 0, count: free.count)
    // No barrier can lie between two centres that are both farther than half a diagonal step from every barrier.
    let safe = Float(size * 0.7072)
    for row in 1..<max(1, rows - 1) {
      for column in 1..<max(1, columns - 1) {
        let cell = row * columns + column
        guard free[cell] else { continue }
        for direction in 0..<4 {
          let step = WalkableRaster.steps[direction]
          let other = cell + step.row * columns + step.column
          guard free[other] else { continue }
          if clearance[cell] < safe || clearance[other] < safe {
            let a = center(column: column, row: row)
            let b = center(column: column + step.column, row: row + step.row)
            if barriers.isCrossed(from: a, to: b) { continue }
          }
          links[cell] |= 1 << UInt8(direction)
          links[other] |= 1 << UInt8(direction + 4)
        }
      }
    }
    return links
  }

  /// Removes the steps that cross a one-way line backwards.
  func close(_ oneWays: SegmentGrid, in links: inout [UInt8], entries: inout [UInt8]) {
    for cell in links.indices where links[cell] != 0 {
      let (column, row) = (cell % columns, cell / columns)
      let a = center(column: column, row: row)
      guard oneWays.distance(to: a, limit: 2 * size) < 2 * size else { continue }
      for direction in 0..<8 where links[cell] & 1 << UInt8(direction) != 0 {
        let step = WalkableRaster.steps[direction]
        let b = center(column: column + step.column, row: row + step.row)
        guard oneWays.isCrossedBackwards(from: a, to: b) else { continue }
        links[cell] &= ~(1 << UInt8(direction))
        entries[cell + step.row * columns + step.column] &= ~(1 << UInt8((direction + 4) % 8))
      }
    }
  }

  private func center(column: Int, row: Int) -> PlanePoint {
    PlanePoint(
      x: ((origin.x + (Double(column) + 0.5) * size) * 1e4).rounded() / 1e4,
      y: ((origin.y + (Double(row) + 0.5) * size) * 1e4).rounded() / 1e4)
  }

  /// The eight neighbours as differences of cell numbers.
  var offsets: [Int] { WalkableRaster.steps.map { $0.row * columns + $0.column } }

  /// Returns the connected parts, numbered in the order of their first cells.
  func components(links: [UInt8], free: [Bool]) -> (of: [Int32], sizes: [Int]) {
    var component = [Int32](repeating: -1, count: links.count)
    var sizes: [Int] = []
    var stack: [Int] = []
    let offsets = offsets
    for start in links.indices where free[start] && component[start] < 0 {
      let number = Int32(sizes.count)
      var count = 0
      component[start] = number
      stack.append(start)
      while let cell = stack.popLast() {
        count += 1
        for direction in 0..<8 where links[cell] & 1 << UInt8(direction) != 0 {
          let other = cell + offsets[direction]
          if component[other] < 0 {
            component[other] = number
            stack.append(other)
          }
        }
      }
      sizes.append(count)
    }
    return (component, sizes)
  }
}
