package import CordonGeometry

/// A spatial index of line segments: square buckets on a grid.
///
/// A query examines only the segments in the buckets near the line or the point.
package struct SegmentGrid: Sendable {
  /// All segments, in the order given.
  package let segments: [PlaneSegment]
  private let size: Double
  private let low: PlanePoint
  private let columns: Int
  private let rows: Int
  /// The segments of bucket k are `items[starts[k] ..< starts[k + 1]]`.
  private let starts: [Int32]
  private let items: [Int32]

  /// Sorts the segments into buckets of `bucketSize` metres.
  ///
  /// The bucket size doubles until there are at most about a million buckets.
  package init(_ segments: [PlaneSegment], bucketSize: Double = 1) {
    self.segments = segments
    guard let bounds = PlaneBounds(segments.lazy.flatMap { [$0.a, $0.b] }) else {
      (size, low, columns, rows, starts, items) = (1, PlanePoint(x: 0, y: 0), 0, 0, [0], [])
      return
    }
    let width = bounds.high.x - bounds.low.x
    let height = bounds.high.y - bounds.low.y
    var size = bucketSize
    while (width / size + 1) * (height / size + 1) > 1e6 { size *= 2 }
    let columns = Int(width / size) + 1
    let rows = Int(height / size) + 1
    var counts = [Int32](repeating: 0, count: columns * rows + 1)
    let layout = GridLayout(low: bounds.low, size: size, columns: columns, rows: rows)
    for segment in segments {
      layout.visit(segment) { cell in
        counts[cell + 1] += 1
        return true
      }
    }
    for index in 1..<counts.count { counts[index] += counts[index - 1] }
    var next = counts
    var items = [Int32](repeating: 0, count: Int(counts[counts.count - 1]))
    for (index, segment) in segments.enumerated() {
      layout.visit(segment) { cell in
        items[Int(next[cell])] = Int32(index)
        next[cell] += 1
        return true
      }
    }
    (self.size, low, self.columns, self.rows, starts, self.items) = (size, bounds.low, columns, rows, counts, items)
  }

  private var layout: GridLayout { GridLayout(low: low, size: size, columns: columns, rows: rows) }

  /// Checks whether the line between the two points meets any segment; touching counts.
  package func isCrossed(from a: PlanePoint, to b: PlanePoint) -> Bool {
    let line = PlaneSegment(a, b)
    var found = false
    layout.visit(line) { cell in
      for item in Int(starts[cell])..<Int(starts[cell + 1]) where segments[Int(items[item])].meets(line) {
        found = true
        return false
      }
      return true
    }
    return found
  }

  /// Returns the indices of the segments that the line between two points meets, in ascending order.
  package func crossings(from a: PlanePoint, to b: PlanePoint) -> [Int] {
    let line = PlaneSegment(a, b)
    var found: Set<Int> = []
    layout.visit(line) { cell in
      for item in Int(starts[cell])..<Int(starts[cell + 1]) where segments[Int(items[item])].meets(line) {
        found.insert(Int(items[item]))
      }
      return true
    }
    return found.sorted()
  }

  /// Checks whether a line crosses any segment from the segment's left to its right.
  ///
  /// For a line that starts on a segment, its end point decides.
  func isCrossedBackwards(from a: PlanePoint, to b: PlanePoint) -> Bool {
    crossings(from: a, to: b).contains { segments[$0].side(of: a) >= 0 && segments[$0].side(of: b) < 0 }
  }

  /// Calls `body` with the index of every segment that may come within `radius` metres of the point.
  ///
  /// An index can occur more than once, and some of the segments can be farther away.
  @inlinable
  package func forEach(near point: PlanePoint, radius: Double, _ body: (Int) -> Void) {
    forEachItem(near: point, radius: radius) { body($0) }
  }

  /// Returns the distance in metres from the point to the nearest segment, at most `limit`.
  package func distance(to point: PlanePoint, limit: Double) -> Double {
    var best = limit
    forEachItem(near: point, radius: limit) { best = min(best, segments[$0].distance(to: point)) }
    return best
  }

  @usableFromInline
  func forEachItem(near point: PlanePoint, radius: Double, _ body: (Int) -> Void) {
    guard columns > 0 else { return }
    let left = max(0, ((point.x - radius - low.x) / size).rounded(.down))
    let right = min(Double(columns - 1), ((point.x + radius - low.x) / size).rounded(.down))
    let bottom = max(0, ((point.y - radius - low.y) / size).rounded(.down))
    let top = min(Double(rows - 1), ((point.y + radius - low.y) / size).rounded(.down))
    // Also false for NaN, which has no integer value.
    guard left <= right, bottom <= top else { return }
    for row in Int(bottom)...Int(top) {
      for column in Int(left)...Int(right) {
        let cell = row * columns + column
        for item in Int(starts[cell])..<Int(starts[cell + 1]) { body(Int(items[item])) }
      }
    }
  }
}

/// The layout of square buckets, and the buckets that a line touches.
struct GridLayout {
  let low: PlanePoint
  let size: Double
  let columns: Int
  let rows: Int

  /// Calls `body` with each bucket that the line touches, row by row, until it returns false.
  ///
  /// A margin of a millionth of a bucket makes sure that two lines that meet share a bucket in spite of rounding.
  func visit(_ line: PlaneSegment, _ body: (Int) -> Bool) {
    guard columns > 0 else { return }
    let slack = 1e-6
    let ax = (line.a.x - low.x) / size
    let ay = (line.a.y - low.y) / size
    let bx = (line.b.x - low.x) / size
    let by = (line.b.y - low.y) / size
    let bottom = max(0, (min(ay, by) - slack).rounded(.down))
    let top = min(Double(rows - 1), (max(ay, by) + slack).rounded(.down))
    // Also false for NaN, which has no integer value.
    guard bottom <= top else { return }
    for row in Int(bottom)...Int(top) {
      var first = min(ax, bx)
      var last = max(ax, bx)
      if abs(by - ay) > slack {
        let t0 = min(max((Double(row) - slack - ay) / (by - ay), 0), 1)
        let t1 = min(max((Double(row + 1) + slack - ay) / (by - ay), 0), 1)
        let x0 = ax + (bx - ax) * t0
        let x1 = ax + (bx - ax) * t1
        first = min(x0, x1)
        last = max(x0, x1)
      }
      let left = max(0, (first - slack).rounded(.down))
      let right = min(Double(columns - 1), (last + slack).rounded(.down))
      guard left <= right else { continue }
      for column in Int(left)...Int(right) where !body(row * columns + column) { return }
    }
  }
}
