/// A straight piece of wall without thickness, in metres of a floor's frame.
public typealias WallSegment = PlaneSegment

extension PlaneSegment {
  /// Whether the wall blocks the sight line from `from` to `to`.
  ///
  /// A wall blocks when it shares a point with the sight line other than one of the sight line's own two ends:
  /// touching an end of the wall counts, so there is no looking through where two walls meet, and so does
  /// looking along a wall; standing at a wall does not. A wall of no length and a sight line
  /// of no length block nothing and are never blocked. Decided exactly, and the same for both directions.
  public func blocks(from: PlanePoint, to: PlanePoint) -> Bool {
    Sight.isBlocked(
      ax: a.x, ay: a.y, bx: b.x, by: b.y, px: from.x, py: from.y, qx: to.x, qy: to.y)
  }

  /// How far along a sight line that it blocks the wall is met, 0 ... 1.
  func fraction(from: PlanePoint, to: PlanePoint) -> Double {
    Sight.fraction(ax: a.x, ay: a.y, bx: b.x, by: b.y, px: from.x, py: from.y, qx: to.x, qy: to.y)
  }
}

/// The rule of ``PlaneSegment/blocks(from:to:)``.
enum Sight {
  /// Wall a-b, sight line p-q.
  @inline(__always)
  static func isBlocked(
    ax: Double, ay: Double, bx: Double, by: Double, px: Double, py: Double, qx: Double, qy: Double
  ) -> Bool {
    let a = Orientation.side(ax: px, ay: py, bx: qx, by: qy, px: ax, py: ay)
    let b = Orientation.side(ax: px, ay: py, bx: qx, by: qy, px: bx, py: by)
    if a * b > 0 { return false }
    if a == 0 && b == 0 { return overlaps(ax: ax, ay: ay, bx: bx, by: by, px: px, py: py, qx: qx, qy: qy) }
    // The wall's line is crossed; inside the sight line only when its ends lie strictly on both sides.
    let p = Orientation.side(ax: ax, ay: ay, bx: bx, by: by, px: px, py: py)
    let q = Orientation.side(ax: ax, ay: ay, bx: bx, by: by, px: qx, py: qy)
    return p * q < 0
  }

  /// All four on one line: whether wall and sight line share a stretch.
  @inline(never)
  private static func overlaps(
    ax: Double, ay: Double, bx: Double, by: Double, px: Double, py: Double, qx: Double, qy: Double
  ) -> Bool {
    if px != qx { return max(min(ax, bx), min(px, qx)) < min(max(ax, bx), max(px, qx)) }
    return max(min(ay, by), min(py, qy)) < min(max(ay, by), max(py, qy))
  }

  /// How far along p-q the wall a-b is met, given that it blocks; the beginning of the stretch when they overlap.
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
