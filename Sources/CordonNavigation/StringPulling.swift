package import CordonGeometry

extension WalkableRaster {
  /// Straightens a path: returns one with fewer corners and no barrier across any leg.
  ///
  /// From each corner, the next leg leads to a far point of the path that a free straight line reaches. Doubling and
  /// halving the stride finds that point, which keeps long paths cheap. Free lines must join consecutive points of the
  /// input; the method keeps such a leg where it finds nothing better.
  package func straightened(_ way: [PlanePoint]) -> [PlanePoint] {
    guard way.count > 2 else { return way }
    var corners = [way[0]]
    var here = 0
    while here < way.count - 1 {
      var reached = here + 1
      var stride = 1
      while reached < way.count - 1 {
        let next = min(reached + stride, way.count - 1)
        if isFree(from: way[here], to: way[next]) {
          reached = next
          stride *= 2
        } else if stride > 1 {
          stride /= 2
        } else {
          break
        }
      }
      corners.append(way[reached])
      here = reached
    }
    return corners
  }

  /// Returns the path between two cells through the tree of shortest paths of a field.
  ///
  /// The path goes down the tree from both cells to the cell where the two branches meet. If that path crosses a
  /// one-way line backwards, the method computes a field of its own instead. Empty if there is no path.
  package func way(from start: Int, to end: Int, along field: DistanceField) -> [Int] {
    let down = field.cells(from: start, on: self)
    let up = field.cells(from: end, on: self)
    guard !down.isEmpty, !up.isEmpty else { return [] }
    // Both branches end at the target; the part they share at the end is a detour.
    var a = down.count - 1
    var b = up.count - 1
    while a > 0 && b > 0 && down[a - 1] == up[b - 1] {
      a -= 1
      b -= 1
    }
    let way = Array(down[...a] + up[..<b].reversed())
    // The second half runs against the field, which one-way lines may forbid.
    guard let oneWays,
      zip(way, way.dropFirst()).contains(where: { pair in
        oneWays.isCrossedBackwards(from: center(of: pair.0), to: center(of: pair.1))
      })
    else { return way }
    return DistanceField(to: end, on: self).cells(from: start, on: self)
  }
}
