import CordonCore
import CordonGeometry

/// Detects exchanged coordinate axes by a point that the source gives for the same place.
enum AxisCheck {
  /// Maximum distance of a map from its own point, in degrees; about 50 km.
  static let reach = 0.5

  /// Reports an outline that is far from `point` but near it with exchanged axes. It changes nothing.
  static func compare(
    _ outline: GeoMultiPolygon, with point: Coordinate, file: String, pointer: String, object: String?,
    _ findings: inout FindingLog
  ) {
    guard point.longitude.isFinite, point.latitude.isFinite, let vertex = outline.polygons.first?.outer.first else {
      return
    }
    func isNear(_ longitude: Double, _ latitude: Double) -> Bool {
      let east = abs(vertex.longitude - longitude)
      return min(east, 360 - east) < reach && abs(vertex.latitude - latitude) < reach
    }
    if isNear(point.longitude, point.latitude) { return }
    let isSwapped = isNear(point.latitude, point.longitude)
    findings.add(
      isSwapped ? .error : .warning, isSwapped ? "swapped-axes" : "far-from-its-point", file: file, pointer: pointer,
      object: object, action: .ignored,
      isSwapped
        ? "the shapes and the venue's own point have longitude and latitude exchanged; nothing was changed"
        : "the shapes lie far from the venue's own point")
  }
}
