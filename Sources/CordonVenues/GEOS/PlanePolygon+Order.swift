package import CordonGeometry
import CordonNavigation

extension PlanePolygon {
  /// The same polygon in a canonical form, so that equal areas with equal vertices are equal values.
  ///
  /// Rings start at their lowest vertex, outer rings are counter-clockwise, and holes are clockwise and sorted.
  var normalized: PlanePolygon {
    PlanePolygon(
      outer: PlanePolygon.normalized(outer, counterClockwise: true),
      holes: holes.map { PlanePolygon.normalized($0, counterClockwise: false) }
        .sorted { PlanePolygon.precedes($0, $1) })
  }

  /// Compares rings lexicographically by x, then y.
  package static func precedes(_ lhs: [PlanePoint], _ rhs: [PlanePoint]) -> Bool {
    lhs.lexicographicallyPrecedes(rhs) { ($0.x, $0.y) < ($1.x, $1.y) }
  }

  private static func normalized(_ ring: [PlanePoint], counterClockwise: Bool) -> [PlanePoint] {
    let turned = (signedArea(ring) > 0) == counterClockwise ? ring : Array(ring.reversed())
    guard let start = turned.indices.min(by: { (turned[$0].x, turned[$0].y) < (turned[$1].x, turned[$1].y) }) else {
      return ring
    }
    return Array(turned[start...] + turned[..<start])
  }

  /// Projects a polygon from degrees into a frame.
  package init(_ polygon: GeoPolygon, in frame: LocalFrame) {
    self.init(
      outer: polygon.outer.map { frame.projectRounded($0) },
      holes: polygon.holes.map { $0.map { frame.projectRounded($0) } })
  }

  /// Returns the polygon in degrees.
  package func geographic(in frame: LocalFrame) -> GeoPolygon {
    GeoPolygon(
      outer: outer.map { frame.unproject($0) }, holes: holes.map { $0.map { frame.unproject($0) } })
  }
}
