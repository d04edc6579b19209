public import CordonGeometry

/// A waypoint on a person's way.
public struct CrowdWaypoint: Hashable, Sendable {
  var middle: PlanePoint
  /// Unit vector along a doorway's line.
  var along: PlanePoint
  /// Unit vector through a doorway, in the direction of the way.
  var through: PlanePoint
  /// Half the width of a doorway; 0 for a point.
  var halfWidth: Double
  /// Distance at which a point counts as reached, in metres.
  var radius: Double
  /// Factor of the free speed on the way to the waypoint: below 1 on stairs.
  var pace = 1.0
  /// Whether the line is an open boundary that can be crossed anywhere, rather than a doorway.
  var isOpen = false
  /// The number of the doorway in ``PedestrianCrowd/arbiter``, counted from 1, negative against the direction of its line; 0 for a
  /// point.
  var turn: Int32 = 0

  /// A point to pass, or to stop at when it is the last of a way.
  /// - Parameters:
  ///   - point: its position.
  ///   - radius: distance at which it counts as reached, in metres.
  ///   - pace: factor of the free speed on the way there.
  public static func point(_ point: PlanePoint, radius: Double, pace: Double = 1) -> CrowdWaypoint {
    CrowdWaypoint(
      middle: point, along: PlanePoint(x: 1, y: 0), through: PlanePoint(x: 0, y: 1), halfWidth: 0, radius: radius,
      pace: pace)
  }

  /// A doorway to walk through, from the right of its line to the left or the other way.
  /// - Parameters:
  ///   - line: the free width of the threshold.
  ///   - toLeft: the direction.
  ///   - number: the index of the doorway among those of the crowd at which people take turns; `nil` for a doorway without
  ///     turns.
  public static func door(_ line: PlaneSegment, toLeft: Bool, number: Int? = nil) -> CrowdWaypoint {
    let length = max(line.length, 1e-9)
    let along = PlanePoint(x: (line.b.x - line.a.x) / length, y: (line.b.y - line.a.y) / length)
    let sign = toLeft ? 1.0 : -1.0
    return CrowdWaypoint(
      middle: line.middle, along: along, through: PlanePoint(x: -along.y * sign, y: along.x * sign),
      halfWidth: length / 2, radius: 0, turn: number.map { Int32($0 + 1) * (toLeft ? 1 : -1) } ?? 0)
  }

  /// A line to cross anywhere, from its right to its left or the other way.
  public static func line(_ line: PlaneSegment, toLeft: Bool, pace: Double = 1) -> CrowdWaypoint {
    var mark = door(line, toLeft: toLeft)
    mark.isOpen = true
    mark.pace = pace
    return mark
  }

  var isDoor: Bool { halfWidth > 0 }

  /// Points before and behind a waypoint: on the two sides of a doorway; a point itself otherwise.
  var near: PlanePoint { beside(-CrowdWaypoint.doorClearance) }
  var far: PlanePoint { beside(CrowdWaypoint.doorClearance) }

  private func beside(_ depth: Double) -> PlanePoint {
    isDoor ? PlanePoint(x: middle.x + through.x * depth, y: middle.y + through.y * depth) : middle
  }

  /// Distance behind a doorway's line at which it has been passed, in metres: out of the thickness of the wall.
  static let doorClearance = 0.3
  /// Distance beside a doorway within which a person behind its line may have come through it, in metres.
  static let passingMargin = 1.0

  /// Whether a person at (`x`, `y`) has passed or reached the waypoint.
  @inline(__always)
  func isPassed(x: Double, y: Double) -> Bool {
    let dx = x - middle.x
    let dy = y - middle.y
    if isDoor {
      let depth = dx * through.x + dy * through.y
      if isOpen { return depth > 0 }
      // Behind the line but elsewhere, such as in the next doorway along the wall: not through this one.
      return depth > CrowdWaypoint.doorClearance
        && abs(dx * along.x + dy * along.y) < halfWidth + CrowdWaypoint.passingMargin
    }
    return dx * dx + dy * dy <= radius * radius
  }

  /// Whether a person at (`x`, `y`) has reached a point.
  @inline(__always)
  func isReached(x: Double, y: Double) -> Bool {
    let dx = x - middle.x
    let dy = y - middle.y
    return dx * dx + dy * dy <= 0.0144
  }

  /// The aim of a person at (`x`, `y`) with a body of radius `body`, and whether they are near a doorway.
  ///
  /// With counterflow in the doorway, both directions keep to their right.
  @inline(__always)
  func aim(x: Double, y: Double, body: Double, keepingRight: Bool) -> (x: Double, y: Double, isBeside: Bool) {
    guard isDoor else { return (middle.x, middle.y, false) }
    let dx = x - middle.x
    let dy = y - middle.y
    let offset = dx * along.x + dy * along.y
    let depth = dx * through.x + dy * through.y
    // The width that a centre can use.
    let free = max(halfWidth - body - 0.02, 0.02)
    var lateral = min(max(offset, -free), free)
    if keepingRight {
      // The right of the way is (through.y, -through.x).
      let right = along.x * through.y - along.y * through.x > 0 ? 1.0 : -1.0
      lateral = right * min(max(lateral * right, min(body + 0.02, free)), free)
    }
    // Beside the doorway: first to its mouth; in front of it or in it: out on the far side.
    let goal = depth < -0.1 && abs(offset) > free + 0.02 ? -0.05 : 0.5
    return (
      middle.x + along.x * lateral + through.x * goal, middle.y + along.y * lateral + through.y * goal,
      depth < 0.5 && !isOpen
    )
  }
}
