/// A path with fewer vertices, whose positions differ from the original ones by a limited distance at every time.
///
/// The vertices are numbers: times in units of ``Precision/tick``, places in units of ``Precision/unit``.
struct PathSimplifier {
  /// The accuracy of the result.
  struct Precision: Hashable, Sendable {
    /// The maximum distance in metres between a position of the result and the original one, for people who move at most
    /// 2.5 m/s.
    let tolerance: Double
    /// The unit of times in milliseconds.
    let tick: Int64
    /// The unit of places in metres.
    let unit: Double

    /// Creates a precision; `tolerance` is in metres.
    ///
    /// A vertex differs from the path by half a unit on each axis (0.24 of the tolerance) and by the way of half a tick
    /// (0.5 of it at 2.5 m/s). Places between vertices differ by at most two thirds of the tolerance on each axis.
    init(tolerance: Double) {
      self.tolerance = tolerance
      tick = Int64((tolerance * 400).rounded())
      unit = tolerance / 3
    }
  }

  /// A vertex of the original path: milliseconds and metres.
  struct Point: Hashable, Sendable {
    var time: Int64
    var x: Double
    var y: Double
  }

  /// A vertex of the result.
  struct Vertex: Hashable, Sendable {
    var time: Int64
    var x: Int64
    var y: Int64
  }

  let precision: Precision
  /// The number of points after the last usable end that are tried before it is taken.
  private static let patience = 48

  /// Returns the vertices of a path; times ascend. Empty for no points.
  ///
  /// From each vertex the method takes the farthest point that a straight movement reaches without leaving the tolerance,
  /// by the interval of speeds that all points between allow on each axis.
  ///
  /// - Complexity: linear in the number of points for usual paths, at most 48 times that.
  func vertices(of points: [Point]) -> [Vertex] {
    guard let first = points.first else { return [] }
    var result = [vertex(first)]
    let reach = precision.tolerance * 2 / 3
    var anchor = 0
    while anchor < points.count - 1 {
      let origin = result[result.count - 1]
      let (time0, x0, y0) = (origin.time * precision.tick, metres(origin.x), metres(origin.y))
      var (lowX, highX, lowY, highY) = (-Double.infinity, Double.infinity, -Double.infinity, Double.infinity)
      var end = anchor + 1
      var index = anchor + 1
      while index < points.count, index - end <= PathSimplifier.patience, lowX <= highX, lowY <= highY {
        let point = points[index]
        let candidate = vertex(point)
        let passed = Double((candidate.time - origin.time) * precision.tick)
        if passed > 0 {
          let speedX = (metres(candidate.x) - x0) / passed
          let speedY = (metres(candidate.y) - y0) / passed
          if speedX >= lowX, speedX <= highX, speedY >= lowY, speedY <= highY { end = index }
        } else if index == end + 1 {
          end = index
        }
        let exact = Double(point.time - time0)
        if exact * 2 > Double(precision.tick) {
          lowX = max(lowX, (point.x - reach - x0) / exact)
          highX = min(highX, (point.x + reach - x0) / exact)
          lowY = max(lowY, (point.y - reach - y0) / exact)
          highY = min(highY, (point.y + reach - y0) / exact)
        }
        index += 1
      }
      let next = vertex(points[end])
      if next.time > origin.time || next != origin { result.append(next) }
      anchor = end
    }
    return result
  }

  private func metres(_ units: Int64) -> Double { Double(units) * precision.unit }

  private func vertex(_ point: Point) -> Vertex {
    Vertex(
      time: (point.time + precision.tick / 2) / precision.tick,
      x: Int64((point.x / precision.unit).rounded()), y: Int64((point.y / precision.unit).rounded()))
  }
}
