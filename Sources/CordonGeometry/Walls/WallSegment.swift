/// A straight piece of wall without thickness, in metres of a floor's frame.
package typealias WallSegment = PlaneSegment

extension PlaneSegment {
  /// Checks whether the wall blocks the sight line from `from` to `to`.
  ///
  /// A wall blocks if it shares a point with the sight line other than the two ends of the sight line:
  ///
  /// - A sight line that touches an end of the wall is blocked, so there is no gap where two walls meet.
  /// - A sight line along a wall is blocked.
  /// - A sight line that ends at a wall is not blocked.
  ///
  /// A wall of zero length blocks nothing, and a sight line of zero length is never blocked. The test is exact and
  /// gives the same answer for both directions.
  package func blocks(from: PlanePoint, to: PlanePoint) -> Bool {
    Sight.isBlocked(
      ax: a.x, ay: a.y, bx: b.x, by: b.y, px: from.x, py: from.y, qx: to.x, qy: to.y)
  }

  /// Returns the position of the wall along a sight line that it blocks, 0 ... 1.
  func fraction(from: PlanePoint, to: PlanePoint) -> Double {
    Sight.fraction(ax: a.x, ay: a.y, bx: b.x, by: b.y, px: from.x, py: from.y, qx: to.x, qy: to.y)
  }
}

/// The rule of ``PlaneSegment/blocks(from:to:)``.
enum Sight {
  /// Checks whether the wall a-b blocks the sight line p-q.
  @inline(__always)
  static func isBlocked(
    ax: Double, ay: Double, bx: Double, by: Double, px: Double, py: Double, qx: Double, qy: Double
  ) -> Bool {
    let a = Orientation.side(ax: px, ay: py, bx: qx, by: qy, px: ax, py: ay)
    let b = Orientation.side(ax: px, ay: py, bx: qx, by: qy, px: bx, py: by)
    if a * b > 0 { return false }
    if a == 0 && b == 0 { return overlaps(ax: ax, ay: ay, bx: bx, by: by, px: px, py: py, qx: qx, qy: qy) }
    // The wall meets the sight line's line. It blocks only if the ends of the sight line lie strictly on both sides of it.
    let p = Orientation.side(ax: ax, ay: ay, bx: bx, by: by, px: px, py: py)
    let q = Orientation.side(ax: ax, ay: ay, bx: bx, by: by, px: qx, py: qy)
    return p * q < 0
  }

  /// Checks whether a wall and a sight line on the same line share a stretch.
  @inline(never)
  private static func overlaps(
    ax: Double, ay: Double, bx: Double, by: Double, px: Double, py: Double, qx: Double, qy: Double
  ) -> Bool {
    if px != qx { return max(min(ax, bx), min(px, qx)) < min(max(ax, bx), max(px, qx)) }
    return max(min(ay, by), min(py, qy)) < min(max(ay, by), max(py, qy))
  }

  /// Returns the position along p-q where it meets the wall a-b that blocks it; the start of the stretch if they
  /// overlap.
  static func fraction(
    ax: Double, ay: Double, bx: Double, by: Double, px: Double, py: Double, qx: Double, qy: Double
  ) -> Double {
    let (dx, dy) = (qx - px, qy - py)
    let (wx, wy) = (bx - ax, by - ay)
    let determinant = dx * wy - dy * wx
    let isAlong =
      Orientation.side(ax: px, ay: py, bx: qx, by: qy, px: ax, py: ay) == 0
      && Orientation.side(ax: px, ay: py, bx: qx, by: qy, px: bx, py: by) == 0
    if isAlong || determinant == 0 {
      let length = dx * dx + dy * dy
      let a = ((ax - px) * dx + (ay - py) * dy) / length
      let b = ((bx - px) * dx + (by - py) * dy) / length
      return max(0, min(a, b, 1))
    }
    return min(max(((ax - px) * wy - (ay - py) * wx) / determinant, 0), 1)
  }
}
