import CordonGeometry
import CordonNavigation

/// The floors of the validation tests.
enum ValidationFloors {
  static func point(_ x: Double, _ y: Double) -> PlanePoint { PlanePoint(x: x, y: y) }

  /// Returns the edges of a polygon that is given by its corners.
  static func walls(_ corners: [(Double, Double)], holes: [[(Double, Double)]] = []) -> [PlaneSegment] {
    PlanePolygon(
      outer: corners.map { point($0.0, $0.1) }, holes: holes.map { $0.map { point($0.0, $0.1) } }
    ).edges
  }

  /// Returns the walls of a box with a corner at the origin.
  static func hall(_ width: Double, _ height: Double) -> [PlaneSegment] {
    walls([(0, 0), (width, 0), (width, height), (0, height)])
  }

  /// Returns the walls of two rooms, of 12 by 8 m and `second` by 8 m, joined by a door of a width in metres.
  ///
  /// The wall between them is 20 cm thick and begins at x = 12.
  static func rooms(door width: Double, second: Double = 6) -> [PlaneSegment] {
    let (low, high) = (4 - width / 2, 4 + width / 2)
    let end = 12.2 + second
    return walls([
      (0, 0), (12, 0), (12, low), (12.2, low), (12.2, 0), (end, 0), (end, 8), (12.2, 8), (12.2, high), (12, high),
      (12, 8), (0, 8),
    ])
  }

  /// Returns the line of the door of ``rooms(door:second:)``; people who walk east cross it to its right.
  static func doorLine(width: Double) -> PlaneSegment {
    PlaneSegment(point(12.1, 4 - width / 2), point(12.1, 4 + width / 2))
  }
}
