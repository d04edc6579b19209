extension WalkableRaster {
  /// Straightens a way: fewer corners, each leg free of barriers.
  ///
  /// From each corner it goes to the farthest point of the way that a free straight line reaches
  /// (searched by doubling and halving, so that long ways stay cheap). Consecutive points of the
  /// input must themselves be joined by free lines, and are kept where nothing better is found.
  public func straightened(_ way: [PlanePoint]) -> [PlanePoint] {
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

  /// The way between two cells through the tree of shortest ways of a field: down from each to where the
  /// two meet. Empty when there is no way.
  public func way(from start: Int, to end: Int, along field: DistanceField) -> [Int] {
    let down = field.cells(from: start, on: self)
    let up = field.cells(from: end, on: self)
    guard !down.isEmpty, !up.isEmpty else { return [] }
    // Both end at the target; what they share at the end is a detour.
    var a = down.count - 1
    var b = up.count - 1
    while a > 0 && b > 0 && down[a - 1] == up[b - 1] {
      a -= 1
      b -= 1
    }
    let way = Array(down[...a] + up[..<b].reversed())
    // The second half is walked against the field, which one-way lines may forbid.
    guard let oneWays,
      zip(way, way.dropFirst()).contains(where: { pair in
        oneWays.isCrossedBackwards(from: center(of: pair.0), to: center(of: pair.1))
      })
    else { return way }
    return DistanceField(to: end, on: self).cells(from: start, on: self)
  }
}
