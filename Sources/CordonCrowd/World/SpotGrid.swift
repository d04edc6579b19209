package import CordonGeometry

/// Points by squares of the plane, for the search of near ones in constant time.
package struct SpotGrid: Sendable {
  private let side: Double
  private var squares: [ZoneKey: [(number: Int, point: PlanePoint)]] = [:]
  private var count = 0

  /// Creates an empty grid.
  /// - Parameter side: the side of a square, in metres: the maximum distance of a search.
  package init(side: Double) { self.side = side }

  /// Adds a point; the points are numbered from 0.
  package mutating func add(_ point: PlanePoint) {
    squares[key(point), default: []].append((count, point))
    count += 1
  }

  /// Checks whether a point is closer to `middle` than `reach` metres.
  package func hasPoint(near middle: PlanePoint, within reach: Double) -> Bool {
    let (row, column) = (key(middle).y, key(middle).x)
    for y in (row - 1)...(row + 1) {
      for x in (column - 1)...(column + 1) {
        for item in squares[ZoneKey(x: x, y: y)] ?? [] where PlaneSegment(item.point, middle).length < reach {
          return true
        }
      }
    }
    return false
  }

  /// Returns the numbers of the points in the nine squares around a point, in ascending order.
  package func numbers(near middle: PlanePoint) -> [Int] {
    let (row, column) = (key(middle).y, key(middle).x)
    var found: [Int] = []
    for y in (row - 1)...(row + 1) {
      for x in (column - 1)...(column + 1) { found += (squares[ZoneKey(x: x, y: y)] ?? []).map(\.number) }
    }
    return found.sorted()
  }

  private func key(_ point: PlanePoint) -> ZoneKey {
    ZoneKey(x: Int((point.x / side).rounded(.down)), y: Int((point.y / side).rounded(.down)))
  }
}
