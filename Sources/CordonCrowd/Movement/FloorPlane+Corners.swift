import CordonGeometry
import CordonNavigation
import CordonVenues

/// Corners of ways, passed at a distance from the inner wall.
extension FloorPlane {
  /// Minimum length of the legs before and after a corner that is moved, in metres.
  private static let minimumLeg = 0.8
  /// Maximum distance by which a corner is moved, in metres.
  private static let maximumShift = 1.2
  /// Distance from a corner within which walls and free space count, in metres.
  private static let cornerReach = 2.4
  /// Step in which free space is measured, in metres.
  private static let probe = 0.2

  /// Moves the corners of a way from the inner wall to a person's place in the width of the way.
  ///
  /// The shortest way touches every inner corner, in both directions. A corner stays where it is if its neighbours on
  /// the way could not be seen from the new place.
  /// - Parameters:
  ///   - marks: the waypoints.
  ///   - start: the point where the way begins, in the plane.
  ///   - preference: the preferred place of the person, from 0 (right) to 1 (left).
  func rounded(
    _ marks: [CrowdWaypoint], from start: PlanePoint, floor: Int, lanes: LaneSettings, preference: Double
  ) -> [CrowdWaypoint] {
    guard marks.count > 1 else { return marks }
    var marks = marks
    let place = lanes.keeping(preference, share: lanes.cornerShare)
    for index in marks.indices.dropLast() where !marks[index].isDoor {
      let before = local(index > 0 ? marks[index - 1].far : start, floor: floor)
      let after = local(marks[index + 1].near, floor: floor)
      let corner = local(marks[index].middle, floor: floor)
      guard let turn = Turn(from: before, over: corner, to: after, minimumLeg: Self.minimumLeg),
        let shift = shift(of: corner, at: turn, floor: floor, lanes: lanes, place: place),
        let moved = [1, 0.5, 0.25].lazy.map({ turn.outward(corner, by: shift.length * $0) }).first(where: {
          isSeen($0, from: before, and: after, floor: floor)
        })
      else { continue }
      let kept = PlanePoint.distance(moved, corner) + shift.inner
      marks[index] = .point(plane(moved, floor: floor), radius: 0.45)
      marks[index].inner = (turn.isLeft ? 1 : -1) * min(max(kept - 0.25, 0), 0.6)
    }
    return marks
  }

  /// Returns the distance by which a corner is moved outwards, and its distance from the inner wall, in metres.
  private func shift(
    of corner: PlanePoint, at turn: Turn, floor: Int, lanes: LaneSettings, place: Double
  ) -> (length: Double, inner: Double)? {
    let raster = world.routes.navigation.floors[floor]
    let inner = raster.barriers.distance(to: corner, limit: 1)
    var free = 0.0
    while free < Self.cornerReach,
      raster.isFree(from: turn.outward(corner, by: free), to: turn.outward(corner, by: free + Self.probe))
    {
      free += Self.probe
    }
    let width = inner + free + raster.minimumClearance
    let margin = min(lanes.wallMargin, width / 2)
    let fromInner = margin + (turn.isLeft ? 1 - place : place) * (width - 2 * margin)
    let length = min(fromInner - inner, free - 0.1, Self.maximumShift, turn.shorterLeg * 0.4)
    return length > 0.05 ? (length, inner) : nil
  }

  private func isSeen(_ point: PlanePoint, from before: PlanePoint, and after: PlanePoint, floor: Int) -> Bool {
    let barriers = world.routes.navigation.floors[floor].barriers
    return !barriers.isCrossed(from: before, to: point) && !barriers.isCrossed(from: point, to: after)
  }
}

/// A turn of a way.
private struct Turn {
  let isLeft: Bool
  /// The length of the shorter one of the two legs, in metres.
  let shorterLeg: Double
  /// The unit vector away from the inner side.
  private let outward: PlanePoint

  /// Creates the turn of a corner; `nil` for a straight way, a turn back and short legs.
  init?(from before: PlanePoint, over corner: PlanePoint, to after: PlanePoint, minimumLeg: Double) {
    let (first, second) = (PlanePoint.distance(before, corner), PlanePoint.distance(corner, after))
    guard first > minimumLeg, second > minimumLeg else { return nil }
    let (ax, ay) = ((corner.x - before.x) / first, (corner.y - before.y) / first)
    let (bx, by) = ((after.x - corner.x) / second, (after.y - corner.y) / second)
    let cross = ax * by - ay * bx
    guard abs(cross) > 0.1 || ax * bx + ay * by > 0, abs(cross) > 0.02 else { return nil }
    isLeft = cross > 0
    shorterLeg = min(first, second)
    let (x, y) = (ax + bx, ay + by)
    let length = (x * x + y * y).squareRoot()
    guard length > 1e-6 else { return nil }
    outward = isLeft ? PlanePoint(x: y / length, y: -x / length) : PlanePoint(x: -y / length, y: x / length)
  }

  func outward(_ point: PlanePoint, by length: Double) -> PlanePoint {
    PlanePoint(x: point.x + outward.x * length, y: point.y + outward.y * length)
  }
}
