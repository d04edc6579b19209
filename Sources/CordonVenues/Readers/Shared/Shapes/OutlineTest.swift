import CordonCore
import CordonGeometry

/// A test whether positions lie in one outline; the rings are projected only once.
struct OutlineTest {
  private let frame: LocalFrame
  private let rings: [[PlanePoint]]

  init(_ outline: GeoMultiPolygon) {
    let frame = LocalFrame(origin: outline.polygons.first?.outer.first ?? Coordinate(longitude: 0, latitude: 0))
    self.frame = frame
    rings = outline.polygons.flatMap { $0.rings.map { $0.map(frame.project) } }
  }

  /// Distance within which a position counts as on the border, in metres. The border is inside, because the node of a
  /// door stands on its threshold.
  private static let border = 0.01

  /// Checks by the even-odd rule over all rings whether the outline contains a position; the border is inside.
  func contains(_ place: Coordinate) -> Bool {
    let point = frame.project(place)
    var isInside = false
    for ring in rings where PlaneRing.isCrossedOddly(ring, from: point) { isInside.toggle() }
    return isInside || rings.contains { RingMeasure.distance($0, point) < OutlineTest.border }
  }
}
