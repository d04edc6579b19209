public import CordonGeometry

/// What lies between two points of a floor.
public struct SightLine: Hashable, Sendable {
  /// Metres in a straight line.
  public let distance: Double
  /// How many walls the line runs through; the two faces of one wall are one.
  public let wallsCrossed: Int

  /// Whether the two points see each other.
  public var isVisible: Bool { wallsCrossed == 0 }
}

extension VenuePlan {
  /// Looks from one point of a floor to another. Touching a wall counts as crossing it.
  ///
  /// Linear in the floor's walls; the contact engine keeps an index of its own.
  public func sightLine(from a: PlanePoint, to b: PlanePoint, floor: Int) -> SightLine? {
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
      // A wall drawn with two faces, or twice, is one wall.
      if place - last > SightLine.wallThickness { crossed += 1 }
      last = place
    }
    return SightLine(distance: length, wallsCrossed: crossed)
  }
}

extension SightLine {
  /// Crossings nearer to each other than this, in metres along the line, are the faces of one wall.
  static let wallThickness = 0.4
}
