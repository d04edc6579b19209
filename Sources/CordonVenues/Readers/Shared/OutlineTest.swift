import CordonCore
import CordonGeometry

/// Whether many places lie in one outline: the rings are projected once.
struct OutlineTest {
  private let frame: LocalFrame
  private let rings: [[PlanePoint]]

  init(_ outline: GeoMultiPolygon) {
    let frame = LocalFrame(origin: outline.polygons.first?.outer.first ?? Coordinate(longitude: 0, latitude: 0))
    self.frame = frame
    rings = outline.polygons.flatMap { $0.rings.map { $0.map(frame.project) } }
  }

  /// Even-odd over all rings.
  func contains(_ place: Coordinate) -> Bool {
    let point = frame.project(place)
    var isInside = false
    for ring in rings where RingMeasure.contains(ring, point) { isInside.toggle() }
    return isInside
  }
}
