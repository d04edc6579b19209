internal import CContactKernel
internal import CordonGeometry

/// Finds for how long the sight line of pieces of contact was blocked.
///
/// The moments at which a wall comes between two who move straight are solved for. Only at contact distances beyond 36 m, on
/// floors of many square kilometres and for jumps of a kilometre is the sight looked at from metre to metre instead, and a
/// change narrowed down to a millisecond.
struct SightLine {
  let floor: SightFloor
  /// The contact distance: no sight line is longer.
  let distance: Double

  private static var step: Double { 1.0 }

  /// Nanoseconds of the piece in which the sight is blocked. A touch counts one when it is.
  func blocked(_ piece: contact_piece) -> Int64 {
    guard piece.length * 1e6 >= 1 else {
      let from = PlanePoint(x: piece.ax, y: piece.ay)
      return floor.isBlocked(from: from, to: PlanePoint(x: piece.bx, y: piece.by)) ? 1 : 0
    }
    // Every sight line of the piece is within half the distance and the way of its middle from the middle of the first one.
    let (vx, vy) = ((piece.avx + piece.bvx) * 0.5, (piece.avy + piece.bvy) * 0.5)
    let way = (vx * vx + vy * vy).squareRoot() * piece.length
    guard let clearance = floor.clearance else { return lookAlong(piece) }
    let room = clearance.nearness - distance * 0.5 - 1e-3
    guard room > 0, way <= room * 1_000 else { return lookAlong(piece) }
    if way <= room, let walls = clearance.walls(near: (piece.ax + piece.bx) * 0.5, (piece.ay + piece.by) * 0.5) {
      return Int64((blocked(by: walls, of: clearance, piece) * 1e6).rounded())
    }
    return inParts(Int((way / room).rounded(.up)), piece, clearance)
  }

  /// A piece on which the middle goes far, in parts on which it does not.
  @inline(never)
  private func inParts(_ count: Int, _ piece: contact_piece, _ clearance: ClearanceRaster) -> Int64 {
    var total = 0.0
    var part = piece
    part.length = piece.length / Double(count)
    for k in 0..<count {
      let time = part.length * Double(k)
      (part.ax, part.ay) = (piece.ax + piece.avx * time, piece.ay + piece.avy * time)
      (part.bx, part.by) = (piece.bx + piece.bvx * time, piece.by + piece.bvy * time)
      // Outside of the raster no wall is near.
      if let walls = clearance.walls(near: (part.ax + part.bx) * 0.5, (part.ay + part.by) * 0.5) {
        total += blocked(by: walls, of: clearance, part)
      }
    }
    return Int64((total * 1e6).rounded())
  }

  /// Milliseconds in which any of the walls is in the way.
  private func blocked(by walls: Range<Int>, of clearance: ClearanceRaster, _ ways: contact_piece) -> Double {
    let length = ways.length
    // Where the two are at the end.
    let (cx, cy) = (ways.ax + ways.avx * length, ways.ay + ways.avy * length)
    let (dx, dy) = (ways.bx + ways.bvx * length, ways.by + ways.bvy * length)
    var total = 0.0
    var first: WallPassage?
    var several: [(start: Double, end: Double)] = []
    for k in walls {
      let line = clearance.line(k)
      // All four ends on one side of the wall's line, or beyond the same end of the wall: it never comes between.
      let s0 = (ways.ax - line.x) * line.uy - (ways.ay - line.y) * line.ux
      let s1 = (ways.bx - line.x) * line.uy - (ways.by - line.y) * line.ux
      let s2 = (cx - line.x) * line.uy - (cy - line.y) * line.ux
      let s3 = (dx - line.x) * line.uy - (dy - line.y) * line.ux
      if min(min(s0, s1), min(s2, s3)) >= 0 || max(max(s0, s1), max(s2, s3)) <= 0 { continue }
      let t0 = (ways.ax - line.x) * line.ux + (ways.ay - line.y) * line.uy
      let t1 = (ways.bx - line.x) * line.ux + (ways.by - line.y) * line.uy
      let t2 = (cx - line.x) * line.ux + (cy - line.y) * line.uy
      let t3 = (dx - line.x) * line.ux + (dy - line.y) * line.uy
      if max(max(t0, t1), max(t2, t3)) < 0 || min(min(t0, t1), min(t2, t3)) > line.length { continue }
      let passage = WallPassage(
        line, ax: ways.ax, ay: ways.ay, avx: ways.avx, avy: ways.avy, bx: ways.bx, by: ways.by, bvx: ways.bvx,
        bvy: ways.bvy)
      guard let first else {
        passage.forEachInterval(within: length) { total += $1 - $0 }
        first = passage
        continue
      }
      if several.isEmpty { first.forEachInterval(within: length) { several.append(($0, $1)) } }
      passage.forEachInterval(within: length) { several.append(($0, $1)) }
    }
    return several.isEmpty ? total : SightLine.union(&several)
  }

  /// The time that intervals cover together.
  private static func union(_ intervals: inout [(start: Double, end: Double)]) -> Double {
    intervals.sort { ($0.start, $0.end) < ($1.start, $1.end) }
    var (total, reach) = (0.0, -Double.infinity)
    for interval in intervals {
      total += max(0, interval.end - max(interval.start, reach))
      reach = max(reach, interval.end)
    }
    return total
  }

  @inline(never)
  private func lookAlong(_ ways: contact_piece) -> Int64 {
    let length = ways.length
    let square = max(ways.avx * ways.avx + ways.avy * ways.avy, ways.bvx * ways.bvx + ways.bvy * ways.bvy)
    let way = square.squareRoot() * length
    let steps = Int(min(max((way / SightLine.step).rounded(.up), 1), 1_000))
    var (state, time) = (isBlocked(ways, at: 0), 0.0)
    var total = 0.0
    for k in 1...steps {
      let next = length * Double(k) / Double(steps)
      let nextState = isBlocked(ways, at: next)
      if nextState == state {
        if state { total += next - time }
      } else {
        var (low, high) = (time, next)
        while high - low > 1 {
          let middle = (low + high) / 2
          if isBlocked(ways, at: middle) == state { low = middle } else { high = middle }
        }
        let change = (low + high) / 2
        total += state ? change - time : next - change
      }
      (state, time) = (nextState, next)
    }
    return Int64((total * 1e6).rounded())
  }

  @inline(__always)
  private func isBlocked(_ ways: contact_piece, at time: Double) -> Bool {
    floor.walls.isBlocked(
      from: PlanePoint(x: ways.ax + ways.avx * time, y: ways.ay + ways.avy * time),
      to: PlanePoint(x: ways.bx + ways.bvx * time, y: ways.by + ways.bvy * time))
  }
}
