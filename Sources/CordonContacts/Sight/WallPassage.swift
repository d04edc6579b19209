internal import CContactKernel

/// When a wall is between two who move straight, exactly.
///
/// With s the signed distance of a device from the wall's line and t its place along it, all linear in time, the sight line
/// crosses the wall when the s of both differ in sign and the place of crossing, (tA sB - tB sA) / (sB - sA), lies on the
/// wall. That changes only where an s is 0 or the place of crossing is an end of the wall: roots of linear and of
/// quadratic functions. Between them one look tells.
struct WallPassage {
  /// At the beginning, and the change in a millisecond.
  private let sa: (Double, Double)
  private let sb: (Double, Double)
  private let ta: (Double, Double)
  private let tb: (Double, Double)
  private let length: Double

  /// The ways of both begin at the x and y given and go on with the speeds given, metres per millisecond.
  @inline(__always)
  init(
    _ wall: ClearanceRaster.WallLine, ax: Double, ay: Double, avx: Double, avy: Double, bx: Double, by: Double,
    bvx: Double, bvy: Double
  ) {
    let (px, py, qx, qy) = (ax - wall.x, ay - wall.y, bx - wall.x, by - wall.y)
    sa = (px * wall.uy - py * wall.ux, avx * wall.uy - avy * wall.ux)
    sb = (qx * wall.uy - qy * wall.ux, bvx * wall.uy - bvy * wall.ux)
    ta = (px * wall.ux + py * wall.uy, avx * wall.ux + avy * wall.uy)
    tb = (qx * wall.ux + qy * wall.uy, bvx * wall.ux + bvy * wall.uy)
    length = wall.length
  }

  /// Whether the wall is in the way at a time.
  @inline(__always)
  func isBlocked(at time: Double) -> Bool {
    let (p, q) = (sa.0 + sa.1 * time, sb.0 + sb.1 * time)
    guard p * q < 0 else { return false }
    let along = ((ta.0 + ta.1 * time) * q - (tb.0 + tb.1 * time) * p) / (q - p)
    return along >= 0 && along <= length
  }

  /// Calls `body` with each interval of 0 ... `duration` milliseconds in which the wall is in the way, in order.
  @inline(__always)
  func forEachInterval(within duration: Double, _ body: (_ start: Double, _ end: Double) -> Void) {
    withUnsafeTemporaryAllocation(of: Double.self, capacity: 8) { times in
      times[0] = 0
      var count = 1
      func add(_ time: Double) {
        guard time > 0, time < duration else { return }
        var k = count
        while times[k - 1] > time {
          times[k] = times[k - 1]
          k -= 1
        }
        times[k] = time
        count += 1
      }
      if sa.1 != 0 { add(-sa.0 / sa.1) }
      if sb.1 != 0 { add(-sb.0 / sb.1) }
      // tA sB - tB sA, and the same less length (sB - sA).
      let f2 = ta.1 * sb.1 - tb.1 * sa.1
      let f1 = ta.0 * sb.1 + ta.1 * sb.0 - tb.0 * sa.1 - tb.1 * sa.0
      let f0 = ta.0 * sb.0 - tb.0 * sa.0
      WallPassage.forEachRoot(f2, f1, f0, add)
      WallPassage.forEachRoot(f2, f1 - length * (sb.1 - sa.1), f0 - length * (sb.0 - sa.0), add)
      times[count] = duration
      for k in 0..<count where times[k + 1] > times[k] && isBlocked(at: (times[k] + times[k + 1]) * 0.5) {
        body(times[k], times[k + 1])
      }
    }
  }

  @inline(__always)
  private static func forEachRoot(_ a: Double, _ b: Double, _ c: Double, _ body: (Double) -> Void) {
    if a == 0 {
      if b != 0 { body(-c / b) }
      return
    }
    let discriminant = b * b - 4 * a * c
    guard discriminant >= 0 else { return }
    let q = -0.5 * (b >= 0 ? b + discriminant.squareRoot() : b - discriminant.squareRoot())
    body(q / a)
    if q != 0 { body(c / q) }
  }
}
