/// A line segment in the plane: a piece of a wall, an edge of an area or a leg of a path.
package struct PlaneSegment: Hashable, Sendable {
  /// The start point.
  package var a: PlanePoint
  /// The end point.
  package var b: PlanePoint

  /// Creates a segment from `a` to `b`.
  @inlinable
  package init(_ a: PlanePoint, _ b: PlanePoint) {
    self.a = a
    self.b = b
  }

  /// The length in metres.
  @inlinable
  package var length: Double {
    let dx = b.x - a.x
    let dy = b.y - a.y
    return (dx * dx + dy * dy).squareRoot()
  }

  /// The point halfway between the ends.
  @inlinable
  package var middle: PlanePoint { PlanePoint(x: (a.x + b.x) / 2, y: (a.y + b.y) / 2) }

  /// Returns the point at `fraction` of the way from `a` (0) to `b` (1).
  @inlinable
  package func point(at fraction: Double) -> PlanePoint {
    PlanePoint(x: a.x + (b.x - a.x) * fraction, y: a.y + (b.y - a.y) * fraction)
  }

  /// Returns the position of the segment's point nearest to `point`: 0 at `a`, 1 at `b`.
  @inlinable
  package func fractionNearest(to point: PlanePoint) -> Double {
    let dx = b.x - a.x
    let dy = b.y - a.y
    let squared = dx * dx + dy * dy
    guard squared > 0 else { return 0 }
    return min(max(((point.x - a.x) * dx + (point.y - a.y) * dy) / squared, 0), 1)
  }

  /// Returns the distance in metres from `point` to the nearest point of the segment.
  @inlinable
  package func distance(to point: PlanePoint) -> Double {
    let nearest = self.point(at: fractionNearest(to: point))
    let dx = point.x - nearest.x
    let dy = point.y - nearest.y
    return (dx * dx + dy * dy).squareRoot()
  }

  /// Checks whether the two segments share a point; touching counts.
  @inlinable
  package func meets(_ other: PlaneSegment) -> Bool {
    if max(a.x, b.x) < min(other.a.x, other.b.x) || max(other.a.x, other.b.x) < min(a.x, b.x)
      || max(a.y, b.y) < min(other.a.y, other.b.y) || max(other.a.y, other.b.y) < min(a.y, b.y)
    {
      return false
    }
    let d1 = other.side(of: a)
    let d2 = other.side(of: b)
    if (d1 > 0 && d2 > 0) || (d1 < 0 && d2 < 0) { return false }
    let d3 = side(of: other.a)
    let d4 = side(of: other.b)
    if (d3 > 0 && d4 > 0) || (d3 < 0 && d4 < 0) { return false }
    // The remaining pairs cross, touch, or lie on one line with overlapping boxes.
    return true
  }

  /// Twice the signed area of the triangle (`a`, `b`, `point`): positive if the point is to the left.
  @inlinable
  package func side(of point: PlanePoint) -> Double {
    (b.x - a.x) * (point.y - a.y) - (b.y - a.y) * (point.x - a.x)
  }
}

extension PlanePoint {
  /// Returns the distance of two points, in metres.
  @inlinable
  package static func distance(_ a: PlanePoint, _ b: PlanePoint) -> Double {
    let dx = a.x - b.x
    let dy = a.y - b.y
    return (dx * dx + dy * dy).squareRoot()
  }
}
