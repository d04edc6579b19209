package import CordonGeometry

/// The sight line between two points of a floor.
package struct SightLine: Hashable, Sendable {
  /// Length of the line, in metres.
  package let distance: Double
  /// The number of walls that the line crosses; the two faces of one wall count once.
  package let wallsCrossed: Int

  /// Whether the two points see each other.
  package var isVisible: Bool { wallsCrossed == 0 }
}

extension VenuePlan {
  /// Returns the sight line between two points of a floor; `nil` if the floor does not exist. Touching a wall counts as
  /// crossing it.
  ///
  /// Complexity: linear in the number of walls of the floor. The contact engine has its own index.
  package func sightLine(from a: PlanePoint, to b: PlanePoint, floor: Int) -> SightLine? {
    guard floors.indices.contains(floor) else { return nil }
    let line = PlaneSegment(a, b)
    let length = line.length
    let places = floors[floor].walls.filter { $0.meets(line) }.map { wall -> Double in
      let dx = wall.b.x - wall.a.x
      let dy = wall.b.y - wall.a.y
      let cross = (b.x - a.x) * dy - (b.y - a.y) * dx
      guard abs(cross) > 1e-9 else { return line.fractionNearest(to: wall.a) * length }
      return ((wall.a.x - a.x) * dy - (wall.a.y - a.y) * dx) / cross * length
    }
    var crossed = 0
    var last = -Double.infinity
    for place in places.sorted() {
      // A wall that is drawn with two faces, or twice, is one wall.
      if place - last > SightLine.wallThickness { crossed += 1 }
      last = place
    }
    return SightLine(distance: length, wallsCrossed: crossed)
  }
}

extension SightLine {
  /// Maximum distance along the line between crossings of the faces of one wall, in metres.
  static let wallThickness = 0.4
}
