/// Finds the walls of a floor: the edges of its spaces, with those of neighbours merged into the longest straight
/// pieces.
struct WallTracer {
  private struct Line: Hashable, Comparable {
    var isHorizontal: Bool
    var position: Int

    static func < (lhs: Line, rhs: Line) -> Bool {
      (lhs.isHorizontal ? 0 : 1, lhs.position) < (rhs.isHorizontal ? 0 : 1, rhs.position)
    }
  }

  /// Returns the walls, horizontal ones first, from south-west to north-east.
  static func walls(of floor: FloorDraft) -> [PlanSegment] {
    var built: [Line: [PlanRange]] = [:]
    var open: [Line: [PlanRange]] = [:]
    for space in floor.spaces where space.edge != .open {
      for ring in [space.outer] + space.holes {
        for (a, b) in zip(ring, ring.dropFirst() + ring.prefix(1)) where a != b {
          let line = Line(isHorizontal: a.y == b.y, position: a.y == b.y ? a.y : a.x)
          let range = a.y == b.y ? PlanRange(min(a.x, b.x), max(a.x, b.x)) : PlanRange(min(a.y, b.y), max(a.y, b.y))
          if space.edge == .void {
            open[line, default: []].append(range)
          } else {
            built[line, default: []].append(range)
          }
        }
      }
    }
    var walls: [PlanSegment] = []
    for line in built.keys.sorted() {
      for range in subtract(open[line] ?? [], from: merge(built[line] ?? [])) {
        walls.append(
          line.isHorizontal
            ? PlanSegment(PlanPoint(x: range.lower, y: line.position), PlanPoint(x: range.upper, y: line.position))
            : PlanSegment(PlanPoint(x: line.position, y: range.lower), PlanPoint(x: line.position, y: range.upper)))
      }
    }
    return walls
  }

  private static func merge(_ ranges: [PlanRange]) -> [PlanRange] {
    var merged: [PlanRange] = []
    for range in ranges.sorted(by: { ($0.lower, $0.upper) < ($1.lower, $1.upper) }) {
      if let last = merged.last, range.lower <= last.upper {
        merged[merged.count - 1].upper = max(last.upper, range.upper)
      } else {
        merged.append(range)
      }
    }
    return merged
  }

  private static func subtract(_ gaps: [PlanRange], from ranges: [PlanRange]) -> [PlanRange] {
    var rest = ranges
    for gap in gaps {
      rest = rest.flatMap { range -> [PlanRange] in
        guard range.intersection(gap) != nil else { return [range] }
        return [PlanRange(range.lower, gap.lower), PlanRange(gap.upper, range.upper)].filter { $0.length > 0 }
      }
    }
    return rest
  }
}
