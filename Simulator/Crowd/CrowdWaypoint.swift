public import CordonGeometry

/// A mark on somebody's way.
public struct CrowdWaypoint: Hashable, Sendable {
  var middle: PlanePoint
  /// Unit vector along a doorway's line.
  var along: PlanePoint
  /// Unit vector through a doorway, in the direction of the way.
  var through: PlanePoint
  /// Half the width of a doorway; 0 for a point.
  var halfWidth: Double
  /// Metres at which a point counts as reached.
  var radius: Double
  /// What the free speed is multiplied with on the way to the mark: below 1 on stairs.
  var pace = 1.0
  /// Whether a line is not a doorway but only to be crossed, anywhere.
  var isOpen = false
  /// The number of the doorway in the crowd's ``Crowd/turns``, counted from 1 and negative against the direction of its line; 0 for a point.
  var turn: Int32 = 0

  /// A point to pass, or to stop at when it is the last of a way.
  /// - Parameters:
  ///   - point: where it is.
  ///   - radius: metres at which it counts as reached.
  ///   - pace: what the free speed is multiplied with on the way there.
  public static func point(_ point: PlanePoint, radius: Double, pace: Double = 1) -> CrowdWaypoint {
    CrowdWaypoint(
      middle: point, along: PlanePoint(x: 1, y: 0), through: PlanePoint(x: 0, y: 1), halfWidth: 0, radius: radius,
      pace: pace)
  }

  /// A doorway to go through from the right of its line to the left, or the other way.
  /// - Parameters:
  ///   - line: the threshold, as wide as it is free.
  ///   - toLeft: the direction.
  ///   - number: the number of the doorway among those of the crowd that people can meet at, from 0; with `nil`
  ///     nobody takes turns there.
  public static func door(_ line: PlaneSegment, toLeft: Bool, number: Int? = nil) -> CrowdWaypoint {
    let length = max(line.length, 1e-9)
    let along = PlanePoint(x: (line.b.x - line.a.x) / length, y: (line.b.y - line.a.y) / length)
    let sign = toLeft ? 1.0 : -1.0
    return CrowdWaypoint(
      middle: line.middle, along: along, through: PlanePoint(x: -along.y * sign, y: along.x * sign),
      halfWidth: length / 2, radius: 0, turn: number.map { Int32($0 + 1) * (toLeft ? 1 : -1) } ?? 0)
  }

  /// A line to cross wherever one happens to walk, from its right to its left or the other way.
  public static func line(_ line: PlaneSegment, toLeft: Bool, pace: Double = 1) -> CrowdWaypoint {
    var mark = door(line, toLeft: toLeft)
    mark.isOpen = true
    mark.pace = pace
    return mark
  }

  var isDoor: Bool { halfWidth > 0 }

  /// Points from which a mark is come to and left: a doorway's on its two sides, a point's is itself.
  var near: PlanePoint { beside(-CrowdWaypoint.doorClearance) }
  var far: PlanePoint { beside(CrowdWaypoint.doorClearance) }

  private func beside(_ depth: Double) -> PlanePoint {
    isDoor ? PlanePoint(x: middle.x + through.x * depth, y: middle.y + through.y * depth) : middle
  }

  /// Metres behind a doorway's line at which it has been walked through: out of the thickness of the wall.
  static let doorClearance = 0.3
  /// Metres beside a doorway at which somebody behind its line may have come through it.
  static let passingMargin = 1.0

  /// Whether somebody at (`x`, `y`) is through or there.
  @inline(__always)
  func isPassed(x: Double, y: Double) -> Bool {
    let dx = x - middle.x
    let dy = y - middle.y
    if isDoor {
      let depth = dx * through.x + dy * through.y
      if isOpen { return depth > 0 }
      // Behind the line somewhere else, in the next doorway along the wall, nobody is through this one.
      return depth > CrowdWaypoint.doorClearance
        && abs(dx * along.x + dy * along.y) < halfWidth + CrowdWaypoint.passingMargin
    }
    return dx * dx + dy * dy <= radius * radius
  }

  /// Whether somebody at (`x`, `y`) is at a point itself.
  @inline(__always)
  func isReached(x: Double, y: Double) -> Bool {
    let dx = x - middle.x
    let dy = y - middle.y
    return dx * dx + dy * dy <= 0.0144
  }

  /// Where somebody at (`x`, `y`) with a body of `body` aims, and whether they are near a doorway.
  ///
  /// Where others come through the doorway the other way, both keep to their right.
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
      // To the right of the way lies (through.y, -through.x).
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
