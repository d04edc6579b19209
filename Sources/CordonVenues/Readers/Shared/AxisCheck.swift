import CordonCore
import CordonGeometry

/// Notices latitude before longitude by a point that the source gives for the same place.
enum AxisCheck {
  /// How far a map may lie from its own point, in degrees: some 50 km.
  static let reach = 0.5

  /// Reports when an outline is far from `point` but near it with the axes exchanged. Nothing is changed.
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
