import CordonGeometry

/// Leaves out single positions that their receiver got wrong, with a delay of one position and constant memory.
///
/// A position is an outlier when two conditions hold. It lies farther from the straight way between its neighbours than
/// 2.5 times its accuracy radius. And the way over it needs 1.6 times the speed of the last positions, or of the way without
/// it. A corner or a way back fulfils only the first condition: the speed there is the usual one.
struct OutlierGate: Sendable {
  /// A position, the mean of a few seconds.
  struct Position: Sendable {
    var point: PlanePoint
    /// The radius in metres.
    var accuracy: Double
    /// The mean time in seconds.
    var seconds: Double
  }

  /// The distance from the straight way beyond which a position is doubtful, as a multiple of its radius.
  static let distanceFactor = 2.5
  /// The speed beyond which a doubtful position is left out, as a multiple of the usual speed.
  static let speedFactor = 1.6

  private var first: Position?
  private var second: Position?
  /// The speeds between the last positions in metres per second, a ring.
  private var speeds = SIMD8<Double>(repeating: 0)
  private var speedCount = 0

  /// Whether no position waits.
  var isEmpty: Bool { first == nil }

  /// Takes a position; returns an earlier one that is not an outlier, if one is decided now.
  mutating func pass(_ third: Position) -> Position? {
    guard let one = first else {
      first = third
      return nil
    }
    guard let two = second else {
      second = third
      return nil
    }
    if isOutlier(two, between: one, and: third) {
      second = third
      return nil
    }
    let time = max(two.seconds - one.seconds, 0.001)
    speeds[speedCount & 7] = distance(one.point, two.point) / time
    speedCount += 1
    first = two
    second = third
    return one
  }

  /// Returns a position that waits, at the end of the path; `nil` when none is left.
  mutating func next() -> Position? {
    defer { (first, second) = (second, nil) }
    return first
  }

  /// Moves the positions that wait into another plane.
  mutating func move(_ body: (PlanePoint) -> PlanePoint) {
    if let point = first?.point { first?.point = body(point) }
    if let point = second?.point { second?.point = body(point) }
  }

  private func isOutlier(_ position: Position, between one: Position, and three: Position) -> Bool {
    let (dx, dy) = (three.point.x - one.point.x, three.point.y - one.point.y)
    let (px, py) = (position.point.x - one.point.x, position.point.y - one.point.y)
    let square = dx * dx + dy * dy
    let part = square > 0 ? min(max((px * dx + py * dy) / square, 0), 1) : 0
    let (ax, ay) = (px - part * dx, py - part * dy)
    let limit = OutlierGate.distanceFactor * position.accuracy
    guard ax * ax + ay * ay > limit * limit else { return false }
    let time = max(three.seconds - one.seconds, 0.001)
    let over = (distance(one.point, position.point) + distance(position.point, three.point)) / time
    return over > OutlierGate.speedFactor * max(square.squareRoot() / time, usualSpeed ?? 0)
  }

  /// The median of the last speeds; `nil` before the third.
  private var usualSpeed: Double? {
    let count = min(speedCount, 8)
    guard count >= 3 else { return nil }
    var sorted = (0..<count).map { speeds[$0] }
    sorted.sort()
    return sorted[count / 2]
  }

  private func distance(_ a: PlanePoint, _ b: PlanePoint) -> Double {
    ((a.x - b.x) * (a.x - b.x) + (a.y - b.y) * (a.y - b.y)).squareRoot()
  }
}
