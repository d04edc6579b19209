package import CordonGeometry

/// A waypoint on a person's way.
package struct CrowdWaypoint: Hashable, Sendable {
  var middle: PlanePoint
  /// Unit vector along a doorway's line.
  var along: PlanePoint
  /// Unit vector through a doorway, in the direction of travel.
  var through: PlanePoint
  /// Half the width of a doorway; 0 for a point.
  var halfWidth: Double
  /// Distance at which a point counts as passed, in metres.
  var radius: Double
  /// Factor of the free speed on the way to the waypoint; below 1 on stairs.
  var pace = 1.0
  /// Whether the line is an open boundary that people cross anywhere, instead of a doorway.
  var isOpen = false
  /// The number of the doorway in ``PedestrianCrowd/arbiter``, counted from 1; 0 for a waypoint without turns.
  ///
  /// The number is negative for a passage from the left of the doorway's line to its right.
  var turn: Int32 = 0
  /// Distance that a person keeps from the inner wall of a corner, in metres; negative if the wall is on the right.
  var inner = 0.0

  /// Returns a point to pass, or to stop at if it is the last one of a way.
  /// - Parameters:
  ///   - point: the position, in metres.
  ///   - radius: the distance at which the point counts as reached, in metres.
  ///   - pace: the factor of the free speed on the way there.
  package static func point(_ point: PlanePoint, radius: Double, pace: Double = 1) -> CrowdWaypoint {
    CrowdWaypoint(
      middle: point, along: PlanePoint(x: 1, y: 0), through: PlanePoint(x: 0, y: 1), halfWidth: 0, radius: radius,
      pace: pace)
  }

  /// Returns a doorway to walk through.
  /// - Parameters:
  ///   - line: the free width of the threshold, in metres.
  ///   - toLeft: whether the passage leads from the right of the line to its left.
  ///   - number: the index of the doorway among those of the crowd where people take turns; `nil` for a doorway without
  ///     turns.
  package static func door(_ line: PlaneSegment, toLeft: Bool, number: Int? = nil) -> CrowdWaypoint {
    let length = max(line.length, 1e-9)
    let along = PlanePoint(x: (line.b.x - line.a.x) / length, y: (line.b.y - line.a.y) / length)
    let sign = toLeft ? 1.0 : -1.0
    return CrowdWaypoint(
      middle: line.middle, along: along, through: PlanePoint(x: -along.y * sign, y: along.x * sign),
      halfWidth: length / 2, radius: 0, turn: number.map { Int32($0 + 1) * (toLeft ? 1 : -1) } ?? 0)
  }

  /// Returns a line to cross anywhere.
  /// - Parameters:
  ///   - line: the line, in metres.
  ///   - toLeft: whether the crossing leads from the right of the line to its left.
  ///   - pace: the factor of the free speed on the way there.
  package static func line(_ line: PlaneSegment, toLeft: Bool, pace: Double = 1) -> CrowdWaypoint {
    var mark = door(line, toLeft: toLeft)
    mark.isOpen = true
    mark.pace = pace
    return mark
  }

  var isDoor: Bool { halfWidth > 0 }

  /// The points before and behind a doorway; for a point, the point itself.
  var near: PlanePoint { beside(-CrowdWaypoint.doorClearance) }
  var far: PlanePoint { beside(CrowdWaypoint.doorClearance) }

  private func beside(_ depth: Double) -> PlanePoint {
    isDoor ? PlanePoint(x: middle.x + through.x * depth, y: middle.y + through.y * depth) : middle
  }

  /// Distance behind a doorway's line at which the doorway counts as passed, in metres. The person has then left the
  /// thickness of the wall.
  static let doorClearance = 0.3
  /// Sideways distance from a doorway within which a person behind its line may have passed it, in metres.
  static let passingMargin = 1.0

  /// Checks whether a person at (`x`, `y`) has passed the waypoint.
  @inline(__always)
  func isPassed(x: Double, y: Double) -> Bool {
    let dx = x - middle.x
    let dy = y - middle.y
    if isDoor {
      let depth = dx * through.x + dy * through.y
      if isOpen { return depth > 0 }
      // A person behind the line but far to the side has passed another doorway, such as the next one along the wall.
      return depth > CrowdWaypoint.doorClearance
        && abs(dx * along.x + dy * along.y) < halfWidth + CrowdWaypoint.passingMargin
    }
    return dx * dx + dy * dy <= radius * radius
  }

  /// Checks whether a person at (`x`, `y`) is within 0.12 m of the waypoint.
  @inline(__always)
  func isReached(x: Double, y: Double) -> Bool {
    let dx = x - middle.x
    let dy = y - middle.y
    return dx * dx + dy * dy <= 0.0144
  }

  /// Returns the point that a person at (`x`, `y`) heads for, and whether the person is at a doorway.
  /// - Parameters:
  ///   - body: the radius of the body, in metres.
  ///   - keepingRight: whether there is counterflow in the doorway, so that both directions keep to their right.
  @inline(__always)
  func aim(x: Double, y: Double, body: Double, keepingRight: Bool) -> (x: Double, y: Double, isBeside: Bool) {
    guard isDoor else { return (middle.x, middle.y, false) }
    let dx = x - middle.x
    let dy = y - middle.y
    let offset = dx * along.x + dy * along.y
    let depth = dx * through.x + dy * through.y
    // The half width that the centre of a body can use.
    let free = max(halfWidth - body - 0.02, 0.02)
    var lateral = min(max(offset, -free), free)
    if keepingRight {
      // The right of the direction of travel is (through.y, -through.x).
      let right = along.x * through.y - along.y * through.x > 0 ? 1.0 : -1.0
      lateral = right * min(max(lateral * right, min(body + 0.02, free)), free)
    }
    // A person beside the doorway heads for its mouth; a person in front of it or in it heads for the far side.
    let goal = depth < -0.1 && abs(offset) > free + 0.02 ? -0.05 : 0.5
    return (
      middle.x + along.x * lateral + through.x * goal, middle.y + along.y * lateral + through.y * goal,
      depth < 0.5 && !isOpen
    )
  }
}
