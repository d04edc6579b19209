import CordonGeometry

/// The check whether a ring crosses or touches itself.
enum RingCrossings {
  enum Verdict: Equatable {
    case simple
    /// Two edges cross, given by the indices of their first vertices.
    case crosses(Int, Int)
    /// Two vertices that are not neighbours have the same position, given by their indices.
    case touches(Int, Int)
    /// There are too many pairs of edges to check.
    case unknown
  }

  /// Maximum number of pairs of edges to check, which take a fraction of a second.
  static let budget = 4_000_000

  /// Checks a ring with a sweep from west to east. It is quadratic only where many edges overlap in longitude.
  static func examine(_ ring: [PlanePoint]) -> Verdict {
    let count = ring.count
    guard count >= 4 else { return .simple }
    let order = (0..<count).sorted { west(ring, $0) == west(ring, $1) ? $0 < $1 : west(ring, $0) < west(ring, $1) }
    var looked = 0
    var touch: Verdict?
    for position in order.indices {
      let first = order[position]
      let (a, b) = (ring[first], ring[(first + 1) % count])
      let east = max(a.x, b.x)
      for second in order[(position + 1)...] {
        let (c, d) = (ring[second], ring[(second + 1) % count])
        if min(c.x, d.x) > east { break }
        looked += 1
        if looked > budget { return .unknown }
        if max(c.y, d.y) < min(a.y, b.y) || min(c.y, d.y) > max(a.y, b.y) { continue }
        if a == c || (a == d && (second + 1) % count != first) {
          touch = touch ?? .touches(min(first, second), max(first, second))
          continue
        }
        if (first + 1) % count == second || (second + 1) % count == first { continue }
        if crosses(a, b, c, d) { return .crosses(min(first, second), max(first, second)) }
      }
    }
    return touch ?? .simple
  }

  private static func west(_ ring: [PlanePoint], _ index: Int) -> Double {
    min(ring[index].x, ring[(index + 1) % ring.count].x)
  }

  // Tests proper crossings only: each end lies strictly on its own side of the other edge.
  private static func crosses(_ a: PlanePoint, _ b: PlanePoint, _ c: PlanePoint, _ d: PlanePoint) -> Bool {
    side(a, b, c) * side(a, b, d) < 0 && side(c, d, a) * side(c, d, b) < 0
  }

  private static func side(_ a: PlanePoint, _ b: PlanePoint, _ p: PlanePoint) -> Double {
    let cross = (b.x - a.x) * (p.y - a.y) - (b.y - a.y) * (p.x - a.x)
    return cross > 0 ? 1 : cross < 0 ? -1 : 0
  }
}
