/// How one device moves relative to another while both move straight: p + v t for t in 0 ... length.
///
/// Times are milliseconds, so that whole-millisecond inputs stay exact.
struct PairMotion {
  var px: Double
  var py: Double
  var vx: Double
  var vy: Double
  var length: Double

  /// The part of the motion within a distance, and where it is closest.
  struct Approach {
    /// Milliseconds from the start of the motion.
    var enter: Double
    var leave: Double
    /// When the two are closest between `enter` and `leave`, and how close, squared.
    var closest: Double
    var squaredDistance: Double
  }

  /// Solves |p + v t| <= d for t in 0 ... length; `nil` when the two stay further apart.
  ///
  /// The roots of A t² + 2 B t + C = 0 are q / A and C / q with q = -(B + sign(B) √(B² - A C)), which
  /// loses no digits when B² is much larger than A C. Relative motion of less than a nanometre
  /// counts as none.
  func approach(within squaredLimit: Double) -> Approach? {
    let a = vx * vx + vy * vy
    let b = px * vx + py * vy
    let squaredStart = px * px + py * py
    let c = squaredStart - squaredLimit
    if a * length * length < 1e-18 {
      return c > 0
        ? nil : Approach(enter: 0, leave: length, closest: 0, squaredDistance: squaredStart)
    }
    if c > 0 && b >= 0 { return nil }
    let discriminant = b * b - a * c
    guard discriminant >= 0 else { return nil }
    let root = discriminant.squareRoot()
    let q = b >= 0 ? -(b + root) : root - b
    let first = q / a
    let second = q != 0 ? c / q : 0
    let enter = max(min(first, second), 0)
    let leave = min(max(first, second), length)
    guard enter <= leave else { return nil }
    let closest = min(max(-b / a, enter), leave)
    let mx = px + vx * closest
    let my = py + vy * closest
    return Approach(
      enter: enter, leave: leave, closest: closest, squaredDistance: mx * mx + my * my)
  }
}
