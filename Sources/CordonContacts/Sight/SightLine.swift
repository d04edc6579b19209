internal import CContactKernel
public import CordonGeometry

/// Tells for how long the sight line between two devices was blocked.
public protocol SightBlocking: Sendable {
  /// Whether anything is in the way from one point to the other, in metres of the floor's frame.
  func isBlocked(from: PlanePoint, to: PlanePoint) -> Bool
}

extension WallIndex: SightBlocking {}

/// Looks along the sight line of pieces of contact.
///
/// Between looks neither device moves by more than ``step``; where the answer changes, the moment is
/// narrowed down to a millisecond. What blocks the sight for less than that way may be missed.
struct SightLine<Walls: SightBlocking> {
  let walls: Walls
  let segments: contact_segments

  static var step: Double { 1.0 }

  /// Nanoseconds of the piece in which the sight is blocked. A touch counts one when it is.
  ///
  /// - Parameter known: the answer at the beginning when it is known from the piece before; gets the one at the end.
  func blocked(_ piece: contact_piece, known: inout Bool?) -> Int64 {
    let i = Int(piece.segment_a)
    let j = Int(piece.segment_b)
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
    let steps = Int(min(max((way / Self.step).rounded(.up), 1), 1_000))
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
    return walls.isBlocked(
      from: PlanePoint(x: segments.x[i] + segments.vx[i] * a, y: segments.y[i] + segments.vy[i] * a),
      to: PlanePoint(x: segments.x[j] + segments.vx[j] * b, y: segments.y[j] + segments.vy[j] * b))
  }
}
