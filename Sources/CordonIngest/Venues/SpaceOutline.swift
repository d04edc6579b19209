package import CordonCore
internal import CordonGeometry

/// A space of a map, for people who analyse the store in SQL.
package struct SpaceOutline: Hashable, Sendable {
  /// The space.
  package var id: SpaceID
  /// Its floor.
  package var floor: FloorOrdinal
  /// Its area, square metres.
  package var area: Double
  /// Its outline as well-known text (OGC 06-103r4), longitude first: `MULTIPOLYGON(((8.54 47.37, ...)))`.
  package var text: String

  /// Takes the values as they are.
  package init(id: SpaceID, floor: FloorOrdinal, area: Double, text: String) {
    self.id = id
    self.floor = floor
    self.area = area
    self.text = text
  }

  init(_ space: PackedVenue.Space, floor: FloorOrdinal, frame: LocalFrame) {
    self.init(
      id: space.id, floor: floor, area: space.outline.area(in: frame),
      text: "MULTIPOLYGON(\(space.outline.polygons.map(Self.text).joined(separator: ", ")))")
  }

  private static func text(_ polygon: GeoPolygon) -> String {
    let rings = polygon.rings.map { ring -> String in
      // The text repeats the first vertex at the end.
      let closed = ring + ring.prefix(1)
      return "(\(closed.map { "\($0.longitude) \($0.latitude)" }.joined(separator: ", ")))"
    }
    return "(\(rings.joined(separator: ", ")))"
  }
}
