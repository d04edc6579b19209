internal import CContactKernel
internal import CordonGeometry

/// Looks along the sight line of pieces of contact.
///
/// Between looks neither device moves by more than ``step``; where the answer changes, the moment is
/// narrowed down to a millisecond. What blocks the sight for less than that way may be missed.
struct SightLine {
  let floor: SightFloor
  let segments: contact_segments
  /// The contact distance: no sight line is longer.
  let distance: Double

  static var step: Double { 1.0 }

  /// Nanoseconds of the piece in which the sight is blocked. A touch counts one when it is.
  ///
  /// - Parameter known: the answer at the beginning when it is known from the piece before; gets the one at the end.
  @inline(__always)
  func blocked(_ piece: contact_piece, known: inout Bool?) -> Int64 {
    let i = Int(piece.segment_a)
    let j = Int(piece.segment_b)
    if isClear(i, j, piece) {
      known = false
      return 0
    }
    return lookAlong(i, j, piece, known: &known)
  }

  /// Whether no wall is near anywhere on the way: the middle of the sight line begins so far from all walls that
  /// it cannot come as near as half the distance.
  @inline(__always)
  private func isClear(_ i: Int, _ j: Int, _ piece: contact_piece) -> Bool {
    guard let clearance = floor.clearance else { return false }
    let begin = piece.start + piece.enter
    let (a, b) = (begin - segments.start[i], begin - segments.start[j])
    let x = (segments.x[i] + segments.vx[i] * a + segments.x[j] + segments.vx[j] * b) * 0.5
    let y = (segments.y[i] + segments.vy[i] * a + segments.y[j] + segments.vy[j] * b) * 0.5
    let (vx, vy) = ((segments.vx[i] + segments.vx[j]) * 0.5, (segments.vy[i] + segments.vy[j]) * 0.5)
    let way = (vx * vx + vy * vy).squareRoot() * (piece.leave - piece.enter)
    return clearance.isClear(x: x, y: y, radius: distance * 0.5 + way + 1e-3)
  }

  @inline(never)
  private func lookAlong(_ i: Int, _ j: Int, _ piece: contact_piece, known: inout Bool?) -> Int64 {
    let length = piece.leave - piece.enter
    let begin = piece.start + piece.enter
    let first = known ?? isBlocked(i, j, at: begin)
    guard length > 0 else {
      known = first
      return first ? 1 : 0
    }
    let ways = max(
      segments.vx[i] * segments.vx[i] + segments.vy[i] * segments.vy[i],
      segments.vx[j] * segments.vx[j] + segments.vy[j] * segments.vy[j])
    let way = ways.squareRoot() * length
    let steps = Int(min(max((way / SightLine.step).rounded(.up), 1), 1_000))
    var (state, time) = (first, 0.0)
    var total = 0.0
    for k in 1...steps {
      let next = length * Double(k) / Double(steps)
      let nextState = isBlocked(i, j, at: begin + next)
      if nextState == state {
        if state { total += next - time }
      } else {
        var (low, high) = (time, next)
        while high - low > 1 {
          let middle = (low + high) / 2
          if isBlocked(i, j, at: begin + middle) == state { low = middle } else { high = middle }
        }
        let change = (low + high) / 2
        total += state ? change - time : next - change
      }
      (state, time) = (nextState, next)
    }
    known = state
    return Int64((total * 1e6).rounded())
  }

  @inline(__always)
  private func isBlocked(_ i: Int, _ j: Int, at time: Double) -> Bool {
    let (a, b) = (time - segments.start[i], time - segments.start[j])
    return floor.walls.isBlocked(
      from: PlanePoint(x: segments.x[i] + segments.vx[i] * a, y: segments.y[i] + segments.vy[i] * a),
      to: PlanePoint(x: segments.x[j] + segments.vx[j] * b, y: segments.y[j] + segments.vy[j] * b))
  }
}
