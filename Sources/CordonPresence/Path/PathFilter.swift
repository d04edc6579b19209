package import CordonCore
import CordonGeometry

/// The length of a path that noisy fixes describe, in one pass with constant memory.
///
/// Sums of the distances between fixes grow with the noise and with the number of fixes. The filter takes the mean position of
/// every 5 s, and joins as many of these as a straight line passes within a tolerance: half of their accuracy radius, and at least
/// 1 m. A position that lies far aside of both its neighbours, and that only an implausible speed could reach, is an outlier and
/// left out (``OutlierGate``). The line grows as long as a direction exists that misses no position, as in the cone algorithm of
/// Imai and Iri (1986). A line begins with 2.5 times the radius: movement within it, such as the wandering of a device at rest, has
/// no length.
///
/// The filter sees what was sampled: the way between two fixes counts as straight. `docs/records/presence.md` has the errors that
/// were measured, and the tracks on which the constants were chosen.
package struct PathFilter: Sendable {
  /// The time over which positions are averaged, in milliseconds.
  static let block: Int64 = 5_000
  /// The tolerance as a multiple of the 68 % radius.
  static let toleranceFactor = 0.5
  /// The distance at which a line begins, as a multiple of the tolerance.
  static let startFactor = 5.0
  /// The smallest tolerance in metres.
  static let smallestTolerance = 1.0
  /// The accuracy radius in metres of fixes without one.
  static let unknownAccuracy = 5.0
  /// The distance in metres from its origin at which the plane is replaced.
  static let planeExtent = 5_000.0

  /// The length of the finished lines in metres.
  package private(set) var length = 0.0
  /// The end of the last finished line; `nil` before the first fix.
  package private(set) var vertex: Coordinate?
  /// The number of ends of lines.
  package private(set) var vertexCount = 0

  private var frame = PathFilter.firstFrame
  private static let firstFrame = LocalFrame(origin: Coordinate(longitude: 0, latitude: 0))
  /// The sums of the present block.
  private var sum = (x: 0.0, y: 0.0, accuracy: 0.0, time: 0.0, count: 0.0)
  private var blockEnd = Int64.min
  private var gate = OutlierGate()
  /// The beginning of the present line; the plane is valid since then.
  private var anchor = PlanePoint(x: 0, y: 0)
  private var hasAnchor = false
  /// The farthest position of the present line, and its distance from the anchor.
  private var farthest = PlanePoint(x: 0, y: 0)
  private var reach = 0.0
  /// The directions that miss no position: counter-clockwise from `low` to `high`. Only with a reach.
  private var low = PlanePoint(x: 1, y: 0)
  private var high = PlanePoint(x: 1, y: 0)

  /// Creates a filter.
  package init() {}

  /// Adds a fix; fixes come in the order of their times.
  package mutating func add(_ fix: PresenceFix) {
    if fix.time >= blockEnd, sum.count > 0 { endBlock() }
    if sum.count == 0 {
      blockEnd = fix.time + PathFilter.block
      if !hasAnchor, gate.isEmpty { frame = LocalFrame(origin: fix.coordinate) }
    }
    let point = frame.project(fix.coordinate)
    sum.x += point.x
    sum.y += point.y
    sum.accuracy += fix.hasAccuracy ? fix.accuracy : PathFilter.unknownAccuracy
    sum.time += Double(fix.time &- blockEnd)
    sum.count += 1
  }

  /// Ends the path, such as before a gap; the next fix begins another one.
  package mutating func pause() {
    if sum.count > 0 { endBlock() }
    while let position = gate.next() { take(position) }
    gate = OutlierGate()
    if reach > 0 { endLine() }
    hasAnchor = false
    reach = 0
  }

  private mutating func endBlock() {
    let position = OutlierGate.Position(
      point: PlanePoint(x: sum.x / sum.count, y: sum.y / sum.count), accuracy: sum.accuracy / sum.count,
      seconds: (Double(blockEnd) + sum.time / sum.count) / 1_000)
    sum = (0, 0, 0, 0, 0)
    if let passed = gate.pass(position) { take(passed) }
  }

  private mutating func take(_ position: OutlierGate.Position) {
    let tolerance = max(PathFilter.toleranceFactor * position.accuracy, PathFilter.smallestTolerance)
    guard hasAnchor else {
      (anchor, hasAnchor, reach) = (position.point, true, 0)
      setVertex(position.point)
      return
    }
    if !extend(to: position.point, tolerance) {
      let place = frame.unproject(position.point)
      endLine()
      _ = extend(to: frame.project(place), tolerance)
    }
  }

  /// Takes a position into the present line; false when no line reaches it.
  private mutating func extend(to point: PlanePoint, _ tolerance: Double) -> Bool {
    let (dx, dy) = (point.x - anchor.x, point.y - anchor.y)
    let distance = (dx * dx + dy * dy).squareRoot()
    if reach == 0 {
      guard distance > PathFilter.startFactor * tolerance else { return true }
      (low, high) = PathFilter.cone(dx, dy, distance, tolerance)
      (farthest, reach) = (point, distance)
      return true
    }
    // Going back by more than the noise ends the line.
    guard distance >= reach - tolerance else { return false }
    if distance > tolerance {
      guard low.x * dy - low.y * dx >= 0, dx * high.y - dy * high.x >= 0, low.x * dx + low.y * dy > 0 else {
        return false
      }
      let cone = PathFilter.cone(dx, dy, distance, tolerance)
      if low.x * cone.low.y - low.y * cone.low.x > 0 { low = cone.low }
      if cone.high.x * high.y - cone.high.y * high.x > 0 { high = cone.high }
    }
    if distance >= reach { (farthest, reach) = (point, distance) }
    return true
  }

  /// The tangents from the anchor to a circle around a position.
  private static func cone(
    _ dx: Double, _ dy: Double, _ distance: Double, _ tolerance: Double
  ) -> (low: PlanePoint, high: PlanePoint) {
    let (ux, uy) = (dx / distance, dy / distance)
    let sine = tolerance / distance
    let cosine = max(1 - sine * sine, 0).squareRoot()
    return (
      PlanePoint(x: ux * cosine + uy * sine, y: uy * cosine - ux * sine),
      PlanePoint(x: ux * cosine - uy * sine, y: uy * cosine + ux * sine)
    )
  }

  private mutating func endLine() {
    length += reach
    setVertex(farthest)
    reach = 0
    anchor = farthest
    // A plane far from its origin stretches east-west lengths.
    let size = max(abs(anchor.x), abs(anchor.y))
    if size > PathFilter.planeExtent {
      let old = frame
      frame = LocalFrame(origin: old.unproject(anchor))
      anchor = PlanePoint(x: 0, y: 0)
      gate.move { [frame] in frame.project(old.unproject($0)) }
    }
  }

  private mutating func setVertex(_ point: PlanePoint) {
    vertex = frame.unproject(point)
    vertexCount += 1
  }
}
