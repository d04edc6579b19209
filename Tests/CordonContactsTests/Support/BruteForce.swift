import CordonContacts

/// Contacts by trying every pair of segments. All segments are closed, so that two that share one moment are tried as
/// well. Slow, short, and written independently of the engine.
enum BruteForce {
  struct Piece {
    var first: Int32
    var second: Int32
    var floor: Int32
    /// Nanoseconds.
    var start: Int64
    var end: Int64
    var minimum: Double
  }

  static func contacts(in segments: [Segment], distance: Double, flagged: Bool = true) -> [Piece] {
    var pieces: [Piece] = []
    for (k, one) in segments.enumerated() {
      for two in segments[..<k] where one.device != two.device {
        let unknown = one.floor == Segment.unknownFloor || two.floor == Segment.unknownFloor
        guard unknown ? flagged : one.floor == two.floor else { continue }
        let (a, b) = one.device < two.device ? (one, two) : (two, one)
        guard let piece = piece(a, b, distance: distance, floor: unknown ? Segment.unknownFloor : a.floor) else {
          continue
        }
        pieces.append(piece)
      }
    }
    pieces.sort { ($0.first, $0.second, $0.floor, $0.start) < ($1.first, $1.second, $1.floor, $1.start) }
    var merged: [Piece] = []
    for piece in pieces {
      if let last = merged.last, (last.first, last.second, last.floor) == (piece.first, piece.second, piece.floor),
        piece.start <= last.end + 1_000
      {
        merged[merged.count - 1].end = max(last.end, piece.end)
        merged[merged.count - 1].minimum = min(last.minimum, piece.minimum)
      } else {
        merged.append(piece)
      }
    }
    return merged.sorted {
      ($0.start, $0.first, $0.second, $0.floor) < ($1.start, $1.first, $1.second, $1.floor)
    }
  }

  static func piece(_ a: Segment, _ b: Segment, distance: Double, floor: Int32) -> Piece? {
    let start = max(a.start, b.start)
    let end = min(a.end, b.end)
    guard end >= start else { return nil }
    let (ax, ay) = position(of: a, at: start)
    let (bx, by) = position(of: b, at: start)
    let (aex, aey) = position(of: a, at: end)
    let (bex, bey) = position(of: b, at: end)
    let length = Double(end - start)
    // Relative position from (px, py) to (ex, ey), with the share u of the way as the unknown.
    let (px, py) = (ax - bx, ay - by)
    let (dx, dy) = (aex - bex - px, aey - bey - py)
    let a2 = dx * dx + dy * dy
    let c = px * px + py * py - distance * distance
    var (low, high) = (0.0, 1.0)
    if a2 < 1e-18 {
      if c > 0 { return nil }
    } else {
      let b2 = px * dx + py * dy
      let discriminant = b2 * b2 - a2 * c
      guard discriminant >= 0 else { return nil }
      let q = b2 >= 0 ? -(b2 + discriminant.squareRoot()) : discriminant.squareRoot() - b2
      let roots = [q / a2, q == 0 ? 0 : c / q].sorted()
      low = max(roots[0], 0)
      high = min(roots[1], 1)
      guard low <= high else { return nil }
    }
    let best = a2 < 1e-18 ? 0 : min(max(-(px * dx + py * dy) / a2, low), high)
    let (mx, my) = (px + dx * best, py + dy * best)
    return Piece(
      first: a.device, second: b.device, floor: floor,
      start: start * 1_000_000 + Int64((low * length * 1e6).rounded()),
      end: start * 1_000_000 + Int64((high * length * 1e6).rounded()),
      minimum: (mx * mx + my * my).squareRoot())
  }

  static func position(of segment: Segment, at time: Int64) -> (Double, Double) {
    guard segment.end > segment.start else { return (segment.x0, segment.y0) }
    let share = Double(time - segment.start) / Double(segment.end - segment.start)
    return (segment.x0 + (segment.x1 - segment.x0) * share, segment.y0 + (segment.y1 - segment.y0) * share)
  }
}
