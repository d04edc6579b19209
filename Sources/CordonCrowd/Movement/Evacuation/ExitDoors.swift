package import CordonGeometry
import CordonNavigation
import CordonVenues

/// The exits of a building as people leave through them: their width, and the line on which people stand in them.
package struct ExitDoors: Sendable {
  /// One exit.
  package struct Exit: Hashable, Sendable {
    /// The width, in metres.
    package var width: Double
    /// Whether the map draws no door, so that ``width`` is assumed.
    package var isAssumed: Bool
    /// The line inside the building on which people have reached the exit; a point if the map draws no door.
    package var line: PlaneSegment
  }

  /// The exits, by index in ``World/entrances``.
  package let exits: [Exit]

  /// Distance of the line from the threshold, and of its ends from the door posts, in metres.
  private static let depth = 0.35
  private static let margin = 0.25

  /// Finds the doors of the entrances.
  /// - Parameters:
  ///   - world: the venue.
  ///   - assumedWidth: the width of an exit without a door, in metres.
  package init(_ world: World, assumedWidth: Double) {
    let doors = Dictionary(world.plan.doors.map { ($0.id, $0) }, uniquingKeysWith: { first, _ in first })
    exits = world.entrances.map { entrance in
      let point = PlaneSegment(entrance.position, entrance.position)
      guard let door = doors[entrance.id], door.floor == entrance.place.floor, door.line.length > 0.3 else {
        return Exit(width: assumedWidth, isAssumed: true, line: point)
      }
      let line = ExitDoors.inside(door.line, towards: entrance.position)
      let barriers = world.routes.navigation.floors[door.floor].barriers
      let isOpen = [line.a, line.middle, line.b].allSatisfy { !barriers.isCrossed(from: entrance.position, to: $0) }
      return Exit(width: door.line.length, isAssumed: false, line: isOpen ? line : point)
    }
  }

  /// Returns the middle part of a threshold, moved to the side of a point.
  private static func inside(_ threshold: PlaneSegment, towards point: PlanePoint) -> PlaneSegment {
    let length = threshold.length
    let (dx, dy) = ((threshold.b.x - threshold.a.x) / length, (threshold.b.y - threshold.a.y) / length)
    let side = dx * (point.y - threshold.a.y) - dy * (point.x - threshold.a.x) >= 0 ? depth : -depth
    let cut = min(margin, length / 2) / length
    let (a, b) = (threshold.point(at: cut), threshold.point(at: 1 - cut))
    func moved(_ point: PlanePoint) -> PlanePoint { PlanePoint(x: point.x - dy * side, y: point.y + dx * side) }
    return PlaneSegment(moved(a), moved(b))
  }
}
